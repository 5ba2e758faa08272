import GLibSupport
import LoginCore
import PrivateFiles

/// Accounts and clients in a folder that only this user can look into, one file each, so that two accounts never wait
/// for each other. Nothing in it is encrypted: it is for machines without a keyring.
public struct FileStore: CredentialStore {
  private let folder: String
  private let onWait: OtherPrograms

  /// A store in this folder, which is made when the first account is saved. `onWait` is called when another program
  /// has to be waited for.
  public init(folder: String, onWait: @escaping OtherPrograms = { _ in }) {
    self.onWait = onWait
    var folder = folder[...]
    // With a slash at its end a symbolic link would be followed.
    while folder.utf8.count > 1, folder.utf8.last == UInt8(ascii: "/") { folder.removeLast() }
    self.folder = String(folder)
  }

  public func load(_ name: AccountName) async throws(Failure) -> Account {
    let document = try failing(
      open(making: false).read(file(of: name), limit: Account.maximumDocumentSize)
    ) { failure($0, name) }
    return try failing(Account(document: document, of: name)) {
      .store(.unreadable(account: name.description, $0))
    }
  }

  public func save(_ account: Account) async throws(Failure) {
    try failing(
      open(making: true).replace(
        file(of: account.name), with: account.document, through: draft(of: account.name))
    ) { failure($0) }
  }

  public func delete(_ name: AccountName) async throws(Failure) {
    do throws(FileFault) {
      let folder = try open(making: false)
      // With what a crash may have left of its secrets.
      folder.removeLeftover(draft(of: name))
      try folder.remove(file(of: name))
    } catch {
      throw failure(error, name)
    }
  }

  public func list() async throws(Failure) -> [StoredAccount] {
    do throws(FileFault) {
      let folder = try open(making: false)
      var accounts: [StoredAccount] = []
      for name in try names(in: folder).sorted() {
        do throws(FileFault) {
          let document = try folder.read(file(of: name), limit: Account.maximumDocumentSize)
          accounts.append(StoredAccount(name, document: document))
        } catch  where error.isMissing {
          continue  // it has just been deleted
        } catch {
          // One that is not private does not hide the others.
          accounts.append(StoredAccount(name, unusable: error))
        }
      }
      return accounts
    } catch {
      if error.isMissing { return [] }
      throw failure(error)
    }
  }

  public func prepare() async throws(Failure) {
    do throws(FileFault) {
      let folder = try open(making: true)
      // The only way to know that a file can be written is to write one.
      try folder.replace(".probe", with: [0x0A], through: ".probe.new")
      // Another program that has just found out the same may have been faster.
      try folder.removeIfThere(".probe")
    } catch {
      throw failure(error)
    }
  }

  public func reserve(for account: Account) async throws(Failure) -> any StoreRoom {
    let draft = draft(of: account.name)
    let folder = try failing(open(making: true)) { failure($0) }
    // Tokens grow, but not by much.
    try failing(folder.reserve(2 * account.document.count + 16 * 1_024, in: draft)) { failure($0) }
    return Room { folder.removeLeftover(draft) }
  }

  /// What is left of a reservation goes with this object.
  private final class Room: StoreRoom {
    private let release: @Sendable () -> Void
    init(_ release: @escaping @Sendable () -> Void) { self.release = release }
    deinit { release() }
  }

  public func lock(_ name: AccountName) async throws(Failure) -> any StoreLock {
    try await FileLock.wait(for: name.fileName, in: folder, onWait)
  }

  public func turn(at name: AccountName, waiting: TurnWait) async throws(Failure) -> Turn {
    try await FileTurn.wait(for: name, in: folder, waiting, onWait)
  }
}

extension FileStore {
  private static let suffix = ".json"

  private func open(making: Bool) throws(FileFault) -> PrivateFolder {
    try PrivateFolder(folder, making: making)
  }

  private func file(of name: AccountName) -> String { name.fileName + Self.suffix }

  /// What is written before it takes the place of the file.
  private func draft(of name: AccountName) -> String { ".\(name.fileName).new" }

  private func names(in folder: PrivateFolder) throws(FileFault) -> [AccountName] {
    try folder.names().filter { $0.hasSuffix(Self.suffix) }.compactMap {
      AccountName(fileName: String($0.dropLast(Self.suffix.utf8.count)))
    }
  }

  /// A file that is not there is an account that is not known.
  private func failure(_ fault: FileFault, _ name: AccountName? = nil) -> Failure {
    guard fault.isMissing, let name else { return .store(.unavailable(.file(fault))) }
    let names = (try? names(in: open(making: false))) ?? []
    return .store(
      .unknownAccount(
        name.description, nearest: nearestName(to: name.description, among: names.map(\.description))))
  }
}

/// Clients.
extension FileStore {
  public func lock(_ slot: ClientSlot) async throws(Failure) -> any StoreLock {
    try await FileLock.wait(for: slot.fileName, in: folder, onWait)
  }

  public func client(at slot: ClientSlot) async throws(Failure) -> RegisteredClient? {
    let document: [UInt8]
    do throws(FileFault) {
      document = try open(making: false).read(file(of: slot), limit: Account.maximumDocumentSize)
    } catch {
      if error.isMissing { return nil }
      throw failure(error)
    }
    return try failing(RegisteredClient(document: document, at: slot)) {
      .store(.unreadableClient(of: slot.description, $0))
    }
  }

  public func save(_ client: RegisteredClient, at slot: ClientSlot) async throws(Failure) {
    try failing(
      open(making: true).replace(
        file(of: slot), with: client.document(at: slot), through: draft(of: slot))
    ) { failure($0) }
  }

  public func deleteClient(at slot: ClientSlot) async throws(Failure) {
    do throws(FileFault) {
      let folder = try open(making: false)
      folder.removeLeftover(draft(of: slot))
      try folder.remove(file(of: slot))
    } catch {
      if !error.isMissing { throw failure(error) }
    }
  }

  private func file(of slot: ClientSlot) -> String { ".\(slot.fileName)" }

  private func draft(of slot: ClientSlot) -> String { "\(file(of: slot)).new" }
}
