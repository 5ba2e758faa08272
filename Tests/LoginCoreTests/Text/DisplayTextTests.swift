import Testing

@testable import LoginCore

/// What is left of a foreign text when a person is to read it.
@Suite("DisplayText")
struct DisplayTextTests {
  @Test(
    "nothing that moves a cursor or reorders text is left",
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
  func controls(text: String, shown: String) {
    #expect(text.forDisplay() == shown)
  }

  @Test("white space at either end is cut, inside it becomes one space")
  func spaces() {
    #expect("  a  \n b\u{1B} ".forDisplay() == "a b")
  }

  @Test("ordinary text stays as it is", arguments: ["Zugriff verweigert: é€ 日本 👩‍👩‍👧", "שלום", "…"])
  func ordinary(text: String) {
    #expect(text.forDisplay() == text)
  }

  @Test("a text of as many characters as the limit stays whole, a longer one is cut and says so")
  func limit() {
    #expect("12345".forDisplay(limit: 5) == "12345")
    #expect("123456".forDisplay(limit: 5) == "12345…")
    #expect(String(repeating: "x", count: 501).forDisplay() == String(repeating: "x", count: 500) + "…")
  }

  @Test("what is taken out does not count")
  func limitCountsShown() {
    #expect("\u{1B}\u{202E}12345\u{202C}\n".forDisplay(limit: 5) == "12345")
  }

  @Test("a huge text costs no more than its limit")
  func huge() {
    let text = String(repeating: "a", count: 10_000_000)
    let duration = processorTime { #expect(text.forDisplay(limit: 3) == "aaa…") }
    #expect(duration < .milliseconds(500))
  }
}
