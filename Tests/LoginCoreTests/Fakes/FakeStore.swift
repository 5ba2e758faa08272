import Synchronization

@testable import LoginCore

/// A store in memory that records its calls.
final class FakeStore: CredentialStore, AttemptLocks {
  /// A call.
  enum Event: Sendable, Equatable {
    case load, save, lock, unlock
  }

  private struct State {
    var accounts: [AccountName: [UInt8]] = [:]
    var clients: [ClientSlot: [UInt8]] = [:]
    var events: [Event] = []
    var log = AttemptLog()
    var waited: [AttemptWaiting] = []
  }

  private let state = Mutex(State())
  /// The account that another program saves while the caller waits for the lock.
  private let whileWaiting: Account?
  /// The document of the client that another program saves while the caller waits for the lock.
  private let clientWhileWaiting: [UInt8]?
  /// The result of another program's attempt, for which the caller has to wait.
  private let outcomeOfAnother: AttemptOutcome?

  init(
    _ accounts: [Account], whileWaiting: Account? = nil, outcomeOfAnother: AttemptOutcome? = nil,
    log: AttemptLog = AttemptLog(), clientWhileWaiting: [UInt8]? = nil
  ) {
    self.clientWhileWaiting = clientWhileWaiting
    self.whileWaiting = whileWaiting
    self.outcomeOfAnother = outcomeOfAnother
    state.withLock { $0.log = log }
    for account in accounts { state.withLock { $0.accounts[account.name] = account.document } }
  }

  var events: [Event] { state.withLock { $0.events } }
  /// The log that the waiting programs get.
  var log: AttemptLog { state.withLock { $0.log } }
  /// The ways in which the caller waited.
  var waited: [AttemptWaiting] { state.withLock { $0.waited } }

  var locks: FakeStore { self }

  func find(_ name: AccountName) async throws(Failure) -> Account? {
    note(.load)
    guard let document = state.withLock({ $0.accounts[name] }) else { return nil }
    return try Account(document: document, of: name)
  }

  func save(_ account: Account) async throws(Failure) {
    note(.save)
    state.withLock { $0.accounts[account.name] = account.document }
  }

  func delete(_ name: AccountName) async throws(Failure) {
    state.withLock { $0.accounts[name] = nil }
  }

  func list() async throws(Failure) -> [StoredAccount] {
    state.withLock { $0.accounts }.sorted { $0.key < $1.key }.map {
      StoredAccount($0.key, document: $0.value)
    }
  }

  func lock(_ name: AccountName) async throws(Failure) -> any StoreLock {
    note(.lock)
    if let whileWaiting { state.withLock { $0.accounts[name] = whileWaiting.document } }
    return Lock { [weak self] in self?.note(.unlock) }
  }

  func attempt(at name: AccountName, waiting: AttemptWaiting) async throws(Failure) -> Attempt {
    state.withLock { $0.waited.append(waiting) }
    if let outcome = outcomeOfAnother {
      if let whileWaiting { state.withLock { $0.accounts[name] = whileWaiting.document } }
      if waiting.takes(outcome) { return .theirs(outcome) }
    }
    let lock = try await lock(name)
    var log = log
    log.begin()
    return .mine(
      FakeAttemptLock(log, needsLogin: outcomeOfAnother == .needsLogin, lock) { [weak self] log in
        self?.state.withLock { $0.log = log }
      })
  }

  func attempts(at name: AccountName) async -> AttemptLog { log }

  func lock(_ slot: ClientSlot) async throws(Failure) -> any StoreLock {
    note(.lock)
    if let clientWhileWaiting { state.withLock { $0.clients[slot] = clientWhileWaiting } }
    return Lock { [weak self] in self?.note(.unlock) }
  }

  func client(at slot: ClientSlot) async throws(Failure) -> RegisteredClient? {
    guard let document = state.withLock({ $0.clients[slot] }) else { return nil }
    return try RegisteredClient(document: document, at: slot)
  }

  func save(_ client: RegisteredClient, at slot: ClientSlot) async throws(Failure) {
    note(.save)
    state.withLock { $0.clients[slot] = client.document(at: slot) }
  }

  func deleteClient(at slot: ClientSlot) async throws(Failure) {
    state.withLock { $0.clients[slot] = nil }
  }

  private func note(_ event: Event) { state.withLock { $0.events.append(event) } }

  private final class Lock: StoreLock {
    private let release: @Sendable () -> Void
    init(_ release: @escaping @Sendable () -> Void) { self.release = release }
    deinit { release() }
  }
}

private final class FakeAttemptLock: AttemptLock {
  let log: AttemptLog
  let needsLogin: Bool
  private let lock: any StoreLock
  private let pass: @Sendable (AttemptLog) -> Void

  init(
    _ log: AttemptLog, needsLogin: Bool, _ lock: any StoreLock,
    _ pass: @escaping @Sendable (AttemptLog) -> Void
  ) {
    self.log = log
    self.needsLogin = needsLogin
    self.lock = lock
    self.pass = pass
  }

  func tell(_ log: AttemptLog) { pass(log) }
}
