import GLibSupport
import LoginCore
import Wording

/// Gives tokens to helpers: it decides which token a program may have, and asks the user if the program allows that.
struct TokenBroker: Sendable {
  /// The settings from the command line.
  let given: Settings
  let run: Composition
  private let mayAsk: Bool
  /// The limit for a program's input, in bytes.
  static let maximumInput = 256 * 1_024

  /// Without `mayAsk`, the user is never asked to sign in.
  init(_ given: Settings, _ run: Composition, mayAsk: Bool) {
    (self.given, self.run, self.mayAsk) = (given, run, mayAsk)
  }

  /// The settings for logins: silent if the user must not be asked.
  var settings: Settings {
    if mayAsk || given.has(.silent) { return given }
    var settings = given
    try? settings.set(.silent, "", as: Option.silent.flag)
    return settings
  }
}

/// The accounts.
extension TokenBroker {
  /// Returns the account that is meant for one of the destinations, with a fresh token: the account that the caller has
  /// named, or else the only one, or else the one whose name is the `user` that the program names. Failures name the
  /// `address` instead of the destinations.
  @GLibActor
  func account(
    for destinations: [Destination], shown address: String, user: String? = nil,
    among isEligible: (Account) -> Bool = { _ in true }
  ) async throws(Failure) -> Account {
    try await fresh(try await kept(for: destinations, shown: address, user: user, among: isEligible))
  }

  /// Returns the account for an address, with a fresh token.
  @GLibActor
  func account(at address: String) async throws(Failure) -> Account {
    try await fresh(try await kept(at: address))
  }

  /// Returns the account for an address or a host, with a fresh token.
  @GLibActor
  func account(atServer server: String, user: String? = nil) async throws(Failure) -> Account {
    try await account(for: Destination.all(ofServer: server), shown: server, user: user)
  }

  /// Returns the account that the caller has named, with a fresh token, or nil. It may be meant for any server: the program
  /// does not say for which one it wants the token.
  @GLibActor
  func namedAccount() async throws(Failure) -> Account? {
    guard let name = try settings.accountName else { return nil }
    return try await fresh(try await run.store.load(name))
  }

  /// Returns the account for an address as it is kept.
  @GLibActor
  func kept(at address: String) async throws(Failure) -> Account {
    let destination = try? Destination(address)
    return try await kept(for: [destination].compactMap(\.self), shown: address)
  }

  /// Returns the account with a token that is good for long enough, and that can be sent without a proof.
  @GLibActor
  func fresh(_ kept: Account) async throws(Failure) -> Account {
    try Self.checkBinding(kept.token.isBound)
    let account = try await AccountAccess(settings, run, try SignIn(settings, run)).account(kept)
    try Self.checkBinding(account.token.isBound)
    hideSecrets(of: account)
    return account
  }

  /// Refuses a token that is bound to a key. Without a proof it is useless (RFC 9449 section 7), and these programs cannot
  /// send one.
  static func checkBinding(_ isBound: Bool) throws(Failure) {
    guard isBound else { return }
    throw Failure(
      .invalidConfiguration, "the token is bound to a key, and this program can send no proof of it",
      hint: "use an account whose token is not bound")
  }

  @GLibActor
  private func kept(
    for destinations: [Destination], shown address: String, user: String? = nil,
    among isEligible: (Account) -> Bool = { _ in true }
  ) async throws(Failure) -> Account {
    func isMeant(_ account: Account) -> Bool { destinations.contains(where: account.isMeant) }
    if let name = try settings.accountName {
      let account = try await run.store.load(name)
      guard isMeant(account), isEligible(account) else {
        throw .otherDestination(than: address, of: name.description)
      }
      return account
    }
    if destinations.isEmpty { throw .noAccount(for: address) }
    let accounts = try await accounts(for: destinations) { isMeant($0) && isEligible($0) }
    if let only = accounts.first, accounts.count == 1 { return only }
    if let user, let named = accounts.first(where: { $0.name.description.isIdentical(to: user) }) {
      return named
    }
    if accounts.isEmpty { throw .noAccount(for: address) }
    throw .severalAccounts(accounts.map(\.name), for: address)
  }

  /// Returns the kept accounts for these destinations. If there is none and the keyring is locked, this asks for its
  /// password, unless the store must not ask.
  @GLibActor
  private func accounts(
    for destinations: [Destination], where isWanted: (Account) -> Bool
  ) async throws(Failure) -> [Account] {
    func wanted(_ list: [StoredAccount]) -> [Account] {
      list.filter { destinations.contains(where: $0.mayBeMeant) }.compactMap {
        if case .account(let account) = $0.contents, isWanted(account) { account } else { nil }
      }
    }
    let store = try run.store
    let list = try await store.list()
    let found = wanted(list)
    guard found.isEmpty, let locked = list.first(where: \.isLocked) else { return found }
    _ = try await store.load(locked.name)
    return wanted(try await store.list())
  }

  /// Revokes the account's tokens at the provider, and keeps the account for the next login.
  @GLibActor
  func signOut(of kept: Account) async throws(Failure) {
    let store = try run.store
    let lock = try await store.lock(kept.name)
    defer { withExtendedLifetime(lock) {} }
    // Another program may have replaced the tokens meanwhile.
    let account = try await store.load(kept.name)
    _ = try await LogoutSession(run.dependencies).end(account)
    try await store.save(account.signedOut(at: run.clock.now()))
  }
}

/// The places to which a token may go without a question to the user.
extension Account {
  /// True if the token may be sent to `destination`: one for which the account was made or, if it was made for none, one
  /// that its preset names. Every rule about who may have a token is built on this one.
  func isMeant(for destination: Destination) -> Bool {
    let own = ownDestinations
    return (own.isEmpty ? presetDestinations : own).contains { $0.includes(destination) }
  }

  private var presetDestinations: [Destination] {
    login.provider.apiOrigins.map(Destination.init)
      + login.provider.profile.gitHosts.flatMap(Destination.all(ofHost:))
  }
}

extension StoredAccount {
  fileprivate var isLocked: Bool { if case .locked = contents { true } else { false } }
}

/// Why a program gets no token.
extension Failure {
  /// No account is meant for the address. Another helper may have one.
  static func noAccount(for address: String) -> Failure {
    Failure(.originNotAllowed, "no account is set up for \(shown(address), upTo: 200)", hint: serversHint)
  }

  /// No account is meant for the address of an API, which is all that a login needs.
  static func noAccount(forAPI address: String) -> Failure {
    noAccount(for: address).with(hint: "`tokentry login --resource URL` signs in to an API")
  }

  /// The account that the caller has named is meant for other addresses.
  static func otherDestination(than address: String, of account: String) -> Failure {
    Failure(
      .originNotAllowed,
      "the account \"\(account, upTo: 64)\" is not set up for \(shown(address), upTo: 200)",
      hint: serversHint)
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
      "\(helper): \(action, upTo: 60) is not possible here: accounts are made with `tokentry login`")
  }

  private static let serversHint: Message =
    "`tokentry login --account NAME --for ORIGIN` says which servers an account is for"

  /// The address may hold a secret.
  private static func shown(_ address: String) -> String { Redaction.address(address) }

  /// True if another helper may have a token for the server.
  var isOfOtherServer: Bool {
    [Failure.noAccount(for: ""), .otherDestination(than: "", of: "")].contains { $0 ~= self }
  }

  /// True if the helper does not support the action.
  var isUnsupported: Bool { Failure.unsupported("", by: "") ~= self }
}
