/// A store in memory, for tests and for programs that do not keep accounts after they end.
public actor MemoryStore: CredentialStore {
  public let locks = ProcessLocks()
  private var accounts: [AccountName: Account]
  private var clients: [ClientSlot: RegisteredClient] = [:]

  /// Creates a store with these accounts.
  public init(_ accounts: [Account] = []) {
    self.accounts = Dictionary(accounts.map { ($0.name, $0) }) { $1 }
  }

  public func find(_ name: AccountName) -> Account? { accounts[name] }

  public func save(_ account: Account) { accounts[account.name] = account }

  public func delete(_ name: AccountName) throws(Failure) {
    if accounts.removeValue(forKey: name) == nil { throw .unknownAccount(name.description) }
  }

  public func list() -> [StoredAccount] {
    accounts.values.sorted { $0.name < $1.name }.map { StoredAccount($0) }
  }

  // These are asynchronous, because Swift would prefer the protocol's asynchronous defaults to synchronous functions.

  public func client(at slot: ClientSlot) async throws(Failure) -> RegisteredClient? { clients[slot] }

  public func save(_ client: RegisteredClient, at slot: ClientSlot) async throws(Failure) {
    clients[slot] = client
  }

  public func deleteClient(at slot: ClientSlot) async throws(Failure) { clients[slot] = nil }
}
