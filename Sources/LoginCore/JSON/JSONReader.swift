/// A strict reader of JSON (RFC 8259).
///
/// What two programs could understand differently is refused: a member name given twice, half a surrogate
/// pair, broken UTF-8, a byte order mark, anything after the end. Size and depth are limited, so that no
/// document can exhaust memory or stack.
package struct JSONReader: ~Copyable {
  /// The most bytes that a document may have, unless a caller allows fewer or more.
  package static let defaultMaximumSize = 1_024 * 1_024
  /// Deeper than any answer of a provider, and shallow enough for the smallest stack.
  static let maximumDepth = 64

  private let bytes: [UInt8]
  private var index = 0
  private var depth = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The value of a whole document.
  package static func read(_ bytes: [UInt8], maximumSize: Int = defaultMaximumSize) throws(JSONFault)
    -> JSONValue
  {
    guard bytes.count <= maximumSize else { throw JSONFault(reason: .tooLarge, line: 1) }
    var reader = JSONReader(bytes)
    let value = try reader.value()
    reader.skipWhitespace()
    guard reader.index == bytes.count else { throw reader.fault(.trailingCharacters) }
    return value
  }

  /// The members of a document that is one object, or the caller's own fault.
  package static func members<Fault>(
    of bytes: [UInt8], maximumSize: Int = defaultMaximumSize, else fault: (JSONFault) -> Fault
  ) throws(Fault) -> JSONObject {
    do throws(JSONFault) {
      if let object = try read(bytes, maximumSize: maximumSize).object { return object }
      throw JSONFault(reason: .notAnObject, line: 1)
    } catch {
      throw fault(error)
    }
  }

  mutating func value() throws(JSONFault) -> JSONValue {
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

  private mutating func object() throws(JSONFault) -> JSONObject {
    var members: [JSONObject.Member] = []
    var names = NameSet()
    try enter()
    if try !skip(UInt8(ascii: "}")) {
      repeat {
        if isBeforeEnd(UInt8(ascii: "}"), after: members.count) { throw fault(.trailingComma) }
        let name = try memberName()
        guard names.insert(name) else { throw fault(.repeatedName(name)) }
        members.append(JSONObject.Member(name: name, value: try value()))
      } while try skip(UInt8(ascii: ","))
      try expect(UInt8(ascii: "}"))
    }
    depth -= 1
    return JSONObject(uniqueMembers: members)
  }

  mutating func memberName() throws(JSONFault) -> String {
    skipWhitespace()
    guard try peek() == UInt8(ascii: "\"") else { throw unexpectedCharacter() }
    let name = try string()
    try expect(UInt8(ascii: ":"))
    return name
  }

  private mutating func array() throws(JSONFault) -> [JSONValue] {
    var elements: [JSONValue] = []
    try enter()
    if try !skip(UInt8(ascii: "]")) {
      repeat {
        if isBeforeEnd(UInt8(ascii: "]"), after: elements.count) { throw fault(.trailingComma) }
        elements.append(try value())
      } while try skip(UInt8(ascii: ","))
      try expect(UInt8(ascii: "]"))
    }
    depth -= 1
    return elements
  }

  /// Steps over the bracket that opens an object or an array.
  mutating func enter() throws(JSONFault) {
    guard depth < Self.maximumDepth else { throw fault(.tooDeep) }
    depth += 1
    index += 1
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONFault) -> JSONValue {
    for expected in word.description.utf8 {
      guard try peek() == expected else { throw unexpectedCharacter() }
      index += 1
    }
    return value
  }
}

/// Numbers.
extension JSONReader {
  private mutating func number() throws(JSONFault) -> JSONNumber {
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

  private mutating func digits() throws(JSONFault) {
    guard try peek().isDigit else { throw unexpectedCharacter() }
    while let digit = current, digit.isDigit { index += 1 }
  }
}

/// Strings.
extension JSONReader {
  private mutating func string() throws(JSONFault) -> String {
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
      guard byte >= 0x20 else { throw fault(.controlCharacterInString) }
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

  private func text(_ utf8: ArraySlice<UInt8>) throws(JSONFault) -> String {
    guard let text = String(validating: utf8, as: UTF8.self) else { throw fault(.notUTF8) }
    return text
  }

  private mutating func escape() throws(JSONFault) -> Unicode.Scalar {
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
    default: throw fault(.invalidEscape)
    }
  }

  private mutating func escapedScalar() throws(JSONFault) -> Unicode.Scalar {
    let first = try codeUnit()
    if let scalar = Unicode.Scalar(UInt32(first)) { return scalar }
    guard UTF16.isLeadSurrogate(first), current == UInt8(ascii: "\\") else { throw fault(.loneSurrogate) }
    index += 1
    guard current == UInt8(ascii: "u") else { throw fault(.loneSurrogate) }
    index += 1
    let second = try codeUnit()
    guard UTF16.isTrailSurrogate(second),
      let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
    else { throw fault(.loneSurrogate) }
    return scalar
  }

  private mutating func codeUnit() throws(JSONFault) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = try peek().hexadecimalValue else { throw fault(.invalidEscape) }
      unit = unit << 4 | UInt16(digit)
      index += 1
    }
    return unit
  }
}

/// Single bytes.
extension JSONReader {
  private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

  private func peek() throws(JSONFault) -> UInt8 {
    guard let current else { throw fault(.unexpectedEnd) }
    return current
  }

  mutating func skipWhitespace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
  }

  /// Steps over `byte` if it is the next one after white space.
  mutating func skip(_ byte: UInt8) throws(JSONFault) -> Bool {
    skipWhitespace()
    guard try peek() == byte else { return false }
    index += 1
    return true
  }

  private mutating func expect(_ byte: UInt8) throws(JSONFault) {
    guard try skip(byte) else { throw unexpectedCharacter() }
  }

  /// The line that is being read, counted from one.
  var line: Int { 1 + bytes[..<index].count { $0 == 0x0A } }

  private func fault(_ reason: JSONFault.Reason) -> JSONFault { JSONFault(reason: reason, line: line) }

  /// The character that is next, where none like it may be.
  private func unexpectedCharacter() -> JSONFault {
    fault(
      .unexpectedCharacter(
        String(decoding: bytes[index...].prefix(4), as: UTF8.self).unicodeScalars.first ?? "\u{FFFD}"))
  }

  /// Whether a comma has just been read and `bracket` follows it.
  private mutating func isBeforeEnd(_ bracket: UInt8, after count: Int) -> Bool {
    skipWhitespace()
    return count > 0 && current == bracket
  }
}
