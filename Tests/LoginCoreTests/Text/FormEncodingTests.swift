import Testing

@testable import LoginCore

@Suite("FormEncoding")
struct FormEncodingTests {
  // URL Standard section 5.1 and section 1.3, and its tests of percent-decoding.
  @Test(
    "A value is decoded as the URL Standard decodes it",
    arguments: [
      ("a+b", "a b"), ("a%20b", "a b"), ("a%2Bb", "a+b"), ("a%2bb", "a+b"), ("+", " "), ("%2B%2b", "++"),
      ("%", "%"), ("100%", "100%"), ("%2", "%2"), ("%zz", "%zz"), ("%2z", "%2z"), ("%z2", "%z2"),
      ("%%20", "% "), ("%%%", "%%%"), ("%25%73%25", "%s%"), ("%2525", "%25"), ("a%00b", "a\u{0}b"),
      ("%0D%0A", "\r\n"), ("%C3%A9%E2%82%AC", "é€"), ("é€", "é€"), ("%c3%A9+é", "é é"), ("%F0%9F%92%A9", "💩"),
      ("", ""), ("a=b", "a=b"), ("%26%3D%23", "&=#"), ("%EF%BB%BFa", "\u{FEFF}a"), ("a;b", "a;b"),
    ])
  func decoding(encoded: String, decoded: String) throws {
    #expect(try value(of: Array("n=\(encoded)".utf8)).isIdentical(to: decoded))
  }

  // Unicode section 3.9, table 3-8: one U+FFFD for each maximal part, as the Encoding Standard decodes.
  @Test(
    "Escapes that are not UTF-8 become U+FFFD",
    arguments: [
      ("%FF", "\u{FFFD}"), ("%FF%FE", "\u{FFFD}\u{FFFD}"), ("%C3", "\u{FFFD}"), ("%C3%28", "\u{FFFD}("),
      ("a%E2%82", "a\u{FFFD}"), ("%F0%9F%92", "\u{FFFD}"), ("%80", "\u{FFFD}"),
      ("%C3+%A9", "\u{FFFD} \u{FFFD}"),
      // overlong forms of "/" and NUL
      ("%C0%AF", "\u{FFFD}\u{FFFD}"), ("%C0%80", "\u{FFFD}\u{FFFD}"),
      ("%E0%80%AF", "\u{FFFD}\u{FFFD}\u{FFFD}"),
      // a surrogate, and a number beyond Unicode
      ("%ED%A0%80", "\u{FFFD}\u{FFFD}\u{FFFD}"), ("%F4%90%80%80", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
    ])
  func brokenEscapes(encoded: String, decoded: String) throws {
    #expect(try value(of: Array("n=\(encoded)".utf8)).isIdentical(to: decoded))
  }

  @Test("Unescaped bytes that are not UTF-8 become U+FFFD")
  func brokenBytes() throws {
    #expect(try value(of: Array("n=a".utf8) + [0xFF, 0xC3] + Array("b".utf8)) == "a\u{FFFD}\u{FFFD}b")
  }

  @Test("An escape is decoded only once")
  func once() throws {
    #expect(try value(of: Array("n=%2541%252B".utf8)) == "%41%2B")
  }

  @Test(
    "Every character is escaped that RFC 3986 does not call unreserved",
    arguments: [
      ("AZaz09-._~", "AZaz09-._~"), ("a b", "a%20b"), ("a+b", "a%2Bb"),
      ("&=?#/:@%", "%26%3D%3F%23%2F%3A%40%25"),
      ("é€", "%C3%A9%E2%82%AC"), ("\u{0}\r\n", "%00%0D%0A"), ("*'()!", "%2A%27%28%29%21"), ("", ""),
    ])
  func encoding(text: String, encoded: String) {
    #expect(FormEncoding.encode(text) == encoded)
  }

  @Test("A list keeps its order, and empty values keep their equals sign")
  func list() {
    #expect(
      FormEncoding.encode([Parameter("scope", "a b"), Parameter("a&b", "é"), Parameter("empty", "")])
        == "scope=a%20b&a%26b=%C3%A9&empty=")
    #expect(FormEncoding.encode([]).isEmpty)
  }

  @Test("Every value survives encoding and decoding")
  func roundTrip() {
    let all = (0...0x2FF).compactMap(Unicode.Scalar.init).map { String(Character($0)) }
    let values = all + [all.joined(), "👩‍👩‍👧", "e\u{301}", "%41", "a+b c", "\u{10FFFF}"]
    let sent = values.enumerated().map { Parameter("n\($0)&=+%", $1) }
    var list = ParameterList()
    list.append(formEncoded: Array(FormEncoding.encode(sent).utf8).span)
    #expect(list.parameters == sent)
  }

  private func value(of encoded: [UInt8]) throws -> String {
    var list = ParameterList()
    list.append(formEncoded: encoded.span)
    #expect(list.parameters.count == 1)
    return try #require(list.parameters.first).value
  }
}
