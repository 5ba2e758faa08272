import Testing

@testable import LoginCore

/// Demands of some providers beyond RFC 6749: pushed requests, bound tokens, a state of the token request.
@Suite("LoginSession, demands of providers")
struct LoginSessionProviderTests {
  private static let callback = "https://app.test/cb?code=C&state=S-_.~%201&device_id=D"
  private static let pushed = HTTPResponse.json(#"{"request_uri":"urn:x:1","expires_in":60}"#, status: 201)

  private func session(
    _ transport: FakeTransport, _ cryptography: FakeCryptography = .appendixB
  ) throws -> LoginSession {
    LoginSession(
      agent: FakeUserAgent(navigations: [Self.callback], record: transport.record),
      try Samples.dependencies(transport, cryptography))
  }

  private func login(_ change: (inout Provider) throws -> Void = { _ in }) throws -> LoginRequest {
    var provider = try Samples.code()
    provider.endpoints[.token] = try Endpoint("https://as.test/token")
    try change(&provider)
    return try Samples.login(provider)
  }

  private func pushingLogin() throws -> LoginRequest {
    try login { provider in
      provider.pushesRequests = true
      provider.endpoints[.pushedAuthorizationRequest] = try Endpoint("https://as.test/par")
    }
  }

  private func servers(token: String) -> FakeTransport {
    FakeTransport(["https://as.test/token": .json(token), "https://as.test/par": Self.pushed])
  }

  // RFC 9126 sections 2 and 4.
  @Test("A pushed request goes to the provider first, and the page gets only its name")
  func pushedRequest() async throws {
    let transport = servers(token: #"{"access_token":"T","token_type":"Bearer"}"#)
    _ = try await session(transport).token(for: pushingLogin())
    #expect(
      transport.record.events.prefix(2) == [
        .send("https://as.test/par"),
        .visit("https://as.test/authorize?client_id=client&request_uri=urn%3Ax%3A1"),
      ])
    #expect(transport.sent[0].form.contains(Parameter("redirect_uri", "https://app.test/cb")))
  }

  @Test("If requests must be pushed and the endpoint is not known, no page is opened")
  func noEndpoint() async throws {
    let transport = servers(token: "{}")
    await #expect(throws: Failure.noEndpoint(.pushedAuthorizationRequest)) {
      try await session(transport).token(for: login { $0.pushesRequests = true })
    }
    #expect(!transport.record.events.openPage)
  }

  @Test(
    "An issuer elsewhere may not name an endpoint on this machine",
    arguments: ["token_endpoint", "jwks_uri", "authorization_endpoint"])
  func nearerMetadata(member: String) async throws {
    var metadata: JSONObject = [
      "issuer": "https://as.test", "authorization_endpoint": "https://as.test/a",
      "token_endpoint": "https://as.test/t", "jwks_uri": "https://as.test/k",
    ]
    metadata[member] = "http://127.0.0.1:8080/x"
    let place = "https://as.test/.well-known/openid-configuration"
    let transport = FakeTransport([place: .json(metadata.text)])
    let login = try login { provider in
      provider.endpoints = [:]
      provider.issuer = try Issuer("https://as.test")
      provider.scope = "openid"
    }
    let failure = Failure.notOAuth(
      "the provider's \(member) is an address on this machine or in a private network, which a remote server must not name"
    )
    await #expect(throws: failure) { try await session(transport).token(for: login) }
    #expect(transport.sent.map(\.endpoint.description) == [place])
    #expect(!transport.record.events.openPage)
  }

  // RFC 9449 sections 5 and 10.
  @Test("For a bound token, every request has a proof, and the authorization request names the key")
  func bound() async throws {
    let transport = servers(token: #"{"access_token":"T","token_type":"DPoP"}"#)
    var login = try pushingLogin()
    login.proofKey = FakeSigningKey(algorithm: .es256, publicKey: FakeSigningKey.ec())
    let coordinate = Base64.encodeURLSafe([UInt8](repeating: 1, count: 32))
    let members = #"{"crv":"P-256","kty":"EC","x":"\#(coordinate)","y":"\#(coordinate)"}"#
    var cryptography = FakeCryptography.appendixB
    cryptography.digests[Array(members.utf8)] = [1, 2, 3]
    let token = try await session(transport, cryptography).token(for: login)
    #expect(token.isBound)
    #expect(transport.sent.allSatisfy { $0.values(of: "DPoP").count == 1 })
    #expect(transport.sent[0].form.contains(Parameter("dpop_jkt", "AQID")))
  }

  @Test("A token that should be bound and is not is refused", arguments: ["Bearer", "mac"])
  func notBound(_ type: String) async throws {
    let transport = servers(token: #"{"access_token":"T","token_type":"\#(type)"}"#)
    let failure = Failure(.unsupportedTokenType, "the token is not bound to the key of this login")
    await #expect(throws: failure) {
      try await session(transport).token(for: login { $0.bindsTokens = true })
    }
  }

  // RFC 9449 section 5.
  @Test("If the provider binds tokens, a new key is made and returned with the token")
  func newKey() async throws {
    let transport = servers(token: #"{"access_token":"T","token_type":"dpop","dpop_jwk":{"kty":"theirs"}}"#)
    let token = try await session(transport).token(for: login { $0.bindsTokens = true })
    #expect(token.proofKey == ["kty": "new", "d": "private"])
    #expect(token.json(at: try Samples.receivedAt())["dpop_jwk"] == ["kty": "new", "d": "private"])
    #expect(try Token(json: token.json(at: Samples.receivedAt())) == token)
    #expect(!"\(token)".contains("private"))
  }

  @Test(
    "A token that comes through the user agent cannot be bound",
    arguments: ["token", "id_token", "code token"])
  func unbindable(_ type: String) async throws {
    let transport = servers(token: "{}")
    var login = try login { provider in
      provider.bindsTokens = true
      provider.issuer = try Issuer("https://as.test")
      provider.endpoints[.keySet] = try Endpoint("https://as.test/jwks")
    }
    login.responseType = try #require(ResponseType(type))
    let failure = Failure(
      .invalidConfiguration, "only a token that comes in exchange for a code can be bound to a key")
    let wanted = login
    await #expect(throws: failure) { try await session(transport).token(for: wanted) }
    #expect(!transport.record.events.openPage)
  }

  // VK ID's documents.
  @Test("A token request can have a new state of its own, which the answer must repeat")
  func echo() async throws {
    let fresh = Base64.encodeURLSafe([UInt8](repeating: 1, count: 32))
    for (state, expected) in [
      (#","state":"\#(fresh)""#, nil), (#","state":"\#(Samples.state)""#, .stateMismatch),
      ("", .stateMissing),
    ] as [(String, Failure?)] {
      let transport = servers(token: #"{"access_token":"T","token_type":"Bearer"\#(state)}"#)
      let session = try session(transport)
      let login = try login { provider in
        provider.echoesTokenState = true
        provider.callbackParameters = ["device_id"]
      }
      var failure: Failure?
      do throws(Failure) {
        let token = try await session.token(for: login)
        #expect(token.allMembers["state"] == nil)
      } catch {
        failure = error
      }
      #expect(failure == expected)
      #expect(transport.sent.first?.form.contains(Parameter("state", fresh)) == true)
      #expect(transport.sent.first?.form.contains(Parameter("device_id", "D")) == true)
    }
  }
}
