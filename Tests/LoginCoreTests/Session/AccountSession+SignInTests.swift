import Testing

@testable import LoginCore

/// A token of a kept account by a login, and what programs that wait for each other are told of it.
@Suite("AccountSession+SignIn")
struct AccountSessionSignInTests {
  private typealias Sample = AccountSessionTests

  /// With somebody who signs in, or does not.
  private func token(
    _ store: FakeStore, _ transport: FakeTransport = FakeTransport(),
    mayLogIn: @escaping @Sendable (LoginRequest) -> Bool = { _ in true },
    _ signIn: @escaping @Sendable () throws(Failure) -> Token
  ) async throws -> AccessToken? {
    let now = try Samples.receivedAt()
    let session = AccountSession(
      store: store, try Samples.dependencies(transport), words: Samples.words, mayLogIn: mayLogIn
    ) { account throws(Failure) in
      account.loggedIn(by: account.newLogin, with: try signIn(), receivedAt: now)
    }
    return try await session.token(of: #require(AccountName("work")), forAtLeast: 60).token.accessToken
  }

  /// With nobody who could sign in.
  private func token(without store: FakeStore) async throws -> AccessToken? {
    try await AccountSession(store: store, Samples.dependencies(FakeTransport()), words: Samples.words)
      .token(of: #require(AccountName("work")), forAtLeast: 60).token.accessToken
  }

  private func newToken() throws -> Token {
    try #require(Token(json: ["access_token": "N", "token_type": "Bearer"]))
  }

  @Test("a login is kept before it is handed out, and those who wait are told")
  func login() async throws {
    let store = FakeStore([try Sample.account("T", life: 10, refreshToken: nil)])
    let new = try newToken()
    #expect(try await token(store) { new } == AccessToken("N"))
    #expect(store.events == [.load, .lock, .load, .save, .unlock])
    #expect(store.log.outcome(since: 1) == .token)
  }

  @Test("an account that is not there yet is made, by one of those who want it")
  func made() async throws {
    let store = FakeStore([])
    let new = try newToken()
    let name = try #require(AccountName("work"))
    var session = AccountSession(
      store: store, try Samples.dependencies(FakeTransport()), words: Samples.words)
    await #expect(throws: Failure.store(.unknownAccount("work"))) {
      try await session.token(of: name, forAtLeast: 60)
    }
    session.make = { () async throws(Failure) in
      var account = try failing(Sample.account("T", life: 10)) { (_: any Error) in Samples.defect }
      account = account.loggedIn(by: account.login, with: new, receivedAt: account.receivedAt)
      return account
    }
    #expect(try await session.token(of: name, forAtLeast: 60).token.accessToken == AccessToken("N"))
    guard case .forOutcome(maySignIn: true) = store.waited.last else {
      Issue.record("it waits for a login")
      return
    }
    #expect(store.log.outcome(since: 1) == .token)
    #expect(try await store.load(name).token.accessToken == AccessToken("N"))
  }

  @Test(
    "a token that a server wants more of is replaced by that of another login, unless another one is there")
  func steppedUp() async throws {
    let store = FakeStore([try Sample.account("T", life: 3_600)])
    let (new, now) = (try newToken(), try Samples.receivedAt())
    let name = try #require(AccountName("work"))
    let session = AccountSession(
      store: store, try Samples.dependencies(FakeTransport()), words: Samples.words, mayLogIn: { _ in true }
    ) { account throws(Failure) in
      #expect(account.login.scope?.hasSuffix("more") == true)
      return account.loggedIn(by: account.login, with: new, receivedAt: now)
    }
    for _ in 0..<2 {
      let account = try await session.token(of: name, insteadOf: AccessToken("T")) {
        $0.asking(.scope("more"))
      }
      #expect(account.token.accessToken == AccessToken("N"))
    }
    #expect(store.log.newest == 2 && store.events.count { $0 == .save } == 1)
    let silent = AccountSession(store: store, try Samples.dependencies(FakeTransport()), words: Samples.words)
    await #expect(throws: Failure.user(.signInForbidden(account: "work"))) {
      try await silent.token(of: name, insteadOf: AccessToken("N")) { $0 }
    }
  }

