import Testing

@testable import LoginCore

/// What some providers demand beyond RFC 6749: pushed requests, bound tokens, a state of the token request.
@Suite("LoginSession, demands of providers")
struct LoginSessionProviderTests {
  private static let callback = "https://app.test/cb?code=C&state=S-_.~%201&device_id=D"
  private static let pushed = HTTPResponse.json(#"{"request_uri":"urn:x:1","expires_in":60}"#, status: 201)

  private func session(_ transport: FakeTransport) throws -> LoginSession {
    LoginSession(
      agent: FakeUserAgent(navigations: [Self.callback], record: transport.record),
      try Samples.dependencies(transport, FakeCryptography.appendixB))
  }

  private func login(_ change: (inout Provider) throws -> Void) throws -> LoginRequest {
    var provider = try Samples.code()
    provider.endpoints[.token] = try Endpoint("https://as.test/token")
    try change(&provider)
    return try Samples.login(provider)
  }

  private func servers(token: String) -> FakeTransport {
    FakeTransport(["https://as.test/token": .json(token), "https://as.test/par": Self.pushed])
  }

  // RFC 9126 sections 2 and 4.
  @Test("a pushed request goes to the provider first, and the user carries its name only")
  func pushedRequest() async throws {
    let transport = servers(token: #"{"access_token":"T","token_type":"Bearer"}"#)
    let login = try login { provider in
      provider.pushesRequests = true
      provider.endpoints[.pushedAuthorizationRequest] = try Endpoint("https://as.test/par")
    }
    _ = try await session(transport).token(for: login)
    #expect(
      transport.record.events.prefix(2) == [
        .send("https://as.test/par"),
        .visit("https://as.test/authorize?client_id=client&request_uri=urn%3Ax%3A1"),
      ])
    #expect(transport.sent[0].form.contains(Parameter("redirect_uri", "https://app.test/cb")))
  }

  @Test("without an endpoint for them nothing is opened")
  func noEndpoint() async throws {
    let transport = servers(token: "{}")
    let session = try session(transport)
    let login = try login { $0.pushesRequests = true }
    await #expect(throws: Failure.caller(.noEndpoint(.pushedAuthorizationRequest))) {
      try await session.token(for: login)
    }
    #expect(!transport.record.events.contains { if case .visit = $0 { true } else { false } })
  }

