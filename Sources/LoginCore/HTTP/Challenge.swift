/// What a server answers to a request that lacks the right credentials (RFC 9110 section 11.6.1), as far as the
/// schemes `Bearer` and `DPoP` go.
struct Challenge {
  /// The parameters by their names in lower case; of several with one name the first.
  private(set) var parameters: [String: String] = [:]

  private static let schemes = ["bearer", "dpop"]

  /// Nothing if the field does not begin with a challenge of such a scheme. What cannot be read ends the list.
  init?(_ field: String) {
    let (scheme, list) = field.splitOnce(at: " ")
    guard Self.schemes.contains(scheme.lowercased()) else { return nil }
    var rest = Array((list ?? "").utf8)[...]
    while let (name, value) = Self.parameter(&rest) {
      if parameters[name] == nil { parameters[name] = value }
    }
  }

  private static func parameter(_ rest: inout ArraySlice<UInt8>) -> (String, String)? {
    rest = rest.drop { " ,\t".utf8.contains($0) }
    let name = rest.prefix { $0.isVisible && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ",") }
    rest = rest.dropFirst(name.count)
    guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "=") else { return nil }
    var value: [UInt8] = []
    if rest.first == UInt8(ascii: "\"") {
      rest = rest.dropFirst()
      while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
        if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
          value.append(escaped)
        } else {
          value.append(byte)
        }
      }
    } else {
      value = Array(rest.prefix { $0.isVisible && $0 != UInt8(ascii: ",") })
      rest = rest.dropFirst(value.count)
    }
    return (String(decoding: name.map(\.lowercased), as: UTF8.self), String(decoding: value, as: UTF8.self))
  }
}

extension ProviderError {
  /// The error in the challenge of a server that takes tokens, if it names one (RFC 6750 section 3, RFC 9449 section 7.1).
  init?(challenge field: String) {
    guard let parameters = Challenge(field)?.parameters, let code = parameters["error"], !code.isEmpty else {
      return nil
    }
    self.init(code: code, description: parameters["error_description"], uri: parameters["error_uri"])
  }
}

extension ResourceFault {
  /// Nothing for a success. `challenge` is the `WWW-Authenticate` of the answer.
  package init?(status: Int, challenge: String? = nil, isUntried: Bool = false) {
    self.init(
      status: status, challenge: challenge.flatMap { ProviderError(challenge: $0) }, isUntried: isUntried)
  }
}
