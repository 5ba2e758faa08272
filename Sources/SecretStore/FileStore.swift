import GLibSupport
import LoginCore
import Platform

/// Accounts and clients in a private folder, for machines without a keyring. Their files are not encrypted.
///
/// Each account has a file of its own, so programs that use different accounts never wait for each other.
public struct FileStore: ReservingStore {
  public let locks: FileLocks
  private var folder: String { locks.folder }

  /// A store in this folder, which is created when the first account is saved.
  public init(folder: String) {
    var folder = folder[...]
    // With a slash at the end, a symbolic link would be followed.
    while folder.utf8.count > 1, folder.utf8.last == UInt8(ascii: "/") { folder.removeLast() }
    locks = FileLocks(folder: String(folder))
  }

  public func find(_ name: AccountName) async throws(Failure) -> Account? {
    try read(file(of: name)).map { document throws(Failure) in
      try Account(document: document, of: name)
    }
  }

  public func save(_ account: Account) async throws(Failure) {
    try failing(
      open(making: true).replace(
        file(of: account.name), with: account.document, through: draft(of: account.name)),
      as: Failure.unusableStore)
  }

  public func delete(_ name: AccountName) async throws(Failure) {
    guard try remove(file(of: name), draft(of: name)) else { throw .unknownAccount(name.description) }
  }

  public func list() async throws(Failure) -> [StoredAccount] {
    do throws(FileError) {
      let folder = try open(making: false)
      var accounts: [StoredAccount] = []
      for name in try names(in: folder).sorted() {
        do throws(FileError) {
          let document = try folder.read(file(of: name), limit: Account.maximumDocumentSize)
          accounts.append(StoredAccount(name, document: document))
        } catch  where error.isMissing {
          continue  // it has just been deleted
        } catch {
          // One bad file must not hide the other accounts.
          accounts.append(StoredAccount(name, unusable: error.message))
        }
      }
      return accounts
    } catch {
      if error.isMissing { return [] }
      throw .unusableStore(error)
    }
  }

  public func prepare() async throws(Failure) {
    do throws(FileError) {
      let folder = try open(making: true)
      // Writing a file is the only way to find out whether one can be written.
      try folder.replace(".probe", with: [0x0A], through: ".probe.new")
      // Another program may have removed it: it uses the same name for its own probe.
      try folder.removeIfThere(".probe")
    } catch {
      throw .unusableStore(error)
    }
  }

  package func reserve(for account: Account) async throws(Failure) -> (any ReservedSpace)? {
    let draft = draft(of: account.name)
    let folder = try failing(open(making: true), as: Failure.unusableStore)
    // A new token may be longer than the old one, but not by much.
    try failing(folder.reserve(2 * account.document.count + 16 * 1_024, in: draft), as: Failure.unusableStore)
    return Reservation { folder.removeLeftover(draft) }
  }

  /// Gives back the space that was not used when it is released.
  private final class Reservation: ReservedSpace {
    private let release: @Sendable () -> Void
    init(_ release: @escaping @Sendable () -> Void) { self.release = release }
    deinit { release() }
  }
}

extension FileStore {
  private static let suffix = ".json"

  private func open(making: Bool) throws(FileError) -> PrivateFolder {
    try PrivateFolder(folder, making: making)
  }

  private func file(of name: AccountName) -> String { name.fileName + Self.suffix }

  /// The temporary file that replaces the account's file once it is complete.
  private func draft(of name: AccountName) -> String { ".\(name.fileName).new" }

  private func names(in folder: PrivateFolder) throws(FileError) -> [AccountName] {
    try folder.names().filter { $0.hasSuffix(Self.suffix) }.compactMap {
      AccountName(fileName: String($0.dropLast(Self.suffix.utf8.count)))
    }
  }

  /// Removes a file, and its draft, in which a crash may have left secrets. Returns false if the file is missing.
  private func remove(_ file: String, _ draft: String) throws(Failure) -> Bool {
    do throws(FileError) {
      let folder = try open(making: false)
      folder.removeLeftover(draft)
      try folder.remove(file)
      return true
    } catch {
      if error.isMissing { return false }
      throw .unusableStore(error)
    }
  }

  /// Returns nil for a missing file.
  private func read(_ file: String) throws(Failure) -> [UInt8]? {
    do throws(FileError) {
      return try open(making: false).read(file, limit: Account.maximumDocumentSize)
    } catch {
      if error.isMissing { return nil }
      throw .unusableStore(error)
    }
  }
}

/// Clients.
extension FileStore {
  public func client(at slot: ClientSlot) async throws(Failure) -> RegisteredClient? {
    try read(file(of: slot)).map { document throws(Failure) in
      try RegisteredClient(document: document, at: slot)
    }
  }

  public func save(_ client: RegisteredClient, at slot: ClientSlot) async throws(Failure) {
    try failing(
      open(making: true).replace(
        file(of: slot), with: client.document(at: slot), through: draft(of: slot)),
      as: Failure.unusableStore)
  }

  public func deleteClient(at slot: ClientSlot) async throws(Failure) {
    _ = try remove(file(of: slot), draft(of: slot))
  }

  private func file(of slot: ClientSlot) -> String { ".\(slot.fileName)" }

  private func draft(of slot: ClientSlot) -> String { "\(file(of: slot)).new" }
}

extension Failure {
  /// The store's folder or a file in it cannot be used.
  package static func unusableStore(_ error: FileError) -> Failure {
    storeUnavailable("the store cannot be used: \(error.message)", hint: error.hint ?? .useOwnFolder)
  }
}
