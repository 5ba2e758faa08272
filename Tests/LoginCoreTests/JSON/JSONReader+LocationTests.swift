import Testing

@testable import LoginCore

/// Lines: of a fault, and of a member that turned out to be wrong later.
@Suite("JSONReader+Location")
struct JSONReaderLocationTests {
  @Test(
    "a fault names its line",
    arguments: [
      ("{\n\"a\":1,\n\"a\":2}", JSONFault.Reason.repeatedName("a"), 3), ("\n\n", .unexpectedEnd, 3),
      ("{\n\n  \"a\": tru\n}", .unexpectedCharacter("\n"), 3), ("[1,\n2,\n]", .trailingComma, 3),
      ("{}\n\nx", .trailingCharacters, 3),
      ("{\r\n\"a\":\r\n\"\\x\"}", .invalidEscape, 3), ("[\n\"\\ud800\"]", .loneSurrogate, 2),
      ("[\n\n\"\n\"]", .controlCharacterInString, 3),
      ("{\"a\":\n1\n\"b\":2}", .unexpectedCharacter("\""), 3), ("\rx", .unexpectedCharacter("x"), 1),
    ])
  func faults(text: String, reason: JSONFault.Reason, line: Int) {
    #expect(throws: JSONFault(reason: reason, line: line)) { try JSONReader.read(Array(text.utf8)) }
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
    "a member is found by its path",
    arguments: [
      (["a"], 2), (["b"], 3), (["b", "a"], 4), (["b", "c"], 7), (["b", "d"], 7), (["b", "e"], 9),
      (["b", "e", "f"], 9),
      (["b", "g"], 11), (["c"], 13), (["h"], 13), (["i"], 14), (["é"], 16),
    ])
  func members(path: [String], line: Int) {
    #expect(JSONReader.line(of: path, in: Array(Self.document.utf8)) == line)
  }

  @Test(
    "a path that leads nowhere has a line all the same",
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
