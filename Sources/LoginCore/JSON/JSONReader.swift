/// A strict reader of JSON (RFC 8259).
///
/// It refuses everything that two programs could understand differently: a repeated member name, half a surrogate pair,
/// broken UTF-8, a byte order mark, text after the end. Size and depth are limited, so that no document can exhaust memory
/// or stack.
package struct JSONReader: ~Copyable {
  /// The largest size of a document in bytes, unless the caller sets another limit.
  static let defaultMaximumSize = 1_024 * 1_024
  /// Deeper than any answer of a provider, yet safe on the smallest stack.
  static let maximumDepth = 64

  private let bytes: [UInt8]
  private var index = 0
  private var depth = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the value of a whole document.
  package static func read(_ bytes: [UInt8], maximumSize: Int = defaultMaximumSize) throws(JSONError)
    -> JSONValue
  {
    guard bytes.count <= maximumSize else { throw JSONError(message: "the document is too large", line: 1) }
    var reader = JSONReader(bytes)
    let value = try reader.value()
    reader.skipWhitespace()
    guard reader.index == bytes.count else {
      throw reader.error("there is text after the end of the document")
    }
    return value
  }

  /// Returns the members of a document that must be one object. `translate` turns an error into the type of the caller.
  package static func members<CallersError: Error>(
    of bytes: [UInt8], maximumSize: Int = defaultMaximumSize, else translate: (JSONError) -> CallersError
  ) throws(CallersError) -> JSONObject {
    do throws(JSONError) {
      if let object = try read(bytes, maximumSize: maximumSize).object { return object }
      throw .notAnObject
    } catch {
      throw translate(error)
    }
  }

  /// Returns a member of a document that is an object, if it is a text. The document is read no further than that, so the
  /// rest may be invalid.
  static func text(of name: String, in bytes: [UInt8]) -> String? {
    guard bytes.first == UInt8(ascii: "{") else { return nil }
    var reader = JSONReader(bytes)
    do throws(JSONError) {
      return try reader.descend(to: name) ? try reader.value().string : nil
    } catch {
      return nil
    }
  }

  /// Returns the line in which the member at `path` begins, for messages about a document that was read before.
  static func line(of path: [String], in bytes: [UInt8]) -> Int {
    var reader = JSONReader(bytes)
    do throws(JSONError) {
      for name in path where try !reader.descend(to: name) { break }
    } catch {
      return error.line
    }
    return reader.line
  }

  /// Moves to the value of a member of the object that comes next. Returns false if it has no such member.
  private mutating func descend(to name: String) throws(JSONError) -> Bool {
    skipWhitespace()
    try enter()
    while try !skip(UInt8(ascii: "}")) {
      let found = try memberName().isIdentical(to: name)
      if found { return true }
      _ = try value()
      _ = try skip(UInt8(ascii: ","))
    }
    return false
  }

  private mutating func value() throws(JSONError) -> JSONValue {
    skipWhitespace()
    switch try peek() {
    case UInt8(ascii: "{"): return .object(try object())
    case UInt8(ascii: "["): return .array(try array())
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func object() throws(JSONError) -> JSONObject {
    var members: [JSONObject.Member] = []
    var names = NameSet()
    try enter()
    if try !skip(UInt8(ascii: "}")) {
      repeat {
        if isBeforeEnd(UInt8(ascii: "}"), after: members.count) { throw error(Self.trailingComma) }
        let name = try memberName()
        guard names.insert(name) else {
          throw error("the member \"\(name.forDisplay(limit: 60))\" appears twice")
        }
        members.append(JSONObject.Member(name: name, value: try value()))
      } while try skip(UInt8(ascii: ","))
      try expect(UInt8(ascii: "}"))
    }
    depth -= 1
    return JSONObject(uniqueMembers: members)
  }

  private mutating func memberName() throws(JSONError) -> String {
    skipWhitespace()
    guard try peek() == UInt8(ascii: "\"") else { throw unexpectedCharacter() }
    let name = try string()
    try expect(UInt8(ascii: ":"))
    return name
  }

  private mutating func array() throws(JSONError) -> [JSONValue] {
    var elements: [JSONValue] = []
    try enter()
    if try !skip(UInt8(ascii: "]")) {
      repeat {
        if isBeforeEnd(UInt8(ascii: "]"), after: elements.count) { throw error(Self.trailingComma) }
        elements.append(try value())
      } while try skip(UInt8(ascii: ","))
      try expect(UInt8(ascii: "]"))
    }
    depth -= 1
    return elements
  }

  /// Skips the bracket that opens an object or an array.
  private mutating func enter() throws(JSONError) {
    guard depth < Self.maximumDepth else { throw error("objects and arrays are nested too deeply") }
    depth += 1
    index += 1
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
    for expected in word.description.utf8 {
      guard try peek() == expected else { throw unexpectedCharacter() }
      index += 1
    }
    return value
  }
}

/// Numbers.
extension JSONReader {
  private mutating func number() throws(JSONError) -> JSONNumber {
    let start = index
    if try peek() == UInt8(ascii: "-") { index += 1 }
    if try peek() == UInt8(ascii: "0") { index += 1 } else { try digits() }
    if current == UInt8(ascii: ".") {
      index += 1
      try digits()
    }
    if let letter = current, letter | 0x20 == UInt8(ascii: "e") {
      index += 1
      if let sign = current, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { index += 1 }
      try digits()
    }
    return JSONNumber(literal: String(decoding: bytes[start..<index], as: UTF8.self))
  }

  private mutating func digits() throws(JSONError) {
    guard try peek().isDigit else { throw unexpectedCharacter() }
    while let digit = current, digit.isDigit { index += 1 }
  }
}

/// Strings.
extension JSONReader {
  private mutating func string() throws(JSONError) -> String {
    index += 1
    let start = index
    while let byte = current, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
      index += 1
    }
    if try peek() == UInt8(ascii: "\"") {
      defer { index += 1 }
      return try text(bytes[start..<index])
    }
    var decoded = Array(bytes[start..<index])
    while true {
      let byte = try peek()
      if byte == UInt8(ascii: "\"") { break }
      guard byte >= 0x20 else { throw error("a control character in a string must be escaped") }
      index += 1
      if byte == UInt8(ascii: "\\") {
        decoded.append(contentsOf: String(try escape()).utf8)
      } else {
        decoded.append(byte)
      }
    }
    defer { index += 1 }
    return try text(decoded[...])
  }

  private func text(_ utf8: ArraySlice<UInt8>) throws(JSONError) -> String {
    guard let text = String(validating: utf8, as: UTF8.self) else { throw error("the text is not UTF-8") }
    return text
  }

  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    let letter = try peek()
    index += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try escapedScalar()
    default: throw error(Self.invalidEscape)
    }
  }

  private mutating func escapedScalar() throws(JSONError) -> Unicode.Scalar {
    let first = try codeUnit()
    if let scalar = Unicode.Scalar(UInt32(first)) { return scalar }
    guard UTF16.isLeadSurrogate(first), current == UInt8(ascii: "\\") else { throw error(Self.loneSurrogate) }
    index += 1
    guard current == UInt8(ascii: "u") else { throw error(Self.loneSurrogate) }
    index += 1
    let second = try codeUnit()
    guard UTF16.isTrailSurrogate(second),
      let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
    else { throw error(Self.loneSurrogate) }
    return scalar
  }

  private mutating func codeUnit() throws(JSONError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = try peek().hexadecimalValue else { throw error(Self.invalidEscape) }
      unit = unit << 4 | UInt16(digit)
      index += 1
    }
    return unit
  }
}

