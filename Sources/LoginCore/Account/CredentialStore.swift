/// Where accounts and clients are kept, each as one document that is either the old or the new one at every instant,
/// also when the program or the machine stops.
public protocol CredentialStore: Sendable {
  /// The account of this name.
  func load(_ name: AccountName) async throws(Failure) -> Account
  /// The account of this name, if one is kept.
  func find(_ name: AccountName) async throws(Failure) -> Account?
  /// Keeps an account in place of another of its name. What has been saved outlives this program.
  func save(_ account: Account) async throws(Failure)
  /// Forgets the account of this name.
  func delete(_ name: AccountName) async throws(Failure)
  /// All accounts, sorted by name. Nobody is asked for a password.
  func list() async throws(Failure) -> [StoredAccount]
  /// Finds out whether an account can be saved, before somebody signs in for nothing.
  func prepare() async throws(Failure)
  /// Finds out whether this account can be saved with a new token, and takes up room for that, before its old refresh
  /// token dies. What has not been used goes with the result.
  func reserve(for account: Account) async throws(Failure) -> any StoreRoom
  /// Waits until no other program changes the account. None does for as long as the caller keeps the result.
  func lock(_ name: AccountName) async throws(Failure) -> any StoreLock
  /// The same lock for an attempt to get a token, of whose end those are told who wait for it; or the end of another
  /// program's attempt, if this one waits for such.
  func turn(at name: AccountName, waiting: TurnWait) async throws(Failure) -> Turn
  /// Waits until no other program is at the client of this place, which none is for as long as the caller keeps the
  /// result.
  func lock(_ slot: ClientSlot) async throws(Failure) -> any StoreLock
  /// The client that was registered at this place, if one is kept.
  func client(at slot: ClientSlot) async throws(Failure) -> RegisteredClient?
  /// Keeps a client in place of another of its place.
  func save(_ client: RegisteredClient, at slot: ClientSlot) async throws(Failure)
  /// Forgets the client of this place; without one there is nothing to do.
  func deleteClient(at slot: ClientSlot) async throws(Failure)
}

/// Keeps other programs from changing an account, or a client, for as long as it lives: of two that refresh at once, a
/// provider whose refresh tokens are good for one use would take one for a thief.
public protocol StoreLock: AnyObject, Sendable {}

/// Room in a store for an account that is about to change.
public protocol StoreRoom: AnyObject, Sendable {}

/// That of a store in which none can be taken up.
private final class NoRoom: StoreRoom {}

extension CredentialStore {
  /// A store that can take up room has a way of its own.
  public func reserve(for account: Account) async throws(Failure) -> any StoreRoom {
    try await prepare()
    return NoRoom()
  }
}

extension CredentialStore {
  /// A store that finds out sooner than by loading it that an account is not there has a way of its own.
  public func find(_ name: AccountName) async throws(Failure) -> Account? {
    do throws(Failure) {
      return try await load(name)
    } catch {
      if case .store(.unknownAccount) = error { return nil }
      throw error
    }
  }
}

extension CredentialStore {
  /// Forgets the client by which a request was made, since its provider has forgotten it. Nothing happens if another
  /// one is kept by now.
  package func forgetClient(of login: LoginRequest) async throws(Failure) {
    guard let slot = ClientSlot(login.provider, login.redirectURI) else { return }
    let lock = try await lock(slot)
    defer { withExtendedLifetime(lock) {} }
    guard try await client(at: slot)?.clientID.isIdentical(to: login.clientID) == true else { return }
    try await deleteClient(at: slot)
  }
}

extension Failure {
  /// Whether the provider does not know the client, or not by this secret (RFC 6749 section 5.2).
  package var isUnknownClient: Bool {
    if case .provider(let error) = self { error.code.isIdentical(to: "invalid_client") } else { false }
  }
}

extension CredentialStore {
  /// Sees to it that a token which a server has refused is not handed out again: the account stays as it is, with
  /// what renews it, and its token counts as expired. Nothing happens if the account has another token by now.
  package func expire(_ refused: AccessToken, of name: AccountName, at now: UTCDate) async throws(Failure) {
    let lock = try await lock(name)
    defer { withExtendedLifetime(lock) {} }
    let account = try await load(name)
    guard account.token.accessToken == refused else { return }
    try await save(account.expired(at: now))
  }
}
