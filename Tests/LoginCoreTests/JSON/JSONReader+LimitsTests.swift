import Testing

@testable import LoginCore

/// Size and depth: no document may exhaust memory or stack.
@Suite("JSONReader+Limits")
struct JSONReaderLimitsTests {
  private func nested(_ depth: Int, _ open: String, _ close: String, around inner: String = "") -> [UInt8] {
    Array((String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)).utf8)
  }

  @Test(
    "64 levels are read, 65 are refused",
    arguments: [("[", "]", ""), ("{\"a\":", "}", "1"), ("[{\"a\":", "}]", "1")])
  func depth(open: String, close: String, inner: String) {
    let levels = open.utf8.count(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") })
    #expect(throws: Never.self) { try JSONReader.read(nested(64 / levels, open, close, around: inner)) }
    #expect(throws: JSONFault(reason: .tooDeep, line: 1)) {
      try JSONReader.read(nested(64 / levels, open, close, around: "[\(inner)]"))
    }
  }

  @Test("depth is what is open at once, not what was ever opened")
  func width() {
    let text = "[" + String(repeating: "[{\"a\":[]}],", count: 1_000) + "[]]"
    #expect(throws: Never.self) { try JSONReader.read(Array(text.utf8)) }
  }

  @Test("a million open brackets do not end the program", arguments: ["[", "{\"\":", "[{\"\":"])
  func bomb(open: String) {
    let bytes = Array(String(repeating: open, count: 1_000_000).utf8)
    #expect(throws: JSONFault(reason: .tooDeep, line: 1)) { try JSONReader.read(bytes, maximumSize: .max) }
  }

  @Test("a document of 1 MiB is read, one byte more is refused unread")
  func size() throws {
    let limit = 1_024 * 1_024
    let text = Array("\"".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: limit - 2) + Array("\"".utf8)
    #expect(try JSONReader.read(text).string?.utf8.count == limit - 2)
    let spaces = [UInt8](repeating: 0x20, count: limit - 1) + [UInt8(ascii: "1")]
    #expect(try JSONReader.read(spaces) == 1)
    #expect(throws: JSONFault(reason: .tooLarge, line: 1)) { try JSONReader.read(spaces + [0x0A]) }
  }

  @Test("a caller can allow fewer bytes, or more")
  func ownSize() throws {
    #expect(throws: JSONFault(reason: .tooLarge, line: 1)) {
      try JSONReader.read(Array("[1]".utf8), maximumSize: 2)
    }
    #expect(try JSONReader.read(Array("[1]".utf8), maximumSize: 3) == [1])
    let large = [UInt8](repeating: 0x0A, count: JSONReader.defaultMaximumSize) + [UInt8(ascii: "1")]
    #expect(try JSONReader.read(large, maximumSize: large.count) == 1)
  }

  @Test("an object of as many members as fit is read at once")
  func manyMembers() {
    let text = "{" + (0..<60_000).map { "\"member\($0)\":1" }.joined(separator: ",") + "}"
    let bytes = Array(text.utf8)
    let duration = processorTime {
      #expect(throws: Never.self) { try JSONReader.read(bytes) }
    }
    #expect(duration < .seconds(5))
  }

  // Swift's own hash of a text is that of its normal form, so all of these would meet in one place.
  @Test("names that are spellings of one text are read as fast as others")
  func spellings() throws {
    let names = (0..<UInt32(16_384)).map { number in
      (0..<14).map { number >> $0 & 1 == 0 ? "\u{E9}" : "e\u{301}" }.joined()
    }
    let bytes = Array("{\(names.map { "\"\($0)\":1" }.joined(separator: ","))}".utf8)
    let duration = try processorTime {
      let object = try JSONReader.read(bytes).object
      #expect(object?.count == names.count)
    }
    #expect(duration < .seconds(5))
  }
}
