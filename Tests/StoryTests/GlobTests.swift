import Testing

/// The wildcards of a story's expectations.
@Suite("Glob")
struct GlobTests {
  @Test(
    "matches",
    arguments: [
      ("", ""), ("*", ""), ("*", "anything"), ("a*c", "ac"), ("a*c", "abbc"), ("a?c", "abc"), ("?", "é"),
      ("*ab", "aab"), ("a*b*c", "a-b-b-c"), ("**", "x"), (#"{"a":"*"}"#, #"{"a":"\n"}"#),
      ("https://a/?b", "https://a/?b"),
    ])
  func matches(_ pattern: String, _ text: String) {
    #expect(Glob(pattern).matches(text))
  }

  @Test(
    "does not match",
    arguments: [
      ("", "a"), ("a", ""), ("?", ""), ("a", "ab"), ("a*c", "abd"), ("a?c", "ac"), ("*a", "ab"), ("A", "a"),
      ("a*b*c", "a-c-b"), ("?", "ab"),
    ])
  func doesNotMatch(_ pattern: String, _ text: String) {
    #expect(!Glob(pattern).matches(text))
  }

  @Test("many stars do not make a mismatch slow", .timeLimit(.minutes(1)))
  func manyStars() {
    let pattern = String(repeating: "*a", count: 30) + "b"
    #expect(!Glob(pattern).matches(String(repeating: "a", count: 5000)))
  }
}
