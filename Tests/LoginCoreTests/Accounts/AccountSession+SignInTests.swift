import Testing

@testable import LoginCore

/// Tokens of a kept account that need a login, and the reports to the programs that wait for the same account.
@Suite("AccountSession, logins")
struct AccountSessionSignInTests {
  private typealias Sample = AccountSessionTests

  private func session(
    _ store: FakeStore, _ transport: FakeTransport = FakeTransport(),
    mayLogIn: @escaping @Sendable (LoginRequest) -> Bool = { _ in true },
    signIn: (@Sendable (Account) async throws(Failure) -> Account)? = nil
  ) throws -> AccountSession {
    AccountSession(
      store: store, try Samples.dependencies(transport), waits: true, report: Samples.report,
      mayLogIn: mayLogIn, signIn: signIn)
  }

  /// Asks for a token, and signs in with `signIn` if necessary.
  private func token(
    _ store: FakeStore, _ transport: FakeTransport = FakeTransport(),
    mayLogIn: @escaping @Sendable (LoginRequest) -> Bool = { _ in true },
    _ signIn: @escaping @Sendable () throws(Failure) -> Token
  ) async throws -> AccessToken? {
    let now = try Samples.receivedAt()
    let session = try session(
      store, transport, mayLogIn: mayLogIn,
      signIn: { account throws(Failure) in
        account.loggedIn(by: account.newLogin, with: try signIn(), receivedAt: now)
      })
    return try await session.token(of: #require(AccountName("work")), forAtLeast: 60).token.accessToken
  }

  private func tokenWithoutLogin(_ store: FakeStore) async throws -> AccessToken? {
    try await session(store).token(of: #require(AccountName("work")), forAtLeast: 60).token.accessToken
  }

  private func newToken() throws -> Token {
    try #require(Token(json: ["access_token": "N", "token_type": "Bearer"]))
  }

  @Test("The token of a login is saved before it is returned, and waiting programs learn of it")
  func login() async throws {
    let store = FakeStore([try Sample.account("T", life: 10, refreshToken: nil)])
    let new = try newToken()
    #expect(try await token(store) { new } == AccessToken("N"))
    #expect(store.events == [.load, .lock, .load, .save, .unlock])
    #expect(store.log.outcome(since: 1) == .token)
  }

  @Test("A missing account is made if the session knows how")
  func made() async throws {
    let store = FakeStore([])
    let new = try newToken()
    let name = try #require(AccountName("work"))
    var session = try session(store)
    await #expect(throws: Failure.unknownAccount("work")) {
      try await session.token(of: name, forAtLeast: 60)
    }
    session.make = { () async throws(Failure) in
      let account = try failing(Sample.account("T", life: 10)) { (_: any Error) in Samples.defect }
      return account.loggedIn(by: account.login, with: new, receivedAt: account.receivedAt)
    }
    #expect(try await session.token(of: name, forAtLeast: 60).token.accessToken == AccessToken("N"))
    guard case .forOutcome(maySignIn: true) = store.waited.last else {
      Issue.record("it did not wait as a program that can sign in")
      return
    }
    #expect(store.log.outcome(since: 1) == .token)
    #expect(try await store.load(name).token.accessToken == AccessToken("N"))
  }

  @Test("A token that does not suffice for a server is replaced once by that of another login")
  func steppedUp() async throws {
    let store = FakeStore([try Sample.account("T", life: 3_600)])
    let (new, now) = (try newToken(), try Samples.receivedAt())
    let name = try #require(AccountName("work"))
    let session = try session(
      store,
      signIn: { account throws(Failure) in
        #expect(account.login.scope?.hasSuffix("more") == true)
        return account.loggedIn(by: account.login, with: new, receivedAt: now)
      })
    for _ in 0..<2 {
      let account = try await session.token(of: name, insteadOf: AccessToken("T"), asking: .scope("more"))
      #expect(account.token.accessToken == AccessToken("N"))
    }
    #expect(store.log.newest == 2 && store.events.count { $0 == .save } == 1)
  }

  @Test("A better token is not tried for if the user may not be asked")
  func noStepUp() async throws {
    let store = FakeStore([try Sample.account("T", life: 3_600)])
    let name = try #require(AccountName("work"))
    let forbidding = try session(
      store, mayLogIn: { _ in false }, signIn: { account throws(Failure) in account })
    for session in [forbidding, try session(store)] {
      await #expect(throws: Sample.forbidden) {
        try await session.token(of: name, insteadOf: AccessToken("T"))
      }
    }
    #expect(store.events.allSatisfy { $0 == .load } && store.waited.isEmpty)
  }

