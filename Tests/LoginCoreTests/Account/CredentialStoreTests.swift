import Testing

@testable import LoginCore

@Suite("A token that a server has refused")
struct CredentialStoreTests {
  private func account(_ accessToken: String) throws -> Account {
    let token = try #require(
      Token(json: ["access_token": .string(accessToken), "token_type": "Bearer", "refresh_token": "R"]))
    return Account(
      try #require(AccountName("work")), login: try Samples.login(try Samples.code()), token: token,
      receivedAt: try Samples.receivedAt())
  }

  @Test("it counts as expired, and what renews it stays")
  func expired() async throws {
    let store = FakeStore([try account("T")])
    let name = try #require(AccountName("work"))
    let now = try Samples.receivedAt()
    try await store.expire(AccessToken("T"), of: name, at: now)
    let kept = try await store.load(name)
    #expect(kept.freshness(at: now, forAtLeast: 0) != .good)
    #expect(kept.refreshToken == RefreshToken("R"))
    #expect(store.events == [.lock, .load, .save, .unlock, .load])
  }

  @Test("an account that has another token by now stays as it is")
  func other() async throws {
    let store = FakeStore([try account("N")])
    let name = try #require(AccountName("work"))
    try await store.expire(AccessToken("T"), of: name, at: try Samples.receivedAt())
    #expect(store.events == [.lock, .load, .unlock])
  }

  @Test("an account that cannot be read is a failure, and not one that is not there")
  func unreadable() async throws {
    let store = FakeStore([], whileWaiting: try account("T"))
    let name = try #require(AccountName("other"))
    #expect(try await store.find(name)?.name == nil)
    // Whoever had the lock before has put another account's document there.
    _ = try await store.lock(name)
    await #expect(throws: Failure.store(.unreadable(account: "other", .otherName))) {
      try await store.find(name)
    }
  }
}
