import Glibc
import LoginCore

/// Colours and tables for a terminal.
package struct TerminalStyle: Sendable {
  private let hasColours: Bool
  /// The width of the terminal, at which tables break lines. nil if it is not known.
  package var columns: Int?

  package init(hasColours: Bool) { self.hasColours = hasColours }

  /// Without colours if NO_COLOR has any value (no-color.org), or if the terminal has none.
  package static var ofUser: TerminalStyle {
    func value(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    return TerminalStyle(hasColours: value("NO_COLOR").isEmpty && !["", "dumb"].contains(value("TERM")))
  }

  package typealias Cell = (text: String, colour: Colour?)

  package enum Colour: String, Sendable {
    case red = "31"
    case green = "32"
    case yellow = "33"
    case faint = "2"
    case bold = "1"
  }

  package func shown(_ text: String, _ colour: Colour?) -> String {
    guard hasColours, let colour, !text.isEmpty else { return text }
    return "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
  }

  /// An error message as on standard error.
  package func error(_ text: String) -> String { "tokentry: " + shown("error: ", .red) + text }

  /// Lines up the columns. The last cell of a row may have any width: it breaks between words, unless that leaves it less
  /// than ``readableWidth``.
  package func table(_ rows: [[Cell]]) -> String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count - 1 ? $0[column].text.unicodeScalars.count : 0 }.max() ?? 0
    }
    return rows.map { row in
      row.enumerated().map { index, cell in
        if index == row.count - 1 {
          let indent = widths[..<index].reduce(0) { $0 + $1 + 2 }
          return lines(cell.text, after: indent).map { shown($0, cell.colour) }
            .joined(separator: "\n" + String(repeating: " ", count: indent))
        }
        let padding = widths[index] + 2 - cell.text.unicodeScalars.count
        return shown(cell.text, cell.colour) + String(repeating: " ", count: padding)
      }.joined() + "\n"
    }.joined()
  }

  private static let readableWidth = 20

  /// Breaks a text between words. A longer word stays whole.
  private func lines(_ text: String, after indent: Int) -> [String] {
    guard let columns, case let room = columns - indent, room >= Self.readableWidth else { return [text] }
    var lines = [""]
    for word in text.parts(at: " ") {
      let longer = lines[lines.count - 1].isEmpty ? word : lines[lines.count - 1] + " " + word
      if longer.unicodeScalars.count <= room || lines[lines.count - 1].isEmpty {
        lines[lines.count - 1] = longer
      } else {
        lines.append(word)
      }
    }
    return lines
  }
}

/// The report of a crash. It is constant, because a crashed program cannot put it together, and doing so in advance
/// would take a twentieth of the time of the shortest command.
package enum CrashText {
  /// The JSON object for standard output, with its line feed.
  package static var object: StaticString {
    """
    {"error":"internal_error","error_description":"a defect in tokentry: it crashed","origin":"tokentry","retryable":false}

    """
  }
  /// The line on standard error.
  package static var message: StaticString { "tokentry: error: a defect in tokentry: it crashed\n" }
}
