import Testing

@testable import LoginCore

/// Cutting texts at a character.
@Suite("Splitting")
struct SplittingTests {
  @Test(
    "a text is split at the first separator alone",
    arguments: [
      ("name=value", "name", "value"), ("a=b=c", "a", "b=c"), ("=value", "", "value"), ("name=", "name", ""),
      ("name", "name", nil), ("", "", nil),
    ] as [(String, String, String?)])
  func splitting(text: String, before: String, after: String?) {
    let (first, second) = text.splitOnce(at: "=")
    #expect(first == before)
    #expect(second == after)
  }

  @Test("a combining mark after the separator belongs to what follows")
  func splittingBeforeCombiningMark() throws {
    let (name, value) = "name=\u{301}x".splitOnce(at: "=")
    #expect(name == "name")
    #expect(try #require(value).isIdentical(to: "\u{301}x"))
  }

  @Test(
    "every occurrence is replaced",
    arguments: [("a'b'c", "a--b--c"), ("'", "--"), ("''", "----"), ("abc", "abc"), ("", "")])
  func replacing(text: String, replaced: String) {
    #expect(text.replacingAll("'", with: "--") == replaced)
  }

  @Test("a character is replaced where a combining mark follows it, too")
  func replacingBeforeCombiningMark() {
    #expect("a'\u{301}b".replacingAll("'", with: "--").isIdentical(to: "a--\u{301}b"))
  }

  @Test(
    "the authority begins after the first :// of a URL",
    arguments: [
      ("https://host/path", "host/path"), ("vk1://", ""), ("a:b://c", "c"), ("https:https://x", "x"),
      ("://", ""), ("a://b://c", "b://c"),
    ])
  func authority(text: String, rest: String) throws {
    let start = try #require(text.startOfAuthority)
    #expect(text[start...] == rest)
  }

  @Test(
    "without :// there is no authority", arguments: ["", "https", "https:/host", "mailto:a@b", "//host", ":"])
  func noAuthority(text: String) {
    #expect(text.startOfAuthority == nil)
  }
}
