import Testing

@testable import LoginCore

@Suite("JSONReader, limits")
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
    #expect(throws: JSONError(message: "objects and arrays are nested too deeply", line: 1)) {
      try JSONReader.read(nested(64 / levels, open, close, around: "[\(inner)]"))
    }
  }

  @Test("The limit of depth counts only levels that are open at the same time")
  func width() {
    let text = "[" + String(repeating: "[{\"a\":[]}],", count: 1_000) + "[]]"
    #expect(throws: Never.self) { try JSONReader.read(Array(text.utf8)) }
  }

  @Test("A million open brackets do not exhaust the stack", arguments: ["[", "{\"\":", "[{\"\":"])
  func bomb(open: String) {
    let bytes = Array(String(repeating: open, count: 1_000_000).utf8)
    #expect(throws: JSONError(message: "objects and arrays are nested too deeply", line: 1)) {
      try JSONReader.read(bytes, maximumSize: .max)
    }
  }

  @Test("A document of 1 MiB is read, one byte more is refused")
  func size() throws {
    let limit = 1_024 * 1_024
    let text = Array("\"".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: limit - 2) + Array("\"".utf8)
    #expect(try JSONReader.read(text).string?.utf8.count == limit - 2)
    let spaces = [UInt8](repeating: 0x20, count: limit - 1) + [UInt8(ascii: "1")]
    #expect(try JSONReader.read(spaces) == 1)
    #expect(throws: JSONError(message: "the document is too large", line: 1)) {
      try JSONReader.read(spaces + [0x0A])
    }
  }

  @Test("A caller can set another limit of size")
  func ownSize() throws {
    #expect(throws: JSONError(message: "the document is too large", line: 1)) {
      try JSONReader.read(Array("[1]".utf8), maximumSize: 2)
    }
    #expect(try JSONReader.read(Array("[1]".utf8), maximumSize: 3) == [1])
    let large = [UInt8](repeating: 0x0A, count: JSONReader.defaultMaximumSize) + [UInt8(ascii: "1")]
    #expect(try JSONReader.read(large, maximumSize: large.count) == 1)
  }

  @Test("Reading an object with many members takes linear time")
  func manyMembers() {
    let text = "{" + (0..<60_000).map { "\"member\($0)\":1" }.joined(separator: ",") + "}"
    let bytes = Array(text.utf8)
    let duration = processorTime {
      #expect(throws: Never.self) { try JSONReader.read(bytes) }
    }
    #expect(duration < .seconds(5))
  }

  // All spellings have one hash in Swift, so they would all share one bucket of a dictionary.
  @Test("Names that are spellings of one text are read as fast as others")
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
