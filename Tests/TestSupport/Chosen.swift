import Foundation
import Synchronization

/// Which rows of a test's table are tried. A window, or twenty programs at once, take most of a second of a processor, so
/// that a change is tried with the rows that tell most: every test is run, and what differs in its rows is seen once. The
/// long forms of a run try all.
package enum Rows {
  /// Whether all are tried.
  package static let areAll = ProcessInfo.processInfo.environment["TOKENTRY_ALL_ROWS"] == "1"
  private static let left = Mutex(0)
  private static let end: Void = {
    atexit { print("Rows that are left to Tests/run.sh --all: \(Rows.left.withLock(\.self))") }
  }()

  fileprivate static func leave(_ count: Int) {
    _ = end
    left.withLock { $0 += count }
  }
}

/// The rows of a table that are tried, when they were chosen by what they are.
package func chosen<Row>(_ rows: [Row], where isTelling: (Row) -> Bool) -> [Row] {
  if Rows.areAll { return rows }
  let telling = rows.filter(isTelling)
  precondition(!telling.isEmpty, "a test without any row would pass")
  Rows.leave(rows.count - telling.count)
  return telling
}

/// The rows of a table that are tried, when they were chosen by their value.
package func chosen<Row: Equatable>(_ rows: [Row], telling: Row...) -> [Row] {
  chosen(rows) { telling.contains($0) }
}

/// The rows of a table that are tried, when they were chosen by their place.
package func chosen<Row>(_ rows: [Row], at places: Int...) -> [Row] {
  chosen(Array(rows.enumerated())) { places.contains($0.offset) }.map(\.element)
}
