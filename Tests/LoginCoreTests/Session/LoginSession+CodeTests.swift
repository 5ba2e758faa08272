import Testing

@testable import LoginCore

/// A login with a code, from discovery to the token.
@Suite("LoginSession, code grant")
struct LoginSessionCodeTests {
  private static let callback = "https://app.test/cb?code=C&state=S-_.~%201"
  private static let answer = HTTPResponse.json(
    #"{"access_token":"T","token_type":"Bearer","refresh_token":"R2"}"#)
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

  @Test("the code is exchanged once, and the token says that PKCE was used")
  func exchange() async throws {
    let transport = FakeTransport(["https://as.test/token": Self.answer])
    let token = try await session(transport).token(for: login())
    #expect(token.accessToken == AccessToken("T"))
    #expect(token.checks.json.text == #"{"redirect":"exact","state":"verified","pkce":"S256"}"#)
    #expect(transport.sent.count == 1)
    #expect(transport.sent.first?.form.contains(Parameter("code", "C")) == true)
    #expect(
      transport.sent.first?.form.contains(Parameter("code_verifier", FakeCryptography.codeVerifier)) == true)
  }

  @Test(
    "a callback that is refused costs no request",
    arguments: [
      ("?code=C&state=other", .untrusted(.stateMismatch)), ("?code=C", .untrusted(.stateMissing)),
      ("?code=A&code=B&state=S-_.~%201", .untrusted(.duplicateParameter("code"))),
      ("?state=S-_.~%201", .untrusted(.malformedCallback(.missing(["code"])))),
      ("?error=access_denied&state=S-_.~%201", .provider(ProviderError(code: "access_denied"))),
      ("#code=C&state=S-_.~%201", .untrusted(.stateMissing)),
    ] as [(String, Failure)])
  func noRequest(tail: String, failure: Failure) async throws {
    let transport = FakeTransport(["https://as.test/token": Self.answer])
    let session = try session(transport, ["https://app.test/cb\(tail)"])
    let login = try login()
    await #expect(throws: failure) { try await session.token(for: login) }
    #expect(transport.sent.isEmpty)
  }

  @Test("an error of the token endpoint is not tried again")
  func refused() async throws {
    let refusal = HTTPResponse.json(#"{"error":"invalid_grant"}"#, status: 400)
    let transport = FakeTransport(["https://as.test/token": refusal])
    let session = try session(transport)
    let login = try login()
    await #expect(throws: Failure.provider(ProviderError(code: "invalid_grant"))) {
      try await session.token(for: login)
    }
    #expect(transport.sent.count == 1)
  }

  @Test("what the preset repeats of the callback is in the token, and nothing else of it")
  func callbackParameters() async throws {
    let transport = FakeTransport(["https://as.test/token": Self.answer])
    let session = try session(transport, [Self.callback + "&device_id=D&extra=x"])
    let token = try await session.token(for: login { $0.callbackParameters = ["device_id"] })
    #expect(token.members.map(\.name) == ["device_id", "refresh_token"])
  }

  // RFC 8414 section 3, OpenID Connect Discovery section 4.
  @Test("the issuer is asked before the user is, and only for what is not known")
  func discovery() async throws {
    let transport = FakeTransport([
      "https://as.test/.well-known/openid-configuration": Self.metadata,
      "https://as.test/token": Self.answer,
    ])
    let login = try login { provider in
      provider.endpoints = [:]
      provider.issuer = try Issuer("https://as.test")
    }
    let session = try session(transport, [Self.callback + "&iss=https%3A%2F%2Fas.test"])
    let token = try await session.token(for: login)
    #expect(token.checks.issuer)
    // What shows the page gets ready meanwhile.
    #expect(
      transport.record.events.prefix(2) == [
        .prepare, .send("https://as.test/.well-known/openid-configuration"),
      ])
  }

  @Test("a server without a token endpoint is found out before anything is opened")
  func noTokenEndpoint() async throws {
    let metadata = HTTPResponse.json(
      #"{"issuer":"https://as.test","authorization_endpoint":"https://as.test/auth"}"#)
    let transport = FakeTransport(["https://as.test/.well-known/openid-configuration": metadata])
    let session = try session(transport)
    let login = try login { provider in
      provider.endpoints = [:]
      provider.issuer = try Issuer("https://as.test")
    }
    await #expect(throws: Failure.caller(.noEndpoint(.token))) { try await session.token(for: login) }
    #expect(
      transport.record.events == [
        .prepare, .send("https://as.test/.well-known/openid-configuration"), .dismiss,
      ])
  }

  @Test("a server that says it always names itself has to")
  func issuerRequired() async throws {
    let transport = FakeTransport(["https://as.test/.well-known/openid-configuration": Self.metadata])
    let session = try session(transport)
    let login = try login { provider in
      provider.endpoints = [:]
      provider.issuer = try Issuer("https://as.test")
    }
    await #expect(throws: Failure.untrusted(.issuerMissing)) { try await session.token(for: login) }
  }

  @Test(
    "metadata of another issuer ends the login before anything is opened",
    arguments: ["https://as.test/", "https://AS.test", "http://as.test", "https://as.test:443", ""])
  func otherIssuer(issuer: String) async throws {
    let metadata = HTTPResponse.json(
      #"{"issuer":"\#(issuer)","authorization_endpoint":"https://as.test/auth"}"#)
    let transport = FakeTransport(["https://as.test/.well-known/openid-configuration": metadata])
    let session = try session(transport)
    let login = try login { provider in
      provider.endpoints = [:]
      provider.issuer = try Issuer("https://as.test")
    }
    await #expect(throws: Failure.untrusted(.metadataIssuerMismatch)) { try await session.token(for: login) }
    #expect(!transport.record.events.openPage)
  }

  @Test("what exactly was asked for has to be granted")
  func details() async throws {
    let transport = FakeTransport(["https://as.test/token": Self.answer])
    let login = try login { provider in
      provider.authorizationParameters = [Parameter("authorization_details", #"[{"type":"payment"}]"#)]
    }
    await #expect(throws: Failure.untrusted(.missingToken(["authorization_details"]))) {
      try await session(transport).token(for: login)
    }
  }
}
