import Testing

@testable import LoginCore

@Suite("JSONWriter")
struct JSONWriterTests {
  @Test(
    "A value is written in one line without spaces",
    arguments: [
      (.null, "null"), (true, "true"), (false, "false"), (-1, "-1"), ("", "\"\""), ([], "[]"), ([:], "{}"),
      ([1, [2], .null], "[1,[2],null]"), (["a": 1, "b": ["c": []]], "{\"a\":1,\"b\":{\"c\":[]}}"),
      (["b": 1, "a": 2], "{\"b\":1,\"a\":2}"), (["a\"\n": "b"], "{\"a\\\"\\n\":\"b\"}"),
    ] as [(JSONValue, String)])
  func values(value: JSONValue, text: String) {
    #expect(value.text == text)
  }

  @Test(
    "A string is escaped only where it must be",
    arguments: [
      ("https://h.test/", "\"https://h.test/\""), ("\"\\", "\"\\\"\\\\\""), ("\n\r\t", "\"\\n\\r\\t\""),
      ("\r\n", "\"\\r\\n\""), ("\u{0}\u{8}\u{B}\u{C}\u{1F}", "\"\\u0000\\u0008\\u000b\\u000c\\u001f\""),
      ("\u{1B}[31m", "\"\\u001b[31m\""),
      ("\u{7F}\u{80}\u{85}\u{9B}\u{9F}", "\"\\u007f\\u0080\\u0085\\u009b\\u009f\""),
      ("é€日本💩", "\"é€日本💩\""), ("e\u{301}", "\"e\u{301}\""), ("'<>&", "\"'<>&\""),
      ("\"\u{301}", "\"\\\"\u{301}\""),
      ("\\\u{301}", "\"\\\\\u{301}\""),
    ])
  func strings(string: String, text: String) {
    #expect(JSONValue.string(string).text.isIdentical(to: text))
  }

  @Test("Control characters are always escaped")
  func noControls() {
    let all = String(String.UnicodeScalarView((0...0x2FF).compactMap(Unicode.Scalar.init)))
    let value = JSONValue.object([all: [.string(all)]])
    #expect(!value.text.hasControlCharacter)
  }

  @Test("A written value can be read back")
  func roundTrip() throws {
    let all = String(String.UnicodeScalarView((0...0xFFFF).compactMap(Unicode.Scalar.init)))
    let value: JSONValue = [
      "text": .string(all), "é": "e\u{301}", "e\u{301}": "é",
      "numbers": [0, -5, .number(JSONNumber(literal: "1.10e-7"))],
      "nested": [[["": [:]]], .null, true, false],
    ]
    #expect(try JSONReader.read(Array(value.text.utf8)) == value)
  }
}
