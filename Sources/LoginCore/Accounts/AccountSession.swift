/// Gets a token from a kept account: the kept one, or else a refreshed one, or else one from a login, if the user may be
/// asked.
///
/// However many programs ask at once, only one of them refreshes or asks the user. The others get its result.
public struct AccountSession: Sendable {
  private let store: any CredentialStore
  private let refresh: RefreshSession
  private let clock: any WallClock
  private let cryptography: any Cryptography
  private let waits: Bool
  private let report: @Sendable (Failure) -> JSONObject
  private let assumesUnexpired: @Sendable (Account) -> Bool
  private let mayLogIn: @Sendable (LoginRequest) -> Bool
  private let signIn: (@Sendable (Account) async throws(Failure) -> Account)?
  /// Returns an account with the token of a first login, if no account of the name exists yet. Without it, an unknown name
  /// is a failure.
  package var make: (@Sendable () async throws(Failure) -> Account)?
  /// True if the id_token has to be good, too.
  package var needsIdentity = false

  /// Creates a session. `signIn` returns the account with the token of a new login; without it, the user is never asked.
  public init(
    store: any CredentialStore, _ dependencies: Dependencies,
    signIn: (@Sendable (Account) async throws(Failure) -> Account)? = nil
  ) {
    self.init(store: store, dependencies, waits: true, signIn: signIn)
  }

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - waits: False makes the session fail at once if another program is at the account.
  ///   - report: Returns the report of a failure to the programs that wait for the same account.
  ///   - assumesUnexpired: Returns true if a token of the account without an expiry date is good for ever.
  ///   - mayLogIn: Returns true for a request for which `signIn` may be called, such as one that needs no user.
  ///   - signIn: Returns the account with the token of a new login.
  package init(
    store: any CredentialStore, _ dependencies: Dependencies, waits: Bool,
    report: @escaping @Sendable (Failure) -> JSONObject = { $0.report },
    assumesUnexpired: @escaping @Sendable (Account) -> Bool = { _ in true },
    mayLogIn: @escaping @Sendable (LoginRequest) -> Bool = { _ in true },
    signIn: (@Sendable (Account) async throws(Failure) -> Account)? = nil
  ) {
    self.store = store
    refresh = RefreshSession(dependencies)
    (clock, cryptography) = (dependencies.clock, dependencies.cryptography)
    self.waits = waits
    self.report = report
    self.assumesUnexpired = assumesUnexpired
    self.mayLogIn = mayLogIn
    self.signIn = signIn
  }

  /// Returns the account with a token that is good for at least `seconds`, or one that was just refreshed. Fails with
  /// ``Failure/Code/loginRequired`` if only the user can help and may not be asked.
  ///
  /// A good token is returned without waiting. Otherwise one program at a time is at the account, and looks at it again,
  /// because another one may have been there meanwhile.
  public func token(of name: AccountName, forAtLeast seconds: Int64) async throws(Failure) -> Account {
    try await token(of: name, try await kept(name), forAtLeast: seconds)
  }

  /// Does the same for an account that was just loaded.
  package func token(of found: Account, forAtLeast seconds: Int64) async throws(Failure) -> Account {
    try await token(of: found.name, found, forAtLeast: seconds)
  }

  private func token(
    of name: AccountName, _ found: Account?, forAtLeast seconds: Int64
  ) async throws(Failure) -> Account {
    if let found, freshness(found, seconds) == .good { return found }
    let maySignIn = if let found { signIn != nil && mayLogIn(found.login) } else { make != nil }
    switch try await store.attempts.attempt(
      at: name, waiting: waits ? .forOutcome(maySignIn: maySignIn) : .no)
    {
    // A token that was just refreshed is good enough, even if its whole life is shorter than `seconds`. But the other
    // program may not have needed an id_token.
    case .theirs(.token):
      let account = try await store.load(name)
      return isIdentified(account) ? account : try await token(of: name, account, forAtLeast: seconds)
    case .theirs(.needsLogin): throw .signInForbidden(account: name.description)
    case .theirs(.failed(let report)): throw Failure(report: report) ?? .defect("malformed report")
    case .mine(let lock):
      return try await AccountAttempt.made(with: lock, report) { (attempt) async throws(Failure) in
        try await account(name, forAtLeast: seconds, &attempt)
      }
    }
  }

