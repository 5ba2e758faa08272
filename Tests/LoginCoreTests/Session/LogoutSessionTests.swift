import Testing

@testable import LoginCore

@Suite("End of an account at its provider")
struct LogoutSessionTests {
  private static let revocation = "https://as.test/revoke"
  private static let ownEnd = "https://as.test/logout?client_id=client"

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
  @Test("the refresh token is revoked first, then the access token")
  func order() async throws {
    let transport = FakeTransport([Self.revocation: HTTPResponse(status: 200)])
    let ended = try await end(account(), transport)
    #expect(ended.revoked == ["refresh_token", "access_token"])
    #expect(!ended.isSessionOver)
    #expect(transport.sent.map { $0.form[0] } == [Parameter("token", "R"), Parameter("token", "A")])
  }

  @Test("of a provider that revokes access tokens alone nothing else is asked")
  func accessTokensAlone() async throws {
    var account = try account()
    account.login.provider.revocationMembers = ["access_token"]
    let transport = FakeTransport([Self.revocation: .json(#"{"status":"ok"}"#)])
    #expect(try await end(account, transport).revoked == ["access_token"])
    #expect(transport.sent.map { $0.form[0] } == [Parameter("access_token", "A")])
  }

  @Test("a token of a kind that is never revoked is no failure, and is not said to be revoked")
  func unsupported() async throws {
    let transport = FakeTransport([
      Self.revocation: .json(#"{"error":"unsupported_token_type"}"#, status: 400)
    ])
    #expect(try await end(account(), transport).revoked.isEmpty)
    #expect(transport.sent.count == 2)
  }

  @Test("a provider that is busy, or cannot be reached, ends it as that")
  func busy() async throws {
    let busy = ProviderError(code: "temporarily_unavailable", remark: .tokenNotRevoked)
    for (answers, failure) in [
      ([Self.revocation: HTTPResponse(status: 503)], .provider(busy)),
      ([:], .network(.unknownHost(Self.revocation))),
    ] as [([String: HTTPResponse], Failure)] {
      let transport = FakeTransport(answers)
      await #expect(throws: failure) { try await end(account(), transport) }
      #expect(transport.sent.count == 1)
    }
  }

  @Test("a provider that revokes nothing is asked nothing")
  func noEndpoint() async throws {
    var account = try account()
    account.login.provider.endpoints[.revocation] = nil
    let transport = FakeTransport()
    #expect(try await end(account, transport) == .init())
    #expect(transport.sent.isEmpty)
  }

  @Test("a provider's own request goes first, since it takes a token that is good")
  func ownRequest() async throws {
    let transport = FakeTransport([
      Self.ownEnd: .json(#"{"response":1}"#), Self.revocation: HTTPResponse(status: 200),
    ])
    let ended = try await end(account(refreshToken: nil, ownLogout: true), transport)
    #expect(ended.isSessionOver && ended.revoked == ["access_token"])
    let request = try #require(transport.sent.first)
    #expect(request.method == .post && request.body.isEmpty)
    #expect(request.values(of: "Authorization") == ["Bearer A"])
  }

  // RFC 9449 section 7: the request that takes the token carries a proof that names it, a revocation one that does not.
  @Test("where the token is bound to a key, every request carries a proof by it")
  func bound() async throws {
    let transport = FakeTransport([
      Self.ownEnd: .json(#"{"response":1}"#), Self.revocation: HTTPResponse(status: 200),
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

  @Test("an expired token is not sent there, and one that is worthless already has nothing to end")
  func dead() async throws {
    let dead = FakeTransport([
      Self.ownEnd: .json(#"{"error":"invalid_token"}"#, status: 401),
      Self.revocation: HTTPResponse(status: 200),
    ])
    #expect(try await !end(account(ownLogout: true, life: 10), dead, at: 10).isSessionOver)
    #expect(!dead.sent.contains { $0.endpoint.description == Self.ownEnd })
    #expect(try await end(account(ownLogout: true), dead).isSessionOver)
  }

  @Test("no page is opened for a provider that is told with a request, or that has none")
  func page() async throws {
    let session = LogoutSession(try Samples.dependencies(FakeTransport()))
    let redirect = try RedirectURI("https://app.test/out")
    #expect(try await session.page(for: account(ownLogout: true), returningTo: redirect) == nil)
    var account = try account()
    #expect(try await session.page(for: account, returningTo: redirect) == nil)
    account.login.provider.endpoints[.endSession] = try Endpoint("https://as.test/end")
    let page = try await session.page(for: account, returningTo: redirect)
    #expect(page?.url.hasPrefix("https://as.test/end?client_id=client&post_logout_redirect_uri=") == true)
    // RP-Initiated Logout section 2: the hint says whose session it is.
    let token = try #require(Token(json: ["access_token": "A", "token_type": "Bearer", "id_token": "I.D.T"]))
    let identified = account.loggedIn(by: account.login, with: token, receivedAt: try Samples.receivedAt())
    let hinted = try await session.page(for: identified, returningTo: redirect)
    #expect(hinted?.url.contains("?id_token_hint=I.D.T&") == true)
  }
}
