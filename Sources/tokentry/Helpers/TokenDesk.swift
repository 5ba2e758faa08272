import GLibSupport
import LoginCore
import Wording

/// Where helpers get their tokens: it finds out whose token a program may have, asks the user if that is allowed, and
/// reads no more of what the program says than it would ever have to say.
struct TokenDesk: Sendable {
  let settings: Settings
  let run: Composition
  /// The most that a program may say, in bytes.
  static let maximumInput = 256 * 1_024

  init(_ settings: Settings, _ run: Composition) { (self.settings, self.run) = (settings, run) }

  /// The words behind the helper's name.
  var arguments: [String] { settings.operands }

  /// All that the program says on standard input.
  @GLibActor
  func input() async throws(Failure) -> [UInt8] {
    try await InputFile(flag: settings.personality?.name ?? "", path: "-").read(limit: Self.maximumInput)
  }

  /// An account with a token that is good for the one of these destinations which the program means: the account that
  /// the caller has named, else the only one that is meant for them, else the one of several by whose name the program
  /// calls its user.
  @GLibActor
  func account(
    for destinations: [Destination], shown address: String, user: String? = nil,
    among isEligible: (Account) -> Bool = { _ in true }
  ) async throws(Failure) -> Account {
    let kept = try await keptAccount(for: destinations, shown: address, user: user, among: isEligible)
    return try await fresh(kept)
  }

  /// The same at an address.
  @GLibActor
  func account(at address: String, user: String? = nil) async throws(Failure) -> Account {
    let destination = try? Destination(address)
    return try await account(for: [destination].compactMap(\.self), shown: address, user: user)
  }

  /// The account that was named, whatever it is meant for: where the program does not say for whom it wants a token.
  @GLibActor
  func namedAccount() async throws(Failure) -> Account? {
    guard let name = try settings.accountName else { return nil }
    return try await fresh(try await run.store.load(name))
  }

  /// The account with a token that is good for long enough, and that can be sent without a proof.
  @GLibActor
  func fresh(_ kept: Account) async throws(Failure) -> Account {
    try Self.checkBinding(kept.token.isBound)
    let account = try await AccountAccess(settings, run, try SignIn(settings, run)).account(kept.name)
    try Self.checkBinding(account.token.isBound)
    return account
  }

  /// Refuses a token that is bound to a key: without a proof of it, which no such program can make, it is worth nothing
  /// (RFC 9449 section 7).
  static func checkBinding(_ isBound: Bool) throws(Failure) {
    if isBound { throw .helper(.boundToken) }
  }
}

/// Whose token it is.
extension TokenDesk {
  @GLibActor
  private func keptAccount(
    for destinations: [Destination], shown address: String, user: String?, among isEligible: (Account) -> Bool
  ) async throws(Failure) -> Account {
    func isMeant(_ account: Account) -> Bool { destinations.contains(where: account.isMeant) }
    if let name = try settings.accountName {
      let account = try await run.store.load(name)
      guard isMeant(account) else { throw .helper(.otherDestination(account: "\(name)", address)) }
      return account
    }
    if destinations.isEmpty { throw .helper(.noAccount(address)) }
    let accounts = try await accounts { isMeant($0) && isEligible($0) }
    if let only = accounts.first, accounts.count == 1 { return only }
    if let named = accounts.first(where: { account in user.map(account.name.description.isIdentical) == true }
    ) {
      return named
    }
    if accounts.isEmpty { throw .helper(.noAccount(address)) }
    throw .helper(.severalAccounts(accounts.map(\.name.description), address))
  }

  /// The kept accounts of which something is so. Where a locked keyring hides them, its password is asked for, if
  /// anything may be asked for.
  @GLibActor
  private func accounts(where isWanted: (Account) -> Bool) async throws(Failure) -> [Account] {
    func wanted(_ list: [StoredAccount]) -> [Account] {
      list.compactMap {
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
}

extension StoredAccount {
  fileprivate var isLocked: Bool { if case .locked = contents { true } else { false } }
}
