import Glibc

/// How lines stand out on a terminal, for a reader who wants that.
package struct TerminalStyle: Sendable {
  private let hasColours: Bool

  /// With colours, or without.
  package init(hasColours: Bool) { self.hasColours = hasColours }

  /// What the user's environment says: NO_COLOR with any value (no-color.org), and a terminal that knows none.
  package static var ofUser: TerminalStyle {
    func value(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    return TerminalStyle(hasColours: value("NO_COLOR").isEmpty && !["", "dumb"].contains(value("TERM")))
  }

  /// A text in a table.
  package typealias Cell = (text: String, colour: Colour?)

  /// What a terminal can do to a text.
  package enum Colour: String, Sendable {
    case red = "31"
    case green = "32"
    case yellow = "33"
    case faint = "2"
    case bold = "1"
  }

  /// The text in this colour.
  package func shown(_ text: String, _ colour: Colour?) -> String {
    guard hasColours, let colour, !text.isEmpty else { return text }
    return "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
  }

  /// A line that says what is wrong, as it is said on standard error.
  package func error(_ text: String) -> String { "tokentry: " + shown("error: ", .red) + text }

  /// Rows below each other, their cells as wide as the widest of the column; the last one is as wide as it likes.
  package func table(_ rows: [[Cell]]) -> String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count - 1 ? $0[column].text.unicodeScalars.count : 0 }.max() ?? 0
    }
    return rows.map { row in
      row.enumerated().map { index, cell in
        let isLast = index == row.count - 1
        let padding = isLast ? 0 : widths[index] + 2 - cell.text.unicodeScalars.count
        return shown(cell.text, cell.colour) + String(repeating: " ", count: padding)
      }.joined() + "\n"
    }.joined()
  }
}
