import GLibSupport
import Language
import LoginCore
import SignIn

/// The kept accounts, and the rules that say which of them a program may have.
@GLibActor
struct KeptAccounts: Sendable {
  private let store: any CredentialStore
  /// The names of the accounts that can be seen, or nil for all.
  private let only: Set<String>?

  nonisolated init(store: any CredentialStore, only: Set<String>? = nil) {
    (self.store, self.only) = (store, only)
  }

  /// Fails as if the account did not exist, if it cannot be seen.
  func checkVisible(_ name: AccountName) throws(Failure) {
    if only?.contains(name.description) == false { throw .unknownAccount(name.description) }
  }

  func load(_ name: AccountName) async throws(Failure) -> Account {
    try checkVisible(name)
    return try await store.load(name)
  }

  func find(_ name: AccountName) async throws(Failure) -> Account? {
    if only?.contains(name.description) == false { return nil }
    return try await store.find(name)
  }

  func list() async throws(Failure) -> [StoredAccount] {
    try await store.list().filter { only?.contains($0.name.description) != false }
  }

  /// Returns the account that fulfils a wish, as it is kept: by the rules of the helper that asks, or else by the general
  /// ones.
  func account(for wish: TokenWish) async throws(Failure) -> Account {
    if let helper = wish.helper { return try await helper.account(for: wish, in: self) }
    return try await chosen(for: wish)
  }

  /// Returns the account that the caller has named, or else the only one for the address, or else the one whose name is
  /// the user that the program names.
  func chosen(
    for wish: TokenWish, among isEligible: (Account) -> Bool = { _ in true }
  ) async throws(Failure) -> Account {
    if let name = wish.account {
      let account = try await load(name)
      try check(account, for: wish, among: isEligible)
      return account
    }
    guard let address = wish.address else { throw .defect() }
    if address.destinations.isEmpty { throw .noAccount(for: address.shown) }
    let accounts = try await accounts(for: address.destinations) { account in
      address.destinations.contains(where: account.isMeant) && isEligible(account)
    }
    if let only = accounts.first, accounts.count == 1 { return only }
    if let user = wish.user,
      let named = accounts.first(where: { $0.name.description.isIdentical(to: user) })
    {
      return named
    }
    if accounts.isEmpty { throw .noAccount(for: address.shown) }
    throw .severalAccounts(accounts.map(\.name), for: address.shown)
  }

  /// Refuses an account that is not meant for the address of the wish.
  nonisolated func check(
    _ account: Account, for wish: TokenWish, among isEligible: (Account) -> Bool = { _ in true }
  ) throws(Failure) {
    guard let address = wish.address else { return }
    if let allowed = wish.allowed { return try account.check(address, orAmong: allowed) }
    guard address.destinations.contains(where: account.isMeant), isEligible(account) else {
      throw .otherDestination(than: address.shown, of: account.name.description)
    }
  }

  /// Returns the account that the wish names, or else all accounts that have this token and may fulfil the wish.
  func accounts(with token: AccessToken, for wish: TokenWish) async throws(Failure) -> [AccountName] {
    if let name = wish.account { return [name] }
    var found: [AccountName] = []
    for stored in try await list() {
      guard case .account(let account) = stored.contents, account.token.accessToken == token,
        (try? await self.account(for: wish.naming(account.name))) != nil
      else { continue }
      found.append(account.name)
    }
    return found
  }

  /// Returns the kept accounts for these destinations. If there is none and the keyring is locked, this asks for its
  /// password, unless the store must not ask.
  private func accounts(
    for destinations: [Destination], where isWanted: (Account) -> Bool
  ) async throws(Failure) -> [Account] {
    func wanted(_ list: [StoredAccount]) -> [Account] {
      list.filter { destinations.contains(where: $0.mayBeMeant) }.compactMap {
        if case .account(let account) = $0.contents, isWanted(account) { account } else { nil }
      }
    }
    let list = try await self.list()
    let found = wanted(list)
    guard found.isEmpty, let locked = list.first(where: \.isLocked) else { return found }
    _ = try await load(locked.name)
    return wanted(try await self.list())
  }
}

extension Account {
  /// Refuses a server to which the token may not be sent.
  fileprivate func check(_ address: TokenWish.Address, orAmong allowed: [Origin]) throws(Failure) {
    try check(try Endpoint.given(address.url), orAmong: allowed)
  }
}

extension Endpoint {
  /// Parses an address from the command line.
  static func given(_ address: String) throws(Failure) -> Endpoint {
    try failing(Endpoint(parsing: address)) { (reason: Message) in .notAnAddress(address, reason) }
  }
}

extension Failure {
  /// The operand is no address. It may hold a secret.
  static func notAnAddress(_ address: String, _ reason: Message) -> Failure {
    Failure(.invalidOption, "\"\(Redaction.given(address), upTo: 100)\" is \(reason)")
  }
}

extension StoredAccount {
  fileprivate var isLocked: Bool { if case .locked = contents { true } else { false } }
}

extension Failure.Kind {
  /// ``Failure/noAccount(for:)``
  static let noAccount = Self(rawValue: "no_account")
  /// ``Failure/otherDestination(than:of:)``
  static let otherDestination = Self(rawValue: "other_destination")
  /// ``Failure/unsupported(_:by:)``
  static let unsupported = Self(rawValue: "unsupported")
}

/// Why a program gets no token.
extension Failure {
  /// No account is meant for the address. Another helper may have one.
  static func noAccount(for address: String) -> Failure {
    Failure(
      .originNotAllowed, "no account is set up for \(shown(address), upTo: 200)", kind: .noAccount,
      hint: serversHint)
  }

  /// No account is meant for the address of an API, which is all that a login needs.
  static func noAccount(forAPI address: String) -> Failure {
    noAccount(for: address).with(hint: .signInToAPI)
  }

  /// The account that the caller has named is meant for other addresses.
  static func otherDestination(than address: String, of account: String) -> Failure {
    Failure(
      .originNotAllowed,
      "the account \"\(account, upTo: 64)\" is not set up for \(shown(address), upTo: 200)",
      kind: .otherDestination, hint: serversHint)
  }

  fileprivate static func severalAccounts(_ accounts: [AccountName], for address: String) -> Failure {
    let names = accounts.map { Message(verbatim: "\"\($0)\"") }.list
    return Failure(
      .invalidConfiguration, "several accounts are set up for \(shown(address), upTo: 200): \(names)",
      hint: "name one with --account, or as the user where the program asks for one")
  }

  /// The program asks for an action that its helper does not support.
  static func unsupported(_ action: String, by helper: String) -> Failure {
    Failure(
      .invalidOption,
      "\(helper): \(action, upTo: 60) is not possible here: accounts are made with `tokentry login`",
      kind: .unsupported)
  }

  private static let serversHint: Hint =
    "`tokentry login --account NAME --for ORIGIN` says which servers an account is for"

  /// The address may hold a secret.
  private static func shown(_ address: String) -> String { Redaction.address(address) }

  /// True if another helper may have a token for the server.
  var isOfOtherServer: Bool { kind == .noAccount || kind == .otherDestination }
}