/// Single bytes.
extension JSONReader {
  private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

  private func peek() throws(JSONError) -> UInt8 {
    guard let current else { throw error("the document ends too early") }
    return current
  }

  private mutating func skipWhitespace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
  }

  /// Skips white space, and then `byte` if it comes next.
  private mutating func skip(_ byte: UInt8) throws(JSONError) -> Bool {
    skipWhitespace()
    guard try peek() == byte else { return false }
    index += 1
    return true
  }

  private mutating func expect(_ byte: UInt8) throws(JSONError) {
    guard try skip(byte) else { throw unexpectedCharacter() }
  }

  /// The number of the current line, counted from one.
  private var line: Int { 1 + bytes[..<index].count { $0 == 0x0A } }

  private static let trailingComma: Message = "there is a comma before the closing bracket"
  private static let invalidEscape: Message = "this escape does not exist in JSON"
  private static let loneSurrogate: Message = "half a surrogate pair"

  private func error(_ message: Message) -> JSONError { JSONError(message: message, line: line) }

  /// The error for a character that JSON does not allow at this place.
  private func unexpectedCharacter() -> JSONError {
    let found =
      String(decoding: bytes[index...].prefix(4), as: UTF8.self).unicodeScalars.first ?? "\u{FFFD}"
    return error("\(found.quotedForDisplay) is not allowed here")
  }

  /// True if a comma has just been read and `bracket` follows it.
  private mutating func isBeforeEnd(_ bracket: UInt8, after count: Int) -> Bool {
    skipWhitespace()
    return count > 0 && current == bracket
  }
}

/// The reason why a text is not the JSON that a caller wanted, and the line where it goes wrong.
package struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The problem, without the line.
  package let message: Message
  /// The line with the problem, counted from one.
  package let line: Int

  init(message: Message, line: Int) { (self.message, self.line) = (message, line) }

  /// The problem with its line.
  package var located: Message { "line \(line): \(message)" }

  package var description: String { located.description }

  /// The error for a document whose value is not an object.
  static let notAnObject = JSONError(message: "the document is not a JSON object", line: 1)
}
