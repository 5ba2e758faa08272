import LoginCore

extension CommandRun {
  /// `tokentry userinfo`: what the provider says of the user of a token, or of a kept account.
  func userinfo(_ settings: Settings) async throws(Failure) -> String {
    if let name = try accountName(settings) { return try await userinfo(name, settings) }
    guard let token = settings.token else {
      throw .caller(
        .invalidConfiguration(
          "there is no token to ask with",
          hint: "--account names a kept one, and --token-file takes what `tokentry login` printed"))
    }
    let clientID = settings[.clientID] ?? ""
    let provider = try Provider(settings, clientID: clientID, for: .userinfo, catalog: catalog)
    return try await userinfo(token, at: provider, clientID, settings)
  }

  /// The account knows its provider. Its token is refreshed if need be, but nobody is asked to sign in.
  private func userinfo(_ name: AccountName, _ settings: Settings) async throws(Failure) -> String {
    let others = OptionGroup.provider.options.filter { $0 != .userinfoEndpoint } + [.tokenFile]
    if settings.token != nil || settings.given.contains(where: others.contains) {
      throw .caller(.invalidConfiguration("\(Option.account.flag) says which provider and which token it is"))
    }
    let session = AccountSession(
      store: try credentialStore(settings), try await means(settings))
    guard case .ready(let account) = try await session.token(of: name, forAtLeast: settings.minimumValidity)
    else { throw .user(.signInForbidden(account: name.description)) }
    var provider = account.login.provider
    if let text = settings[.userinfoEndpoint] {
      provider.endpoints[.userinfo] = try Option.userinfoEndpoint.parse(text) { text throws(AddressFault) in
        try Endpoint(text)
      }
    }
    return try await userinfo(account.token, at: provider, account.login.clientID, settings)
  }

  private func userinfo(
    _ token: Token, at provider: Provider, _ clientID: String, _ settings: Settings
  ) async throws(Failure) -> String {
    let session = UserinfoSession(
      try await means(settings))
    return try await session.userinfo(with: token, at: provider, clientID: clientID).json.text + "\n"
  }
}
