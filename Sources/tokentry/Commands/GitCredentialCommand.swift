import GLibSupport
import LoginCore

extension CommandRun {
  /// `tokentry git-credential`: git's credential helper. Where it has nothing to say (an operation of a later git, a
  /// host that no preset names, a protocol that is not HTTP) git goes on to the next helper.
  func gitCredential(_ given: Settings) async throws(Failure) -> String {
    guard let operand else {
      throw .caller(.invalidOption("git-credential needs get, store or erase", hint: "git adds it by itself"))
    }
    if given[.request] == "-" || given[.navigations] == "-" {
      throw .caller(.invalidConfiguration("standard input is what git says"))
    }
    let input = InputFile(flag: "git-credential", path: "-")
    let request = try GitCredentialRequest(try await input.read(limit: GitCredentialRequest.maximumSize))
    guard let host = request.host, request.isForWeb else { return "" }
    let store = try credentialStore(given)
    switch operand {
    case "get":
      let settings = try gitSettings(given, for: request, host: host)
      return try await get(request, host, store, settings)
    case "erase": try await erase(request, host, store, given)
    default: break  // what git would store is a copy of what is kept already
    }
    return ""
  }

  private func get(
    _ request: GitCredentialRequest, _ host: String, _ store: any CredentialStore, _ settings: Settings
  ) async throws(Failure) -> String {
    guard let name = try accountName(settings) else { return "" }
    if try await kept(name, in: store) == nil {
      if settings[.provider] == nil, settings[.issuer] == nil { return "" }
      if settings[.clientID] == nil {
        throw .caller(
          .invalidConfiguration(
            "there is no account \"\(name)\" yet, and no client to sign in with",
            hint: "add --client-id ID to the helper, or sign in with `tokentry login --account '\(name)'`"))
      }
      if settings.has(.silent) { throw .user(.signInForbidden(account: name.description)) }
      // Nobody shall sign in for a token that git cannot use.
      try GitCredentialAnswer.checkBinding(try LoginRequest(settings, catalog: catalog).provider.bindsTokens)
      _ = try await login(settings)
    }
    guard let found = try await kept(name, in: store), found.login.provider.serves(gitHost: host) else {
      throw .caller(
        .invalidConfiguration(
          "the provider of the account \"\(name)\" does not name the host \(host.forDisplay(limit: 100))",
          hint: "a preset's git_hosts are the hosts that may have the token"))
    }
    try GitCredentialAnswer.checkBinding(found.token.isBound)
    let account = try await account(name, in: store, settings)
    return try GitCredentialAnswer(account, to: request).text
  }

  /// Only the token that was refused counts as expired, and nothing is thrown away: the next `get` refreshes. Git
  /// does not tell whose token it was, but under which name it was sent, so the token itself leads to its account.
  private func erase(
    _ request: GitCredentialRequest, _ host: String, _ store: any CredentialStore, _ settings: Settings
  ) async throws(Failure) {
    guard let secret = request.secret else { return }
    let only = try accountName(settings)
    for stored in try await store.list() where only.map({ $0 == stored.name }) ?? true {
      guard case .account(let account) = stored.contents, account.token.accessToken == secret,
        account.login.provider.serves(gitHost: host)
      else { continue }
      try await store.expire(secret, of: account.name, at: SystemClock().now())
    }
  }

  private func kept(_ name: AccountName, in store: any CredentialStore) async throws(Failure) -> Account? {
    do throws(Failure) {
      return try await store.load(name)
    } catch {
      if case .store(.unknownAccount) = error { return nil }
      throw error
    }
  }

  /// The settings for a host: unless they are given, the provider is the first preset that names the host, and the
  /// account is called after the host and the user in the address. The name under which tokens are sent is no user.
  private func gitSettings(
    _ given: Settings, for request: GitCredentialRequest, host: String
  ) throws(Failure) -> Settings {
    var settings = given
    let found = gitProvider(given, host: host)
    if given[.provider] == nil, given[.issuer] == nil, let found {
      try settings.set(.provider, found.name, as: Option.provider.flag)
    }
    if given[.account] == nil {
      let user = request.username.flatMap { $0.isEmpty || $0 == found?.provider.gitUser ? nil : $0 + "@" }
      try settings.set(.account, "git:" + (user ?? "") + host.lowercased(), as: Option.account.flag)
    }
    if environment["GIT_TERMINAL_PROMPT"] == "0", !given.has(.silent) {
      try settings.set(.silent, "", as: Option.silent.flag)
    }
    return settings
  }

  private func gitProvider(_ settings: Settings, host: String) -> (name: String, provider: Provider)? {
    let variables = Dictionary(
      settings.pairs(.variable).map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    let names = settings[.provider].map { [$0] } ?? catalog.files().map(\.name)
    for name in names {
      let preset = try? catalog.preset(name)
      let provider = try? preset?.provider(variables: variables, clientID: settings[.clientID] ?? "ID")
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
