import Testing

@testable import LoginCore

/// Tasks of one process that share a store, and the defaults of a store.
@Suite("MemoryStore", .timeLimit(.minutes(1)))
struct MemoryStoreTests {
  private let name = AccountName("work")

  private func session(
    _ store: some CredentialStore, _ transport: some HTTPTransport,
    signIn: (@Sendable (Account) async throws(Failure) -> Account)? = nil
  ) throws -> AccountSession {
    let clock = FakeClock(date: try Samples.receivedAt(), record: Record())
    return AccountSession(
      store: store, Dependencies(transport: transport, cryptography: FakeCryptography(), clock: clock),
      signIn: signIn)
  }

  /// Waits until as many tasks wait for the account.
  private func wait(for count: Int, at store: MemoryStore) async throws {
    let place = ProcessLocks.Place.account(try #require(name))
    while await store.locks.queues[place]?.waiting.count != count { await Task.yield() }
  }

  /// Asks for a token in many tasks at once, and lets the server answer when all of them wait.
  private func tokens(
    _ store: MemoryStore, _ transport: SlowTransport
  ) async throws -> [Result<Account, Failure>] {
    let (name, session) = (try #require(name), try session(store, transport))
    let tasks = (0..<20).map { _ in
      Task { () -> Result<Account, Failure> in
        do throws(Failure) { return .success(try await session.token(of: name, forAtLeast: 60)) } catch {
          return .failure(error)
        }
      }
    }
    try await wait(for: tasks.count - 1, at: store)
    // A second request would get no answer.
    transport.release()
    var results: [Result<Account, Failure>] = []
    for task in tasks { results.append(await task.value) }
    return results
  }

  @Test("Tasks that ask at once make one refresh, and all get its token")
  func shared() async throws {
    let store = MemoryStore([try AccountSessionTests.account("T", life: 10)])
    let transport = SlowTransport(answer: .json(#"{"access_token":"N","token_type":"Bearer"}"#))
    for result in try await tokens(store, transport) {
      #expect(try result.get().token.accessToken == AccessToken("N"))
    }
  }

  @Test("Tasks that ask at once make one attempt, and all get its failure")
  func failed() async throws {
    let store = MemoryStore([try AccountSessionTests.account("T", life: 10)])
    let transport = SlowTransport(answer: .json(#"{"error":"server_error"}"#, status: 400))
    for result in try await tokens(store, transport) {
      #expect(throws: Failure.self) { try result.get() }
      if case .failure(let failure) = result { #expect(failure.code == .provider("server_error")) }
    }
  }

  @Test("When a task is cancelled in its login, the next one signs in; a cancelled wait ends")
  func cancelled() async throws {
    let (name, now) = (try #require(name), try Samples.receivedAt())
    let store = MemoryStore([try AccountSessionTests.account("T", life: 10, refreshToken: nil)])
    let new = try #require(Token(json: ["access_token": "N", "token_type": "Bearer"]))
    let begun = AsyncStream<Void>.makeStream()
    let first = try session(store, FakeTransport()) { _ async throws(Failure) in
      begun.continuation.yield()
      for await _ in AsyncStream<Void>.makeStream().stream {}
      throw .cancelled
    }
    let next = try session(store, FakeTransport()) { account throws(Failure) in
      account.loggedIn(by: account.newLogin, with: new, receivedAt: now)
    }
    let cancelled = Task { try await first.token(of: name, forAtLeast: 60) }
    for await _ in begun.stream { break }
    let impatient = Task { try await next.token(of: name, forAtLeast: 60) }
    try await wait(for: 1, at: store)
    let patient = Task { try await next.token(of: name, forAtLeast: 60) }
    try await wait(for: 2, at: store)
    impatient.cancel()
    await #expect(throws: Failure.cancelled) { try await impatient.value }
    cancelled.cancel()
    await #expect(throws: Failure.cancelled) { try await cancelled.value }
    #expect(try await patient.value.token.accessToken == AccessToken("N"))
  }

  @Test("A task that does not wait fails while another one has the lock, and never afterwards")
  func impatient() async throws {
    let (name, locks) = (try #require(name), ProcessLocks())
    for _ in 0..<100 {
      let lock = try await locks.lock(name)
      await #expect(throws: Failure.alreadyInProgress(account: "work")) {
        _ = try await locks.attempt(at: name, waiting: .no)
      }
      withExtendedLifetime(lock) {}
    }
  }

  @Test("A task that waited for an attempt which needs a login learns that with its own attempt")
  func needsLogin() async throws {
    let (name, store) = (try #require(name), MemoryStore())
    var first: Attempt? = try await store.locks.attempt(at: name, waiting: .no)
    let second = Task {
      guard
        case .mine(let lock) = try await store.locks.attempt(at: name, waiting: .forOutcome(maySignIn: true))
      else { return false }
      return lock.needsLogin
    }
    try await wait(for: 1, at: store)
    if case .mine(let lock) = first {
      var log = lock.log
      log.end(.needsLogin)
      await lock.tell(log)
    }
    first = nil
    #expect(try await second.value)
  }

  @Test("Accounts and clients are found, listed by name, replaced and deleted")
  func contents() async throws {
    let (name, store) = (try #require(name), MemoryStore())
    await #expect(throws: Failure.unknownAccount("work")) { try await store.load(name) }
    let (old, new) = (
      try AccountSessionTests.account("O", life: 10), try AccountSessionTests.account("N", life: 10)
    )
    await store.save(old)
    await store.save(new)
    #expect(await store.find(name)?.token.accessToken == AccessToken("N"))
    #expect(await store.list().map(\.name) == [name])
    await #expect(throws: Failure.unknownAccount("wrk", nearest: "work")) {
      try await store.load(try #require(AccountName("wrk")))
    }
    try await store.delete(name)
    #expect(await store.list().isEmpty)
    await #expect(throws: Failure.unknownAccount("work")) { try await store.delete(name) }

    var login = old.login
    login.provider.issuer = try Issuer("https://as.test")
    let slot = try #require(ClientSlot(login.provider, login.redirectURI))
    let client = try #require(
      RegisteredClient(json: ["client_id": "c", "token_endpoint_auth_method": "none"]))
    try await store.save(client, at: slot)
    #expect(try await store.client(at: slot) == client)
    try await store.deleteClient(at: slot)
    #expect(try await store.client(at: slot) == nil)
  }

  /// As little as a store can be.
  private actor SmallStore: CredentialStore {
    let locks = ProcessLocks()
    var accounts: [AccountName: Account] = [:]
    func find(_ name: AccountName) -> Account? { accounts[name] }
    func save(_ account: Account) { accounts[account.name] = account }
    func delete(_ name: AccountName) { accounts[name] = nil }
    func list() -> [StoredAccount] { accounts.values.map { StoredAccount($0) } }
  }

  @Test("A store of ten lines is enough for sessions; it keeps no clients")
  func small() async throws {
    let (name, store) = (try #require(name), SmallStore())
    let account = try AccountSessionTests.account("T", life: 10)
    await store.save(account)
    let transport = SlowTransport(answer: .json(#"{"access_token":"N","token_type":"Bearer"}"#))
    transport.release()
    let renewed = try await session(store, transport).token(of: name, forAtLeast: 60)
    #expect(renewed.token.accessToken == AccessToken("N"))
    #expect(try await store.load(name).token.accessToken == AccessToken("N"))

    var login = account.login
    login.provider.issuer = try Issuer("https://as.test")
    let slot = try #require(ClientSlot(login.provider, login.redirectURI))
    let client = try #require(
      RegisteredClient(json: ["client_id": "c", "token_endpoint_auth_method": "none"]))
    try await store.save(client, at: slot)
    #expect(try await store.client(at: slot) == nil)
    try await store.deleteClient(at: slot)
  }
}
