import LoginCore
import Wording

/// Git's credential helper. Where it has nothing to say (an operation of a later git, a host that no account and no
/// preset names, a protocol that is not HTTP) git goes on to the next helper.
struct GitHelper: HelperProtocol {
  static let name = "git"
  static let link: String? = "git-credential-tokentry"
  static let callers = "git"
  static let setUp = ["git config --global credential.helper tokentry"]
  static let options = OptionGroup.provider.options + OptionGroup.request.options.filter { $0 != .tokenFile }

  /// Git asks its users itself, unless it was told not to.
  static func mayAsk(_ settings: Settings, _ environment: Environment) -> Bool {
    environment["GIT_TERMINAL_PROMPT"] != "0"
  }

  /// What git asks of a helper; one that is not known is passed over.
  static let operations = ["get", "store", "erase", "capability"]

  let desk: TokenBroker
  private let operation: String
  var given: Settings { desk.settings }

  init(_ desk: TokenBroker) throws(Failure) {
    self.desk = desk
    guard let operation = desk.arguments.first else {
      throw .commandLine(.lacks(command: Command.gitCredential.rawValue, .gitOperation))
    }
    if desk.arguments.count > 1 { throw .commandLine(.unexpectedWord(desk.arguments[1], of: "helper")) }
    self.operation = operation
    if let option = [Option.request, .navigations].first(where: { desk.settings[$0] == "-" }) {
      throw .configuration(.standardInputTwice(option.flag, Command.gitCredential.rawValue))
    }
  }

  func text() async throws(Failure) -> String {
    if operation == "capability" { return "version 0\ncapability authtype\n" }
    let request = try GitCredentialRequest(try await desk.input())
    // A token crosses no network in the clear (RFC 6750 section 5.3).
    guard let scheme = request.scheme, let host = request.host,
      let origin = try? Origin("\(scheme)://\(host)")
    else { return "" }
    switch operation {
    case "get": return try await answer(to: request, for: host, at: Destination(origin))
    case "erase": try await erase(request, host, Destination(origin))
    default: break  // what git would store is a copy of what is kept already
    }
    return ""
  }

  private func answer(
    to request: GitCredentialRequest, for host: String, at destination: Destination
  ) async throws(Failure) -> String {
    if let own = try await ownAccount(for: request, host) {
      return try await answer(to: request, with: own, destination, host)
    }
    if let other = try await otherAccount(for: request, host, destination) {
      return try GitCredentialAnswer(other, to: request).text
    }
    let settings = try settings(for: request, host: host)
    guard let name = try settings.accountName, settings[.provider] != nil || settings[.issuer] != nil else {
      return ""
    }
    if settings[.clientID] == nil { throw .configuration(.noAccountForGit(name.description)) }
    if settings.has(.silent) { throw .user(.signInForbidden(account: name.description)) }
    // Nobody shall sign in for a token that git cannot use.
    let login = try LoginCommand(settings, desk.run)
    try TokenBroker.checkBinding(login.bindsToken)
    return try await answer(to: request, with: try await login.newlyKept(name), destination, host)
  }

  private func answer(
    to request: GitCredentialRequest, with account: Account, _ destination: Destination, _ host: String
  ) async throws(Failure) -> String {
    guard account.isMeant(for: destination), Self.isForGit(account, at: host) else {
      throw .helper(.otherDestination(account: account.name.description, destination.origin))
    }
    return try GitCredentialAnswer(try await desk.fresh(account), to: request).text
  }

  /// An account that was not made for git alone, unless the settings say how git signs in. Those of other hosts and
  /// users have names of their own.
  private func otherAccount(
    for request: GitCredentialRequest, _ host: String, _ destination: Destination
  ) async throws(Failure) -> Account? {
    if [Option.account, .provider, .issuer, .clientID].contains(where: given.has) { return nil }
    do throws(Failure) {
      return try await desk.account(
        for: [destination], shown: destination.origin, user: request.username,
        among: { Self.isForGit($0, at: host) && !$0.name.description.hasPrefix(Self.prefix) })
    } catch {
      if case .noAccount? = error.fault(as: HelperFault.self) { return nil }
      throw error
    }
  }

  /// Only the token that was refused counts as expired, and nothing is thrown away: the next `get` refreshes. Git
  /// does not tell whose token it was, but under which name it was sent, so the token itself leads to its account.
  private func erase(_ request: GitCredentialRequest, _ host: String, _ destination: Destination)
    async throws(Failure)
  {
    guard let secret = request.secret else { return }
    let (store, only) = (try desk.run.store, try given.accountName)
    for stored in try await store.list() where only.map({ $0 == stored.name }) ?? true {
      guard case .account(let account) = stored.contents, account.token.accessToken == secret,
        account.isMeant(for: destination), Self.isForGit(account, at: host)
      else { continue }
      try await store.expire(secret, of: account.name, at: desk.run.clock.now())
    }
  }
}
