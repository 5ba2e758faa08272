import Foundation
import Synchronization

/// A table of what tests have found, written into Tests/results when they end.
package final class ResultTable: Sendable {
  /// What is noted of cells that are not tried.
  private static let untried = "only in the long form"

  private let file: String
  private let head: [String]
  private let rows = Mutex<[String: String]>([:])
  private static let all = Mutex<[ResultTable]>([])
  private static let end: Void = {
    atexit { for table in ResultTable.all.withLock(\.self) { table.write() } }
  }()

  /// A table with a title and the titles of its columns, between bars.
  package init(_ file: String, _ title: String, _ columns: String) {
    self.file = file
    let line = columns.split(separator: "|").map { _ in "---" }.joined(separator: "|")
    head = ["# \(title)", "", "", "", "| \(columns) |", "|\(line)|"]
    _ = Self.end
    Self.all.withLock { $0.append(self) }
  }

  /// Of the cells of a matrix those that are tried now; the others are in the table as well.
  package func chosen<Cell: CustomStringConvertible>(_ cells: [Cell], _ isTelling: (Cell) -> Bool) -> [Cell] {
    if Rows.areAll { return cells }
    for cell in cells where !isTelling(cell) { note(cell.description, Self.untried) }
    return cells.filter(isTelling)
  }

  /// Notes what was found in a cell, whose name has bars between its columns.
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
