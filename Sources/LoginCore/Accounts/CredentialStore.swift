/// A store for accounts and registered clients. A store on disk keeps each in its own document, and replaces that as a
/// whole: if the program or the machine stops, the document is either the old one or the new one.
///
/// Implement ``find(_:)``, ``save(_:)``, ``delete(_:)``, ``list()`` and ``locks``. With the defaults of the other functions,
/// the store keeps no clients. ``MemoryStore`` is for tests and for programs that do not keep accounts after they end.
public protocol CredentialStore: Sendable {
  /// The type of ``locks``.
  associatedtype Locks: StoreLocks

  /// Returns the account of this name, or nil if it does not exist.
  func find(_ name: AccountName) async throws(Failure) -> Account?
  /// Saves an account, and replaces one of the same name. A store on disk returns only when the account is safely there.
  func save(_ account: Account) async throws(Failure)
  /// Deletes the account of this name, or fails with ``Failure/unknownAccount(_:)``.
  func delete(_ name: AccountName) async throws(Failure)
  /// Returns all accounts, sorted by name. Never asks for a password.
  func list() async throws(Failure) -> [StoredAccount]
  /// The locks for the accounts and clients: ``ProcessLocks`` if only this process uses the store.
  var locks: Locks { get }
  /// Fails if an account cannot be saved. Call it before the user signs in.
  func prepare() async throws(Failure)
  /// Returns the registered client of this slot, or nil if it does not exist.
  func client(at slot: ClientSlot) async throws(Failure) -> RegisteredClient?
  /// Saves a client, and replaces one in the same slot.
  func save(_ client: RegisteredClient, at slot: ClientSlot) async throws(Failure)
  /// Deletes the client of this slot, if there is one.
  func deleteClient(at slot: ClientSlot) async throws(Failure)
}

/// A store that can reserve space.
package protocol ReservingStore: CredentialStore {
  /// Reserves space for the account with a new token, before the old refresh token is used up. Fails if there is no space.
  /// Unused space is released with the result.
  func reserve(for account: Account) async throws(Failure) -> (any ReservedSpace)?
}

/// Reserved space in a store for an account that is about to change.
package protocol ReservedSpace: AnyObject, Sendable {}

/// Defaults.
extension CredentialStore {
  /// Never fails.
  public func prepare() async throws(Failure) {}

  /// Returns nil, so each login without a client ID registers a new client.
  public func client(at slot: ClientSlot) async throws(Failure) -> RegisteredClient? { nil }

  /// Does not keep the client.
  public func save(_ client: RegisteredClient, at slot: ClientSlot) async throws(Failure) {}

  /// Has no client to delete.
  public func deleteClient(at slot: ClientSlot) async throws(Failure) {}
}

extension CredentialStore {
  /// Reserves space if the store can do that, or else only calls ``prepare()``.
  package func reserved(for account: Account) async throws(Failure) -> (any ReservedSpace)? {
    if let store = self as? any ReservingStore { return try await store.reserve(for: account) }
    try await prepare()
    return nil
  }

  /// The queues for attempts to get a token.
  package var attempts: any AttemptLocks { locks as? any AttemptLocks ?? AttemptsInTurn(locks: locks) }

  /// Keeps other programs and tasks from changing the account as long as the result lives. If it must not wait, it fails
  /// while one of them is there.
  package func lock(_ name: AccountName, waits: Bool) async throws(Failure) -> any StoreLock {
    if waits { return try await locks.lock(name) }
    guard case .mine(let lock) = try await attempts.attempt(at: name, waiting: .no) else { throw .defect() }
    return lock
  }

  /// Returns the account of this name, or fails with ``Failure/unknownAccount(_:)``.
  package func load(_ name: AccountName) async throws(Failure) -> Account {
    if let account = try await find(name) { return account }
    let names = (try? await list()) ?? []
    throw .unknownAccount(
      name.description,
      nearest: nearestName(to: name.description, among: names.map(\.name.description)))
  }

