import LoginCore

extension CommandRun {
  /// `tokentry userinfo`: what the provider says of the user of a token or of a kept account, or of the token itself.
  func userinfo(_ settings: Settings) async throws(Failure) -> String {
    if let name = try accountName(settings) { return try await userinfo(name, settings) }
    guard let token = settings.token else {
      throw .caller(
        .invalidConfiguration(
          "there is no token to ask with",
          hint: "--account names a kept one, and --token-file takes what `tokentry login` printed"))
    }
    let needed: EndpointName = settings.has(.introspect) ? .introspection : .userinfo
    let login = try LoginRequest(settings, needing: needed, catalog: catalog)
    return try await userinfo(token, of: login, settings)
  }

  /// The account knows its provider. Its token is refreshed if need be, but nobody is asked to sign in.
  private func userinfo(_ name: AccountName, _ settings: Settings) async throws(Failure) -> String {
    let own: [Option] = [.userinfoEndpoint, .introspectionEndpoint]
    let others = OptionGroup.provider.options.filter { !own.contains($0) } + [.tokenFile]
    if settings.token != nil || settings.given.contains(where: others.contains) {
      throw .caller(.invalidConfiguration("\(Option.account.flag) says which provider and which token it is"))
    }
    let session = AccountSession(store: try credentialStore(settings), try await means(settings))
    guard case .ready(let account) = try await session.token(of: name, forAtLeast: settings.minimumValidity)
    else { throw .user(.signInForbidden(account: name.description)) }
    var login = account.login
    for option in own {
      guard let endpoint = option.endpoint, let text = settings[option] else { continue }
      login.provider.endpoints[endpoint] = try option.parse(text) { text throws(AddressFault) in
        try Endpoint(text)
      }
    }
    return try await userinfo(account.token, of: login, settings)
  }

  private func userinfo(
    _ token: Token, of login: LoginRequest, _ settings: Settings
  ) async throws(Failure) -> String {
    let means = try await means(settings)
    if settings.has(.introspect) {
      let session = IntrospectionSession(transport: means.transport)
      return try await session.introspection(of: token, for: login).members.text + "\n"
    }
    let answer = try await UserinfoSession(means).userinfo(
      with: token, at: login.provider, clientID: login.clientID)
    return answer.json.text + "\n"
  }
}