  @Test("a login that is turned away is told, and the next one is not asked for at once")
  func turnedAway() async throws {
    let store = FakeStore([try Sample.account("T", life: 10, refreshToken: nil)])
    let closed = Failure.user(.cancelled(.windowClosed))
    await #expect(throws: closed) { try await token(store) { () throws(Failure) in throw closed } }
    #expect(store.log.outcome(since: 1) == .failed(Samples.words(closed)))
    let new = try newToken()
    await #expect(throws: Failure.user(.signInPaused(account: "work", seconds: 5))) {
      try await token(store) { new }
    }
  }

  @Test("a provider that has no answer now has not turned the user away")
  func refusals() async throws {
    for (code, isRefusal) in [("access_denied", true), ("temporarily_unavailable", false)] {
      let store = FakeStore([try Sample.account("T", life: 10, refreshToken: nil)])
      let failure = Failure.provider(ProviderError(code: code))
      await #expect(throws: failure) { try await token(store) { () throws(Failure) in throw failure } }
      #expect((store.log.refusals != nil) == isRefusal, "\(code)")
    }
  }

  @Test("whoever signs in after all is asked again at once the next time")
  func forgiven() async throws {
    var log = AttemptLog()
    log.refuse(at: try #require(try Samples.receivedAt().adding(seconds: -60)))
    let store = FakeStore([try Sample.account("T", life: 10, refreshToken: nil)], log: log)
    let new = try newToken()
    #expect(try await token(store) { new } == AccessToken("N"))
    #expect(store.log.refusals == nil)
  }

  @Test("a program that is interrupted tells the others nothing, so that the next one asks the user")
  func interrupted() async throws {
    let store = FakeStore([try Sample.account("T", life: 10, refreshToken: nil)])
    let cancelled = Failure.user(.cancelled(.task))
    let login = Task {
      try await token(store) { () throws(Failure) in
        withUnsafeCurrentTask { $0?.cancel() }
        throw cancelled
      }
    }
    await #expect(throws: cancelled) { try await login.value }
    #expect(store.log.outcome(since: 1) == nil)
  }

  @Test("where nobody may be asked for another token, no turn is taken for it")
  func noTurn() async throws {
    let store = FakeStore([try Sample.account("T", life: 3_600)])
    let session = AccountSession(
      store: store, try Samples.dependencies(FakeTransport()), words: Samples.words, mayLogIn: { _ in false }
    ) { account throws(Failure) in account }
    await #expect(throws: Sample.forbidden) {
      try await session.token(of: #require(AccountName("work")), insteadOf: AccessToken("T")) { $0 }
    }
    #expect(store.events == [.load])
  }

  @Test("what stops this program alone tells the others only that somebody has to sign in")
  func ownFault() async throws {
    let store = FakeStore([try Sample.account("T", life: 10, refreshToken: nil)])
    let fault = Failure.application(FakeFault.ours)
    await #expect(throws: fault) { try await token(store) { () throws(Failure) in throw fault } }
    #expect(store.log.outcome(since: 1) == .needsLogin)
    #expect(store.log.refusals == nil)
  }

  @Test("where nobody may be asked, a login that asks nobody is made in the attempt that finds it needed")
  func asksNobody() async throws {
    var account = try Sample.account("T", life: 10)
    account.login.grant = .clientCredentials
    let store = FakeStore([account])
    let dead = FakeTransport(["https://as.test/token": .json(#"{"error":"invalid_grant"}"#, status: 400)])
    let new = try newToken()
    #expect(try await token(store, dead, mayLogIn: { !$0.grant.asksUser }) { new } == AccessToken("N"))
    #expect(store.events == [.load, .lock, .load, .save, .unlock])
    #expect(store.log.newest == 1 && store.log.outcome(since: 1) == .token)
    #expect(store.waited.count == 1)
    #expect(!store.waited.contains { $0.takes(.needsLogin) }, "it can sign in where others cannot")
  }

  @Test("where nobody may be asked, a login that asks somebody is not begun")
  func asksSomebody() async throws {
    let store = FakeStore([try Sample.account("T", life: 10, refreshToken: nil)])
    await #expect(throws: Sample.forbidden) {
      try await token(store, mayLogIn: { !$0.grant.asksUser }) { () throws(Failure) in throw Samples.defect }
    }
    #expect(store.log.outcome(since: 1) == .needsLogin)
    #expect(store.waited.count == 1)
    #expect(store.waited.contains { $0.takes(.needsLogin) })
  }

  @Test("the token of an attempt that was waited for is handed out, however short its life")
  func theirs() async throws {
    let store = FakeStore(
      [try Sample.account("T", life: 10)], whileWaiting: try Sample.account("other", life: 5),
      outcomeOfAnother: .token)
    #expect(try await token(without: store) == AccessToken("other"))
  }

  @Test("those who wait for an attempt fail with the words that its program had for its failure")
  func theirWords() async throws {
    let store = FakeStore([try Sample.account("T", life: 10, refreshToken: nil)])
    let denied = Failure.provider(ProviderError(code: "access_denied"))
    await #expect(throws: denied) { try await token(store) { () throws(Failure) in throw denied } }
    let told = try #require(AttemptLog(document: store.log.document)?.outcome(since: 1))
    let waiting = FakeStore([try Sample.account("T", life: 10)], outcomeOfAnother: told)
    await #expect(throws: Failure.repeated(Samples.words(denied))) { try await token(without: waiting) }
  }

  @Test("that somebody has to sign in stops only those who ask nobody")
  func theyNeedLogin() async throws {
    let dead = FakeStore([try Sample.account("T", life: 10)], outcomeOfAnother: .needsLogin)
    await #expect(throws: Sample.forbidden) { try await token(without: dead) }
    // The refresh token is dead, as the other one has found out: it is not tried again.
    let new = try newToken()
    #expect(try await token(dead) { new } == AccessToken("N"))
  }
}
