import Synchronization

@testable import LoginCore

/// Accounts and clients in memory, and a record of what was asked for.
final class FakeStore: CredentialStore {
  /// One question.
  enum Event: Sendable, Equatable {
    case load, save, lock, unlock
  }

  private struct State {
    var accounts: [AccountName: [UInt8]] = [:]
    var clients: [ClientSlot: [UInt8]] = [:]
    var events: [Event] = []
    var log = AttemptLog()
    var waited: [TurnWait] = []
  }

  private let state = Mutex(State())
  /// What happens while the caller waits for the lock.
  private let whileWaiting: Account?
  /// The same for the lock of a client, as a document.
  private let clientWhileWaiting: [UInt8]?
  /// How the attempt of another program ended, for which the caller had to wait.
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

  func load(_ name: AccountName) async throws(Failure) -> Account {
    note(.load)
    guard let document = state.withLock({ $0.accounts[name] }) else {
      throw .store(.unknownAccount(name.description))
    }
    do throws(AccountFault) {
      return try Account(document: document, of: name)
    } catch {
      throw .store(.unreadable(account: name.description, error))
    }
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

  func prepare() async throws(Failure) {}

  func lock(_ name: AccountName) async throws(Failure) -> any StoreLock {
    note(.lock)
    if let whileWaiting { state.withLock { $0.accounts[name] = whileWaiting.document } }
    return Lock { [weak self] in self?.note(.unlock) }
  }

  /// What the programs that wait are told, and how this one waited.
  var log: AttemptLog { state.withLock { $0.log } }
  var waited: [TurnWait] { state.withLock { $0.waited } }

  func turn(at name: AccountName, waiting: TurnWait) async throws(Failure) -> Turn {
    state.withLock { $0.waited.append(waiting) }
    if let outcome = outcomeOfAnother {
      if let whileWaiting { state.withLock { $0.accounts[name] = whileWaiting.document } }
      if waiting.takes(outcome) { return .theirs(outcome) }
    }
    let lock = try await lock(name)
    var log = log
    log.begin()
    return .mine(
      FakeTurn(log, needsLogin: outcomeOfAnother == .needsLogin, lock) { [weak self] told in
        self?.state.withLock { $0.log = told }
      })
  }

  func lock(_ slot: ClientSlot) async throws(Failure) -> any StoreLock {
    note(.lock)
    if let clientWhileWaiting { state.withLock { $0.clients[slot] = clientWhileWaiting } }
    return Lock { [weak self] in self?.note(.unlock) }
  }

  func client(at slot: ClientSlot) async throws(Failure) -> RegisteredClient? {
    guard let document = state.withLock({ $0.clients[slot] }) else { return nil }
    do throws(AccountFault) {
      return try RegisteredClient(document: document, at: slot)
    } catch {
      throw .store(.unreadableClient(of: slot.provider, error))
    }
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

/// A turn of the one program that there is.
private final class FakeTurn: AccountTurn {
  let log: AttemptLog
  let needsLogin: Bool
  private let lock: any StoreLock
  private let told: @Sendable (AttemptLog) -> Void

  init(
    _ log: AttemptLog, needsLogin: Bool, _ lock: any StoreLock,
    _ told: @escaping @Sendable (AttemptLog) -> Void
  ) {
    self.log = log
    self.needsLogin = needsLogin
    self.lock = lock
    self.told = told
  }

  func tell(_ log: AttemptLog) { told(log) }
}
