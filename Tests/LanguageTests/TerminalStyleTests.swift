import Glibc
import Testing

@testable import Language

@Suite("TerminalStyle")
struct TerminalStyleTests {
  private let plain = TerminalStyle(hasColours: false)
  private let coloured = TerminalStyle(hasColours: true)

  @Test("Colours are written only to a terminal that has them, around a text that is not empty")
  func colours() {
    #expect(coloured.shown("a", .red) == "\u{1B}[31ma\u{1B}[0m")
    #expect(coloured.shown("a", nil) == "a")
    #expect(coloured.shown("", .red) == "")
    #expect(plain.shown("a", .red) == "a")
    #expect(coloured.error("a") == "tokentry: \u{1B}[31merror: \u{1B}[0ma")
  }

  @Test("The columns of a table line up, with and without colours, and the last cell may have any width")
  func table() {
    let rows: [[TerminalStyle.Cell]] = [
      [("a", .bold), ("long é", nil), ("x", nil)], [("abc", .red), ("b", .green), ("a long text", nil)],
      [("a", nil)],
    ]
    #expect(plain.table(rows) == "a    long é  x\nabc  b       a long text\na\n")
    let first = coloured.table(rows).split(separator: "\n").first
    #expect(first == "\u{1B}[1ma\u{1B}[0m    long é  x")
    #expect(plain.table([]) == "")
  }

  @Test("At the edge of the terminal the last cell breaks between words, unless there is too little room")
  func lines() {
    let text = "a web page that https://as.example.test shows"
    let rows: [[TerminalStyle.Cell]] = [[("name", .bold), (text, nil)]]
    var style = plain
    style.columns = 26
    #expect(
      style.table(rows) == "name  a web page that\n      https://as.example.test\n      shows\n")
    style.columns = 25
    #expect(style.table(rows) == "name  \(text)\n")
  }

  @Test(
    "A terminal has colours unless NO_COLOR is set, or TERM says that it has none",
    arguments: [("", "xterm", true), ("1", "xterm", false), ("", "dumb", false), ("", "", false)])
  func environment(noColor: String, term: String, hasColours: Bool) async {
    await #expect(processExitsWith: .success) { [noColor, term, hasColours] in
      setenv("NO_COLOR", noColor, 1)
      setenv("TERM", term, 1)
      #expect(TerminalStyle.ofUser.shown("a", .red).contains("\u{1B}") == hasColours)
    }
  }
}
