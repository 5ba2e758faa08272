import Foundation
import Synchronization

/// Selects rows of large test tables. A row that opens a window or starts twenty programs takes most of a second of a
/// processor, so an ordinary run tries only the rows that differ most. `Tests/run.sh --all` tries all.
package enum Rows {
  /// True if all rows are tried.
  package static let areAll = ProcessInfo.processInfo.environment["TOKENTRY_ALL_ROWS"] == "1"
  private static let skipped = Mutex(0)
  private static let end: Void = {
    atexit { print("Rows that are left to Tests/run.sh --all: \(Rows.skipped.withLock(\.self))") }
  }()

  fileprivate static func skip(_ count: Int) {
    _ = end
    skipped.withLock { $0 += count }
  }
}

/// The rows to try, chosen by a condition.
package func chosen<Row>(_ rows: [Row], where isTelling: (Row) -> Bool) -> [Row] {
  if Rows.areAll { return rows }
  let telling = rows.filter(isTelling)
  precondition(!telling.isEmpty, "a test without rows would pass")
  Rows.skip(rows.count - telling.count)
  return telling
}

/// The rows to try, chosen by their value.
package func chosen<Row: Equatable>(_ rows: [Row], telling: Row...) -> [Row] {
  chosen(rows) { telling.contains($0) }
}

/// The rows to try, chosen by their index.
package func chosen<Row>(_ rows: [Row], at places: Int...) -> [Row] {
  chosen(Array(rows.enumerated())) { places.contains($0.offset) }.map(\.element)
}

/// A table of results, written into Tests/results when the tests end.
package final class ResultTable: Sendable {
  /// The result of cells that are not tried.
  private static let untried = "only in the long form"

  private let file: String
  private let head: [String]
  private let rows = Mutex<[String: String]>([:])
  private static let all = Mutex<[ResultTable]>([])
  private static let end: Void = {
    atexit { for table in ResultTable.all.withLock(\.self) { table.write() } }
  }()

  /// `columns` are the titles of the columns, with `|` between them.
  package init(_ file: String, _ title: String, _ columns: String) {
    self.file = file
    let line = columns.split(separator: "|").map { _ in "---" }.joined(separator: "|")
    head = ["# \(title)", "", "", "", "| \(columns) |", "|\(line)|"]
    _ = Self.end
    Self.all.withLock { $0.append(self) }
  }

  /// The cells of a matrix to try, chosen by a condition. The table lists the others as not tried.
  package func chosen<Cell: CustomStringConvertible>(_ cells: [Cell], _ isTelling: (Cell) -> Bool) -> [Cell] {
    if Rows.areAll { return cells }
    for cell in cells where !isTelling(cell) { note(cell.description, Self.untried) }
    return cells.filter(isTelling)
  }

  /// Records the result of a cell. The cell's name has `|` between its columns.
  package func note(_ cell: String, _ found: String) { rows.withLock { $0[cell] = found } }

  private func write() {
    let rows = rows.withLock(\.self)
    let tried = rows.values.count { $0 != Self.untried }
    var lines = head
    lines[2] = "\(tried) of \(rows.count) rows were tried."
    lines += rows.sorted { $0.key < $1.key }.map { "| \($0.key) | \($0.value) |" }
    let folder = (1...2).reduce(URL(filePath: #filePath)) { path, _ in path.deletingLastPathComponent() }
      .appending(path: "results")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? (lines.joined(separator: "\n") + "\n").write(
      to: folder.appending(path: file), atomically: true, encoding: .utf8)
  }
}
