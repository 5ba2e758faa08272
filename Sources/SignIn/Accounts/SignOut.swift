import LoginCore
import Platform
import WindowProtocol

extension SignIn {
  /// The effects of a sign-out.
  package struct SignedOut: Sendable {
    /// The kinds of tokens that the provider has revoked.
    package fileprivate(set) var revoked: [String] = []
    /// True if the provider's session is over.
    package fileprivate(set) var isSessionOver = false
    /// The name of the session whose cookies are gone now, even if there were none.
    package fileprivate(set) var cookies: CookieJarName?
  }

  /// Ends the session and the tokens of an account at the provider, then forgets the account and its cookies.
  ///
  /// The provider comes first: while a token is good there, the account is kept, so that you can try again. The account is
  /// deleted last, because it knows its cookies.
  ///
  /// - Parameters:
  ///   - redirectURI: The address to which the page that ends the session comes back. Without it, the page is not opened.
  ///   - insists: True to forget the account even if the provider does not confirm.
  ///   - keepsAccount: True to keep the account and its cookies for the next sign-in, without tokens.
  ///   - waits: False to fail at once if another program or task is at the account.
  package func signOut(
    of name: AccountName, returningTo redirectURI: RedirectURI? = nil, insisting insists: Bool = false,
    keepingAccount keepsAccount: Bool = false, waits: Bool = true
  ) async throws(Failure) -> SignedOut {
    let store = try host.store
    var done = SignedOut()
    done.cookies = options.cookies
    var isReachable = false
    do throws(Failure) {
      let account = try await store.load(name)
      let options = options.with(account)
      done.cookies = options.cookies
      if let redirectURI, !options.isSilent {
        done.isSessionOver = try await SignIn(host, options).endSession(of: account, returningTo: redirectURI)
      }
      if account.login.provider.hasLogoutRequest { try await renew(name, waits: waits) }
      isReachable = true
    } catch {
      try ignore(error, if: insists)
    }
    let lock = try await store.lock(name, waits: waits)
    defer { withExtendedLifetime(lock) {} }
    let jar = try done.cookies.map { cookies throws(Failure) in
      try CookieJar.existing(cookies, under: host.environment.stateFolder)
    }
    if isReachable {
      do throws(Failure) {
        let account = try await store.load(name)
        let ended = try await LogoutSession(host.dependencies).end(account)
        let endsNothing = ended.revoked.isEmpty && !ended.isSessionOver
        if endsNothing, account.token.refreshToken != nil { host.tell(.refreshTokenStays) }
        (done.revoked, done.isSessionOver) = (ended.revoked, done.isSessionOver || ended.isSessionOver)
      } catch {
        try ignore(error, if: insists)
      }
    }
    if keepsAccount {
      try await store.save(try await store.load(name).signedOut(at: host.clock.now()))
      return done
    }
    try jar??.remove()
    try await store.delete(name)
    return done
  }

  /// Reduces a failure at the provider to a warning if the caller insists. Throws all other failures: the account cannot be
  /// deleted, or the user cancelled.
  private func ignore(_ failure: Failure, if insists: Bool) throws(Failure) {
    let isProviders =
      failure.kind != .givenUp
      && (failure.kind == .unreadableAccount
        || ![.unknownAccount, .storeLocked, .storeUnavailable].contains(failure.code))
    guard insists, isProviders else {
      throw isProviders && failure.hint == nil ? failure.with(hint: .forgetAccountAnyway) : failure
    }
    host.tell(.ignored(failure))
  }

  /// Refreshes a token that ends before the provider's own logout request could arrive. If only the user could get a new one,
  /// the session is over already.
  private func renew(_ name: AccountName, waits: Bool) async throws(Failure) {
    var demand = TokenDemand()
    (demand.validity, demand.maySignIn, demand.waits) = (10, false, waits)
    do throws(Failure) { _ = try await account(name, for: demand) } catch {
      if error.kind == .signInForbidden { return }
      throw error
    }
  }
}