  /// Deletes the client of a login, because its provider no longer knows it. Keeps a newer client in the same slot.
  package func forgetClient(of login: LoginRequest) async throws(Failure) {
    guard let slot = ClientSlot(login.provider, login.redirectURI) else { return }
    let lock = try await locks.lock(slot)
    defer { withExtendedLifetime(lock) {} }
    guard try await client(at: slot)?.clientID.isIdentical(to: login.clientID) == true else { return }
    try await deleteClient(at: slot)
  }

  /// Marks a token as expired, so that ``AccountSession`` refreshes it. Call it when an API refuses the token (see
  /// ``HTTPResponse/refusesToken``). An account that has another token by now does not change. `isRefused` says that an API
  /// refused the token, which can delay the next sign-in. If it must not wait, it fails while another program or task is
  /// at the account.
  package func expire(
    _ token: AccessToken, of name: AccountName, isRefused: Bool, waits: Bool = true, at now: UTCDate
  ) async throws(Failure) {
    try await changeLog(of: name, waiting: waits ? .forTurn : .no) { log async throws(Failure) in
      let account = try await load(name)
      guard account.token.accessToken == token else { return }
      try await save(account.expired(at: now))
      if isRefused { log.reject(isDemand: false, at: now) }
    }
  }

  /// Notes that an API accepted the account's token. This ends the pauses that earlier refusals caused.
  package func noteAcceptance(of name: AccountName) async {
    guard await attempts.attempts(at: name).awaitsAcceptance else { return }
    // If another program holds the account, it will soon ask the API itself.
    try? await changeLog(of: name, waiting: .no) { log throws(Failure) in log.accept() }
  }

  private func changeLog(
    of name: AccountName, waiting: AttemptWaiting,
    _ change: (inout AttemptLog) async throws(Failure) -> Void
  ) async throws(Failure) {
    guard case .mine(let lock) = try await attempts.attempt(at: name, waiting: waiting) else {
      throw .defect()
    }
    defer { withExtendedLifetime(lock) {} }
    var log = lock.log
    log.withdraw()
    try await change(&log)
    await lock.tell(log)
  }
}

extension Failure {
  /// True if the provider does not know the client or its secret (RFC 6749 section 5.2).
  package var isUnknownClient: Bool { code == .invalidClient }
}

/// The place of a registered client in a store: its provider, and the redirect URI for which it was registered. The client
/// works only with these.
public struct ClientSlot: Sendable, Hashable, CustomStringConvertible {
  /// The issuer, or the registration endpoint if there is no issuer.
  let provider: String
  /// The redirect URI as registered.
  let redirectURI: String

  /// Returns nil if the provider has neither an issuer nor a registration endpoint.
  package init?(_ provider: Provider, _ redirectURI: RedirectURI) {
    guard let name = provider.issuer?.description ?? provider.endpoints[.registration]?.description else {
      return nil
    }
    self.provider = name
    self.redirectURI = redirectURI.description
  }

  /// Both addresses. Neither is secret.
  public var description: String { "\(provider) \(redirectURI)" }

  public static func == (left: ClientSlot, right: ClientSlot) -> Bool {
    left.description.isIdentical(to: right.description)
  }

  public func hash(into hasher: inout Hasher) {
    for byte in description.utf8 { hasher.combine(byte) }
  }
}

/// An account in the list of a store.
public struct StoredAccount: Sendable {
  /// The account, or the reason why it cannot be seen.
  @nonexhaustive
  public enum Contents: Sendable {
    /// The account itself.
    case account(Account)
    /// The keyring is locked, and a list does not ask for its password.
    case locked
    /// The document is damaged or of a later version, or its file must not be used. The text is the reason, in English.
    case unreadable(String)
  }

  private enum Kept: Sendable {
    case document([UInt8])
    case account(Account)
    case locked
    case unusable(Message)
  }

  /// The name of the account.
  public let name: AccountName
  private let kept: Kept

  /// The account, or the reason why it cannot be seen. Each access parses the document.
  public var contents: Contents {
    switch kept {
    case .locked: return .locked
    case .unusable(let reason): return .unreadable(reason.description)
    case .account(let account): return .account(account)
    case .document(let document):
      do throws(Message) {
        return .account(try Account(parsing: document, of: name))
      } catch {
        return .unreadable(error.description)
      }
    }
  }

