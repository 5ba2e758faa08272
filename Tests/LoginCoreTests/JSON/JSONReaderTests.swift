import Testing

@testable import LoginCore

@Suite("JSONReader")
struct JSONReaderTests {
  private func read(_ text: String) throws(JSONError) -> JSONValue { try JSONReader.read(Array(text.utf8)) }

  // RFC 8259 sections 2 to 7, in the spirit of JSONTestSuite's files named y_*.
  @Test(
    "A valid document is read",
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

  private static func repeated(_ name: String) -> JSONError {
    JSONError(message: "the member \"\(name)\" appears twice", line: 1)
  }

  /// Expects that all these texts are refused with this message.
  private func expectError(_ message: Message, in texts: [String]) {
    for text in texts {
      let error = #expect(throws: JSONError.self, "\(text)") { try read(text) }
      #expect(error?.message == message, "\(text)")
    }
  }

  // Most invalid documents here are like those in JSONTestSuite's files named n_*.
  @Test("A document that ends too early is refused")
  func end() {
    expectError(
      "the document ends too early",
      in: [
        "", " \n", "[", "[1", "[1,", "{", "{\"a", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "\"", "\"\\",
        "\"\\u", "\"\\u00", "-", "tru", "1.", "1e", "1e+",
      ])
  }

  @Test(
    "A character in a wrong place is refused",
    arguments: [
      // arrays and objects
      "[,1]", "[1,,2]", "[1 2]", "[1}", "[1:2]", "{,}", "{\"a\" 1}", "{\"a\":}", "{\"a\":1 \"b\":2}", "{a:1}",
      "{'a':1}", "{1:1}", "{null:1}", "{\"a\"::1}", "{\"a\":1]", "{[]:1}", "]", ":", "[1;2]",
      // words
      "nul1", "True", "NULL", "nan", "NaN", "Infinity", "undefined", "'a'", "// a", "[1/**/]", "[\u{A0}1]",
      "\u{C}[]", "\u{FEFF}{}", "[\u{0}]",
      // numbers
      "-Infinity", "+1", ".5", "-.5", "[-a]", "[1.]", "[1.e1]", "[1e]", "[1e+]", "[01]", "[-01]", "[0x1]",
      "[1e1.5]", "[--1]", "[1_0]", "[１]",
    ])
  func misplaced(text: String) {
    let error = #expect(throws: JSONError.self) { try read(text) }
    #expect(error?.message.pattern == "%1$s is not allowed here")
  }

  @Test(
    "The error names the character in the wrong place",
    arguments: [
      ("{'a':1}", "\"'\""), ("[1 2]", "\"2\""), ("{\"a\" 1}", "\"1\""), ("<html>", "\"<\""),
      ("[\u{A0}1]", "\"\u{A0}\""), ("tru}", "\"}\""), ("[-é]", "\"é\""), ("{\"a\":,}", "\",\""),
      ("[\u{0}]", "U+0000"),
    ])
  func character(text: String, found: String) {
    expectError("\(found) is not allowed here", in: [text])
  }

  @Test("A comma before a closing bracket is refused")
  func trailingComma() {
    expectError("there is a comma before the closing bracket", in: ["[1,]", "{\"a\":1,}"])
  }

  @Test("Text after the end of the document is refused")
  func trailingText() {
    expectError(
      "there is text after the end of the document",
      in: ["01", "{}{}", "[]]", "1 2", "truee", "{}#", "\"a\"\"b\"", "{}\u{0}", "{},"])
  }

  @Test("A control character in a string is refused")
  func controlCharacters() {
    expectError(
      "a control character in a string must be escaped",
      in: ["\"\n\"", "\"\t\"", "\"\u{0}\"", "\"\u{1F}\"", "\"\\n\u{1B}\"", "{\"a\n\":1}"])
  }

  @Test("An escape that JSON does not have is refused")
  func escapes() {
    expectError(
      "this escape does not exist in JSON",
      in: [
        "\"\\x41\"", "\"\\'\"", "\"\\0\"", "\"\\U0041\"", "\"\\\n\"", "\"\\u00g0\"", "\"\\u-041\"",
        "\"\\u 041\"", "\"\\é\"", "\"\\uD83D\\u00\"",
      ])
  }

  @Test("Half a surrogate pair is refused")
  func surrogates() {
    expectError(
      "half a surrogate pair",
      in: [
        "\"\\uD800\"", "\"\\uDC00\"", "\"\\uD800x\"", "\"\\uD800\\n\"", "\"\\uD800\\uD800\"",
        "\"\\uD800\\u0041\"", "\"\\uD800\\uE000\"", "\"\\uDC00\\uD800\"", "{\"\\uD800\":1}",
      ])
  }

  // RFC 8259 section 8.1, RFC 3629.
  @Test(
    "Broken UTF-8 is refused",
    arguments: [
      [0xFF], [0xC3], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80],
      [0xE2, 0x82] + Array("\\u0041".utf8), Array("\\n".utf8) + [0xFF],
    ] as [[UInt8]])
  func brokenUTF8(bytes: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    for document in [[quote] + bytes + [quote], Array("{\"".utf8) + bytes + Array("\":1}".utf8)] {
      #expect(throws: JSONError(message: "the text is not UTF-8", line: 1)) { try JSONReader.read(document) }
    }
  }

