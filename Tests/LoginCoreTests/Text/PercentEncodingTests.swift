import Testing

@testable import LoginCore

@Suite("PercentEncoding")
struct PercentEncodingTests {
  @Test(
    "An escape is decoded in upper and in lower case",
    arguments: [("", ""), ("a", "a"), ("%41%6a%6A", "Ajj"), ("a%20b+c", "a b+c"), ("%25%2541", "%%41")])
  func whole(text: String, decoded: String) {
    #expect(PercentEncoding.decode(text, brokenEscapes: .refused) == Array(decoded.utf8))
    #expect(PercentEncoding.decode(text, brokenEscapes: .kept) == Array(decoded.utf8))
  }

  @Test("Decoded bytes need not be text")
  func bytes() {
    #expect(PercentEncoding.decode("%00%FF", brokenEscapes: .refused) == [0, 0xFF])
  }

  // RFC 3986 section 3.4.
  @Test(
    "A query that a browser brings gets the escapes that it lacks, and keeps those that it has",
    arguments: [
      ("code=a|b{c}^d\\e`f", "code=a%7Cb%7Bc%7D%5Ed%5Ce%60f"), ("a=[1]'\"<>é", "a=%5B1%5D%27%22%3C%3E%C3%A9"),
      ("a=%7c%25&b=1+2/?:@!$(),;*~", "a=%7c%25&b=1+2/?:@!$(),;*~"), ("a=100%&b=%zz", "a=100%25&b=%25zz"),
    ])
  func strict(query: String, expected: String) {
    #expect(PercentEncoding.strict(query: query) == expected)
    #expect(PercentEncoding.strict(query: expected) == expected)
  }

  // URL Standard section 1.3.
  @Test(
    "A % that begins no escape is refused or kept, as the caller wants",
    arguments: [("%", "%"), ("a%4", "a%4"), ("%4g%41", "%4gA"), ("%%41", "%A"), ("%-1", "%-1"), ("%é", "%é")])
  func broken(text: String, kept: String) {
    #expect(PercentEncoding.decode(text, brokenEscapes: .refused) == nil)
    #expect(PercentEncoding.decode(text, brokenEscapes: .kept) == Array(kept.utf8))
  }

  @Test(
    "Unnecessary escapes are decoded, and all others get capital letters",
    arguments: [
      ("https://a/%62%2e%7E%5f%2D", "https://a/b.~_-"), ("/%2f%3f%25%e2", "/%2F%3F%25%E2"), ("/%", "/%"),
      ("/%6", "/%6"), ("/%zz%4", "/%zz%4"), ("/%2562", "/%2562"), ("", ""),
    ])
  func normalized(_ uri: String, _ expected: String) {
    #expect(PercentEncoding.normalize(Array(uri.utf8)) == Array(expected.utf8))
  }
}
