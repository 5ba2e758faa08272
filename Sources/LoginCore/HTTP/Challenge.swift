/// A server's answer to a request without the right credentials (RFC 9110 section 11.6.1).
package struct Challenge: Sendable, Equatable {
  /// The authentication scheme, in lower case.
  let scheme: String
  /// The base64 text that older schemes have in place of parameters.
  let token68: String?
  /// The parameters by name, in lower case. If a name is repeated, the first value counts.
  let parameters: [String: String]

  /// True if the server asks for a token (RFC 6750 section 3, RFC 9449 section 7.1).
  package var isForToken: Bool { ["bearer", "dpop"].contains(scheme) }

  /// Returns all challenges in a field, up to the first part that cannot be read.
  package static func list(_ field: String) -> [Challenge] {
    var reader = ChallengeReader(field)
    var challenges: [Challenge] = []
    while let challenge = reader.next() { challenges.append(challenge) }
    return challenges
  }
}

extension HTTPResponse {
  /// The challenges of all `WWW-Authenticate` fields.
  var challenges: [Challenge] {
    headers.filter { $0.name.lowercased() == "www-authenticate" }.flatMap { Challenge.list($0.value) }
  }

  /// The challenge for a token. If there are several, one that names the API's metadata comes first (RFC 9728 section
  /// 5.1).
  var challengeForToken: Challenge? {
    let challenges = challenges.filter(\.isForToken)
    return challenges.first { $0.parameters["resource_metadata"] != nil } ?? challenges.first
  }
}

extension Failure {
  /// The error that a server names in a challenge for a token, if it names one (RFC 6750 section 3).
  static func refusal(_ challenges: [Challenge]) -> Failure? {
    for challenge in challenges where challenge.isForToken {
      let parameters = challenge.parameters
      guard let code = parameters["error"], !code.isEmpty else { continue }
      return .refusal(
        code: code, description: parameters["error_description"], uri: parameters["error_uri"])
    }
    return nil
  }
}

/// Reads the challenges of one field (RFC 9110 sections 5.6 and 11.6.1). It tolerates two mistakes that real servers make:
/// a missing comma between two parameters, and an address as a value without quotes.
private struct ChallengeReader {
  /// The part of the field that has not been read yet.
  private var rest: ArraySlice<UInt8>
  private var isAtEnd = false

  init(_ field: String) { rest = Array(field.utf8)[...] }

  /// Returns the next challenge. Returns nil at the end, and from the first text on that is not a challenge.
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
    // A comma must follow before the next challenge.
    isAtEnd = !skip(" \t,").contains(UInt8(ascii: ","))
    return Challenge(scheme: scheme, token68: token68, parameters: parameters)
  }

  /// Reads a name and a value with `=` between them. Reads nothing if the `=` is missing.
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

  /// Reads a token of letters, digits and marks, and returns it in lower case (section 5.6.2).
  private mutating func token() -> String? {
    let token = rest.prefix { $0.isLetter || $0.isDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    rest = rest.dropFirst(token.count)
    return token.isEmpty ? nil : String(decoding: token.map(\.lowercased), as: UTF8.self)
  }

  /// Reads credentials in base64, but only if the challenge has nothing else (section 11.2).
  private mutating func token68() -> String? {
    let word = rest.prefix { $0.isLetter || $0.isDigit || "-._~+/".utf8.contains($0) }
    let padding = rest.dropFirst(word.count).prefix { $0 == UInt8(ascii: "=") }
    let after = rest.dropFirst(word.count + padding.count)
    let next = after.first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    guard !word.isEmpty, next == nil || next == UInt8(ascii: ",") else { return nil }
    rest = after
    return String(decoding: word + padding, as: UTF8.self)
  }

  /// Reads up to the closing quote or the end. A backslash escapes the next character (section 5.6.4).
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

  /// Skips all of these characters, and returns them.
  @discardableResult
  private mutating func skip(_ characters: String) -> ArraySlice<UInt8> {
    let skipped = rest.prefix { characters.utf8.contains($0) }
    rest = rest.dropFirst(skipped.count)
    return skipped
  }
}
