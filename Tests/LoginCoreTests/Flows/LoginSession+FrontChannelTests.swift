import Testing

@testable import LoginCore

/// Logins whose callback carries tokens (OpenID Connect Core sections 3.2 and 3.3).
@Suite("LoginSession, front channel")
struct LoginSessionFrontChannelTests {
  private typealias Sample = SampleIDToken

  /// Digests whose left half is 1 for the token `T`, 2 for the code `C`, 3 for the token `T2`.
  private static let cryptography = FakeCryptography(
    digests: [
      Array("T".utf8): digest(1), Array("C".utf8): digest(2), Array("T2".utf8): digest(3),
      Array(FakeCryptography.codeVerifier.utf8): digest(4),
    ])
  private static func digest(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }
  private static func hash(_ byte: UInt8) -> JSONValue {
    .string(Base64.encodeURLSafe([UInt8](repeating: byte, count: 16)))
  }

  /// The parts of a login.
  struct Parts: Sendable {
    var type = "code id_token token"
    /// Claims of the id_token in the callback, beside those of every sample.
    var front: JSONObject = [
      "at_hash": LoginSessionFrontChannelTests.hash(1), "c_hash": LoginSessionFrontChannelTests.hash(2),
    ]
    /// Claims of the id_token from the token endpoint, or nil if it sends no id_token.
    var back: JSONObject? = [:]
    /// The callback without its id_token.
    var callback = "code=C&access_token=T&token_type=bearer&expires_in=60&iss=https://as.test"
    var sendsIDToken = true
  }

  /// The result of a login, and the requests on the way.
  private struct Course {
    var token: Token?
    var failure: Failure?
    var transport: FakeTransport
    var exchanges: Int { transport.sent.count { $0.endpoint.description == "https://as.test/token" } }
  }

  private func login(_ type: String) throws -> LoginRequest {
    var provider = try Samples.code()
    provider.issuer = try Issuer(Sample.issuer)
    provider.endpoints[.token] = try Endpoint("https://as.test/token")
    provider.endpoints[.keySet] = try Endpoint("https://as.test/jwks")
    var login = try Samples.login(provider, responseType: type)
    login.scope = "openid"
    login.fixed.nonce = Nonce(Sample.nonce)
    return login
  }

  private func course(
    _ parts: Parts, _ change: (inout LoginRequest) throws -> Void = { _ in }
  ) async throws -> Course {
    var login = try login(parts.type)
    try change(&login)

    var answer: JSONObject = ["access_token": "T2", "token_type": "Bearer", "refresh_token": "R"]
    if let claims = parts.back { answer["id_token"] = .string(try idToken(claims)) }
    let transport = FakeTransport([
      "https://as.test/jwks": Sample.keySet, "https://as.test/token": .json(answer.text),
    ])
    let idToken = parts.sendsIDToken ? "&id_token=\(try idToken(parts.front))" : ""
    let navigation = "https://app.test/cb#\(parts.callback)\(idToken)&state=S-_.~%201"
    let session = LoginSession(
      agent: FakeUserAgent(navigations: [navigation], record: transport.record),
      Dependencies(
        transport: transport, cryptography: Self.cryptography,
        clock: FakeClock(date: try Sample.date(), record: transport.record)))
    var course = Course(transport: transport)
    do throws(Failure) { course.token = try await session.token(for: login) } catch { course.failure = error }
    return course
  }

  private func idToken(_ changes: JSONObject) throws -> String {
    var claims = Sample.claims
    for change in changes { claims[change.name] = change.value == .null ? nil : change.value }
    return try Sample.text(claims.text)
  }

