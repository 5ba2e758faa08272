import CGLib
import CSecret
import GLibSupport
import LoginCore

/// Accounts and clients in the user's keyring. Each is one item whose secret is the document. An item is replaced by
/// one call, so the keyring has either the old document or the new one.
///
/// The only attribute is the account's name, or the addresses of the client's slot. Attributes are not encrypted, and
/// storing replaces the item with equal attributes, so data that changes must be in the secret.
@GLibActor
public final class KeyringStore: CredentialStore {
  package nonisolated let mayAsk: Bool
  public nonisolated let locks: FileLocks

  /// A store that asks for the keyring's password only if it `mayAsk`. `locks` is the folder for lock files, which keep
  /// two programs from changing the same account.
  public nonisolated init(mayAsk: Bool, locks: String) {
    self.mayAsk = mayAsk
    self.locks = FileLocks(folder: locks)
  }

  /// The store for a caller who must not be asked for the keyring's password.
  package nonisolated var silent: KeyringStore { KeyringStore(mayAsk: false, locks: locks.folder) }

  public func find(_ name: AccountName) async throws(Failure) -> Account? {
    let document = try await Keyring.open().document(of: name.description, unlocking: mayAsk)
    return try document.map { document throws(Failure) in
      try Account(document: document, of: name)
    }
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
    if items.isEmpty { throw .unknownAccount(name.description) }
    if items.contains(where: { $0.document == nil }) { throw .storeLocked }
    try await keyring.clear(of: name.description)
  }

  public func list() async throws(Failure) -> [StoredAccount] {
    let keyring = try await Keyring.open()
    if let documents = try await keyring.openDocuments(.account, of: nil),
      case let accounts = documents.compactMap({ StoredAccount(document: $0) }),
      Set(accounts.map(\.name)).count == documents.count
    {
      return accounts.sorted { $0.name < $1.name }
    }
    // An item is locked or has no name in its document, or the user has copies in several keyrings.
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

  /// The state of the user's keyring.
  public enum Condition: Sendable {
    case open, locked
    /// There is no keyring yet; saving an account creates one.
    case absent
    /// The application's own encrypted file, in the sandbox of a Flatpak.
    case file
  }

  /// Returns the state of the keyring without asking the user.
  public static func condition() async throws(Failure) -> Condition {
    try await Keyring.open().condition()
  }
}

/// Clients.
extension KeyringStore {
  public func client(at slot: ClientSlot) async throws(Failure) -> RegisteredClient? {
    let document = try await Keyring.open().document(.client, of: slot.description, unlocking: mayAsk)
    return try document.map { document throws(Failure) in
      try RegisteredClient(document: document, at: slot)
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