  /// Creates an entry from an account.
  public init(_ account: Account) { (name, kept) = (account.name, .account(account)) }

  /// Creates an entry for an account in a locked keyring.
  package init(locked name: AccountName) { (self.name, kept) = (name, .locked) }

  /// Creates an entry for an account whose file must not be used.
  package init(_ name: AccountName, unusable reason: Message) {
    (self.name, kept) = (name, .unusable(reason))
  }

  /// Creates an entry from a document, which is parsed only when it is needed.
  public init(_ name: AccountName, document: [UInt8]) { (self.name, kept) = (name, .document(document)) }

  /// Creates an entry from a document alone, of which only the name is read yet. Returns nil if that is not possible.
  package init?(document: [UInt8]) {
    let name = JSONReader.text(of: "account", in: document).flatMap { AccountName($0) }
    guard let name else { return nil }
    self.init(name, document: document)
  }

  /// A cheap pre-filter for the accounts that name a destination: false only if the document does not contain the host
  /// name, so that most accounts of a long list need not be parsed.
  package func mayBeMeant(for destination: Destination) -> Bool {
    guard case .document(let document) = kept else { return true }
    let host = destination.host.utf8
    // A JSON escape could stand for any letter of the host name.
    if document.contains(UInt8(ascii: "\\")) { return true }
    return document.indices.contains { start in
      zip(document[start...], host).allSatisfy { $0.isSameLetter(as: $1) }
        && document.count - start >= host.count
    }
  }
}

extension UInt8 {
  /// True for equal bytes and for the two cases of one ASCII letter.
  fileprivate func isSameLetter(as other: UInt8) -> Bool {
    self == other || (self | 0x20) == (other | 0x20) && (0x61...0x7A).contains(self | 0x20)
  }
}

extension Failure.Kind {
  /// ``Failure/unreadableAccount(_:_:)``
  public static let unreadableAccount = Self(rawValue: "unreadable_account")
  /// ``Failure/unreadableClient(of:_:)``
  public static let unreadableClient = Self(rawValue: "unreadable_client")
}

/// The failures of a store.
extension Failure {
  /// No account of this name is kept.
  public static func unknownAccount(_ name: String) -> Failure { unknownAccount(name, nearest: nil) }

  /// No account of this name is kept. `nearest` is the most similar name among those that are.
  package static func unknownAccount(_ name: String, nearest: String?) -> Failure {
    Failure(
      .unknownAccount, "there is no account \"\(name)\"",
      hint: nearest.map { "did you mean \($0)?" } ?? .listAccounts)
  }

  /// No client is kept in this slot of the provider.
  package static func unknownClient(of provider: String) -> Failure {
    Failure(
      .unknownClient, "no client is kept for \(provider) and this redirect URI", hint: .registerClient)
  }

  /// The document of an account cannot be read, for this reason.
  package static func unreadableAccount(_ name: String, _ reason: Message) -> Failure {
    Failure(
      .storeUnavailable, "the account \"\(name)\" cannot be read: \(reason)", kind: .unreadableAccount,
      hint: reason == Account.laterVersion ? "update tokentry" : .forgetUnreadableAccount)
  }

  /// The document of a client cannot be read, for this reason.
  package static func unreadableClient(of provider: String, _ reason: Message) -> Failure {
    Failure(
      .storeUnavailable, "the client kept for \(provider) cannot be read: \(reason)",
      kind: .unreadableClient, hint: .forgetUnreadableClient)
  }

  /// The keyring is locked, and the user did not unlock it.
  package static let storeLocked = Failure(
    .storeLocked, "the keyring is locked", hint: .unlockKeyring)

  /// The store cannot be used. `reason` is a whole sentence.
  package static func storeUnavailable(_ reason: Message, hint: Hint? = nil) -> Failure {
    Failure(.storeUnavailable, reason, hint: hint)
  }
}