  /// Returns the account with the token of another login: an API has `refused` the kept token and demands more, or it no
  /// longer takes tokens of the account's server. If the account has another token by now, it is returned without a login.
  package func token(
    of name: AccountName, insteadOf refused: AccessToken, asking stepUp: StepUp? = nil
  ) async throws(Failure) -> Account {
    // This failure is not reported to the others, for whom the kept token may be enough.
    guard signIn != nil, mayLogIn(try await store.load(name).login) else {
      throw .signInForbidden(account: name.description)
    }
    guard case .mine(let lock) = try await store.attempts.attempt(at: name, waiting: waits ? .forTurn : .no)
    else { throw .defect() }
    return try await AccountAttempt.made(with: lock, report) { (attempt) async throws(Failure) in
      var account = try await store.load(name)
      guard account.token.accessToken == refused else { return account }
      attempt.log.reject(isDemand: stepUp != nil, at: clock.now())
      if let stepUp { account.login = account.login.asking(stepUp) }
      return try await newlyKept(account, &attempt, isDemanded: true)
    }
  }

  /// Tells what the account needs for this session.
  private func freshness(_ account: Account, _ seconds: Int64) -> Freshness {
    account.freshness(
      at: clock.now(), forAtLeast: seconds, withIdentity: needsIdentity,
      assumingUnexpired: assumesUnexpired(account))
  }

  private func isIdentified(_ account: Account) -> Bool {
    !needsIdentity || account.isIdentified(at: clock.now(), forAtLeast: 1)
  }

  /// Returns nil if there is no account and one can be made.
  private func kept(_ name: AccountName) async throws(Failure) -> Account? {
    make == nil ? try await store.load(name) : try await store.find(name)
  }

  private func account(
    _ name: AccountName, forAtLeast seconds: Int64, _ attempt: inout AccountAttempt
  ) async throws(Failure) -> Account {
    let found = try await kept(name)
    guard var account = found else { return try await newlyKept(name, &attempt) { make } }
    switch freshness(account, seconds) {
    case .good: return account
    case .needsLogin: break
    case .needsRefresh where attempt.needsLogin: break
    case .needsRefresh:
      if let renewed = try await refreshed(account, &attempt) {
        if isIdentified(renewed) { return renewed }
        // The refresh brought no id_token, and a login will.
        account = renewed
      }
    }
    return try await newlyKept(account, &attempt)
  }

  private func newlyKept(
    _ account: Account, _ attempt: inout AccountAttempt, isDemanded: Bool = false
  ) async throws(Failure) -> Account {
    try await newlyKept(account.name, &attempt, isDemanded: isDemanded) {
      guard let signIn, mayLogIn(account.login) else { return nil }
      return { () async throws(Failure) in
        let new = try await signIn(account)
        try account.checkUser(of: new)
        return new
      }
    }
  }

  /// Logs in and saves the account, unless there is no login, or the user or an API has refused one just now.
  private func newlyKept(
    _ name: AccountName, _ attempt: inout AccountAttempt, isDemanded: Bool = false,
    _ login: () -> (@Sendable () async throws(Failure) -> Account)?
  ) async throws(Failure) -> Account {
    guard let login = login() else { throw .signInForbidden(account: name.description) }
    if let pause = attempt.log.pause(at: clock.now()) {
      throw .signInPaused(account: name.description, seconds: pause)
    }
    if let pause = attempt.log.rejections?.pause(at: clock.now()) {
      throw .signInInVain(account: name.description, seconds: pause)
    }
    let account = try await attempt.signingIn(at: clock, login)
    if account.login.grant.asksUser { attempt.log.beginTrial(isDemanded: isDemanded) }
    try await store.save(account)
    return account
  }

  /// Returns nil if only the user can help. The new refresh token is saved before the answer is verified, because the old
  /// one may be dead already. One that the provider has refused is not sent again for a while.
  private func refreshed(
    _ account: Account, _ attempt: inout AccountAttempt
  ) async throws(Failure) -> Account? {
    guard let old = account.refreshToken else { return nil }
    if let refused = attempt.log.refusedRefresh,
      let pause = refused.pause(for: try old.digest(by: cryptography), at: clock.now())
    {
      guard let report = refused.report else { return nil }
      throw .refreshPaused(report, seconds: pause)
    }
    let space = try await store.reserved(for: account)
    defer { withExtendedLifetime(space) {} }
    @Sendable func renewed(by token: Token) -> Account {
      account.renewed(with: token, receivedAt: clock.now())
    }
    let answer: Token
    do throws(Failure) {
      answer = try await refresh.token(
        for: old, of: account.login, claims: account.token.claims, boundTo: account.token.proofKey,
        type: account.token.type, repeating: account.token.repeatedParameters(for: account.login),
        rescue: { new async throws(Failure) in try await store.save(account.refreshable(with: new)) },
        keep: { token async throws(Failure) in try await store.save(renewed(by: token)) })
    } catch {
      let needsUser = error.needsUser(of: account.login.provider)
      let delay = error.details["retry_after"]?.truncated
      if needsUser || delay != nil {
        attempt.log.refuseRefresh(
          of: try old.digest(by: cryptography), retryAfter: delay, report: needsUser ? nil : report(error),
          at: clock.now())
      }
      if needsUser { return nil }
      guard account.hasRegisteredClient, error.isUnknownClient else { throw error.refusing(account.name) }
      // Another client cannot use the refresh token, so the user must sign in.
      try await store.forgetClient(of: account.login)
      return nil
    }
    attempt.log.refusedRefresh = nil
    return renewed(by: answer)
  }
}

