import GLibSupport
import LoginCore
import Wording

/// Where helpers get their tokens: it finds out whose token a program may have, asks the user if that is allowed, and
/// reads no more of what the program says than it would ever have to say.
struct TokenBroker: Sendable {
  /// What the caller has said.
  let given: Settings
  let run: Composition
  private let mayAsk: Bool
  /// The most that a program may say, in bytes.
  static let maximumInput = 256 * 1_024

  /// A desk that asks somebody only if it may.
  init(_ given: Settings, _ run: Composition, mayAsk: Bool) {
    (self.given, self.run, self.mayAsk) = (given, run, mayAsk)
  }

  /// What the caller has said, and whether somebody may be asked.
  var settings: Settings { mayAsk ? given : given.silenced }

  /// The words behind the helper's name.
  var arguments: [String] { given.operands }

  private var caller: String { given.helperProtocol?.name ?? "" }

  /// The failure of a program that does not keep to its protocol.
  var malformed: Failure { .helper(.malformed(caller: caller)) }

  /// Refuses other arguments than these.
  func checkArguments(_ expected: [String]) throws(Failure) {
    if arguments != expected { throw malformed }
  }

  /// All that the program says on standard input.
  @GLibActor
  func input() async throws(Failure) -> [UInt8] {
    let input = InputFile(flag: caller, path: "-")
    run.interruption.isReading = true
    guard let bytes = try? await input.read(limit: Self.maximumInput) else { throw malformed }
    run.interruption.isReading = false
    log(heard: bytes)
    return bytes
  }

  /// The members of what has to be one JSON object.
  func members(of bytes: [UInt8]) throws(Failure) -> JSONObject {
    try JSONReader.members(of: bytes, maximumSize: Self.maximumInput) { _ in malformed }
  }

  func log(heard bytes: [UInt8]) {
    Messages.hide(saidIn: bytes)
    run.messages.trace(.heard(Redaction.addresses(in: String(decoding: bytes, as: UTF8.self))))
  }

  func log(said text: String) { if !text.isEmpty { run.messages.trace(.said(text)) } }

  /// What the program says in its environment.
  subscript(variable: String) -> String? {
    let value = run.environment[variable]
    if let value { log(heard: Array("\(variable)=\(value)".utf8)) }
    return value
  }
}

/// The tokens.
extension TokenBroker {
  /// An account with a token that is good for the one of these destinations which the program means: the account that
  /// the caller has named, else the only one that is meant for them, else the one of several by whose name the program
  /// calls its user.
  @GLibActor
  func account(
    for destinations: [Destination], shown address: String, user: String? = nil,
    among isEligible: (Account) -> Bool = { _ in true }
  ) async throws(Failure) -> Account {
    try await fresh(try await kept(for: destinations, shown: address, user: user, among: isEligible))
  }

  /// The same at an address.
  @GLibActor
  func account(at address: String) async throws(Failure) -> Account {
    try await fresh(try await kept(at: address))
  }

  /// The same without a look at the token.
  @GLibActor
  func kept(at address: String) async throws(Failure) -> Account {
    let destination = try? Destination(address)
    return try await kept(for: [destination].compactMap(\.self), shown: address)
  }

  /// The same at an address, or at a host without one.
  @GLibActor
  func account(atServer server: String, user: String? = nil) async throws(Failure) -> Account {
    try await account(for: Destination.all(ofServer: server), shown: server, user: user)
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
    let account = try await AccountAccess(settings, run, try SignIn(settings, run)).account(kept)
    try Self.checkBinding(account.token.isBound)
    hideSecrets(of: account)
    return account
  }

  /// Keeps what is handed out of an account out of the log of the dialogue.
  func hideSecrets(of account: Account) {
    if run.messages.areTraced {
      Messages.hide(secretsIn: Array(account.token.json(at: run.clock.now()).text.utf8))
    }
  }

  /// Refuses a token that is bound to a key: without a proof of it, which no such program can make, it is worth nothing
  /// (RFC 9449 section 7).
  static func checkBinding(_ isBound: Bool) throws(Failure) {
    if isBound { throw .helper(.boundToken) }
  }
}

/// Whose token it is.
extension TokenBroker {
  @GLibActor
  private func kept(
    for destinations: [Destination], shown address: String, user: String? = nil,
    among isEligible: (Account) -> Bool = { _ in true }
  ) async throws(Failure) -> Account {
    func isMeant(_ account: Account) -> Bool { destinations.contains(where: account.isMeant) }
    if let name = try settings.accountName {
      let account = try await run.store.load(name)
      guard isMeant(account), isEligible(account) else {
        throw .helper(.otherDestination(account: "\(name)", address))
      }
      return account
    }
    if destinations.isEmpty { throw .helper(.noAccount(address)) }
    let accounts = try await accounts(for: destinations) { isMeant($0) && isEligible($0) }
    if let only = accounts.first, accounts.count == 1 { return only }
    if let named = accounts.first(where: { account in user.map(account.name.description.isIdentical) == true }
    ) {
      return named
    }
    if accounts.isEmpty { throw .helper(.noAccount(address)) }
    throw .helper(.severalAccounts(accounts.map(\.name.description), address))
  }

  /// The kept accounts for these destinations of which something is so. Where a locked keyring hides them, its password
  /// is asked for, if anything may be asked for.
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
}

extension StoredAccount {
  fileprivate var isLocked: Bool { if case .locked = contents { true } else { false } }
}
