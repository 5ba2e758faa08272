import LoginCore

extension CommandRun {
  /// `tokentry login`: asks the user to sign in and prints a token; with a refresh token nobody is asked.
  ///
  /// With an account the token is kept before it is printed. If that fails nothing is printed: a caller that was
  /// answered would come back for an account that is not there.
  func login(_ settings: Settings) async throws(Failure) -> String {
    let request = try LoginRequest(settings, catalog: catalog)
    let format = OutputFormat(settings)
    try format.checkUser(settings[.loginHint])
    let name = try accountName(settings)
    let store = try name.map { _ throws(Failure) in try credentialStore(settings) }
    try await store?.prepare()
    guard let name, let store else {
      let token = try await login(for: request, settings).token
      return try format.text(of: token, at: SystemClock().now(), user: settings[.loginHint])
    }
    let login = AccountLogin(store: store, clock: SystemClock(), waits: !settings.has(.noWait))
    let account = try await login.account(name) { () async throws(Failure) -> Account in
      let (made, token) = try await self.login(for: request, settings)
      var account = Account(
        name, provider: settings[.provider] ?? settings[.issuer], login: made, token: token,
        receivedAt: SystemClock().now(), session: settings[.session])
      account.hasRegisteredClient = made.clientID != request.clientID
      account.assumesUnexpired = settings.assumesUnexpired ?? true
      return account
    }
    return try format.text(of: account.token, at: SystemClock().now(), user: settings[.loginHint])
  }

  private func login(
    for request: LoginRequest, _ settings: Settings
  ) async throws(Failure) -> (login: LoginRequest, token: Token) {
    settings.refreshToken == nil && settings.token == nil
      ? try await newLogin(for: request, settings)
      : (request, try await renewedToken(for: request, settings))
  }

  /// A new token, by the grant of the request.
  func newToken(for request: LoginRequest, _ settings: Settings) async throws(Failure) -> Token {
    try OutputFormat(settings).checkResponseType(request.responseType)
    try OutputFormat(settings).checkBinding(request.provider.bindsTokens)
    switch request.grant {
    case .clientCredentials, .password: return try await directToken(for: request, settings)
    case .device:
      if let way = settings.askedWay, way != .device, way != .window {
        throw .caller(
          .invalidConfiguration(
            "the device grant knows no \(way)", hint: "add --grant code, or leave --agent out"))
      }
      return try await deviceToken(for: request, settings)
    case .code, .implicit: return try await brokeredToken(for: request, settings)
    }
  }

  /// A token of which the user has been asked, on whatever way.
  private func brokeredToken(for wanted: LoginRequest, _ settings: Settings) async throws(Failure) -> Token {
    let isTest = settings.has(.headlessTest)
    if settings.askedWay == .device, !isTest { return try await deviceToken(for: wanted, settings) }
    try LoginSession.check(wanted)
    if wanted.responseType.includesToken, !wanted.provider.responseType.includesToken {
      // RFC 9700 section 2.1.2; a preset that says so knows nothing better.
      messages.warning("the implicit grant returns the token in a URL: choose a code where there is one")
    }
    var request = isTest ? wanted : try await described(wanted, settings)
    let question = WayChoice.Question(settings, for: request)
    if !isTest, choice(settings, question).ways.first == .device {
      return try await deviceToken(for: request, settings)
    }
    let route = try await route(settings, question, titled: request.provider.name)
    let session = LoginSession(agent: route.agent, try await means(settings))
    request.redirectURI = route.redirectURI
    return try await session.token(for: request)
  }

  private func renewedToken(for request: LoginRequest, _ settings: Settings) async throws(Failure) -> Token {
    guard let old = settings.refreshToken ?? settings.token?.refreshToken else {
      throw .caller(.invalidConfiguration("the token cannot be renewed: it came without a refresh token"))
    }
    try OutputFormat(settings).checkBinding(
      request.provider.bindsTokens || settings.token?.isBound == true)
    let session = RefreshSession(try await means(settings))
    return try await session.token(
      for: old, of: request, claims: settings.token?.claims, boundTo: settings.token?.proofKey,
      repeating: settings.token.map(request.repeated(from:)) ?? [])
  }
}
