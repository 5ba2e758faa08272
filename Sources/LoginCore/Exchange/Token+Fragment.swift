extension Token {
  /// The token in the answer to a request without a code (RFC 6749 section 4.2.2, OpenID Connect Core section
  /// 3.2.2.5).
  init(_ response: AuthenticatedResponse, to login: LoginRequest, receivedAt: UTCDate) throws(Failure) {
    let parameters = response.parameters
    var accessToken: String?
    var type: String?
    if login.responseType.includesToken {
      accessToken = try parameters.usable("access_token")
      type = try parameters.usable("token_type") ?? login.provider.tokenType
    }
    if let type, type.lowercased() != "bearer" { throw .untrusted(.unsupportedTokenType(type)) }

    var members = JSONObject()
    for parameter in parameters.parameters where !Self.neverPassedOn.contains(parameter.name) {
      if !parameter.name.isEmpty, !parameter.value.isEmpty {
        members[parameter.name] = .string(parameter.value)
      }
    }
    self.init(
      accessToken: accessToken.map { AccessToken($0) }, type: type, expiresAt: nil, members: members,
      checks: response.checks)
    authorizationScheme = login.provider.authorizationScheme
    setExpiresIn(try parameters.usable("expires_in").flatMap(Self.seconds), from: receivedAt)
    if let identity = response.identity {
      self = with(identity, repeatsNonce: true)
    } else if !login.provider.hasOpaqueIDToken {
      self = withoutIDToken
    }
  }

  /// Parameters that belong to the exchange and not to the token.
  static let neverPassedOn = ["state", "code", "iss", "response"]

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
