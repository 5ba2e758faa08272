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
    let other = try AccountSessionTests.account("other", life: 3_600)
    let store = FakeStore([other], outcomeOfAnother: .token, log: log)
    let new = try AccountSessionTests.account("N", life: 60)
    #expect(try await account(store) { new }.token.accessToken == AccessToken("N"))
    #expect(store.log.refusals == nil && store.log.trial == nil)
    #expect(store.log.rejections?.times == 1, "no API has accepted the token yet")
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
