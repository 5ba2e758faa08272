import Testing

@testable import LoginCore

/// Providers and requests that many tests begin with.
enum Samples {
  /// The state that every sample request carries.
  static let state = "S-_.~ 1"

  /// A failure of what supplies the core, which no other failure is.
  static let defect = Failure.defect(.here())

  /// What other programs are told of a failure in these tests: which one it is.
  static let words: @Sendable (Failure) -> JSONObject = { ["told": .string("\($0)")] }

  /// 2026-11-21T07:14:00Z.
  static func receivedAt() throws -> UTCDate { try #require(UTCDate("2026-11-21T07:14:00Z")) }

  /// What a session does its work with at that time.
  static func means(
    _ transport: FakeTransport, _ cryptography: FakeCryptography = FakeCryptography()
  ) throws -> Dependencies {
    Dependencies(
      transport: transport, cryptography: cryptography,
      clock: FakeClock(date: try receivedAt(), record: transport.record))
  }

  /// A provider of the implicit grant, as VK is one.
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

  /// A provider of the code grant that keeps to the standards.
  static func code() throws -> Provider {
    var provider = Provider()
    provider.endpoints[.authorization] = try Endpoint("https://as.test/authorize")
    provider.redirectURI = try RedirectURI("https://app.test/cb")
    return provider
  }

  /// A request to `provider` with the sample's state and the verifier of RFC 7636 appendix B.
  static func login(_ provider: Provider) throws -> LoginRequest {
    let redirectURI = try #require(provider.redirectURI)
    var login = LoginRequest(provider: provider, clientID: "client", redirectURI: redirectURI)
    login.fixed = LoginRequest.FixedValues(
      state: State(state), codeVerifier: CodeVerifier(FakeCryptography.codeVerifier))
    return login
  }

  /// An account at a provider, with a token of these members that has just been received.
  static func account(at provider: Provider, token json: JSONObject, life: Int64?) throws -> Account {
    var token = try #require(Token(json: json))
    token.setExpiresIn(life, from: try receivedAt())
    return Account(
      try #require(AccountName("work")), login: try login(provider), token: token,
      receivedAt: try receivedAt())
  }

  /// A request whose response type is another.
  static func login(_ provider: Provider, responseType: String) throws -> LoginRequest {
    var login = try login(provider)
    login.responseType = try #require(ResponseType(responseType))
    return login
  }

  /// The callback that a navigation to `uri` is for the request.
  static func callback(_ uri: String, to request: AuthorizationRequest) throws -> Callback {
    try callback(Array(uri.utf8), request.policy)
  }

  /// The callback that a navigation to `uri` is by the policy.
  static func callback(_ uri: [UInt8], _ policy: NavigationPolicy) throws -> Callback {
    guard case .callback(let callback) = policy.decision(for: uri) else {
      throw NoCallback(uri: String(decoding: uri.prefix(200), as: UTF8.self))
    }
    return callback
  }

  /// A navigation that a test expected to end a login, and that did not.
  struct NoCallback: Error {
    let uri: String
  }

  /// The answer that a navigation to `uri` is to a login.
  static func response(_ uri: String, to login: LoginRequest) throws -> AuthorizationResponse {
    let request = try AuthorizationRequest(login, cryptography: FakeCryptography.appendixB)
    return try AuthorizationResponse(.callback(callback(uri, to: request)), to: request)
  }
}