  @Test("Without an access token, the result is the id_token with its claims")
  func idTokenAlone() async throws {
    let parts = Parts(type: "id_token", front: [:], callback: "iss=https://as.test&access_token=stray")
    let course = try await course(parts)
    let token = try #require(course.token, "\(String(describing: course.failure))")
    let json = token.json(at: try Sample.date())
    #expect(json.map(\.name) == ["id_token", "claims", "checks"])
    #expect(json["claims"]?.object?["sub"] == "24400320")
    #expect(
      json["checks"]?.object?.text
        == #"{"redirect":"exact","state":"verified","iss":"verified","id_token":"verified","nonce":"verified"}"#
    )
    #expect(Token(json: json) == token)
    #expect(course.exchanges == 0)
  }

  @Test("An id_token next to a token is bound to it")
  func idTokenAndToken() async throws {
    let parts = Parts(type: "id_token token", front: ["at_hash": Self.hash(1)])
    let token = try #require(try await course(parts).token)
    #expect(token.accessToken == AccessToken("T"))
    #expect(token.claims?["sub"] == "24400320")
    #expect(token.expiresAt == (try Sample.date(60)))
    #expect(token.checks.idToken && token.checks.nonce)
  }

  @Test(
    "The token of a hybrid login is that of the token endpoint",
    arguments: ["code id_token", "code token", "code id_token token"])
  func hybrid(type: String) async throws {
    let course = try await course(Parts(type: type))
    let token = try #require(course.token, "\(String(describing: course.failure))")
    #expect(token.accessToken == AccessToken("T2"))
    #expect(token.allMembers["refresh_token"] == "R")
    #expect(token.checks.idToken && token.checks.nonce && token.checks.pkce == .s256)
    #expect(course.exchanges == 1)
  }

  @Test("If the token endpoint sends no id_token, that of the callback counts")
  func noSecondIDToken() async throws {
    let token = try #require(try await course(Parts(back: nil)).token)
    #expect(token.claims?["c_hash"] == Self.hash(2))
    #expect(token.allMembers["id_token"] != nil)
    #expect(token.checks.idToken)
    let failure = try await course(Parts(type: "code token", back: nil)).failure
    #expect(failure == .missingToken(["id_token"]))
  }

  private static let otherAccessToken = Failure.invalidIDToken("it belongs to another access token")
  private static func lacks(_ name: String) -> Failure {
    .invalidIDToken("it lacks \(name)", details: ["missing": [.string(name)]])
  }

  // Sections 3.2.2.8 and 3.3.2.8.
  @Test(
    "After an id_token in the callback that cannot be trusted, no code is exchanged",
    arguments: [
      ("id_token token", ["at_hash": .null], lacks("at_hash")),
      ("id_token", ["nonce": "other"], .nonceMismatch),
      ("code id_token", ["c_hash": .null], lacks("c_hash")),
      ("code id_token", ["c_hash": hash(3)], .invalidIDToken("it belongs to another code")),
      ("code id_token token", ["at_hash": hash(3)], otherAccessToken),
      ("code id_token", ["nonce": "other"], .nonceMismatch),
      // RFC 9207 section 2.4: the claim and the parameter name one issuer.
      (
        "code id_token", ["iss": "https://other.test"], .invalidIDToken("it comes from another provider")
      ),
    ] as [(String, JSONObject, Failure)])
  func refused(type: String, claims: JSONObject, failure: Failure) async throws {
    var parts = Parts(type: type)
    for claim in claims { parts.front[claim.name] = claim.value }
    let course = try await course(parts)
    #expect(course.failure == failure)
    #expect(course.exchanges == 0)
  }

  @Test(
    "If the callback lacks a part that was asked for, no code is exchanged",
    arguments: [
      ("id_token", "", ["id_token"]), ("id_token token", "", ["access_token", "token_type", "id_token"]),
      ("id_token token", "access_token=T&token_type=bearer", ["id_token"]),
      ("code id_token", "code=C", ["id_token"]), ("code token", "code=C", ["access_token"]),
      ("code id_token token", "code=C", ["access_token", "id_token"]),
    ])
  func missing(type: String, callback: String, members: [String]) async throws {
    let course = try await course(Parts(type: type, callback: callback, sendsIDToken: false))
    #expect(course.failure == .missingToken(members))
    #expect(course.exchanges == 0)
  }

  @Test("A hybrid callback without a code is malformed", arguments: ["code id_token", "code token"])
  func noCode(type: String) async throws {
    let course = try await course(Parts(type: type, callback: "access_token=T"))
    #expect(course.failure == .malformedCallback("it lacks code", details: ["missing": ["code"]]))
  }

  // Section 3.3.3.6.
  @Test("Both id_tokens of a hybrid login must be about the same user")
  func otherUser() async throws {
    let course = try await course(Parts(back: ["sub": "somebody else"]))
    #expect(
      course.failure == .invalidIDToken("it is about another user than the one in the callback"))
    #expect(course.exchanges == 1)
  }

  @Test("An id_token that was not asked for is verified if the request has a nonce, or else dropped")
  func unasked() async throws {
    let parts = Parts(type: "token", front: ["at_hash": Self.hash(1)])
    #expect(try await course(parts).token?.claims?["sub"] == "24400320")
    let plain = try #require(
      try await course(parts) {
        $0.scope = nil
        $0.fixed.nonce = nil
      }.token)
    #expect(plain.claims == nil)
    #expect(plain.allMembers["id_token"] == nil)
    #expect(!plain.checks.idToken)
    let wrong = Parts(type: "token", front: ["at_hash": Self.hash(3)])
    #expect(try await course(wrong).failure == Self.otherAccessToken)
  }

  @Test(
    "An id_token in the callback that could not be verified is refused before a page is opened",
    arguments: ["id_token", "id_token token", "code id_token", "code id_token token"])
  func unverifiable(type: String) async throws {
    let opaque = Failure(
      .invalidConfiguration,
      "an id_token in the callback must be verified, but the preset says that this is not possible")
    for (change, failure) in [
      ({ $0.provider.hasOpaqueIDToken = true }, opaque),
      ({ $0.provider.issuer = nil }, .unverifiableIDToken),
    ] as [((inout LoginRequest) -> Void, Failure)] {
      let course = try await course(Parts(type: type), change)
      #expect(course.failure == failure)
      #expect(!course.transport.record.events.openPage)
      var login = try login(type)
      change(&login)
      expectFailure(failure) { try login.validate(for: .page) }
    }
  }

  @Test(
    "A token, or an id_token without a code, is never asked for in the query",
    arguments: ["id_token", "id_token token", "code token"])
  func query(type: String) async throws {
    let course = try await course(Parts(type: type)) { $0.responseMode = .query }
    #expect(
      course.failure == Failure(.invalidConfiguration, "a token in the query could be seen by others"))
    #expect(!course.transport.record.events.openPage)
  }
}
