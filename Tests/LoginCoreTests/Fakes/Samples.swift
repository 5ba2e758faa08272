import Testing

@testable import LoginCore

/// Providers, requests and accounts that many tests begin with.
enum Samples {
  /// The state in every sample request.
  static let state = "S-_.~ 1"

  /// A failure that the core itself never throws.
  static let defect = Failure.defect()

  /// A failure of one program alone.
  static let noDisplay = Failure(.noDisplay, "there is no display")

  /// A report that differs from the default one.
  static let report: @Sendable (Failure) -> JSONObject = { $0.with(hint: "written by a test").report }

  /// 2026-11-21T07:14:00Z.
  static func receivedAt() throws -> UTCDate { try #require(UTCDate("2026-11-21T07:14:00Z")) }

  /// Dependencies with a clock that shows so many seconds after ``receivedAt()``.
  static func dependencies(
    _ transport: FakeTransport, _ cryptography: FakeCryptography = FakeCryptography.refreshTokens,
    seconds: Int64 = 0
  ) throws -> Dependencies {
    let now = try #require(try receivedAt().adding(seconds: seconds))
    return Dependencies(
      transport: transport, cryptography: cryptography,
      clock: FakeClock(date: now, record: transport.record))
  }

  /// A provider of the implicit grant: VK.
  static func vk() throws -> Provider {
    var provider = Provider()
    provider.endpoints[.authorization] = try Endpoint("https://oauth.vk.com/authorize")
    provider.responseType = .token
    provider.redirectURI = try RedirectURI("https://oauth.vk.com/blank.html")
    provider.redirectAliases = [try RedirectURI("https://oauth.vk.ru/blank.html")]
    provider.errorPages = [try ErrorPage("https://oauth.vk.com/error")]
    provider.authorizationParameters = [Parameter("display", "page"), Parameter("v", "5.52")]
    provider.tokenType = "Bearer"
    provider.ownTokenMembers = ["access_token", "user_id", "expires_in"]
    return provider
  }

  /// A provider of the code grant that follows the standards.
  static func code() throws -> Provider {
    var provider = Provider()
    provider.endpoints[.authorization] = try Endpoint("https://as.test/authorize")
    provider.redirectURI = try RedirectURI("https://app.test/cb")
    return provider
  }

  /// Returns a request to `provider` with ``state`` and the verifier of RFC 7636 appendix B.
  static func login(_ provider: Provider) throws -> LoginRequest {
    let redirectURI = try #require(provider.redirectURI)
    var login = LoginRequest(provider: provider, clientID: "client", redirectURI: redirectURI)
    login.fixed = LoginRequest.FixedValues(
      state: OAuthState(state), codeVerifier: CodeVerifier(FakeCryptography.codeVerifier))
    return login
  }

  /// Returns an account at a provider, with a token of these members that was received just now.
  static func account(at provider: Provider, token json: JSONObject, life: Int64?) throws -> Account {
    var token = try #require(Token(json: json))
    token.setExpiresIn(life, from: try receivedAt())
    return Account(
      try #require(AccountName("work")), login: try login(provider), token: token,
      receivedAt: try receivedAt())
  }

  /// Returns a request with this response type.
  static func login(_ provider: Provider, responseType: String) throws -> LoginRequest {
    var login = try login(provider)
    login.responseType = try #require(ResponseType(responseType))
    return login
  }

  /// Returns the callback of a navigation that ends the request.
  static func callback(_ uri: String, to request: AuthorizationRequest) throws -> Callback {
    try callback(Array(uri.utf8), request.policy)
  }

  /// Returns the callback of a navigation that the policy takes for one.
  static func callback(_ uri: [UInt8], _ policy: NavigationPolicy) throws -> Callback {
    guard case .callback(let callback) = policy.decision(for: uri) else {
      throw NoCallback(uri: String(decoding: uri.prefix(200), as: UTF8.self))
    }
    return callback
  }

  /// A navigation that should have ended a login.
  struct NoCallback: Error {
    let uri: String
  }

  /// Returns the answer in a navigation that ends a login.
  static func response(_ uri: String, to login: LoginRequest) throws -> AuthorizationResponse {
    let request = try AuthorizationRequest(login, cryptography: FakeCryptography.appendixB)
    return try AuthorizationResponse(.callback(callback(uri, to: request)), to: request)
  }
}

/// An id_token of `https://as.test` for the client `client`, signed with a ``FakeSigningKey`` named `k`.
enum SampleIDToken {
  static let issuer = "https://as.test"
  static let nonce = "n-0S6_WzA2Mj"
  /// Every sample is issued and verified at this time.
  static let now: Int64 = 1_700_000_000

  /// Valid claims.
  static let claims: JSONObject = [
    "iss": .string(issuer), "sub": "24400320", "aud": "client", "nonce": .string(nonce),
    "exp": .number(JSONNumber(now + 600)), "iat": .number(JSONNumber(now)),
  ]

  /// Returns the claims with one of them replaced, or left out if `value` is nil.
  static func claims(_ name: String, _ value: JSONValue?) -> JSONObject {
    var changed = claims
    changed[name] = value
    return changed
  }

  /// Returns a signed token.
  static func text(
    _ payload: String, header: JSONObject = ["kid": "k"], algorithm: SignatureAlgorithm = .rs256
  ) throws -> String {
    try JWS.sign(payload.utf8, header: header, with: FakeSigningKey(algorithm: algorithm))
  }

  /// The published keys of the provider.
  static func keys() throws -> JWKSet { try JWKSet(body: keySet.body) }

  /// The answer with the published keys.
  static let keySet = HTTPResponse.json(#"{"keys":[\#(FakeSigningKey.rsa(["kid": "k"]).text)]}"#)

  static func verifier(
    secret: ClientSecret? = nil, algorithms: [SignatureAlgorithm] = SignatureAlgorithm.asymmetric,
    cryptography: FakeCryptography = FakeCryptography()
  ) throws -> IDTokenVerifier {
    IDTokenVerifier(
      issuer: try Issuer(issuer), clientID: "client", clientSecret: secret, algorithms: algorithms,
      cryptography: cryptography)
  }

  /// Verifies claims that came from the token endpoint.
  @discardableResult
  static func verify(
    _ claims: JSONObject, by verifier: IDTokenVerifier? = nil,
    binding: IDTokenBinding = IDTokenBinding(channel: .back, nonce: Nonce(nonce))
  ) throws -> IDToken {
    try (verifier ?? self.verifier()).verify(
      text(claims.text), keys: keys(), binding: binding, at: date())
  }

  static func date(_ offset: Int64 = 0) throws -> UTCDate {
    try #require(UTCDate(secondsSince1970: now + offset))
  }
}
