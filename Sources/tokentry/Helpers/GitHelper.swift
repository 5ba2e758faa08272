import GLibSupport
import LoginCore
import Platform
import SignIn

/// Git's credential helper. It stays silent, so that git asks the next helper, if it does not know the operation, if
/// neither an account nor a preset names the host, and if the protocol is not HTTPS, or HTTP on this machine.
struct GitHelper: HelperProtocol {
  static let name = "git"
  static let link: String? = "git-credential-tokentry"
  static let callers = "git"
  static let settings = [".gitconfig", ".config/git/config"]
  static let setUp = ["git config --global credential.helper tokentry"]

  /// Git asks the user itself unless this variable forbids it.
  static func mayAsk(_ environment: Environment) -> Bool {
    environment["GIT_TERMINAL_PROMPT"] != "0"
  }

  static var arguments: [Option] { SetUpWishes.options }
  static var loginOptions: [Option] {
    ProviderWishes.options + RequestWishes.options(but: "token-file")
  }

  /// The names of git's own accounts begin with this.
  private static let prefix = "git:"

  private let broker: TokenBroker
  private let operation: String

  init(_ broker: TokenBroker) throws(Failure) {
    self.broker = broker
    guard let operation = broker.arguments.first else {
      throw broker.lacks("get, store or erase", hint: "git adds it itself")
    }
    if broker.arguments.count > 1 {
      throw Failure(
        .invalidOption, "unexpected argument \"\(broker.arguments[1], upTo: 60)\"",
        hint: "a value with spaces needs quotes; see `tokentry \(Command.helper) --help`")
    }
    self.operation = operation
    if let reader = broker.wishes.readerOfInput { throw .standardInputTwice(reader.flag, broker.command) }
  }

  func text() async throws(Failure) -> String {
    if operation == "capability" { return "version 0\ncapability authtype\n" }
    let request = try GitCredentialRequest(try await broker.input())
    // Plain http would send the token in the clear (RFC 6750 section 5.3).
    guard let scheme = request.scheme, let host = request.host,
      let origin = try? Origin("\(scheme)://\(host)")
    else { return "" }
    var wish = broker.wish(
      TokenWish.Address(
        url: "\(scheme)://\(host)", shown: origin.description, destinations: [Destination(origin)]),
      user: request.username)
    // If the caller says how git signs in, other accounts than git's own are not candidates.
    if isLoginDescribed { wish.account = account(for: request, at: host, provider(of: host)) }
    switch operation {
    case "get": return try await answer(to: request, for: host, wish)
    case "erase": try await erase(request, wish)
    default: break  // git would store a copy of a token that is kept already
    }
    return ""
  }

  private func answer(
    to request: GitCredentialRequest, for host: String, _ wish: TokenWish
  ) async throws(Failure) -> String {
    if let granted = try await keptToken(wish) { return try GitCredentialAnswer(granted, to: request).text }
    let provider = provider(of: host)
    guard let name = account(for: request, at: host, provider),
      broker.wishes.provider.isNamed || provider != nil
    else { return "" }
    if broker.wishes.provider.clientID == nil {
      throw Failure(
        .invalidConfiguration,
        "there is no account \"\(name)\" yet, and no client to sign in with",
        hint: "add --client-id ID to the helper, or sign in with `tokentry login --account '\(name)'`")
    }
    if broker.signIn.isSilent { throw .signInForbidden(account: name.description) }
    let login = try broker.login(for: name, at: provider?.name, scope: provider?.profile.gitScope)
    let granted = try await broker.tokens.login(login, for: wish)
    broker.hideSecrets(of: granted)
    return try GitCredentialAnswer(granted, to: request).text
  }

  /// Returns the token of a kept account, or nil if no account fits the wish.
  private func keptToken(_ wish: TokenWish) async throws(Failure) -> GrantedToken? {
    do throws(Failure) {
      return try await broker.token(wish)
    } catch {
      if error.kind == .noAccount { return nil }
      throw error
    }
  }

  /// Sees to it that the token that the server refused is not handed out again. Git does not name the account, only the
  /// user name that was sent with the token, so the account is found by its token.
  private func erase(_ request: GitCredentialRequest, _ wish: TokenWish) async throws(Failure) {
    guard let secret = request.secret else { return }
    // Git began with a command of the user, so this does not count against the next login.
    try await broker.tokens.reject(secret, for: wish, isByAPI: false)
  }
}

/// The accounts.
extension GitHelper {
  /// Returns the account that the caller has named, or that is called after the host and the user in the address, or
  /// another one that was not made for git alone. Fails with ``Failure/noAccount(for:)`` if there is none.
  static func account(for wish: TokenWish, in kept: KeptAccounts) async throws(Failure) -> Account {
    guard let address = wish.address, let host = address.authority else { throw .defect() }
    if let name = wish.account {
      guard let account = try await kept.find(name) else { throw .noAccount(for: address.shown) }
      try kept.check(account, for: wish) { isForGit($0, at: host) }
      return account
    }
    if let own = try await ownAccount(of: wish.user, host, kept) {
      try kept.check(own, for: wish) { isForGit($0, at: host) }
      return own
    }
    return try await kept.chosen(for: wish) {
      isForGit($0, at: host) && !$0.name.description.hasPrefix(prefix)
    }
  }

  static func user(of account: Account) -> String? { account.login.provider.profile.gitUser }

  /// True if git may have the token. The preset names the hosts for git, because the API may be on others.
  private static func isForGit(_ account: Account, at host: String) -> Bool {
    !account.origins.isEmpty || account.login.provider.profile.serves(gitHost: host)
  }

  /// Returns the account that is called after the host and the user in the address. This reads no presets.
  @GLibActor
  private static func ownAccount(
    of user: String?, _ host: String, _ accounts: KeptAccounts
  ) async throws(Failure) -> Account? {
    func kept(_ name: AccountName?) async throws(Failure) -> Account? {
      guard let name else { return nil }
      return try await accounts.find(name)
    }
    let plain = try await kept(AccountName(prefix + host.lowercased()))
    guard let user, !user.isEmpty else { return plain }
    if let plain, plain.login.provider.profile.gitUser.isIdentical(to: user) { return plain }
    return try await kept(AccountName("\(prefix)\(user)@\(host.lowercased())"))
  }

  /// Returns the account that the caller has named, or the name for one that is called after the host and the user in the
  /// address. A user name under which the provider takes tokens does not count as a user. A host that is too long for a name
  /// has no account.
  private func account(
    for request: GitCredentialRequest, at host: String, _ provider: (name: String, profile: ProviderProfile)?
  ) -> AccountName? {
    if let name = broker.account { return name }
    let user = request.username.flatMap { $0.isEmpty || $0 == provider?.profile.gitUser ? nil : $0 + "@" }
    return AccountName(Self.prefix + (user ?? "") + host.lowercased())
  }

  /// True if the caller says who the account is at, or which client signs in.
  private var isLoginDescribed: Bool {
    broker.wishes.provider.isNamed || broker.wishes.provider.clientID != nil
  }

  /// The preset that the caller has named, or else the first one that names the host for git.
  private func provider(of host: String) -> (name: String, profile: ProviderProfile)? {
    let asked = broker.wishes.provider
    let names = asked.preset.map { [$0] } ?? broker.shared.catalog.files().map(\.name)
    for name in names {
      let preset = try? broker.shared.catalog.preset(name)
      let provider = try? preset?.provider(
        variables: asked.variableValues, clientID: asked.clientID ?? "ID")
      if let profile = provider?.profile, profile.serves(gitHost: host) { return (name, profile) }
    }
    return nil
  }
}
