import Testing

@testable import LoginCore

@Suite("LogoutSession")
struct LogoutSessionTests {
  private static let revocation = "https://as.test/revoke"
  private static let ownLogout = "https://as.test/logout?client_id=client"

  private func account(
    refreshToken: String? = "R", ownLogout: Bool = false, life: Int64 = 600, key: JSONObject? = nil
  ) throws -> Account {
    var provider = try Samples.code()
    provider.endpoints[.revocation] = try Endpoint(Self.revocation)
    if ownLogout {
      provider.endpoints[.endSession] = try Endpoint("https://as.test/logout")
      provider.logoutRequest = .init()
      provider.logoutRequest?.method = .post
      provider.logoutRequest?.query = ["client_id"]
    }
    var json: JSONObject = ["access_token": "A", "token_type": key == nil ? "Bearer" : "DPoP"]
    json["dpop_jwk"] = key.map(JSONValue.object)
    json["refresh_token"] = refreshToken.map(JSONValue.string)
    return try Samples.account(at: provider, token: json, life: life)
  }

  private func end(
    _ account: Account, _ transport: FakeTransport, at seconds: Int64 = 0
  ) async throws -> LogoutSession.Ended {
    let now = try #require(try Samples.receivedAt().adding(seconds: seconds))
    return try await LogoutSession(
      Dependencies(
        transport: transport, cryptography: FakeCryptography(digests: [Array("A".utf8): [1, 2, 3]]),
        clock: FakeClock(date: now, record: transport.record))
    ).end(account)
  }

  // RFC 7009 section 2.1.
  @Test("The refresh token is revoked first, then the access token")
  func order() async throws {
    let transport = FakeTransport([Self.revocation: HTTPResponse(status: 200)])
    let ended = try await end(account(), transport)
    #expect(ended.revoked == ["refresh_token", "access_token"])
    #expect(!ended.isSessionOver)
    #expect(transport.sent.map { $0.form[0] } == [Parameter("token", "R"), Parameter("token", "A")])
  }

