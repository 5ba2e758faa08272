import Testing

@testable import LoginCore

/// A token of a kept account, without the user wherever that is possible.
@Suite("AccountSession")
struct AccountSessionTests {
  private static let tokenEndpoint = "https://as.test/token"

  private func account(_ accessToken: String, life: Int64?, refreshToken: String? = "R1") throws -> Account {
    var provider = try Samples.code()
    provider.endpoints[.token] = try Endpoint(Self.tokenEndpoint)
    var json: JSONObject = ["access_token": .string(accessToken), "token_type": "Bearer"]
    json["refresh_token"] = refreshToken.map(JSONValue.string)
    return try Samples.account(at: provider, token: json, life: life)
  }

  private func outcome(
    _ store: FakeStore, _ transport: FakeTransport, forAtLeast seconds: Int64 = 60
  ) async throws -> AccountSession.Outcome {
    let clock = FakeClock(date: try Samples.receivedAt(), record: transport.record)
    return try await AccountSession(
      store: store, Means(transport: transport, cryptography: FakeCryptography(), clock: clock)
    )
    .token(of: #require(AccountName("work")), forAtLeast: seconds)
  }

  private func accessToken(_ outcome: AccountSession.Outcome) -> AccessToken? {
    if case .ready(let account) = outcome { account.token.accessToken } else { nil }
  }

  private func answer(_ text: String, status: Int = 200) -> FakeTransport {
    FakeTransport([Self.tokenEndpoint: .json(text, status: status)])
  }

  @Test("one that is good is handed out without a lock and without the network")
  func kept() async throws {
    let store = FakeStore([try account("T", life: 3_600)])
    let transport = FakeTransport()
    #expect(accessToken(try await outcome(store, transport)) == AccessToken("T"))
    #expect(store.events == [.load])
    #expect(transport.sent.isEmpty)
  }

  @Test("a refreshed one is kept, with its new refresh token, before it is handed out and unlocked")
  func refreshed() async throws {
    let store = FakeStore([try account("T", life: 10)])
    let transport = answer(
      #"{"access_token":"N","token_type":"Bearer","expires_in":3600,"refresh_token":"R2"}"#)
    #expect(accessToken(try await outcome(store, transport)) == AccessToken("N"))
    #expect(store.events == [.load, .lock, .load, .save, .unlock])
    let kept = try await store.load(#require(AccountName("work")))
    #expect(kept.refreshToken == RefreshToken("R2"))
    #expect(kept.token.accessToken == AccessToken("N"))
    #expect(transport.sent.first?.form.contains(Parameter("refresh_token", "R1")) == true)
  }

  @Test("a token just refreshed is handed out even if its whole life is shorter")
  func shortLife() async throws {
    let store = FakeStore([try account("T", life: 10)])
    let transport = answer(#"{"access_token":"N","token_type":"Bearer","expires_in":5}"#)
    #expect(accessToken(try await outcome(store, transport, forAtLeast: 600)) == AccessToken("N"))
  }

  @Test("what another program has refreshed meanwhile is not refreshed again")
  func another() async throws {
    let store = FakeStore(
      [try account("T", life: 10)], whileWaiting: try account("other", life: 3_600, refreshToken: "R2"))
    let transport = FakeTransport()
    #expect(accessToken(try await outcome(store, transport)) == AccessToken("other"))
    #expect(transport.sent.isEmpty)
  }

  @Test("without a refresh token somebody has to sign in")
  func noRefreshToken() async throws {
    let store = FakeStore([try account("T", life: 10, refreshToken: nil)])
    guard case .needsLogin(let account) = try await outcome(store, FakeTransport()) else {
      Issue.record("nobody has to sign in")
      return
    }
    #expect(account.login.clientID == "client")
    #expect(store.events == [.load, .lock, .load, .unlock])
    #expect(store.log.outcome(since: 1) == .needsLogin)
  }

  @Test(
    "a refresh token that is dead needs somebody to sign in",
    arguments: ["invalid_grant", "bad_refresh_token", "interaction_required", "login_required"])
  func dead(code: String) async throws {
    let store = FakeStore([try account("T", life: 10)])
    guard case .needsLogin = try await outcome(store, answer(#"{"error":"\#(code)"}"#, status: 400)) else {
      Issue.record("nobody has to sign in")
      return
    }
    #expect(store.events == [.load, .lock, .load, .unlock])
  }

  @Test("what the preset says of a dead refresh token counts as well, and nothing else does")
  func deadInOtherWords() async throws {
    var account = try account("T", life: 10)
    let refusal = #"{"error":"invalid_request"}"#
    await #expect(throws: Failure.self) {
      _ = try await outcome(FakeStore([account]), answer(refusal, status: 400))
    }
    account.login.provider.refreshRefusals = ["invalid_request"]
    guard case .needsLogin = try await outcome(FakeStore([account]), answer(refusal, status: 400)) else {
      Issue.record("nobody has to sign in")
      return
    }
  }

  @Test(
    "what may pass, or is the client's fault, is that error and changes nothing",
    arguments: [
      ("temporarily_unavailable", "temporarily_unavailable"), ("invalid_client", "invalid_client"),
      ("server_error", "server_error"),
    ])
  func transient(code: String, expected: String) async throws {
    let store = FakeStore([try account("T", life: 10)])
    let failure = await #expect(throws: Failure.self) {
      try await outcome(store, answer(#"{"error":"\#(code)"}"#, status: 400))
    }
    #expect(failure?.code == expected)
    #expect(store.events == [.load, .lock, .load, .unlock])
  }

  @Test("without a network it is that error, and the refresh token is still there")
  func offline() async throws {
    let store = FakeStore([try account("T", life: 10)])
    let failure = await #expect(throws: Failure.self) { try await outcome(store, FakeTransport()) }
    #expect(failure?.code == "network_error")
    #expect(try await store.load(#require(AccountName("work"))).refreshToken == RefreshToken("R1"))
  }

  @Test("an account that is not there is that error")
  func unknown() async throws {
    let failure = await #expect(throws: Failure.self) { try await outcome(FakeStore([]), FakeTransport()) }
    #expect(failure?.code == "unknown_account")
  }

  // RFC 9449 section 5.
  @Test("a bound token is refreshed with the key that is kept with it")
  func bound() async throws {
    let bound: JSONObject = [
      "access_token": "T", "token_type": "DPoP", "refresh_token": "R1",
      "dpop_jwk": ["kty": "old", "d": "private"],
    ]
    var token = try #require(Token(json: bound))
    token.setExpiresIn(10, from: try Samples.receivedAt())
    let old = try account("T", life: 10)
    let account = old.loggedIn(by: old.login, with: token, receivedAt: try Samples.receivedAt())
    let store = FakeStore([account])
    let transport = answer(#"{"access_token":"N","token_type":"DPoP","expires_in":3600}"#)
    #expect(accessToken(try await outcome(store, transport)) == AccessToken("N"))
    #expect(transport.sent.first?.values(of: "DPoP").count == 1)
    let kept = try await store.load(#require(AccountName("work")))
    #expect(kept.token.proofKey == ["kty": "old", "d": "private"])
  }

  @Test(
    "a refresh that is refused without a word needs somebody to sign in", arguments: [400, 401], ["", "{}"])
  func wordless(status: Int, body: String) async throws {
    let store = FakeStore([try account("T", life: 10)])
    guard case .needsLogin = try await outcome(store, answer(body, status: status)) else {
      Issue.record("nobody has to sign in")
      return
    }
  }

  @Test(
    "what a server in between answers is no refusal",
    arguments: [(400, "<html>"), (403, ""), (404, ""), (500, ""), (502, "{}"), (200, "")])
  func inBetween(status: Int, body: String) async throws {
    let store = FakeStore([try account("T", life: 10)])
    let failure = await #expect(throws: Failure.self) {
      try await outcome(store, answer(body, status: status))
    }
    #expect(failure?.code == "bad_provider_response")
  }

  // RFC 6749 section 5.2: the refresh token belongs to the client.
  @Test(
    "a refresh by a client that the provider has forgotten needs a login, where another client can be had",
    arguments: [("c", true), ("newer", true), ("c", false)])
  func forgottenClient(kept: String, isRegistered: Bool) async throws {
    var account = try account("T", life: 10)
    account.login.clientID = "c"
    account.login.provider.issuer = try Issuer("https://as.test")
    account.hasRegisteredClient = isRegistered
    let store = FakeStore([account])
    let place = try #require(ClientPlace(account.login.provider, account.login.redirectURI))
    let client = try #require(
      RegisteredClient(json: ["client_id": .string(kept), "token_endpoint_auth_method": "none"]))
    try await store.save(client, at: place)
    let transport = answer(#"{"error":"invalid_client"}"#, status: 401)
    if isRegistered {
      guard case .needsLogin(let found) = try await outcome(store, transport) else {
        Issue.record("nobody has to sign in")
        return
      }
      #expect(found.newLogin.clientID.isEmpty)
    } else {
      let failure = await #expect(throws: Failure.self) { try await outcome(store, transport) }
      #expect(failure?.code == "invalid_client")
      #expect(account.newLogin.clientID == "c")
    }
    // Another account may have found out before.
    let isForgotten = isRegistered && kept == "c"
    #expect(try await store.client(at: place)?.clientID == (isForgotten ? nil : kept))
  }

  /// With somebody who signs in, or does not.
  private func signedIn(
    _ store: FakeStore, waits: Bool = true, _ signIn: @escaping @Sendable () throws(Failure) -> Token
  ) async throws -> AccountSession.Outcome {
    let transport = FakeTransport()
    let now = try Samples.receivedAt()
    return try await AccountSession(store: store, Samples.means(transport), waits: waits) {
      account throws(Failure) in
      account.loggedIn(by: account.newLogin, with: try signIn(), receivedAt: now)
    }
    .token(of: #require(AccountName("work")), forAtLeast: 60)
  }

  private func token() throws -> Token {
    try #require(Token(json: ["access_token": "N", "token_type": "Bearer"]))
  }

  @Test("a login is kept before it is handed out, and those who wait are told")
  func login() async throws {
    let store = FakeStore([try account("T", life: 10, refreshToken: nil)])
    let new = try token()
    #expect(accessToken(try await signedIn(store) { new }) == AccessToken("N"))
    #expect(store.events == [.load, .lock, .load, .save, .unlock])
    #expect(store.log.outcome(since: 1) == .token)
  }

  @Test("a login that is turned away is told, and the next one is not asked for at once")
  func turnedAway() async throws {
    let store = FakeStore([try account("T", life: 10, refreshToken: nil)])
    await #expect(throws: Failure.user(.cancelled("closed"))) {
      try await signedIn(store) { () throws(Failure) in throw .user(.cancelled("closed")) }
    }
    #expect(store.log.outcome(since: 1) == .failed(FailureRecord(.user(.cancelled("closed")))))
    let new = try token()
    await #expect(throws: Failure.user(.signInPaused(account: "work", seconds: 5))) {
      try await signedIn(store) { new }
    }
  }

  @Test("what stops this program alone tells the others only that somebody has to sign in")
  func noDisplay() async throws {
    let store = FakeStore([try account("T", life: 10, refreshToken: nil)])
    await #expect(throws: Failure.display(.noDisplay)) {
      try await signedIn(store) { () throws(Failure) in throw .display(.noDisplay) }
    }
    #expect(store.log.outcome(since: 1) == .needsLogin)
    #expect(store.log.refusals == nil)
  }

  @Test("the token of an attempt that was waited for is handed out, however short its life")
  func theirs() async throws {
    let store = FakeStore(
      [try account("T", life: 10)], whileWaiting: try account("other", life: 5), outcomeOfAnother: .token)
    #expect(accessToken(try await outcome(store, FakeTransport())) == AccessToken("other"))
  }

  @Test("so is its error; that somebody has to sign in stops only those who ask nobody")
  func theirError() async throws {
    let denied = FailureRecord(.provider(ProviderError(code: "access_denied")))
    let failed = FakeStore([try account("T", life: 10)], outcomeOfAnother: .failed(denied))
    await #expect(throws: Failure.repeated(denied)) { try await outcome(failed, FakeTransport()) }
    let dead = FakeStore([try account("T", life: 10)], outcomeOfAnother: .needsLogin)
    guard case .needsLogin = try await outcome(dead, FakeTransport()) else {
      Issue.record("nobody has to sign in")
      return
    }
    // The refresh token is dead, as the other one has found out: it is not tried again.
    let new = try token()
    #expect(accessToken(try await signedIn(dead) { new }) == AccessToken("N"))
  }

  @Test("a token without an end is refreshed where the account, or the caller, does not believe in it")
  func assumption() async throws {
    var doubting = try account("T", life: nil)
    doubting.assumesUnexpired = false
    let kept = try Account(document: doubting.document, of: doubting.name)
    #expect(!kept.assumesUnexpired)
    let transport = answer(#"{"access_token":"N","token_type":"Bearer"}"#)
    #expect(accessToken(try await outcome(FakeStore([kept]), transport)) == AccessToken("N"))
    #expect(
      accessToken(try await outcome(FakeStore([try account("T", life: nil)]), transport)) == AccessToken("T"))
  }
}
