import Testing

@testable import LoginCore

/// A login that somebody wants, and that becomes an account.
@Suite("AccountLogin")
struct AccountLoginTests {
  private func account(
    _ store: FakeStore, _ signIn: @escaping @Sendable () throws(Failure) -> Account
  ) async throws -> Account {
    let clock = FakeClock(date: try Samples.receivedAt(), record: Record())
    return try await AccountLogin(store: store, clock: clock, words: Samples.words)
      .account(#require(AccountName("work"))) { () async throws(Failure) in try signIn() }
  }

  @Test("the account is kept before it is handed out, and those who wait are told")
  func kept() async throws {
    let store = FakeStore([])
    let new = try AccountSessionTests.account("N", life: 60)
    #expect(try await account(store) { new }.token.accessToken == AccessToken("N"))
    #expect(store.events == [.lock, .save, .unlock])
    #expect(store.log.outcome(since: 1) == .token)
  }

  @Test("the end of another program's attempt does not take its place, nor do earlier refusals")
  func ownTurn() async throws {
    var log = AttemptLog()
    log.refuse(at: try Samples.receivedAt())
    let other = try AccountSessionTests.account("other", life: 3_600)
    let store = FakeStore([other], outcomeOfAnother: .token, log: log)
    let new = try AccountSessionTests.account("N", life: 60)
    #expect(try await account(store) { new }.token.accessToken == AccessToken("N"))
    #expect(store.log.refusals == nil)
  }

  @Test("a failure that is everybody's is told in the words of this program, and one of its own is not")
  func told() async throws {
    for (failure, outcome) in [
      (.network(.offline), .failed(Samples.words(.network(.offline)))),
      (.application(FakeFault.everybodys), .failed(Samples.words(.application(FakeFault.everybodys)))),
      (.application(FakeFault.ours), .needsLogin),
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
