import Testing

@testable import LoginCore

/// A token of a kept account, without the user wherever that is possible.
@Suite("AccountSession")
struct AccountSessionTests {
  private static let tokenEndpoint = "https://as.test/token"
  /// Somebody would have to sign in.
  static let forbidden = Failure.user(.signInForbidden(account: "work"))

  static func account(_ accessToken: String, life: Int64?, refreshToken: String? = "R1") throws -> Account {
    var provider = try Samples.code()
    provider.endpoints[.token] = try Endpoint(tokenEndpoint)
    var json: JSONObject = ["access_token": .string(accessToken), "token_type": "Bearer"]
    json["refresh_token"] = refreshToken.map(JSONValue.string)
    return try Samples.account(at: provider, token: json, life: life)
  }

  private func token(
    _ store: FakeStore, _ transport: FakeTransport, forAtLeast seconds: Int64 = 60
  ) async throws -> AccessToken? {
    try await AccountSession(store: store, Samples.dependencies(transport), words: Samples.words)
      .token(of: #require(AccountName("work")), forAtLeast: seconds).token.accessToken
  }

  private func answer(_ text: String, status: Int = 200) -> FakeTransport {
    FakeTransport([Self.tokenEndpoint: .json(text, status: status)])
  }

  @Test("one that is good is handed out without a lock and without the network")
  func kept() async throws {
    let store = FakeStore([try Self.account("T", life: 3_600)])
    let transport = FakeTransport()
    #expect(try await token(store, transport) == AccessToken("T"))
    #expect(store.events == [.load])
    #expect(transport.sent.isEmpty)
  }

  @Test("a refreshed one is kept, with its new refresh token, before it is handed out and unlocked")
  func refreshed() async throws {
    let store = FakeStore([try Self.account("T", life: 10)])
    let transport = answer(
      #"{"access_token":"N","token_type":"Bearer","expires_in":3600,"refresh_token":"R2"}"#)
    #expect(try await token(store, transport) == AccessToken("N"))
    #expect(store.events == [.load, .lock, .load, .save, .unlock])
    let kept = try await store.load(#require(AccountName("work")))
    #expect(kept.refreshToken == RefreshToken("R2"))
    #expect(kept.token.accessToken == AccessToken("N"))
    #expect(transport.sent.first?.form.contains(Parameter("refresh_token", "R1")) == true)
  }

  @Test("a token just refreshed is handed out even if its whole life is shorter")
  func shortLife() async throws {
    let store = FakeStore([try Self.account("T", life: 10)])
    let transport = answer(#"{"access_token":"N","token_type":"Bearer","expires_in":5}"#)
    #expect(try await token(store, transport, forAtLeast: 600) == AccessToken("N"))
  }

  @Test("what another program has refreshed meanwhile is not refreshed again")
  func another() async throws {
    let store = FakeStore(
      [try Self.account("T", life: 10)],
      whileWaiting: try Self.account("other", life: 3_600, refreshToken: "R2"))
    let transport = FakeTransport()
    #expect(try await token(store, transport) == AccessToken("other"))
    #expect(transport.sent.isEmpty)
  }

  @Test("a new refresh token in an answer of no use is kept with the old token")
  func rescued() async throws {
    let store = FakeStore([try Self.account("T", life: 10)])
    await #expect(throws: Failure.untrusted(.missingToken(["access_token"]))) {
      try await token(store, answer(#"{"token_type":"Bearer","refresh_token":"R2"}"#))
    }
    let kept = try await store.load(try #require(AccountName("work")))
    #expect(kept.refreshToken == RefreshToken("R2") && kept.token.accessToken == AccessToken("T"))
  }

  @Test("without a refresh token somebody has to sign in")
  func noRefreshToken() async throws {
    let store = FakeStore([try Self.account("T", life: 10, refreshToken: nil)])
    await #expect(throws: Self.forbidden) { try await token(store, FakeTransport()) }
    #expect(store.events == [.load, .lock, .load, .unlock])
    #expect(store.log.outcome(since: 1) == .needsLogin)
  }

  @Test(
    "a refresh token that is dead needs somebody to sign in",
    arguments: ["invalid_grant", "bad_refresh_token", "interaction_required", "login_required"])
  func dead(code: String) async throws {
    let store = FakeStore([try Self.account("T", life: 10)])
    await #expect(throws: Self.forbidden) {
      try await token(store, answer(#"{"error":"\#(code)"}"#, status: 400))
    }
    #expect(store.events == [.load, .lock, .load, .unlock])
  }

  @Test("what the preset says of a dead refresh token counts as well, and nothing else does")
  func deadInOtherWords() async throws {
    var account = try Self.account("T", life: 10)
    let refusal = #"{"error":"invalid_request"}"#
    await #expect(throws: Failure.provider(ProviderError(code: "invalid_request"))) {
      try await token(FakeStore([account]), answer(refusal, status: 400))
    }
    account.login.provider.refreshRefusals = ["invalid_request"]
    await #expect(throws: Self.forbidden) {
      try await token(FakeStore([account]), answer(refusal, status: 400))
    }
  }

  @Test(
    "what may pass, or is the client's fault, is that error and changes nothing",
    arguments: ["temporarily_unavailable", "invalid_client", "server_error"])
  func transient(code: String) async throws {
    let store = FakeStore([try Self.account("T", life: 10)])
    // The client of the account has no secret to send.
    let refusal = ProviderError(code: code, remark: code == "invalid_client" ? .noSecret : nil)
    await #expect(throws: Failure.provider(refusal)) {
      try await token(store, answer(#"{"error":"\#(code)"}"#, status: 400))
    }
    #expect(store.events == [.load, .lock, .load, .unlock])
  }

  @Test("without a network it is that error, and the refresh token is still there")
  func offline() async throws {
    let store = FakeStore([try Self.account("T", life: 10)])
    await #expect(throws: Failure.network(.unknownHost(Self.tokenEndpoint))) {
      try await token(store, FakeTransport())
    }
    #expect(try await store.load(#require(AccountName("work"))).refreshToken == RefreshToken("R1"))
  }

  @Test("an account that is not there is that error")
  func unknown() async throws {
    await #expect(throws: Failure.store(.unknownAccount("work"))) {
      try await token(FakeStore([]), FakeTransport())
    }
  }

  // RFC 9449 section 5.
  @Test("a bound token is refreshed with the key that is kept with it")
  func bound() async throws {
    let json: JSONObject = [
      "access_token": "T", "token_type": "DPoP", "refresh_token": "R1",
      "dpop_jwk": ["kty": "old", "d": "private"],
    ]
    var bound = try #require(Token(json: json))
    bound.setExpiresIn(10, from: try Samples.receivedAt())
    let old = try Self.account("T", life: 10)
    let account = old.loggedIn(by: old.login, with: bound, receivedAt: try Samples.receivedAt())
    let store = FakeStore([account])
    let transport = answer(#"{"access_token":"N","token_type":"DPoP","expires_in":3600}"#)
    #expect(try await token(store, transport) == AccessToken("N"))
    #expect(transport.sent.first?.values(of: "DPoP").count == 1)
    let kept = try await store.load(#require(AccountName("work")))
    #expect(kept.token.proofKey == ["kty": "old", "d": "private"])
  }

  @Test(
    "a refresh that is refused without a word needs somebody to sign in", arguments: [400, 401], ["", "{}"])
  func wordless(status: Int, body: String) async throws {
    let store = FakeStore([try Self.account("T", life: 10)])
    await #expect(throws: Self.forbidden) { try await token(store, answer(body, status: status)) }
  }

  @Test(
    "what a server in between answers is no refusal",
    arguments: [
      (400, "<html>", .status(400, from: .token)),
      (403, "", .status(403, from: .token)),
      (500, "", .status(500, from: .token)),
      (502, "{}", .status(502, from: .token)), (200, "", .notJSON(.unexpectedEnd, status: 200, from: .token)),
    ] as [(Int, String, ResponseFault)])
  func inBetween(status: Int, body: String, fault: ResponseFault) async throws {
    let store = FakeStore([try Self.account("T", life: 10)])
    await #expect(throws: Failure.network(.badResponse(fault))) {
      try await token(store, answer(body, status: status))
    }
  }

  // RFC 6749 section 5.2: the refresh token belongs to the client.
  @Test(
    "a refresh by a client that the provider has forgotten needs a login, where another client can be had",
    arguments: [("c", true), ("newer", true), ("c", false)])
  func forgottenClient(kept: String, isRegistered: Bool) async throws {
    var account = try Self.account("T", life: 10)
    account.login.clientID = "c"
    account.login.provider.issuer = try Issuer("https://as.test")
    account.hasRegisteredClient = isRegistered
    let store = FakeStore([account])
    let slot = try #require(ClientSlot(account.login.provider, account.login.redirectURI))
    let client = try #require(
      RegisteredClient(json: ["client_id": .string(kept), "token_endpoint_auth_method": "none"]))
    try await store.save(client, at: slot)
    let transport = answer(#"{"error":"invalid_client"}"#, status: 401)
    let failure =
      isRegistered
      ? Self.forbidden : Failure.provider(ProviderError(code: "invalid_client", remark: .noSecret))
    await #expect(throws: failure) { try await token(store, transport) }
    #expect(account.newLogin.clientID == (isRegistered ? "" : "c"))
    // Another account may have found out before.
    let isForgotten = isRegistered && kept == "c"
    #expect(try await store.client(at: slot)?.clientID == (isForgotten ? nil : kept))
  }

  @Test("a token without an end is refreshed where the account, or the caller, does not believe in it")
  func assumption() async throws {
    var doubting = try Self.account("T", life: nil)
    doubting.assumesUnexpired = false
    let kept = try Account(document: doubting.document, of: doubting.name)
    #expect(!kept.assumesUnexpired)
    let transport = answer(#"{"access_token":"N","token_type":"Bearer"}"#)
    #expect(try await token(FakeStore([kept]), transport) == AccessToken("N"))
    #expect(
      try await token(FakeStore([try Self.account("T", life: nil)]), transport) == AccessToken("T"))
  }

  @Test("what a verified id_token says is kept with the refreshed token")
  func identified() async throws {
    var provider = try Samples.code()
    provider.issuer = try Issuer(SampleIDToken.issuer)
    provider.endpoints[.token] = try Endpoint(Self.tokenEndpoint)
    provider.endpoints[.keySet] = try Endpoint("https://as.test/jwks")
    let members: JSONObject = ["access_token": "T", "token_type": "Bearer", "refresh_token": "R1"]
    var account = try Samples.account(at: provider, token: members, life: 10)
    account.login.scope = "openid"
    let store = FakeStore([account])
    let answer: JSONObject = [
      "access_token": "N", "token_type": "Bearer",
      "id_token": .string(try SampleIDToken.text(SampleIDToken.claims.text)),
    ]
    let transport = FakeTransport([
      Self.tokenEndpoint: .json(answer.text),
      "https://as.test/jwks": .json(#"{"keys":[\#(FakeSigningKey.rsa(["kid": "k"]).text)]}"#),
    ])
    let clock = FakeClock(date: try SampleIDToken.date(), record: transport.record)
    let dependencies = Dependencies(transport: transport, cryptography: FakeCryptography(), clock: clock)
    let session = AccountSession(store: store, dependencies, words: Samples.words)
    let refreshed = try await session.token(of: account.name, forAtLeast: 60)
    #expect(refreshed.token.claims == SampleIDToken.claims)
    let kept = try await store.load(account.name)
    #expect(kept.token.claims == SampleIDToken.claims)
    var token = try #require(Token(json: members)).with(
      IDToken(text: "", subject: "other", claims: SampleIDToken.claims("sub", "other")), repeatsNonce: true)
    token.setExpiresIn(10, from: kept.receivedAt)
    let others = kept.renewed(with: token, receivedAt: kept.receivedAt)
    try await store.save(others)
    await #expect(throws: Failure.untrusted(.invalidIDToken(.otherLogin("sub")))) {
      try await session.token(of: account.name, forAtLeast: 60)
    }
  }
}
