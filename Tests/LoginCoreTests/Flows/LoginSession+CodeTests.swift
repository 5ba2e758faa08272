import Testing

@testable import LoginCore

/// Logins with a code, from discovery to the token.
@Suite("LoginSession, code grant")
struct LoginSessionCodeTests {
  private static let callback = "https://app.test/cb?code=C&state=S-_.~%201"
  private static let answer = HTTPResponse.json(
    #"{"access_token":"T","token_type":"Bearer","refresh_token":"R2"}"#)
  private static let metadataAddress = "https://as.test/.well-known/openid-configuration"
  private static let metadata = HTTPResponse.json(
    #"{"issuer":"https://as.test","authorization_endpoint":"https://as.test/auth","#
      + #""token_endpoint":"https://as.test/token","authorization_response_iss_parameter_supported":true}"#)

  private func session(
    _ transport: FakeTransport, _ navigations: [String] = [callback]
  ) throws -> LoginSession {
    LoginSession(
      agent: FakeUserAgent(navigations: navigations, record: transport.record),
      try Samples.dependencies(transport, FakeCryptography.appendixB))
  }

  private func login(_ change: (inout Provider) throws -> Void = { _ in }) throws -> LoginRequest {
    var provider = try Samples.code()
    provider.endpoints[.token] = try Endpoint("https://as.test/token")
    try change(&provider)
    return try Samples.login(provider)
  }

  /// Returns a login at a provider of which only the issuer is known.
  private func loginAtIssuer() throws -> LoginRequest {
    try login { provider in
      provider.endpoints = [:]
      provider.issuer = try Issuer("https://as.test")
    }
  }

  @Test("The code is exchanged once, and the checks name PKCE")
  func exchange() async throws {
    let transport = FakeTransport(["https://as.test/token": Self.answer])
    let token = try await session(transport).token(for: login())
    #expect(token.accessToken == AccessToken("T"))
    #expect(token.checks.json.text == #"{"redirect":"exact","state":"verified","pkce":"S256"}"#)
    #expect(transport.sent.count == 1)
    let form = try #require(transport.sent.first?.form)
    #expect(form.contains(Parameter("code", "C")))
    #expect(form.contains(Parameter("code_verifier", FakeCryptography.codeVerifier)))
  }

  @Test("A refusal of the token endpoint is not tried again")
  func refused() async throws {
    let refusal = HTTPResponse.json(#"{"error":"invalid_grant"}"#, status: 400)
    let transport = FakeTransport(["https://as.test/token": refusal])
    await #expect(throws: Failure.refusal(code: "invalid_grant")) {
      try await session(transport).token(for: login())
    }
    #expect(transport.sent.count == 1)
  }

  @Test("The token has the parameters of the callback that the preset names, and no others")
  func callbackParameters() async throws {
    let transport = FakeTransport(["https://as.test/token": Self.answer])
    let session = try session(transport, [Self.callback + "&device_id=D&extra=x"])
    let token = try await session.token(for: login { $0.callbackParameters = ["device_id"] })
    #expect(token.allMembers.map(\.name) == ["device_id", "refresh_token"])
  }

  @Test("The answer must grant the authorization_details of the request")
  func details() async throws {
    let transport = FakeTransport(["https://as.test/token": Self.answer])
    let login = try login { provider in
      provider.authorizationParameters = [Parameter("authorization_details", #"[{"type":"payment"}]"#)]
    }
    await #expect(throws: Failure.missingToken(["authorization_details"])) {
      try await session(transport).token(for: login)
    }
  }

  // RFC 8414 section 3, OpenID Connect Discovery section 4.
  @Test("While the issuer is asked for missing endpoints, the agent gets ready")
  func discovery() async throws {
    let transport = FakeTransport([
      Self.metadataAddress: Self.metadata, "https://as.test/token": Self.answer,
    ])
    let session = try session(transport, [Self.callback + "&iss=https%3A%2F%2Fas.test"])
    let token = try await session.token(for: loginAtIssuer())
    #expect(token.checks.issuer)
    #expect(transport.record.events.prefix(2) == [.prepare, .send(Self.metadataAddress)])
  }

  @Test("An issuer without a token endpoint is refused before a page is opened")
  func noTokenEndpoint() async throws {
    let metadata = HTTPResponse.json(
      #"{"issuer":"https://as.test","authorization_endpoint":"https://as.test/auth"}"#)
    let transport = FakeTransport([Self.metadataAddress: metadata])
    await #expect(throws: Failure.noEndpoint(.token)) {
      try await session(transport).token(for: loginAtIssuer())
    }
    #expect(transport.record.events == [.prepare, .send(Self.metadataAddress), .dismiss])
  }

  @Test(
    "The metadata of another issuer are refused before a page is opened",
    arguments: ["https://as.test/", "https://AS.test", "http://as.test", "https://as.test:443", ""])
  func otherIssuer(issuer: String) async throws {
    let metadata = HTTPResponse.json(
      #"{"issuer":"\#(issuer)","authorization_endpoint":"https://as.test/auth"}"#)
    let transport = FakeTransport([Self.metadataAddress: metadata])
    let failure = await #expect(throws: Failure.self) {
      try await session(transport).token(for: loginAtIssuer())
    }
    #expect(failure?.code == .issuerMismatch)
    #expect(failure?.description.contains("of https://as.test belong to another issuer: \(issuer)") == true)
    #expect(!transport.record.events.openPage)
  }
}
