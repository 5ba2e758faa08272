import Testing

@testable import LoginCore

@Suite("DisplayText")
struct DisplayTextTests {
  @Test(
    "Characters that move a cursor or reorder text are removed",
    arguments: [
      ("\u{1B}[31mred\u{1B}[0m", "[31mred [0m"),
      ("a\u{9B}31mb", "a 31mb"),
      ("one\ntwo\r\nthree", "one two three"),
      ("a\tb\u{0}c\u{7F}d\u{85}e", "a b c d e"),
      ("line\u{2028}paragraph\u{2029}end", "line paragraph end"),
      ("evil\u{202E}txt.exe", "eviltxt.exe"),
      ("\u{2066}a\u{2069}\u{200E}b\u{200F}\u{61C}c", "abc"),
      ("\n\n", ""),
      ("", ""),
    ])
  func removal(text: String, shown: String) {
    #expect(text.forDisplay() == shown)
  }

  @Test("White space is cut at both ends and becomes one space inside")
  func spaces() {
    #expect("  a  \n b\u{1B} ".forDisplay() == "a b")
  }

  @Test("Ordinary text stays unchanged", arguments: ["Zugriff verweigert: é€ 日本 👩‍👩‍👧", "שלום", "…"])
  func ordinary(text: String) {
    #expect(text.forDisplay() == text)
  }

  @Test("A text longer than the limit is cut and ends with an ellipsis")
  func limit() {
    #expect("12345".forDisplay(limit: 5) == "12345")
    #expect("123456".forDisplay(limit: 5) == "12345…")
    #expect(String(repeating: "x", count: 501).forDisplay() == String(repeating: "x", count: 500) + "…")
  }

  @Test("Removed characters do not count towards the limit")
  func limitCountsShown() {
    #expect("\u{1B}\u{202E}12345\u{202C}\n".forDisplay(limit: 5) == "12345")
  }

  @Test("A huge text takes no longer than its limit")
  func huge() {
    let text = String(repeating: "a", count: 10_000_000)
    let duration = processorTime { #expect(text.forDisplay(limit: 3) == "aaa…") }
    #expect(duration < .milliseconds(500))
  }

  @Test(
    "C0, DEL and C1 are control characters",
    arguments: ["\u{0}", "\u{9}", "\u{A}", "\u{1B}", "\u{1F}", "\u{7F}", "\u{80}", "\u{85}", "\u{9F}"])
  func controls(scalar: Unicode.Scalar) {
    #expect(scalar.isControl)
  }

  @Test("Visible characters and spaces are not control characters", arguments: [" ", "~", "\u{A0}", "é"])
  func noControls(scalar: Unicode.Scalar) {
    #expect(!scalar.isControl)
  }

  @Test(
    "The bidirectional controls of Unicode TR9 are recognised",
    arguments: [
      "\u{61C}", "\u{200E}", "\u{200F}", "\u{202A}", "\u{202B}", "\u{202C}", "\u{202D}", "\u{202E}",
      "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}",
    ])
  func bidirectionalControls(scalar: Unicode.Scalar) {
    #expect(scalar.isBidirectionalControl)
  }

  @Test(
    "Letters of right-to-left scripts are not bidirectional controls", arguments: ["א", "ب", "\u{200D}", "a"])
  func noBidirectionalControls(scalar: Unicode.Scalar) {
    #expect(!scalar.isBidirectionalControl)
  }
}
