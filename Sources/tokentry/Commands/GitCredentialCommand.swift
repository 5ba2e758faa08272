import LoginCore
import Wording

/// `tokentry git-credential`: git's credential helper. Where it has nothing to say (an operation of a later git, a host
/// that no preset names, a protocol that is not HTTP) git goes on to the next helper.
struct GitCredentialCommand: Action {
  private let run: Composition
  private let operation: String
  private let given: Settings

  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    (self.run, given) = (run, settings)
    guard let operation = settings.operand else {
      throw .commandLine(.lacks(command: Command.gitCredential.rawValue, .gitOperation))
    }
    self.operation = operation
    if let option = [Option.request, .navigations].first(where: { settings[$0] == "-" }) {
      throw .configuration(.standardInputTwice(option.flag, Command.gitCredential.rawValue))
    }
  }

  func text() async throws(Failure) -> String {
    let input = InputFile(flag: Command.gitCredential.rawValue, path: "-")
    let request = try GitCredentialRequest(try await input.read(limit: GitCredentialRequest.maximumSize))
    guard let host = request.host, request.isForWeb else { return "" }
    switch operation {
    case "get": return try await answer(to: request, for: host)
    case "erase": try await erase(request, host)
    default: break  // what git would store is a copy of what is kept already
    }
    return ""
  }

  private func answer(to request: GitCredentialRequest, for host: String) async throws(Failure) -> String {
    let settings = try settings(for: request, host: host)
    guard let name = try settings.accountName else { return "" }
    if try await kept(name) == nil {
      if settings[.provider] == nil, settings[.issuer] == nil { return "" }
      if settings[.clientID] == nil { throw .configuration(.noAccountForGit(name.description)) }
      if settings.has(.silent) { throw .user(.signInForbidden(account: name.description)) }
      // Nobody shall sign in for a token that git cannot use.
      let login = try LoginCommand(settings, run)
      try GitCredentialAnswer.checkBinding(login.request.provider.bindsTokens)
      _ = try await login.newlyKept(name)
    }
    guard let found = try await kept(name), found.login.provider.serves(gitHost: host) else {
      throw .configuration(.hostOfOthers(account: name.description, host: host))
    }
    try GitCredentialAnswer.checkBinding(found.token.isBound)
    let access = AccountAccess(settings, run, try SignIn(settings, run))
    return try GitCredentialAnswer(try await access.account(name), to: request).text
  }

  /// Only the token that was refused counts as expired, and nothing is thrown away: the next `get` refreshes. Git
  /// does not tell whose token it was, but under which name it was sent, so the token itself leads to its account.
  private func erase(_ request: GitCredentialRequest, _ host: String) async throws(Failure) {
    guard let secret = request.secret else { return }
    let (store, only) = (try run.store, try given.accountName)
    for stored in try await store.list() where only.map({ $0 == stored.name }) ?? true {
      guard case .account(let account) = stored.contents, account.token.accessToken == secret,
        account.login.provider.serves(gitHost: host)
      else { continue }
      try await store.expire(secret, of: account.name, at: run.clock.now())
    }
  }

  private func kept(_ name: AccountName) async throws(Failure) -> Account? {
    do throws(Failure) {
      return try await run.store.load(name)
    } catch {
      if case .store(.unknownAccount) = error { return nil }
      throw error
    }
  }

  /// The settings for a host: unless they are given, the provider is the first preset that names the host, and the
  /// account is called after the host and the user in the address. The name under which tokens are sent is no user.
  private func settings(
    for request: GitCredentialRequest, host: String
  ) throws(Failure) -> Settings {
    var settings = given
    let found = provider(of: host)
    if given[.provider] == nil, given[.issuer] == nil, let found {
      try settings.set(.provider, found.name, as: Option.provider.flag)
    }
    if given[.account] == nil {
      let user = request.username.flatMap { $0.isEmpty || $0 == found?.provider.gitUser ? nil : $0 + "@" }
      try settings.set(.account, "git:" + (user ?? "") + host.lowercased(), as: Option.account.flag)
    }
    if run.environment["GIT_TERMINAL_PROMPT"] == "0", !given.has(.silent) {
      try settings.set(.silent, "", as: Option.silent.flag)
    }
    return settings
  }

  private func provider(of host: String) -> (name: String, provider: Provider)? {
    let variables = Dictionary(
      given.pairs(.variable).map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    let names = given[.provider].map { [$0] } ?? run.catalog.files().map(\.name)
    for name in names {
      let preset = try? run.catalog.preset(name)
      let provider = try? preset?.provider(variables: variables, clientID: given[.clientID] ?? "ID")
      if let provider, provider.serves(gitHost: host) { return (name, provider) }
    }
    return nil
  }
}

extension GitCredentialRequest {
  /// A token crosses no network in the clear (RFC 6750 section 5.3).
  fileprivate var isForWeb: Bool {
    guard let scheme, let host else { return false }
    return (try? Origin("\(scheme)://\(host)")) != nil
  }
}
