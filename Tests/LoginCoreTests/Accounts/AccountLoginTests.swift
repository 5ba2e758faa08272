import Testing

@testable import LoginCore

@Suite("AccountLogin")
struct AccountLoginTests {
  private func account(
    _ store: FakeStore, _ signIn: @escaping @Sendable () throws(Failure) -> Account
  ) async throws -> Account {
    let clock = FakeClock(date: try Samples.receivedAt(), record: Record())
    return try await AccountLogin(store: store, clock: clock, report: Samples.report)
      .account(#require(AccountName("work"))) { () async throws(Failure) in try signIn() }
  }

  @Test("The account is saved before it is returned, and waiting programs learn that there is a token")
  func saved() async throws {
    let store = FakeStore([])
    let new = try AccountSessionTests.account("N", life: 60)
    #expect(try await account(store) { new }.token.accessToken == AccessToken("N"))
    #expect(store.events == [.lock, .save, .unlock])
    #expect(store.log.outcome(since: 1) == .token)
  }

  @Test("The user signs in even if another program has just got a token or the last login was refused")
  func ownAttempt() async throws {
    var log = AttemptLog()
    log.refuse(at: try Samples.receivedAt())
    log.beginTrial(isDemanded: true)
    log.reject(isDemand: true, at: try Samples.receivedAt())
    // The provider may give the same refresh token again.
    log.refuseRefresh(of: "D", retryAfter: nil, report: nil, at: try Samples.receivedAt())
    let other = try AccountSessionTests.account("other", life: 3_600)
    let store = FakeStore([other], outcomeOfAnother: .token, log: log)
    let new = try AccountSessionTests.account("N", life: 60)
    #expect(try await account(store) { new }.token.accessToken == AccessToken("N"))
    #expect(store.log.refusals == nil && store.log.trial == nil && store.log.refusedRefresh == nil)
    #expect(store.log.rejections?.times == 1, "no API has accepted the token yet")
  }

  /// An account whose id_token has these claims.
  private func account(of claims: JSONObject?) throws -> Account {
    let account = try AccountSessionTests.account("N", life: 60)
    guard let claims else { return account }
    let token = account.token.with(IDToken(text: "I", subject: "", claims: claims), repeatsNonce: false)
    return account.loggedIn(by: account.login, with: token, receivedAt: account.receivedAt)
  }

  @Test("Another user than that of the kept account is refused, and the account stays")
  func otherUser() async throws {
    let ada: JSONObject = ["iss": "https://as.test", "sub": "1", "preferred_username": "ada"]
    let bob: JSONObject = ["iss": "https://as.test", "sub": "2", "email": "bob@as.test"]
    let store = FakeStore([try account(of: ada)])
    let new = try account(of: bob)
    let failure = await #expect(throws: Failure.self) { try await account(store) { new } }
    #expect(failure?.code == .otherUser)
    #expect(
      failure?.message.description == #"the account "work" is that of ada, but bob@as.test has signed in"#)
    #expect(!store.events.contains(.save) && store.log.refusals?.times == 1)
  }

  @Test("Users are told apart by two verified id_tokens of one issuer alone")
  func unknownUser() async throws {
    let ada: JSONObject = ["iss": "https://as.test", "sub": "1"]
    let elsewhere: JSONObject = ["iss": "https://other.test", "sub": "2"]
    let pairs: [(JSONObject?, JSONObject?)] = [(ada, ada), (nil, ada), (ada, nil), (ada, elsewhere)]
    for (old, new) in pairs {
      let (store, new) = (FakeStore([try account(of: old)]), try account(of: new))
      _ = try await account(store) { new }
      #expect(store.events.contains(.save))
    }
  }

  @Test("Waiting programs get the report of a failure that they would have, too")
  func reported() async throws {
    for (failure, outcome) in [
      (.offline, .failed(Samples.report(.offline))), (Samples.noDisplay, .needsLogin),
    ] as [(Failure, AttemptOutcome)] {
      let store = FakeStore([])
      await #expect(throws: failure) {
        try await account(store) { () throws(Failure) in throw failure }
      }
      #expect(store.log.outcome(since: 1) == outcome)
      #expect(store.events == [.lock, .unlock])
    }
  }
}
