import Testing

@testable import UserAgents

@Suite("A line at a terminal that passes every key on")
struct LineEditorTests {
  private func lines(_ keys: String, limit: Int = 100) -> [String] {
    var editor = LineEditor(limit: limit)
    return keys.utf8.compactMap { key in
      switch editor.take(key) {
      case .line(let bytes): String(decoding: bytes, as: UTF8.self)
      case .end: "END"
      case nil: nil
      }
    }
  }

  @Test(
    "Keys make lines, and the usual ones correct them",
    arguments: [
      ("abc\n", ["abc"]), ("abc\r", ["abc"]), ("abc", []), ("ab\u{7F}c\n", ["ac"]), ("\u{8}\u{8}a\n", ["a"]),
      ("abc\u{15}d\n", ["d"]), ("\u{4}", ["END"]), ("a\u{4}b\n", ["ab"]), ("a\nb\n", ["a", "b"]),
      ("\n", [""]),
    ])
  func keys(keys: String, expected: [String]) { #expect(lines(keys) == expected) }

  @Test("A line without end fills no memory, and can be seen to be too long")
  func limit() {
    #expect(
      lines(String(repeating: "a", count: 1_000) + "\n", limit: 10) == [String(repeating: "a", count: 11)])
  }
}
