import CGLib
import CSecret
import GLibSupport
import LoginCore

/// Accounts and clients in the user's keyring: one item each, whose secret is its document. An item is replaced by
/// one call, so the keyring holds the old document or the new one.
///
/// The only attribute is the account's name, or the addresses that a client belongs to. Attributes are not encrypted, and
/// an item is replaced where they are the same: whatever changes has to be in the secret.
@GLibActor
public final class KeyringStore: CredentialStore {
  private let mayAsk: Bool
  private let locks: String
  private let onWait: OtherPrograms

  /// A store that asks for the keyring's password only if it may. `locks` is a folder for the files that keep two
  /// programs from changing one account; `onWait` is called when another program has to be waited for.
  public nonisolated init(mayAsk: Bool, locks: String, onWait: @escaping OtherPrograms = { _ in }) {
    self.onWait = onWait
    self.mayAsk = mayAsk
    self.locks = locks
  }

  public func load(_ name: AccountName) async throws(Failure) -> Account {
    guard let account = try await find(name) else { throw try await unknown(name) }
    return account
  }

  public func find(_ name: AccountName) async throws(Failure) -> Account? {
    let keyring = try await Keyring.open()
    let found = try await keyring.openDocuments(of: name.description)
    let document: [UInt8]?
    if let found, found.count < 2 {
      document = found.first
    } else {
      document = try await newestDocument(name, keyring)
    }
    return try document.map { document throws(Failure) in
      try failing(Account(document: document, of: name)) {
        .store(.unreadable(account: name.description, $0))
      }
    }
  }

  /// Somebody may have copied it to another keyring, or it is locked.
  private func newestDocument(_ name: AccountName, _ keyring: Keyring) async throws(Failure) -> [UInt8]? {
    let items = try await keyring.items(of: name.description, unlocking: mayAsk)
    guard let item = items.max(by: { $0.modified < $1.modified }) else { return nil }
    guard let document = item.document else { throw .store(.locked) }
    return document
  }

  public func save(_ account: Account) async throws(Failure) {
    let keyring = try await Keyring.open()
    try await keyring.prepare(mayAsk: mayAsk)
    try await keyring.store(
      account.document, of: account.name.description, label: "Tokentry: \(account.name)")
  }

  public func delete(_ name: AccountName) async throws(Failure) {
    let keyring = try await Keyring.open()
    let items = try await keyring.items(of: name.description, unlocking: mayAsk)
    if items.isEmpty { throw try await unknown(name) }
    if items.contains(where: { $0.document == nil }) { throw .store(.locked) }
    try await keyring.clear(of: name.description)
  }

  public func list() async throws(Failure) -> [StoredAccount] {
    let keyring = try await Keyring.open()
    if let documents = try await keyring.openDocuments(of: nil),
      case let accounts = documents.compactMap({ StoredAccount(document: $0) }),
      Set(accounts.map(\.name)).count == documents.count
    {
      return accounts.sorted { $0.name < $1.name }
    }
    return try await listOfItems(keyring)
  }

  /// The same where some are locked or damaged, or there are several of a name: it takes more to find out what they are
  /// called, and which one is the newest.
  private func listOfItems(_ keyring: Keyring) async throws(Failure) -> [StoredAccount] {
    let items = try await keyring.items(of: nil, unlocking: false)
    var newest: [AccountName: Keyring.Item] = [:]
    for item in items {
      guard let name = item.name.flatMap({ AccountName($0) }) else { continue }
      if newest[name].map({ $0.modified < item.modified }) ?? true { newest[name] = item }
    }
    return newest.sorted { $0.key < $1.key }.map { name, item in
      item.document.map { StoredAccount(name, document: $0) } ?? StoredAccount(locked: name)
    }
  }

  public func prepare() async throws(Failure) {
    try await Keyring.open().prepare(mayAsk: mayAsk)
  }

  public func lock(_ name: AccountName) async throws(Failure) -> any StoreLock {
    try await FileLock.wait(for: name.fileName, in: locks, onWait)
  }

  /// How the user's keyring is.
  public enum Condition: Sendable {
    case open, locked
    /// There is none yet; saving an account makes it.
    case absent
    /// It is a file of the application's own, in the sandbox of a Flatpak.
    case file
  }

  /// How the keyring is, found out without asking anybody.
  public static func condition() async throws(Failure) -> Condition {
    try await Keyring.open().condition()
  }

  public func turn(at name: AccountName, waiting: TurnWait) async throws(Failure) -> Turn {
    try await FileTurn.wait(for: name, in: locks, waiting, onWait)
  }

  private func unknown(_ name: AccountName) async throws(Failure) -> Failure {
    let names = try await list().map(\.name.description)
    return .store(
      .unknownAccount(name.description, nearest: nearestName(to: name.description, among: names)))
  }
}

/// Clients.
extension KeyringStore {
  public func lock(_ slot: ClientSlot) async throws(Failure) -> any StoreLock {
    try await FileLock.wait(for: slot.fileName, in: locks, onWait)
  }

  public func client(at slot: ClientSlot) async throws(Failure) -> RegisteredClient? {
    let items = try await Keyring.open().items(.client, of: slot.description, unlocking: mayAsk)
    guard let item = items.max(by: { $0.modified < $1.modified }) else { return nil }
    guard let document = item.document else { throw .store(.locked) }
    return try failing(RegisteredClient(document: document, at: slot)) {
      .store(.unreadableClient(of: slot.description, $0))
    }
  }

  public func save(_ client: RegisteredClient, at slot: ClientSlot) async throws(Failure) {
    let keyring = try await Keyring.open()
    try await keyring.prepare(mayAsk: mayAsk)
    try await keyring.store(
      client.document(at: slot), as: .client, of: slot.description, label: "Tokentry: \(slot)")
  }

  public func deleteClient(at slot: ClientSlot) async throws(Failure) {
    try await Keyring.open().clear(.client, of: slot.description)
  }
}
