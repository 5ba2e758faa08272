import Testing

@testable import LoginCore

/// Tokens of a kept account, as far as they can be had without the user.
@Suite("AccountSession")
struct AccountSessionTests {
  private static let tokenEndpoint = "https://as.test/token"
  static let forbidden = Failure.signInForbidden(account: "work")
  /// The hint of a refusal for which the user can only sign in again.
  private static let wayOut = Failure.Hint.signInAgain(account: "work")

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
    try await AccountSession(store: store, Samples.dependencies(transport))
      .token(of: #require(AccountName("work")), forAtLeast: seconds).token.accessToken
  }

  private func answer(_ text: String, status: Int = 200) -> FakeTransport {
    FakeTransport([Self.tokenEndpoint: .json(text, status: status)])
  }

  @Test("A good token is returned without a lock and without the network")
  func kept() async throws {
    let store = FakeStore([try Self.account("T", life: 3_600)])
    let transport = FakeTransport()
    #expect(try await token(store, transport) == AccessToken("T"))
    #expect(store.events == [.load])
    #expect(transport.sent.isEmpty)
  }

  @Test("A refreshed token is saved with its new refresh token before it is returned and the lock released")
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

  @Test("A token that was just refreshed is returned even if its whole life is too short")
  func shortLife() async throws {
    let store = FakeStore([try Self.account("T", life: 10)])
    let transport = answer(#"{"access_token":"N","token_type":"Bearer","expires_in":5}"#)
    #expect(try await token(store, transport, forAtLeast: 600) == AccessToken("N"))
  }

  @Test("A user who may not be asked now learns how to sign in again")
  func wayOutOfSilence() { #expect(Self.forbidden.hint == Self.wayOut) }

  @Test("A token that another program refreshed while this one waited is not refreshed again")
  func another() async throws {
    let store = FakeStore(
      [try Self.account("T", life: 10)],
      whileWaiting: try Self.account("other", life: 3_600, refreshToken: "R2"))
    let transport = FakeTransport()
    #expect(try await token(store, transport) == AccessToken("other"))
    #expect(transport.sent.isEmpty)
  }

  @Test("A new refresh token in an otherwise unusable answer is saved with the old access token")
  func rescued() async throws {
    let store = FakeStore([try Self.account("T", life: 10)])
    await #expect(throws: Failure.missingToken(["access_token"]).with(hint: Self.wayOut)) {
      try await token(store, answer(#"{"token_type":"Bearer","refresh_token":"R2"}"#))
    }
    let kept = try await store.load(try #require(AccountName("work")))
    #expect(kept.refreshToken == RefreshToken("R2") && kept.token.accessToken == AccessToken("T"))
  }

  @Test("Without a refresh token, the user must sign in")
  func noRefreshToken() async throws {
    let store = FakeStore([try Self.account("T", life: 10, refreshToken: nil)])
    await #expect(throws: Self.forbidden) { try await token(store, FakeTransport()) }
    #expect(store.events == [.load, .lock, .load, .unlock])
    #expect(store.log.outcome(since: 1) == .needsLogin)
  }

  @Test(
    "After the refusal of a refresh token, the user must sign in",
    arguments: ["invalid_grant", "bad_refresh_token", "interaction_required", "login_required"])
  func dead(code: String) async throws {
    let store = FakeStore([try Self.account("T", life: 10)])
    await #expect(throws: Self.forbidden) {
      try await token(store, answer(#"{"error":"\#(code)"}"#, status: 400))
    }
    #expect(store.events == [.load, .lock, .load, .unlock])
  }

  @Test("A preset can name more codes that refuse a refresh token")
  func presetsCodes() async throws {
    var account = try Self.account("T", life: 10)
    let refusal = #"{"error":"invalid_request"}"#
    await #expect(throws: Failure.refusal(code: "invalid_request").with(hint: Self.wayOut)) {
      try await token(FakeStore([account]), answer(refusal, status: 400))
    }
    account.login.provider.refreshRefusals = ["invalid_request"]
    await #expect(throws: Self.forbidden) {
      try await token(FakeStore([account]), answer(refusal, status: 400))
    }
  }

  @Test(
    "A refresh that is refused without a reason needs the user to sign in", arguments: [400, 401], ["", "{}"])
  func withoutReason(status: Int, body: String) async throws {
    let store = FakeStore([try Self.account("T", life: 10)])
    await #expect(throws: Self.forbidden) { try await token(store, answer(body, status: status)) }
  }

  @Test(
    "A refusal that may pass or is about the client changes the account in no way",
    arguments: ["temporarily_unavailable", "invalid_client", "server_error"])
  func otherRefusals(code: String) async throws {
    let store = FakeStore([try Self.account("T", life: 10)])
    // The client of the account has no secret.
    await #expect(throws: Failure.refusal(code: code).remarkingMissingSecret) {
      try await token(store, answer(#"{"error":"\#(code)"}"#, status: 400))
    }
    #expect(store.events == [.load, .lock, .load, .unlock])
  }

  @Test(
    "An answer that is not OAuth does not count as a refusal",
    arguments: [
      (400, "<html>", .status(400, from: .token)), (403, "", .status(403, from: .token)),
      (500, "", .status(500, from: .token)), (502, "{}", .status(502, from: .token)),
      (200, "", .notOAuth("the token endpoint: the document ends too early")),
    ] as [(Int, String, Failure)])
  func notOAuth(status: Int, body: String, failure: Failure) async throws {
    let store = FakeStore([try Self.account("T", life: 10)])
    await #expect(throws: failure) { try await token(store, answer(body, status: status)) }
  }

  @Test("Without a network the refresh token stays")
  func offline() async throws {
    let store = FakeStore([try Self.account("T", life: 10)])
    await #expect(throws: Failure.unknownHost(Self.tokenEndpoint)) { try await token(store, FakeTransport()) }
    #expect(try await store.load(#require(AccountName("work"))).refreshToken == RefreshToken("R1"))
  }

  @Test("A missing account is a failure")
  func unknown() async throws {
    await #expect(throws: Failure.unknownAccount("work")) {
      try await token(FakeStore([]), FakeTransport())
    }
  }

  // RFC 6749 section 5.2: the refresh token belongs to the client.
  @Test(
    "A registered client that the provider no longer knows is forgotten, and the user must sign in",
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
      isRegistered ? Self.forbidden : Failure.refusal(code: "invalid_client").remarkingMissingSecret
    await #expect(throws: failure) { try await token(store, transport) }
    #expect(account.newLogin.clientID == (isRegistered ? "" : "c"))
    // A newer client may have been registered for another account.
    let isForgotten = isRegistered && kept == "c"
    #expect(try await store.client(at: slot)?.clientID == (isForgotten ? nil : kept))
  }

  @Test("A token without an expiry is refreshed if the caller does not assume that it is unexpired")
  func assumption() async throws {
    let account = try Self.account("T", life: nil)
    let transport = answer(#"{"access_token":"N","token_type":"Bearer"}"#)
    #expect(try await token(FakeStore([account]), transport) == AccessToken("T"))
    let doubting = try AccountSession(
      store: FakeStore([account]), Samples.dependencies(transport), waits: true,
      assumesUnexpired: { $0.name != account.name })
    let renewed = try await doubting.token(of: account.name, forAtLeast: 60)
    #expect(renewed.token.accessToken == AccessToken("N"))
  }

  @Test("A refresh token that was refused is not sent again for a while, and another one is sent at once")
  func refusedOnce() async throws {
    let store = FakeStore([try Self.account("T", life: 10)])
    let transport = answer(#"{"error":"invalid_grant"}"#, status: 400)
    func ask(after seconds: Int64) async {
      await #expect(throws: Self.forbidden) {
        try await AccountSession(store: store, Samples.dependencies(transport, seconds: seconds))
          .token(of: #require(AccountName("work")), forAtLeast: 60)
      }
    }
    for _ in 0..<20 { await ask(after: 0) }
    #expect(transport.sent.count == 1)
    await ask(after: 60)
    await ask(after: 61)
    #expect(transport.sent.count == 2)
    try await store.save(try Self.account("T", life: 10, refreshToken: "R2"))
    await ask(after: 62)
    #expect(transport.sent.count == 3)
  }

  @Test("While the provider wants no request, the callers hear of its last answer")
  func retryAfter() async throws {
    let store = FakeStore([try Self.account("T", life: 10)])
    let busy = HTTPResponse(
      status: 503, headers: [Parameter("Retry-After", "90"), Parameter("Content-Type", "application/json")],
      body: Array(#"{"error":"temporarily_unavailable"}"#.utf8))
    let transport = FakeTransport([Self.tokenEndpoint: busy])
    for (seconds, left) in [(0, 90), (30, 60)] as [(Int64, Int64)] {
      do {
        _ = try await AccountSession(store: store, Samples.dependencies(transport, seconds: seconds))
          .token(of: #require(AccountName("work")), forAtLeast: 60)
        Issue.record("a token")
      } catch let error as Failure {
        #expect(error.code == .provider("temporarily_unavailable") && error.isRetryable)
        #expect(error.details == ["retry_after": .number(JSONNumber(left))])
      }
    }
    #expect(transport.sent.count == 1)
    _ = try? await AccountSession(store: store, Samples.dependencies(transport, seconds: 90))
      .token(of: #require(AccountName("work")), forAtLeast: 60)
    #expect(transport.sent.count == 2)
  }

  /// An account of which the access token is good for an hour, and the id_token has ended.
  private static func endedIdentity(refreshToken: String?, receivedAfter seconds: Int64 = -9) throws
    -> Account
  {
    var account = try account("T", life: 3_600, refreshToken: refreshToken)
    let end = try Samples.receivedAt().adding(seconds: -seconds)?.secondsSince1970 ?? 0
    let identity = IDToken(text: "I", subject: "ada", claims: ["exp": .number(JSONNumber(end))])
    let token = account.token.with(identity, repeatsNonce: false)
    account = account.loggedIn(by: account.login, with: token, receivedAt: account.receivedAt)
    return account
  }

  @Test("A silent question for an id_token that has ended changes nothing unless something better arrives")
  func silentIdentity() async throws {
    for (refreshToken, answer, sent) in [
      (nil, "", 0), ("R1", #"{"error":"temporarily_unavailable"}"#, 1),
      ("R1", #"{"error":"invalid_grant"}"#, 1),
    ] as [(String?, String, Int)] {
      let account = try Self.endedIdentity(refreshToken: refreshToken)
      let (store, transport) = (FakeStore([account]), self.answer(answer, status: 400))
      var session = try AccountSession(store: store, Samples.dependencies(transport, seconds: 10))
      session.needsIdentity = true
      await #expect(throws: Failure.self) { try await session.token(of: account.name, forAtLeast: 60) }
      #expect(transport.sent.count == sent)
      #expect(try await token(store, transport) == AccessToken("T"))
      #expect(!store.events.contains(.save))
    }
  }

  @Test("A refresh that brings no id_token is kept, and not repeated for the id_token")
  func noNewIdentity() async throws {
    let account = try Self.endedIdentity(refreshToken: "R1")
    let store = FakeStore([account])
    let transport = answer(#"{"access_token":"N","token_type":"Bearer","expires_in":3600}"#)
    for _ in 0..<2 {
      var session = try AccountSession(store: store, Samples.dependencies(transport, seconds: 10))
      session.needsIdentity = true
      await #expect(throws: Self.forbidden) { try await session.token(of: account.name, forAtLeast: 60) }
      #expect(try await token(store, transport) == AccessToken("N"))
    }
    #expect(transport.sent.count == 1)
  }

  @Test("The claims of a refreshed id_token are kept, and one of another login is refused")
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
      Self.tokenEndpoint: .json(answer.text), "https://as.test/jwks": SampleIDToken.keySet,
    ])
    let clock = FakeClock(date: try SampleIDToken.date(), record: transport.record)
    let session = AccountSession(
      store: store, Dependencies(transport: transport, cryptography: FakeCryptography(), clock: clock))
    let refreshed = try await session.token(of: account.name, forAtLeast: 60)
    #expect(refreshed.token.claims == SampleIDToken.claims)
    let kept = try await store.load(account.name)
    #expect(kept.token.claims == SampleIDToken.claims)

    var token = try #require(Token(json: members)).with(
      IDToken(text: "", subject: "other", claims: SampleIDToken.claims("sub", "other")), repeatsNonce: true)
    token.setExpiresIn(10, from: kept.receivedAt)
    try await store.save(kept.renewed(with: token, receivedAt: kept.receivedAt))
    let failure = Failure.invalidIDToken("its sub differs from that of the original login")
    // The refused access token is not handed out by the second call, either.
    for _ in 0..<2 {
      await #expect(throws: failure.with(hint: Self.wayOut)) {
        try await session.token(of: account.name, forAtLeast: 60)
      }
    }
    #expect(try await store.load(account.name).token.accessToken == AccessToken("T"))
  }
}
