/// Reads the challenges of one field (RFC 9110 sections 5.6 and 11.6.1), and bears what servers really send: a comma that
/// is missing between two parameters, and an address as a value without quotes.
struct ChallengeReader {
  /// What has not been read yet.
  var rest: ArraySlice<UInt8>
  private var isAtEnd = false

  init(rest: ArraySlice<UInt8>) { self.rest = rest }

  /// The next challenge; nothing at the end, and nothing any more behind what is none.
  mutating func next() -> Challenge? {
    skip(" \t,")
    guard !isAtEnd, let scheme = token() else { return nil }
    let hasMore = rest.first == UInt8(ascii: " ")
    skip(" ")
    let token68 = hasMore ? token68() : nil
    var parameters: [String: String] = [:]
    while token68 == nil, let (name, value) = parameter() {
      if parameters[name] == nil { parameters[name] = value }
    }
    // What follows a challenge is another one, with a comma in between.
    isAtEnd = !skip(" \t,").contains(UInt8(ascii: ","))
    return Challenge(scheme: scheme, token68: token68, parameters: parameters)
  }

  /// A parameter, of which the sign behind the name makes it one; else nothing is read.
  private mutating func parameter() -> (String, String)? {
    let start = rest
    skip(" \t,")
    if let name = token() {
      skip(" \t")
      if rest.popFirst() == UInt8(ascii: "=") {
        skip(" \t")
        return (name, rest.first == UInt8(ascii: "\"") ? quoted() : unquoted())
      }
    }
    rest = start
    return nil
  }

  /// Letters, digits and marks, in lower case (section 5.6.2).
  private mutating func token() -> String? {
    let token = rest.prefix { $0.isLetter || $0.isDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    rest = rest.dropFirst(token.count)
    return token.isEmpty ? nil : String(decoding: token.map(\.lowercased), as: UTF8.self)
  }

  /// Only if it is all that the challenge has (section 11.2).
  private mutating func token68() -> String? {
    let word = rest.prefix { $0.isLetter || $0.isDigit || "-._~+/".utf8.contains($0) }
    let padding = rest.dropFirst(word.count).prefix { $0 == UInt8(ascii: "=") }
    let behind = rest.dropFirst(word.count + padding.count)
    let next = behind.first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    guard !word.isEmpty, next == nil || next == UInt8(ascii: ",") else { return nil }
    rest = behind
    return String(decoding: word + padding, as: UTF8.self)
  }

  /// Up to the closing quote, or to the end; a backslash keeps what is behind it (section 5.6.4).
  private mutating func quoted() -> String {
    var value: [UInt8] = []
    rest = rest.dropFirst()
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      value.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
    }
    return String(decoding: value, as: UTF8.self)
  }

  private mutating func unquoted() -> String {
    let value = rest.prefix { $0.isVisible && $0 != UInt8(ascii: ",") }
    rest = rest.dropFirst(value.count)
    return String(decoding: value, as: UTF8.self)
  }

  /// Passes over all of these characters.
  @discardableResult
  private mutating func skip(_ characters: String) -> ArraySlice<UInt8> {
    let skipped = rest.prefix { characters.utf8.contains($0) }
    rest = rest.dropFirst(skipped.count)
    return skipped
  }
}