extension RefreshToken {
  /// A digest from which the token cannot be found.
  fileprivate func digest(by cryptography: any Cryptography) throws(Failure) -> String {
    Base64.encodeURLSafe(try cryptography.digest(.sha256, of: Array(revealed().utf8)))
  }
}

extension Failure {
  /// True if a refresh has failed for good, so that only the user can help. Other refusals may pass, or are about the
  /// client and not about the user.
  fileprivate func needsUser(of provider: Provider) -> Bool {
    // glewlwyd refuses without a reason. The account stays as it is, so a login is all that this can cost.
    if kind == .refusedWithoutReason { return true }
    let codes = Self.codesForUser + provider.refreshRefusals
    return code.isProvidersOwn && codes.contains(where: code.description.isIdentical)
  }

  /// Returns the failure of a refresh with a way out, if the provider's answer is the reason: another login.
  fileprivate func refusing(_ name: AccountName) -> Failure {
    let isRefusal = origin == .provider && !isRetryable && code != .badResponse
    return isRefusal && hint == nil ? with(hint: .signInAgain(account: name.description)) : self
  }

  /// The code of RFC 6749 section 5.2, GitHub's own code for the same, and two codes of OpenID Connect Core section 3.1.2.6
  /// that Microsoft sends from its token endpoint.
  private static let codesForUser = [
    "invalid_grant", "bad_refresh_token", "interaction_required", "login_required",
  ]
}

extension Failure.Kind {
  /// ``Failure/signInForbidden(account:)``
  public static let signInForbidden = Self(rawValue: "sign_in_forbidden")
}

/// The user is needed, or another program is at the account.
extension Failure {
  /// The user must sign in, and this program may not ask.
  package static func signInForbidden(account: String) -> Failure {
    Failure(
      .loginRequired, "the account \(account) needs a new sign-in, but the user may not be asked",
      kind: .signInForbidden, hint: .signInAgain(account: account))
  }

  /// The user must sign in, but has just refused to do so. The next question is possible after `seconds`.
  package static func signInPaused(account: String, seconds: Int64) -> Failure {
    Failure(
      .loginRequired,
      "the last login to the account \(account) was refused; the user is not asked again for \(seconds) s",
      hint: .signInNow(account: account), details: ["retry_after": .number(JSONNumber(seconds))])
  }

  /// The user must sign in, but an API has just refused the token of the last login. The next login is possible after
  /// `seconds`.
  package static func signInInVain(account: String, seconds: Int64) -> Failure {
    Failure(
      .loginRequired,
      """
      the API refused the token of the last login to the account \(account); \
      the user is not asked again for \(seconds) s
      """,
      hint: .signInNow(account: account), details: ["retry_after": .number(JSONNumber(seconds))])
  }

  /// The provider has refused a refresh, and wants no other one for `seconds`. `report` is that of the refusal.
  fileprivate static func refreshPaused(_ report: JSONObject, seconds: Int64) -> Failure {
    guard let refusal = Failure(report: report) else { return .defect("malformed report") }
    return Failure(
      refusal.code,
      "the provider wants no request for another \(seconds) s; its last answer was: \(refusal.message)",
      hint: refusal.hint, origin: refusal.origin,
      details: ["retry_after": .number(JSONNumber(seconds))], isRetryable: refusal.isRetryable)
  }

  /// Another program refreshes the token or signs in, and this one does not wait.
  package static func alreadyInProgress(account: String) -> Failure {
    Failure(
      .alreadyInProgress, "another program or task is refreshing or signing in to the account \(account)"
    )
  }
}
