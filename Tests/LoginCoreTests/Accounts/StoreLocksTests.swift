import Testing

@testable import LoginCore

@Suite("StoreLocks")
struct StoreLocksTests {
  @Test("With the locks of an application, one task refreshes a token, and the others find it in the store")
  func turns() async throws {
    let account = try AccountSessionTests.account("T", life: 10)
    let store = OwnStore(account)
    let transport = FakeTransport([
      "https://as.test/token": .json(#"{"access_token":"N","token_type":"Bearer","expires_in":3600}"#)
    ])
    let session = AccountSession(store: store, try Samples.dependencies(transport))
    let tasks = (1...5).map { _ in Task { try await session.token(of: account.name, forAtLeast: 60) } }
    for task in tasks { #expect(try await task.value.token.accessToken == AccessToken("N")) }
    #expect(transport.sent.count == 1)
  }
}

/// A store with locks of its own, such as locks across machines.
private actor OwnStore: CredentialStore {
  struct OwnLocks: StoreLocks {
    private let queue = ProcessLocks()
    func lock(_ name: AccountName) async throws(Failure) -> any StoreLock { try await queue.lock(name) }
    func lock(_ slot: ClientSlot) async throws(Failure) -> any StoreLock { try await queue.lock(slot) }
  }

  let locks = OwnLocks()
  private var account: Account

  init(_ account: Account) { self.account = account }

  func find(_ name: AccountName) -> Account? { account }
  func save(_ account: Account) { self.account = account }
  func delete(_ name: AccountName) {}
  func list() -> [StoredAccount] { [StoredAccount(account)] }
}
