import LoginCore

extension CommandRun {
  /// `tokentry token`: the token of a kept account, refreshed if it does not last, and after a new login if that is
  /// the only way.
  func token(_ settings: Settings) async throws(Failure) -> String {
    guard let name = try accountName(settings) else {
      throw .caller(.invalidOption("token needs \(Option.account.flag)"))
    }
    let account = try await account(name, in: try credentialStore(settings), settings)
    return try OutputFormat(settings).text(
      of: account.token, at: SystemClock().now(), user: account.login.loginHint)
  }

  /// A kept account with a token that may be used, whatever has to be done for it.
  func account(
    _ name: AccountName, in store: any CredentialStore, _ settings: Settings
  ) async throws(Failure) -> Account {
    let signIn = signIn(settings, store)
    switch try await attempt(name, store, settings, signIn: settings.has(.silent) ? nil : signIn) {
    case .ready(let account): return account
    case .needsLogin(let kept):
      if needsUser(for: kept.login, settings) { throw .user(.signInForbidden(account: name.description)) }
    }
    // A login that asks nobody is none that --silent forbids.
    switch try await attempt(name, store, settings, signIn: signIn) {
    case .ready(let account): return account
    case .needsLogin: throw .user(.signInForbidden(account: name.description))
    }
  }

  private func attempt(
    _ name: AccountName, _ store: any CredentialStore, _ settings: Settings,
    signIn: (@Sendable (Account) async throws(Failure) -> Account)?
  ) async throws(Failure) -> AccountSession.Outcome {
    let session = AccountSession(
      store: store, try await means(settings), waits: !settings.has(.noWait), signIn: signIn)
    return try await session.token(
      of: name, forAtLeast: settings.minimumValidity, assumingUnexpired: settings.assumesUnexpired)
  }

  /// Gets an account a new token, from its user if it has one.
  private func signIn(
    _ settings: Settings, _ store: any CredentialStore
  ) -> @Sendable (Account) async throws(Failure) -> Account {
    { account async throws(Failure) -> Account in
      if needsUser(for: account.login, settings) { messages.info("the account needs somebody to sign in") }
      try await store.prepare()
      var settings = settings
      settings.accountSession = account.session
      let (login, token) = try await newLogin(for: account.newLogin, settings)
      var account = account.loggedIn(by: login, with: token, receivedAt: SystemClock().now())
      account.session = settings[.session] ?? account.session
      return account
    }
  }

  /// Whether somebody has to do something for a new token: a password that was not given is not made up.
  private nonisolated func needsUser(for login: LoginRequest, _ settings: Settings) -> Bool {
    login.grant.asksUser || login.grant == .password && settings.password == nil
  }
}

extension Settings {
  /// For how many seconds a token has to be good; the default covers a request that it is wanted for.
  var minimumValidity: Int64 { self[.minValid].flatMap { Int64($0) } ?? 60 }
}
