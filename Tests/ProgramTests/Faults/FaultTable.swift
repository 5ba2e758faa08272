import TestSupport

/// What the tests of faults have found, one row for each fault in each state.
enum FaultTable {
  private static let table = ResultTable("faults.md", "Faults without a window", "fault | state | found")

  static func chosen<Cell: CustomStringConvertible>(_ cells: [Cell], _ isTelling: (Cell) -> Bool) -> [Cell] {
    table.chosen(cells, isTelling)
  }

  static func note(_ cell: some CustomStringConvertible, _ found: String) {
    table.note(cell.description, found)
  }

  /// The same, in words that are the same for all, of a program that was run.
  static func note(_ cell: some CustomStringConvertible, _ outcome: Program.Outcome, _ more: String = "") {
    let error = outcome["error"] as? String
    note(cell, "status \(outcome.status)\(error.map { ", \($0)" } ?? "")\(more)")
  }
}
