extension Token {
  /// The token in the answer to an implicit request (RFC 6749 section 4.2.2).
  init(_ response: AuthorizationResponse, to login: LoginRequest, receivedAt: UTCDate) throws(Failure) {
    let parameters = response.parameters
    let provider = login.provider
    let lifetime = try parameters.usable("expires_in").flatMap(Self.seconds)
    var missing: [String] = []
    for name in provider.requiredTokenMembers {
      let isThere = try name == "expires_in" ? lifetime != nil : parameters.usable(name) != nil
      if !isThere { missing.append(name) }
    }
    guard missing.isEmpty, let accessToken = try parameters.usable("access_token"),
      let type = try parameters.usable("token_type") ?? provider.tokenType
    else { throw .untrusted(.missingToken(missing)) }
    guard type.lowercased() == "bearer" else { throw .untrusted(.unsupportedTokenType(type)) }

    var members = JSONObject()
    for parameter in parameters.parameters where !Self.neverPassedOn.contains(parameter.name) {
      if !parameter.name.isEmpty, !parameter.value.isEmpty {
        members[parameter.name] = .string(parameter.value)
      }
    }
    self.init(
      accessToken: AccessToken(accessToken), type: type, expiresAt: nil, members: members,
      checks: response.checks)
    setExpiresIn(lifetime, from: receivedAt)
  }

  /// Parameters that belong to the exchange and not to the token.
  static let neverPassedOn: Set<String> = ["state", "code", "iss", "response"]

  /// A lifetime as providers write it, whole or with a fraction; nothing for what is no lifetime. One that is
  /// longer than any number here has no end that a date could name.
  static func seconds(_ text: String) -> Int64? {
    let parts = text.parts(at: ".")
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }) else {
      return nil
    }
    let hasFraction = parts.count == 2 && parts[1].utf8.contains { $0 != UInt8(ascii: "0") }
    let whole = Int64(parts[0]) ?? .max
    return whole == 0 && hasFraction ? 1 : whole  // nothing at all would mean that it does not expire
  }
}
