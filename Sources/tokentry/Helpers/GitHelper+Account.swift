import LoginCore
import Wording

/// Under which name git's own accounts are kept, and how somebody signs in to them.
extension GitHelper {
  static let prefix = "git:"

  /// Whether git may have the token. Of a preset these are the hosts for git, and not the servers of its API.
  static func isForGit(_ account: Account, at host: String) -> Bool {
    !account.origins.isEmpty || account.login.provider.serves(gitHost: host)
  }

  /// The account that the caller has named, or that is called after the host and the user in the address. The presets
  /// need not be read for it.
  func ownAccount(for request: GitCredentialRequest, _ host: String) async throws(Failure) -> Account? {
    if let name = try given.accountName { return try await kept(name) }
    let plain = try await kept(AccountName(Self.prefix + host.lowercased()))
    guard let user = request.username, !user.isEmpty else { return plain }
    if let plain, plain.login.provider.gitUser.isIdentical(to: user) { return plain }
    return try await kept(AccountName("\(Self.prefix)\(user)@\(host.lowercased())"))
  }

  private func kept(_ name: AccountName?) async throws(Failure) -> Account? {
    guard let name else { return nil }
    return try await desk.run.store.find(name)
  }

  /// The settings for a host: unless they are given, the provider is the first preset that names the host, and the
  /// account is called after the host and the user in the address. The name under which tokens are sent is no user. Of
  /// a host that is too long for a name there is no such account.
  func settings(for request: GitCredentialRequest, host: String) throws(Failure) -> Settings {
    var settings = given
    let found = provider(of: host)
    if given[.provider] == nil, given[.issuer] == nil, let found {
      try settings.set(.provider, found.name, as: Option.provider.flag)
    }
    if given[.account] == nil {
      let user = request.username.flatMap { $0.isEmpty || $0 == found?.provider.gitUser ? nil : $0 + "@" }
      let name = AccountName(Self.prefix + (user ?? "") + host.lowercased())
      guard let name else { return settings }
      try settings.set(.account, name.description, as: Option.account.flag)
    }
    return settings
  }

  private func provider(of host: String) -> (name: String, provider: Provider)? {
    let variables = Dictionary(
      given.pairs(.variable).map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    let names = given[.provider].map { [$0] } ?? desk.run.catalog.files().map(\.name)
    for name in names {
      let preset = try? desk.run.catalog.preset(name)
      let provider = try? preset?.provider(variables: variables, clientID: given[.clientID] ?? "ID")
      if let provider, provider.serves(gitHost: host) { return (name, provider) }
    }
    return nil
  }
}
