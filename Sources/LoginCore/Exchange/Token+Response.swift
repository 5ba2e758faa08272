extension Token {
  /// The token in the answer to a token request; `callback` adds what the preset repeats of the callback.
  public init(
    _ response: TokenResponse, to login: LoginRequest, callback: [Parameter] = [], checks: Checks = Checks(),
    receivedAt: UTCDate
  ) throws(Failure) {
    let members = response.members
    let provider = login.provider
    let lifetime = members["expires_in"].flatMap(Self.seconds)
    let missing = provider.requiredTokenMembers.filter { name in
      name == "expires_in" ? lifetime == nil : Self.isMissing(members[name])
    }
    guard missing.isEmpty, let accessToken = try Self.text("access_token", in: members),
      let type = try Self.text("token_type", in: members) ?? provider.tokenType
    else { throw .untrusted(.missingToken(missing)) }
    // A token that was to be bound to a key and is not could be used by whoever steals it (RFC 9449 section 5).
    let isBound = login.proofKey != nil || provider.bindsTokens
    guard type.lowercased() == (isBound ? "dpop" : "bearer") else {
      throw .untrusted(isBound ? .unboundToken : .unsupportedTokenType(type))
    }

    var passed = JSONObject()
    for parameter in callback { passed[parameter.name] = .string(parameter.value) }
    for member in members where !Self.neverPassedOn.contains(member.name) {
      // Some say that there is none, which renews nothing.
      if member.name == "refresh_token", member.value.string == nil { continue }
      passed[member.name] = member.value
    }
    self.init(
      accessToken: AccessToken(accessToken), type: type, expiresAt: nil, members: passed, checks: checks)
    setExpiresIn(lifetime, from: receivedAt)
    authorizationScheme = provider.authorizationScheme
    proofKey = try login.proofKey?.privateKey()
  }

  private static func isMissing(_ value: JSONValue?) -> Bool {
    switch value {
    case nil, .null, .string(""): true
    default: false
    }
  }

  /// A text that will be sent to servers.
  private static func text(_ name: String, in members: JSONObject) throws(Failure) -> String? {
    guard let value = members[name], !isMissing(value) else { return nil }
    guard let text = value.string, !text.unicodeScalars.contains(where: \.isControl) else {
      throw .network(.badResponse(.notText(name, from: .token)))
    }
    return text
  }

  /// A lifetime as providers write it: a number, or the digits of one in a string.
  static func seconds(_ value: JSONValue) -> Int64? {
    switch value {
    case .number(let number) where number.literal.utf8.first == UInt8(ascii: "-"): nil
    // Nothing at all would mean that it does not expire.
    case .number(let number): number.isZero ? 0 : max(1, number.truncated ?? .max)
    case .string(let text): seconds(text)
    default: nil
    }
  }
}