  @Test(
    "an issuer elsewhere that names this machine sends nobody anywhere",
    arguments: [
      ("token_endpoint", EndpointName.token), ("jwks_uri", .keySet),
      ("authorization_endpoint", .authorization),
    ])
  func nearerMetadata(member: String, name: EndpointName) async throws {
    var metadata: JSONObject = [
      "issuer": "https://as.test", "authorization_endpoint": "https://as.test/a",
      "token_endpoint": "https://as.test/t",
      "jwks_uri": "https://as.test/k",
    ]
    metadata[member] = "http://127.0.0.1:8080/x"
    let place = "https://as.test/.well-known/openid-configuration"
    let transport = FakeTransport([place: .json(metadata.text)])
    var provider = Provider()
    provider.issuer = try Issuer("https://as.test")
    provider.redirectURI = try RedirectURI("https://app.test/cb")
    provider.scope = "openid"
    let (session, login) = (try session(transport), try Samples.login(provider))
    await #expect(throws: Failure.network(.badResponse(.address(member, .notPublic, from: name)))) {
      try await session.token(for: login)
    }
    #expect(transport.sent.map(\.endpoint.description) == [place])
    #expect(!transport.record.events.contains { if case .visit = $0 { true } else { false } })
  }

  // RFC 9449 sections 5 and 10.
  @Test("a token that is bound to a key is asked for with proofs, and the request names the key")
  func bound() async throws {
    let transport = servers(token: #"{"access_token":"T","token_type":"DPoP"}"#)
    var login = try login { provider in
      provider.pushesRequests = true
      provider.endpoints[.pushedAuthorizationRequest] = try Endpoint("https://as.test/par")
    }
    login.proofKey = FakeSigningKey(algorithm: .es256, publicKey: FakeSigningKey.ec())
    let members = #"{"crv":"P-256","kty":"EC","x":"\#(Self.coordinate)","y":"\#(Self.coordinate)"}"#
    var cryptography = FakeCryptography.appendixB
    cryptography.digests[Array(members.utf8)] = [1, 2, 3]
    let session = LoginSession(
      agent: FakeUserAgent(navigations: [Self.callback], record: transport.record),
      try Samples.dependencies(transport, cryptography))
    let token = try await session.token(for: login)
    #expect(token.isBound)
    #expect(transport.sent.allSatisfy { $0.values(of: "DPoP").count == 1 })
    #expect(transport.sent[0].form.contains(Parameter("dpop_jkt", "AQID")))
  }

  private static let coordinate = Base64.encodeURLSafe([UInt8](repeating: 1, count: 32))

  @Test("a token that was to be bound and is not is refused", arguments: ["Bearer", "mac"])
  func notBound(_ type: String) async throws {
    let transport = servers(token: #"{"access_token":"T","token_type":"\#(type)"}"#)
    var login = try login { _ in }
    var key = FakeSigningKey(algorithm: .es256, publicKey: FakeSigningKey.ec())
    key.publicKey["kty"] = "unknown"  // without a thumbprint, which the fake cannot make
    login.proofKey = key
    let wanted = login
    let session = try session(transport)
    await #expect(throws: Failure.untrusted(.unboundToken)) { try await session.token(for: wanted) }
  }

  // RFC 9449 section 5.
  @Test(
    "a key is made where the provider wants one, and handed over with the token, whatever the answer says")
  func madeKey() async throws {
    let transport = servers(token: #"{"access_token":"T","token_type":"dpop","dpop_jwk":{"kty":"theirs"}}"#)
    let token = try await session(transport).token(for: login { $0.bindsTokens = true })
    #expect(token.proofKey == ["kty": "new", "d": "private"])
    #expect(token.json(at: try Samples.receivedAt())["dpop_jwk"] == ["kty": "new", "d": "private"])
    #expect(try Token(json: token.json(at: Samples.receivedAt())) == token)
    #expect(!"\(token)".contains("private"))
  }

  @Test(
    "no token that comes through the user agent can be bound", arguments: ["token", "id_token", "code token"])
  func unbindable(_ type: String) async throws {
    let transport = servers(token: "{}")
    let session = try session(transport)
    var login = try login { $0.bindsTokens = true }
    login.provider.issuer = try Issuer("https://as.test")
    login.provider.endpoints[.keySet] = try Endpoint("https://as.test/jwks")
    login.responseType = try #require(ResponseType(type))
    let wanted = login
    await #expect(throws: Failure.caller(.boundTokenWithoutCode)) { try await session.token(for: wanted) }
    #expect(!transport.record.events.openPage)
  }

  // VK ID's documents.
  @Test("a state of the token request is fresh, and the answer has to repeat it")
  func echo() async throws {
    let fresh = Base64.encodeURLSafe([UInt8](repeating: 1, count: 32))
    let answers = [
      (#"{"access_token":"T","token_type":"Bearer","state":"\#(fresh)"}"#, nil as UntrustedAnswer?),
      (#"{"access_token":"T","token_type":"Bearer","state":"\#(Samples.state)"}"#, .stateMismatch),
      (#"{"access_token":"T","token_type":"Bearer"}"#, .stateMissing),
    ]
    for (answer, fault) in answers {
      let transport = servers(token: answer)
      let session = try session(transport)
      let login = try login { provider in
        provider.echoesTokenState = true
        provider.callbackParameters = ["device_id"]
      }
      do throws(Failure) {
        let token = try await session.token(for: login)
        #expect(fault == nil)
        #expect(token.members["state"] == nil)
      } catch {
        #expect(error == fault.map { .untrusted($0) })
      }
      #expect(transport.sent.first?.form.contains(Parameter("state", fresh)) == true)
      #expect(transport.sent.first?.form.contains(Parameter("device_id", "D")) == true)
    }
  }
}