  @Test("A login that the user refused is reported, and the user is not asked again at once")
  func turnedAway() async throws {
    let store = FakeStore([try Sample.account("T", life: 10, refreshToken: nil)])
    let closed = Failure.windowClosed
    await #expect(throws: closed) { try await token(store) { () throws(Failure) in throw closed } }
    #expect(store.log.outcome(since: 1) == .failed(Samples.report(closed)))
    let new = try newToken()
    await #expect(throws: Failure.signInPaused(account: "work", seconds: 5)) {
      try await token(store) { new }
    }
  }

  @Test("A user whose login did not content an API is not asked again at once", arguments: [true, false])
  func inVain(isDemand: Bool) async throws {
    let name = try #require(AccountName("work"))
    let (new, now) = (try newToken(), try Samples.receivedAt())
    let store = FakeStore([try Sample.account("T", life: 3_600, refreshToken: nil)])
    let session = try session(
      store, signIn: { $0.loggedIn(by: $0.login, with: new, receivedAt: now) })
    let demand = isDemand ? StepUp.scope("more") : nil
    let account = try await session.token(of: name, insteadOf: AccessToken("T"), asking: demand)
    #expect(account.token.accessToken == AccessToken("N") && store.log.trial == .demanded)
    if !isDemand { try await store.expire(AccessToken("N"), of: name, isRefused: true, at: now) }
    let paused = Failure.signInInVain(account: "work", seconds: 5)
    for _ in 0..<2 {
      await #expect(throws: paused) {
        try await isDemand
          ? session.token(of: name, insteadOf: AccessToken("N"), asking: .scope("even more"))
          : session.token(of: name, forAtLeast: 60)
      }
    }
    #expect(
      store.log.rejections?.times == 1 && store.log.outcome(since: 1) == .failed(Samples.report(paused)))
    await store.noteAcceptance(of: name)
    let again = try await session.token(of: name, insteadOf: AccessToken("N"), asking: .scope("even more"))
    #expect(again.login.scope == (isDemand ? "more even" : "even more"))
  }

  @Test("A login that needs no user is made as often as an API wants")
  func machine() async throws {
    var account = try Sample.account("T", life: 10, refreshToken: nil)
    account.login.grant = .clientCredentials
    let store = FakeStore([account])
    let new = try newToken()
    #expect(try await token(store) { new } == AccessToken("N"))
    #expect(store.log.trial == nil)
  }

  @Test("A refusal at the provider counts as one of the user, but not a provider that is busy")
  func refusals() async throws {
    for (code, isUsers) in [("access_denied", true), ("temporarily_unavailable", false)] {
      let store = FakeStore([try Sample.account("T", life: 10, refreshToken: nil)])
      let failure = Failure.refusal(code: code)
      await #expect(throws: failure) { try await token(store) { () throws(Failure) in throw failure } }
      #expect((store.log.refusals != nil) == isUsers, "\(code)")
    }
  }

  @Test("A login that succeeds ends the pause after earlier refusals")
  func forgiven() async throws {
    var log = AttemptLog()
    log.refuse(at: try #require(try Samples.receivedAt().adding(seconds: -60)))
    let store = FakeStore([try Sample.account("T", life: 10, refreshToken: nil)], log: log)
    let new = try newToken()
    #expect(try await token(store) { new } == AccessToken("N"))
    #expect(store.log.refusals == nil)
  }

  @Test("A cancelled program reports no result, so that the next program asks the user")
  func interrupted() async throws {
    let store = FakeStore([try Sample.account("T", life: 10, refreshToken: nil)])
    let login = Task {
      try await token(store) { () throws(Failure) in
        withUnsafeCurrentTask { $0?.cancel() }
        throw .cancelled
      }
    }
    await #expect(throws: Failure.cancelled) { try await login.value }
    #expect(store.log.outcome(since: 1) == nil)
  }

  @Test("A failure of this program alone is reported as a login that is still needed")
  func ownFailure() async throws {
    let store = FakeStore([try Sample.account("T", life: 10, refreshToken: nil)])
    let failure = Samples.noDisplay
    await #expect(throws: failure) { try await token(store) { () throws(Failure) in throw failure } }
    #expect(store.log.outcome(since: 1) == .needsLogin)
    #expect(store.log.refusals == nil)
  }

  @Test("A login without the user is made in the attempt that needs it, even if the user may not be asked")
  func withoutUser() async throws {
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

  @Test("A login with the user is not started if the user may not be asked")
  func withUser() async throws {
    let store = FakeStore([try Sample.account("T", life: 10, refreshToken: nil)])
    await #expect(throws: Sample.forbidden) {
      try await token(store, mayLogIn: { !$0.grant.asksUser }) { () throws(Failure) in throw Samples.defect }
    }
    #expect(store.log.outcome(since: 1) == .needsLogin)
    #expect(store.waited.count == 1)
    #expect(store.waited.contains { $0.takes(.needsLogin) })
  }

  @Test("The token from another program's attempt is returned, however short its life")
  func theirToken() async throws {
    let store = FakeStore(
      [try Sample.account("T", life: 10)], whileWaiting: try Sample.account("other", life: 5),
      outcomeOfAnother: .token)
    #expect(try await tokenWithoutLogin(store) == AccessToken("other"))
  }

  @Test("Waiting programs fail with the failure that another program reported")
  func theirFailure() async throws {
    let store = FakeStore([try Sample.account("T", life: 10, refreshToken: nil)])
    let denied = Failure.refusal(code: "access_denied")
    await #expect(throws: denied) { try await token(store) { () throws(Failure) in throw denied } }
    let outcome = try #require(AttemptLog(document: store.log.document)?.outcome(since: 1))
    let waiting = FakeStore([try Sample.account("T", life: 10)], outcomeOfAnother: outcome)
    let failure = try #require(Failure(report: Samples.report(denied)))
    await #expect(throws: failure) { try await tokenWithoutLogin(waiting) }
    #expect(failure.code == denied.code && failure.message == denied.message)
  }

  @Test("A report that cannot be read is a defect")
  func malformedReport() async throws {
    let waiting = FakeStore([try Sample.account("T", life: 10)], outcomeOfAnother: .failed([:]))
    let failure = await #expect(throws: Failure.self) { try await tokenWithoutLogin(waiting) }
    #expect(failure?.code == .internalError)
  }

  @Test("The result that a login is needed stops only programs that cannot ask the user")
  func theyNeedLogin() async throws {
    let dead = FakeStore([try Sample.account("T", life: 10)], outcomeOfAnother: .needsLogin)
    await #expect(throws: Sample.forbidden) { try await tokenWithoutLogin(dead) }
    // The other program has tried the refresh token, so it is not tried again.
    let new = try newToken()
    #expect(try await token(dead) { new } == AccessToken("N"))
  }
}
