import LoginCore

/// The store of a host. While one of its locks is awaited, another program or task uses the account, which the host's run
/// has to know when its time is over.
struct WatchedStore: ReservingStore {
  let inner: any CredentialStore
  let locks: WatchedLocks

  init(_ inner: any CredentialStore, of host: Host) {
    (self.inner, locks) = (inner, WatchedLocks(inner: inner.attempts, host: host))
  }

  func find(_ name: AccountName) async throws(Failure) -> Account? { try await inner.find(name) }

  func save(_ account: Account) async throws(Failure) { try await inner.save(account) }

  func delete(_ name: AccountName) async throws(Failure) { try await inner.delete(name) }

  func list() async throws(Failure) -> [StoredAccount] { try await inner.list() }

  func prepare() async throws(Failure) { try await inner.prepare() }

  func reserve(for account: Account) async throws(Failure) -> (any ReservedSpace)? {
    try await inner.reserved(for: account)
  }

  func client(at slot: ClientSlot) async throws(Failure) -> RegisteredClient? {
    try await inner.client(at: slot)
  }

  func save(_ client: RegisteredClient, at slot: ClientSlot) async throws(Failure) {
    try await inner.save(client, at: slot)
  }

  func deleteClient(at slot: ClientSlot) async throws(Failure) { try await inner.deleteClient(at: slot) }
}

/// The locks of a ``WatchedStore``.
struct WatchedLocks: AttemptLocks {
  let inner: any AttemptLocks
  let host: Host

  func lock(_ name: AccountName) async throws(Failure) -> any StoreLock {
    try await host.awaiting { [inner] () async throws(Failure) in try await inner.lock(name) }
  }

  func lock(_ slot: ClientSlot) async throws(Failure) -> any StoreLock {
    try await host.awaiting { [inner] () async throws(Failure) in try await inner.lock(slot) }
  }

  func attempt(at name: AccountName, waiting: AttemptWaiting) async throws(Failure) -> Attempt {
    try await host.awaiting { [inner] () async throws(Failure) in
      try await inner.attempt(at: name, waiting: waiting)
    }
  }

  func attempts(at name: AccountName) async -> AttemptLog { await inner.attempts(at: name) }
}
