import Testing

@testable import LoginCore

/// Which texts are JSON, which are not, and why.
@Suite("JSONReader")
struct JSONReaderTests {
  private func read(_ text: String) throws(JSONFault) -> JSONValue { try JSONReader.read(Array(text.utf8)) }

  // RFC 8259 sections 2 to 7, in the spirit of JSONTestSuite's files named y_*.
  @Test(
    "a valid document is read",
    arguments: [
      ("null", .null), ("true", true), ("false", false), ("42", 42), ("\"\"", ""), ("[]", []), ("{}", [:]),
      (" \t\r\n[ 1 ,\n2 ]\r\n", [1, 2]), ("[[]]", [[]]), ("[[],[[]]]", [[], [[]]]),
      ("[null,1,\"1\",{}]", [.null, 1, "1", [:]]),
      ("{\"a\":{\"b\":[{}]}}", ["a": ["b": [[:]]]]), ("{\"\":0}", ["": 0]),
      ("{ \"a\" : 1 , \"b\" : 2 }", ["a": 1, "b": 2]),
      ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\u{8}\u{C}\n\r\t"), ("\"/\"", "/"), ("\"\\u0000\"", "\u{0}"),
      ("\"\\u0041\\u00e9\\u20AC\"", "Aé€"), ("\"\\uD83D\\uDCA9\"", "💩"), ("\"\\ud800\\udc00\"", "\u{10000}"),
      ("\"\\uDBFF\\uDFFF\"", "\u{10FFFF}"), ("\"\\uFFFF\"", "\u{FFFF}"), ("\"é€💩\"", "é€💩"),
      ("\"\u{7F}\u{85}\"", "\u{7F}\u{85}"),
      ("\"\u{2028}\u{2029}\u{FEFF}\"", "\u{2028}\u{2029}\u{FEFF}"), ("\"a\\u0022b\"", "a\"b"),
      ("\"\\\\u0041\"", "\\u0041"),
      ("\"[{,}]:\"", "[{,}]:"), ("\"é\\né\"", "é\né"),
    ] as [(String, JSONValue)])
  func valid(text: String, value: JSONValue) throws {
    #expect(try read(text) == value)
  }

  // JSONTestSuite's files named n_*.
  @Test(
    "an invalid document is refused, and it is said why",
    arguments: [
      ("", .unexpectedEnd), (" \n", .unexpectedEnd), ("[", .unexpectedEnd), ("[1", .unexpectedEnd),
      ("[1,", .unexpectedEnd), ("{", .unexpectedEnd), ("{\"a", .unexpectedEnd), ("{\"a\"", .unexpectedEnd),
      ("{\"a\":", .unexpectedEnd), ("{\"a\":1", .unexpectedEnd), ("{\"a\":1,", .unexpectedEnd),
      ("\"", .unexpectedEnd),
      ("\"\\", .unexpectedEnd), ("\"\\u", .unexpectedEnd), ("\"\\u00", .unexpectedEnd), ("-", .unexpectedEnd),
      ("tru", .unexpectedEnd), ("1.", .unexpectedEnd), ("1e", .unexpectedEnd), ("1e+", .unexpectedEnd),
      // arrays and objects
      ("[1,]", .trailingComma), ("[,1]", .unexpected), ("[1,,2]", .unexpected),
      ("[1 2]", .unexpected), ("[1}", .unexpected), ("[1:2]", .unexpected),
      ("{\"a\":1,}", .trailingComma), ("{,}", .unexpected),
      ("{\"a\" 1}", .unexpected),
      ("{\"a\":}", .unexpected), ("{\"a\":1 \"b\":2}", .unexpected),
      ("{a:1}", .unexpected),
      ("{'a':1}", .unexpected), ("{1:1}", .unexpected), ("{null:1}", .unexpected),
      ("{\"a\"::1}", .unexpected), ("{\"a\":1]", .unexpected),
      ("{[]:1}", .unexpected),
      ("]", .unexpected), (":", .unexpected), ("[1;2]", .unexpected),
      // words
      ("nul1", .unexpected), ("True", .unexpected), ("NULL", .unexpected),
      ("nan", .unexpected), ("NaN", .unexpected), ("Infinity", .unexpected),
      ("undefined", .unexpected), ("'a'", .unexpected), ("// a", .unexpected),
      ("[1/**/]", .unexpected), ("[\u{A0}1]", .unexpected),
      ("\u{C}[]", .unexpected),
      ("\u{FEFF}{}", .unexpected), ("[\u{0}]", .unexpected),
      // numbers
      ("-Infinity", .unexpected), ("+1", .unexpected), (".5", .unexpected),
      ("-.5", .unexpected), ("[-a]", .unexpected), ("[1.]", .unexpected),
      ("[1.e1]", .unexpected), ("[1e]", .unexpected), ("[1e+]", .unexpected),
      ("[01]", .unexpected), ("[-01]", .unexpected), ("[0x1]", .unexpected),
      ("[1e1.5]", .unexpected), ("[--1]", .unexpected), ("[1_0]", .unexpected),
      ("[１]", .unexpected),
      // what follows the end
      ("01", .trailingCharacters), ("{}{}", .trailingCharacters), ("[]]", .trailingCharacters),
      ("1 2", .trailingCharacters),
      ("truee", .trailingCharacters), ("{}#", .trailingCharacters), ("\"a\"\"b\"", .trailingCharacters),
      ("{}\u{0}", .trailingCharacters),
      ("{},", .trailingCharacters),
      // strings
      ("\"\n\"", .controlCharacterInString), ("\"\t\"", .controlCharacterInString),
      ("\"\u{0}\"", .controlCharacterInString),
      ("\"\u{1F}\"", .controlCharacterInString), ("\"\\n\u{1B}\"", .controlCharacterInString),
      ("{\"a\n\":1}", .controlCharacterInString),
      ("\"\\x41\"", .invalidEscape), ("\"\\'\"", .invalidEscape), ("\"\\0\"", .invalidEscape),
      ("\"\\U0041\"", .invalidEscape),
      ("\"\\\n\"", .invalidEscape), ("\"\\u00g0\"", .invalidEscape), ("\"\\u-041\"", .invalidEscape),
      ("\"\\u 041\"", .invalidEscape),
      ("\"\\é\"", .invalidEscape), ("\"\\uD83D\\u00\"", .invalidEscape),
      ("\"\\uD800\"", .loneSurrogate), ("\"\\uDC00\"", .loneSurrogate), ("\"\\uD800x\"", .loneSurrogate),
      ("\"\\uD800\\n\"", .loneSurrogate), ("\"\\uD800\\uD800\"", .loneSurrogate),
      ("\"\\uD800\\u0041\"", .loneSurrogate), ("\"\\uD800\\uE000\"", .loneSurrogate),
      ("\"\\uDC00\\uD800\"", .loneSurrogate), ("{\"\\uD800\":1}", .loneSurrogate),
    ] as [(String, JSONFault.Reason)])
  func invalid(text: String, reason: JSONFault.Reason) {
    let error = #expect(throws: JSONFault.self) { try read(text) }
    #expect(error?.reason.withoutCharacter == reason)
  }

  @Test(
    "what stands where it may not is named",
    arguments: [
      ("{'a':1}", "'"), ("[1 2]", "2"), ("{\"a\" 1}", "1"), ("<html>", "<"), ("[\u{A0}1]", "\u{A0}"),
      ("tru}", "}"), ("[-é]", "é"), ("{\"a\":,}", ","),
    ] as [(String, Unicode.Scalar)])
  func character(text: String, found: Unicode.Scalar) {
    #expect(throws: JSONFault(reason: .unexpectedCharacter(found), line: 1)) { try read(text) }
  }

  // RFC 8259 section 8.1, RFC 3629.
  @Test(
    "broken UTF-8 is refused",
    arguments: [
      [0xFF], [0xC3], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80],
      [0xE2, 0x82] + Array("\\u0041".utf8), Array("\\n".utf8) + [0xFF],
    ] as [[UInt8]])
  func brokenUTF8(bytes: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    for document in [[quote] + bytes + [quote], Array("{\"".utf8) + bytes + Array("\":1}".utf8)] {
      #expect(throws: JSONFault(reason: .notUTF8, line: 1)) { try JSONReader.read(document) }
    }
  }

  @Test("a text in another encoding, or with a byte order mark, is refused")
  func otherEncodings() {
    for bytes in [[0xEF, 0xBB, 0xBF, 0x7B, 0x7D], [0xFF, 0xFE, 0x7B, 0x00], [0xFE, 0xFF, 0x00, 0x7B]]
      as [[UInt8]]
    {
      #expect(
        throws: JSONFault(reason: .unexpectedCharacter(bytes[0] == 0xEF ? "\u{FEFF}" : "\u{FFFD}"), line: 1)
      ) { try JSONReader.read(bytes) }
    }
  }

  @Test(
    "a member that is there twice is refused, however it is spelled",
    arguments: [
      ("{\"a\":1,\"a\":1}", "a"), ("{\"a\":1,\"b\":2,\"\\u0061\":3}", "a"), ("{\"\":1,\"\":2}", ""),
      ("{\"x\":{\"alg\":1,\"\\u0061\\u006c\\u0067\":2}}", "alg"), ("[{\"a/\":1,\"a\\/\":2}]", "a/"),
      ("{\"é\":1,\"\\u00e9\":2}", "é"), ("{\"\\uD83D\\uDCA9\":1,\"💩\":2}", "💩"),
      ("{\"a\\u0000\":1,\"a\\u0000\":2}", "a\u{0}"),
    ])
  func duplicates(text: String, name: String) {
    #expect(throws: JSONFault(reason: .repeatedName(name), line: 1)) { try read(text) }
  }

  @Test("a member that is there twice is found among many", arguments: [15, 16, 17, 18, 2_000])
  func duplicatesAmongMany(count: Int) {
    let members = (0..<count).map { "\"m\($0)\":\($0)" }
    #expect(throws: Never.self) { try read("{\(members.joined(separator: ","))}") }
    for name in ["m0", "m\(count - 1)", "m\(count / 2)"] {
      let text = "{\(members.joined(separator: ",")),\"\(name)\":0}"
      #expect(throws: JSONFault(reason: .repeatedName(name), line: 1)) { try read(text) }
    }
  }

  @Test("names that differ in case or in their normal form are two members", arguments: [0, 40])
  func differentNames(others: Int) throws {
    let names = ["\u{E9}", "e\u{301}", "K", "\u{212A}", "k", "a", "a\u{0}"]
    let members = (0..<others).map { "\"m\($0)\":0" } + names.map { "\(JSONValue.string($0).text):0" }
    let object = try #require(try read("{\(members.joined(separator: ","))}").object)
    #expect(object.count == others + names.count)
  }

  @Test("the same name may be in two objects")
  func sameNameElsewhere() {
    #expect(throws: Never.self) { try read("{\"a\":{\"a\":[{\"a\":1},{\"a\":2}]},\"b\":{\"a\":1}}") }
  }

  @Test("members stay in their order")
  func order() throws {
    let names = try #require(try read("{\"z\":1,\"a\":2,\"m\":3,\"\":4,\"A\":5}").object).map(\.name)
    #expect(names == ["z", "a", "m", "", "A"])
  }
}

extension JSONFault.Reason {
  /// Some character that may not be there.
  static let unexpected = unexpectedCharacter("\u{0}")

  /// The same whatever the character is.
  var withoutCharacter: Self { if case .unexpectedCharacter = self { .unexpected } else { self } }
}
