import LoginCore

extension CommandRun {
  /// `tokentry token`: the token of a kept account, refreshed if it does not last, and after a new login if that is
  /// the only way.
  func token(_ settings: Settings) async throws(Failure) -> String {
    guard let name = try accountName(settings) else {
      throw .caller(.invalidOption("token needs \(Option.account.flag)"))
    }
    let store = try credentialStore(settings)
    let clock = SystemClock()
    let session = AccountSession(store: store, transport: try await transport(settings), clock: clock)
    let token: Token
    switch try await session.token(of: name, forAtLeast: settings.minimumValidity) {
    case .token(let kept): token = kept
    case .needsLogin(let account):
      if settings.has(.silent) { throw .user(.signInForbidden(account: name.description)) }
      messages.info("the account needs somebody to sign in")
      try await store.prepare()
      token = try await self.token(for: account.login, settings)
      let renewed = Account(
        name, provider: account.provider, login: account.login, token: token, receivedAt: clock.now(),
        session: account.session)
      try await keep(renewed, in: store)
    }
    return try OutputFormat(settings).text(of: token, at: clock.now(), user: nil)
  }
}

extension Settings {
  /// For how many seconds a token has to be good; the default covers a request that it is wanted for.
  fileprivate var minimumValidity: Int64 { self[.minValid].flatMap { Int64($0) } ?? 60 }
}