  @Test("A provider that revokes only access tokens gets only the access token")
  func accessTokens() async throws {
    var account = try account()
    account.login.provider.revocationParameters = ["access_token"]
    let transport = FakeTransport([Self.revocation: .json(#"{"status":"ok"}"#)])
    #expect(try await end(account, transport).revoked == ["access_token"])
    #expect(transport.sent.map { $0.form[0] } == [Parameter("access_token", "A")])
  }

  @Test("A token of a kind that the provider does not revoke is neither a failure nor listed as revoked")
  func unsupported() async throws {
    let transport = FakeTransport([
      Self.revocation: .json(#"{"error":"unsupported_token_type"}"#, status: 400)
    ])
    #expect(try await end(account(), transport).revoked.isEmpty)
    #expect(transport.sent.count == 2)
  }

  @Test("A provider that is busy or cannot be reached fails the logout")
  func busy() async throws {
    for (answers, failure) in [
      ([Self.revocation: HTTPResponse(status: 503)], .tokenNotRevoked),
      ([:], .unknownHost(Self.revocation)),
    ] as [([String: HTTPResponse], Failure)] {
      let transport = FakeTransport(answers)
      await #expect(throws: failure) { try await end(account(), transport) }
      #expect(transport.sent.count == 1)
    }
  }

  @Test("A provider without a revocation endpoint gets no request")
  func noEndpoint() async throws {
    var account = try account()
    account.login.provider.endpoints[.revocation] = nil
    let transport = FakeTransport()
    #expect(try await end(account, transport) == .init())
    #expect(transport.sent.isEmpty)
  }

  @Test("A provider's own logout request comes before the revocation, because it needs a valid token")
  func ownRequest() async throws {
    let transport = FakeTransport([
      Self.ownLogout: .json(#"{"response":1}"#), Self.revocation: HTTPResponse(status: 200),
    ])
    let ended = try await end(account(refreshToken: nil, ownLogout: true), transport)
    #expect(ended.isSessionOver && ended.revoked == ["access_token"])
    let request = try #require(transport.sent.first)
    #expect(request.method == .post && request.body.isEmpty)
    #expect(request.values(of: "Authorization") == ["Bearer A"])
  }

  // RFC 9449 section 7: only a request that carries the token has its hash in the proof.
  @Test("If the token is bound to a key, every request has a proof of that key")
  func bound() async throws {
    let transport = FakeTransport([
      Self.ownLogout: .json(#"{"response":1}"#), Self.revocation: HTTPResponse(status: 200),
    ])
    let key: JSONObject = ["kty": "EC", "d": "private"]
    _ = try await end(account(ownLogout: true, key: key), transport)
    #expect(transport.sent.map { $0.values(of: "Authorization") } == [["DPoP A"], [], []])
    let digests = try transport.sent.map { request in
      let parts = try #require(request.values(of: "DPoP").first).parts(at: ".")
      return try JSONReader.read(#require(Base64.decodeURLSafe(parts[1]))).object?["ath"]
    }
    #expect(digests == ["AQID", nil, nil])
  }

  @Test("An expired token is not sent, and for a token that is invalid the session is over")
  func invalidToken() async throws {
    let transport = FakeTransport([
      Self.ownLogout: .json(#"{"error":"invalid_token"}"#, status: 401),
      Self.revocation: HTTPResponse(status: 200),
    ])
    #expect(try await !end(account(ownLogout: true, life: 10), transport, at: 10).isSessionOver)
    #expect(!transport.sent.contains { $0.endpoint.description == Self.ownLogout })
    #expect(try await end(account(ownLogout: true), transport).isSessionOver)
  }

  @Test("A page is opened only for a provider that has one and no request of its own")
  func page() async throws {
    let session = LogoutSession(try Samples.dependencies(FakeTransport()))
    let redirect = try RedirectURI("https://app.test/out")
    #expect(try await session.page(for: account(ownLogout: true), returningTo: redirect) == nil)
    var account = try account()
    #expect(try await session.page(for: account, returningTo: redirect) == nil)
    account.login.provider.endpoints[.endSession] = try Endpoint("https://as.test/end")
    let page = try await session.page(for: account, returningTo: redirect)
    #expect(page?.url.hasPrefix("https://as.test/end?client_id=client&post_logout_redirect_uri=") == true)
    // RP-Initiated Logout section 2: the hint tells the provider whose session to end.
    let token = try #require(Token(json: ["access_token": "A", "token_type": "Bearer", "id_token": "I.D.T"]))
    let identified = account.loggedIn(by: account.login, with: token, receivedAt: try Samples.receivedAt())
    let hinted = try await session.page(for: identified, returningTo: redirect)
    #expect(hinted?.url.contains("?id_token_hint=I.D.T&") == true)
  }
}

@Suite("EndSessionRequest")
struct EndSessionRequestTests {
  private func request() throws -> EndSessionRequest {
    var provider = try Samples.code()
    provider.endpoints[.endSession] = try Endpoint("https://as.test/end?tenant=7")
    return try EndSessionRequest(
      for: try Samples.login(provider), idToken: "I",
      returningTo: RedirectURI("https://app.test/out"), cryptography: FakeCryptography())
  }

  // OpenID Connect RP-Initiated Logout section 2.
  @Test("The request names the session, the client and the redirect URI")
  func parameters() throws {
    let request = try request()
    let state = request.state.revealed()
    #expect(
      request.url
        == "https://as.test/end?tenant=7&id_token_hint=I&client_id=client"
        + "&post_logout_redirect_uri=https%3A%2F%2Fapp.test%2Fout&state=\(state)")
    #expect(request.visit.url == request.url)
  }

  // Section 3.
  @Test("Only a callback that repeats the state ends the session")
  func state() throws {
    let request = try request()
    let state = request.state.revealed()
    func check(_ query: String) throws {
      let uri = Array("https://app.test/out\(query)".utf8)
      try request.check(Samples.callback(uri, request.visit.policy))
    }
    try check("?state=\(state)")
    expectFailure(.stateMismatch) { try check("?state=other") }
    expectFailure(.stateMissing) { try check("") }
    expectFailure(.duplicateParameter("state")) { try check("?state=\(state)&state=b") }
  }

  @Test("Without an endpoint there is no request")
  func noEndpoint() throws {
    let login = try Samples.login(Samples.code())
    expectFailure(.noEndpoint(.endSession)) {
      _ = try EndSessionRequest(
        for: login, idToken: nil, returningTo: RedirectURI("https://app.test/out"),
        cryptography: FakeCryptography())
    }
  }
}

@Suite("RevocationRequest")
struct RevocationRequestTests {
  private func login() throws -> LoginRequest {
    var provider = try Samples.code()
    provider.endpoints[.revocation] = try Endpoint("https://as.test/revoke")
    return try Samples.login(provider)
  }

  // RFC 7009 section 2.1.
  @Test("The request names the token, its kind and the client")
  func parameters() throws {
    let refresh = try RevocationRequest(.refresh(RefreshToken("R")), for: login()).httpRequest
    #expect(
      refresh.form == [
        Parameter("token", "R"), Parameter("token_type_hint", "refresh_token"),
        Parameter("client_id", "client"),
      ])
    let access = try RevocationRequest(.access(AccessToken("A")), for: login()).httpRequest
    #expect(access.form.prefix(2) == [Parameter("token", "A"), Parameter("token_type_hint", "access_token")])
  }

  // https://yandex.ru/dev/id/doc/en/tokens/token-invalidate
  @Test("A provider without the parameter token gets the token in a parameter of its kind")
  func ownNames() throws {
    var login = try login()
    login.provider.revocationParameters = ["access_token"]
    let request = try RevocationRequest(.access(AccessToken("A")), for: login).httpRequest
    #expect(request.form == [Parameter("access_token", "A"), Parameter("client_id", "client")])
  }

  // RFC 7009 section 2.2.
  @Test("A token is revoked by a success, or if the provider does not know it")
  func answers() throws {
    #expect(try RevocationRequest.isDone(HTTPResponse(status: 200)))
    #expect(try RevocationRequest.isDone(.json(#"{"error":"invalid_token"}"#, status: 400)))
    #expect(try !RevocationRequest.isDone(.json(#"{"error":"unsupported_token_type"}"#, status: 400)))
    expectFailure(.tokenNotRevoked) { _ = try RevocationRequest.isDone(HTTPResponse(status: 503)) }
    expectRefusal("invalid_client") {
      _ = try RevocationRequest.isDone(.json(#"{"error":"invalid_client"}"#, status: 401))
    }
    for status in [302, 404] {
      expectFailure(.status(status, from: .revocation)) {
        _ = try RevocationRequest.isDone(HTTPResponse(status: status))
      }
    }
  }

  @Test("Without an endpoint there is no request")
  func noEndpoint() throws {
    let login = try Samples.login(Samples.code())
    expectFailure(.noEndpoint(.revocation)) {
      _ = try RevocationRequest(.refresh(RefreshToken("R")), for: login)
    }
  }
}
