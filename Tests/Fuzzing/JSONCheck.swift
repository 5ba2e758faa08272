@testable import LoginCore

extension Check {
  /// JSON: texts that the grammar forbids are refused, texts that it allows are refused only for the reader's own limits,
  /// and values can be read back.
  static let json = Check(growing: [
    ("members", { elements($0, from: "{", to: "}") { "\"a\($0)\":1" } }),
    ("elements", { elements($0, from: "[", to: "]") { _ in "null" } }),
    ("lines", { pieces($0, from: "[", to: "x") { _ in "\n" } }),
    ("digits", { pieces($0) { _ in "1" } }),
    ("escapes", { pieces($0, from: "\"", to: "\"") { _ in "\\n" } }),
    ("brackets", { pieces($0) { _ in "[" } }),
  ]
  ) { bytes in
    let isGrammatical = JSONGrammar.allows(bytes)
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONReader.read(bytes)
    } catch {
      require(error.line >= 1, "a line has a number")
      require(!isGrammatical || error.isBeyondGrammar, "\(error) is not a reason to refuse \(bytes.text)")
      return
    }
    require(isGrammatical, "only JSON is read: \(bytes.text)")
    let text = value.text
    require(text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "control characters are escaped: \(text)")
    let again = try? JSONReader.read(text.bytes)
    require(again == value, "a value is read back unchanged: \(text)")
    require(again?.text.bytes == text.bytes, "a value is written in one way: \(text)")
    if case .number(let number) = value { check(number) }
  }

  private static func check(_ number: JSONNumber) {
    guard let whole = number.truncated, let exact = Double(number.literal) else { return }
    require(
      abs(Double(whole) - exact) < max(1, abs(exact) / 1e15),
      "\(number.literal) without its fraction is not \(whole)")
  }
}

extension JSONError {
  /// True if the grammar allows the text, and the reader has a reason of its own.
  fileprivate var isBeyondGrammar: Bool {
    let reasons: [Message] = [
      "objects and arrays are nested too deeply", "the text is not UTF-8", "half a surrogate pair",
      "the member \"\("")\" appears twice",
    ]
    return reasons.contains { $0.pattern == message.pattern }
  }
}

/// The grammar of RFC 8259.
struct JSONGrammar {
  private var rest: ArraySlice<UInt8>

  static func allows(_ bytes: [UInt8]) -> Bool {
    var grammar = JSONGrammar(rest: bytes[...])
    // The reader refuses deeper texts in any case.
    return grammar.value(depth: 0) && grammar.isAtEnd
  }

  private var isAtEnd: Bool {
    mutating get {
      blank()
      return rest.isEmpty
    }
  }

  private mutating func blank() { rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) } }

  private mutating func take(_ character: Character) -> Bool {
    guard rest.first == character.asciiValue else { return false }
    rest = rest.dropFirst()
    return true
  }

  private mutating func value(depth: Int) -> Bool {
    blank()
    if depth > 70 { return true }
    switch rest.first.map({ Character(Unicode.Scalar($0)) }) {
    case "{": return list("{", "}", depth) { $0.string() && $0.colon() && $0.value(depth: depth + 1) }
    case "[": return list("[", "]", depth) { $0.value(depth: depth + 1) }
    case "\"": return string()
    case "t": return word("true")
    case "f": return word("false")
    case "n": return word("null")
    default: return number()
    }
  }

  private mutating func colon() -> Bool {
    blank()
    return take(":")
  }

  private mutating func list(
    _ opening: Character, _ closing: Character, _ depth: Int, _ element: (inout JSONGrammar) -> Bool
  ) -> Bool {
    _ = take(opening)
    blank()
    if take(closing) { return true }
    repeat {
      blank()
      guard element(&self) else { return false }
      blank()
    } while take(",")
    return take(closing)
  }

  private mutating func word(_ word: String) -> Bool {
    guard rest.starts(with: word.utf8) else { return false }
    rest = rest.dropFirst(word.utf8.count)
    return true
  }

  private mutating func string() -> Bool {
    guard take("\"") else { return false }
    while let byte = rest.popFirst() {
      if byte == 0x22 { return true }
      if byte < 0x20 { return false }
      if byte != 0x5C { continue }
      guard let escape = rest.popFirst() else { return false }
      if escape == UInt8(ascii: "u") {
        let digits = rest.prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
          return false
        }
        rest = rest.dropFirst(4)
      } else if !"\"\\/bfnrt".utf8.contains(escape) {
        return false
      }
    }
    return false
  }

  private mutating func number() -> Bool {
    _ = take("-")
    if !take("0"), !digits() { return false }
    if take("."), !digits() { return false }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      return digits()
    }
    return true
  }

  private mutating func digits() -> Bool {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    rest = rest.dropFirst(digits.count)
    return !digits.isEmpty
  }
}
