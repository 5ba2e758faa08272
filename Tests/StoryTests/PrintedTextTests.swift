import Testing

/// What a terminal would act on, or would not show, is spelt out.
@Suite("PrintedText")
struct PrintedTextTests {
  @Test(
    "lines",
    arguments: [
      ([], []),
      (Array("a\n".utf8), ["a"]),
      (Array("a".utf8), ["a (no-eol)"]),
      (Array("a\n\nb\n".utf8), ["a", "", "b"]),
      (Array("\n".utf8), [""]),
      (Array("é€\u{1F600}\n".utf8), ["é€\u{1F600}"]),
      (Array("\u{1B}[2J\u{7F}\t\r\0\n".utf8), [#"\x1b[2J\x7f\x09\x0d\x00"#]),
      (Array("\u{9B}\u{202E}\n".utf8), [#"\u{9b}\u{202e}"#]),
      ([0x61, 0xFF, 0xC3, 0x0A, 0xC3, 0xA9, 0x0A], [#"a\xff\xc3"#, "é"]),
    ] as [([UInt8], [String])])
  func lines(_ bytes: [UInt8], _ lines: [String]) {
    #expect(PrintedText(bytes).lines == lines)
  }
}
