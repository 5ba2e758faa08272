import GnuTLSCrypto
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
    let clock = SystemClock()
    let session = AccountSession(
      store: store, transport: try await transport(settings), cryptography: GnuTLSCryptography(), clock: clock
    )
    switch try await session.token(of: name, forAtLeast: settings.minimumValidity) {
    case .ready(let kept): return kept
    case .needsLogin(let kept):
      if needsUser(for: kept.login, settings) {
        if settings.has(.silent) { throw .user(.signInForbidden(account: name.description)) }
        messages.info("the account needs somebody to sign in")
      }
      try await store.prepare()
      let token = try await newToken(for: kept.login, settings)
      let account = kept.loggedIn(with: token, receivedAt: clock.now())
      try await keep(account, in: store)
      return account
    }
  }

  /// Whether somebody has to do something for a new token: a password that was not given is not made up.
  private func needsUser(for login: LoginRequest, _ settings: Settings) -> Bool {
    login.grant.asksUser || login.grant == .password && settings.password == nil
  }
}

extension Settings {
  /// For how many seconds a token has to be good; the default covers a request that it is wanted for.
  fileprivate var minimumValidity: Int64 { self[.minValid].flatMap { Int64($0) } ?? 60 }
}