  @Test("Another encoding or a byte order mark is refused")
  func otherEncodings() {
    for (bytes, found) in [
      ([0xEF, 0xBB, 0xBF, 0x7B, 0x7D], "U+FEFF"), ([0xFF, 0xFE, 0x7B, 0x00], "\"\u{FFFD}\""),
      ([0xFE, 0xFF, 0x00, 0x7B], "\"\u{FFFD}\""),
    ] as [([UInt8], String)] {
      let error = JSONError(message: "\(found) is not allowed here", line: 1)
      #expect(throws: error) { try JSONReader.read(bytes) }
    }
  }

  @Test(
    "A repeated member is refused in every spelling",
    arguments: [
      ("{\"a\":1,\"a\":1}", "a"), ("{\"a\":1,\"b\":2,\"\\u0061\":3}", "a"), ("{\"\":1,\"\":2}", ""),
      ("{\"x\":{\"alg\":1,\"\\u0061\\u006c\\u0067\":2}}", "alg"), ("[{\"a/\":1,\"a\\/\":2}]", "a/"),
      ("{\"é\":1,\"\\u00e9\":2}", "é"), ("{\"\\uD83D\\uDCA9\":1,\"💩\":2}", "💩"),
      ("{\"a\\u0000\":1,\"a\\u0000\":2}", "a\u{0}"),
    ])
  func duplicates(text: String, name: String) {
    #expect(throws: Self.repeated(name)) { try read(text) }
  }

  @Test("A repeated member is found in a large object", arguments: [15, 16, 17, 18, 2_000])
  func duplicatesAmongMany(count: Int) {
    let members = (0..<count).map { "\"m\($0)\":\($0)" }
    #expect(throws: Never.self) { try read("{\(members.joined(separator: ","))}") }
    for name in ["m0", "m\(count - 1)", "m\(count / 2)"] {
      let text = "{\(members.joined(separator: ",")),\"\(name)\":0}"
      #expect(throws: Self.repeated(name)) { try read(text) }
    }
  }

  @Test("Names that differ in case or normal form are two members", arguments: [0, 40])
  func differentNames(others: Int) throws {
    let names = ["\u{E9}", "e\u{301}", "K", "\u{212A}", "k", "a", "a\u{0}"]
    let members = (0..<others).map { "\"m\($0)\":0" } + names.map { "\(JSONValue.string($0).text):0" }
    let object = try #require(try read("{\(members.joined(separator: ","))}").object)
    #expect(object.count == others + names.count)
  }

  @Test("Two objects may have members of the same name")
  func sameNameElsewhere() {
    #expect(throws: Never.self) { try read("{\"a\":{\"a\":[{\"a\":1},{\"a\":2}]},\"b\":{\"a\":1}}") }
  }

  @Test("Members keep their order")
  func order() throws {
    let names = try #require(try read("{\"z\":1,\"a\":2,\"m\":3,\"\":4,\"A\":5}").object).map(\.name)
    #expect(names == ["z", "a", "m", "", "A"])
  }
}

@Suite("JSONReader, lines")
struct JSONReaderLocationTests {
  @Test(
    "An error names its line",
    arguments: [
      ("{\n\"a\":1,\n\"a\":2}", "the member \"a\" appears twice" as Message, 3),
      ("\n\n", "the document ends too early", 3),
      ("{\n\n  \"a\": tru\n}", "U+000A is not allowed here", 3),
      ("[1,\n2,\n]", "there is a comma before the closing bracket", 3),
      ("{}\n\nx", "there is text after the end of the document", 3),
      ("{\r\n\"a\":\r\n\"\\x\"}", "this escape does not exist in JSON", 3),
      ("[\n\"\\ud800\"]", "half a surrogate pair", 2),
      ("[\n\n\"\n\"]", "a control character in a string must be escaped", 3),
      ("{\"a\":\n1\n\"b\":2}", "'\"' is not allowed here", 3), ("\rx", "\"x\" is not allowed here", 1),
    ])
  func errors(text: String, message: Message, line: Int) {
    #expect(throws: JSONError(message: message, line: line)) { try JSONReader.read(Array(text.utf8)) }
  }

  private static let document = """
    {
      "a": 1,
      "b": {
        "a": [
          {"c": 1}
        ],
        "c": "}\\"{", "d": 2,

        "e": {"f":
          null},
        "\\u0067": 3
      },
      "c": true, "h": 4,
      "i": ["a",
        "b"],
      "é": 5
    }
    """

  @Test(
    "The line of a member is found by its path",
    arguments: [
      (["a"], 2), (["b"], 3), (["b", "a"], 4), (["b", "c"], 7), (["b", "d"], 7), (["b", "e"], 9),
      (["b", "e", "f"], 9),
      (["b", "g"], 11), (["c"], 13), (["h"], 13), (["i"], 14), (["é"], 16),
    ])
  func members(path: [String], line: Int) {
    #expect(JSONReader.line(of: path, in: Array(Self.document.utf8)) == line)
  }

  @Test(
    "A path without a member still has a line",
    arguments: [
      "{}", "[]", "1", "\"\"", "null", "{\"a\":{\"b\":1}}", "{\"a\":1}", "{\"a\":[\n]}", "\n\n[[[[]]]]",
    ])
  func nowhere(text: String) {
    let lines = 1...text.split(separator: "\n", omittingEmptySubsequences: false).count
    for path in [["x"], ["a", "x"], ["a", "b", "c"], []] {
      #expect(lines.contains(JSONReader.line(of: path, in: Array(text.utf8))), "\(path)")
    }
  }
}
