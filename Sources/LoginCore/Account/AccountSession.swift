/// Gets a token from a kept account: the kept one, else a refreshed one, else one of a login, if somebody may be asked.
///
/// However many programs ask at once, one of them refreshes or asks somebody, and the others get what it gets.
public struct AccountSession: Sendable {
  private let store: any CredentialStore
  private let refresh: RefreshSession
  private let clock: any WallClock
  private let waits: Bool
  private let signIn: (@Sendable (Account) async throws(Failure) -> Account)?

  /// What an account comes to.
  public enum Outcome: Sendable {
    /// The account as it is kept now, with a token that may be used.
    case ready(Account)
    /// Somebody has to sign in and nobody may be asked: there is nothing to refresh with, or the provider refuses it
    /// for good.
    case needsLogin(Account)
  }

  /// A session by these means. Without `signIn`, which returns the account with a new token, nobody is asked to sign in;
  /// one that does not wait ends at once where another program is at the account.
  public init(
    store: any CredentialStore, _ means: Means, waits: Bool = true,
    signIn: (@Sendable (Account) async throws(Failure) -> Account)? = nil
  ) {
    self.store = store
    refresh = RefreshSession(means)
    clock = means.clock
    self.waits = waits
    self.signIn = signIn
  }

  /// A token that is good for at least `seconds`, or one that has just been refreshed.
  ///
  /// One that is good is found without waiting for anybody. Otherwise one program at a time is at the account, and
  /// looks at it again, since another one may have been there meanwhile.
  public func token(
    of name: AccountName, forAtLeast seconds: Int64, assumingUnexpired: Bool? = nil
  ) async throws(Failure) -> Outcome {
    func freshness(_ account: Account) -> Freshness {
      account.freshness(at: clock.now(), forAtLeast: seconds, assumingUnexpired: assumingUnexpired)
    }
    let found = try await store.load(name)
    if freshness(found) == .good { return .ready(found) }
    let turn = try await store.turn(
      at: name, waiting: waits ? .forOutcome(maySignIn: signIn != nil) : .no)
    switch turn {
    // What has just been refreshed is handed out even if its whole life is shorter.
    case .theirs(.token): return .ready(try await store.load(name))
    case .theirs(.needsLogin): return .needsLogin(found)
    case .theirs(.failed(let record)): throw .repeated(record)
    case .mine(let turn): return try await outcome(on: turn, of: name, freshness)
    }
  }

  /// Tells those who wait what this attempt comes to.
  private func outcome(
    on turn: any AccountTurn, of name: AccountName, _ freshness: (Account) -> Freshness
  ) async throws(Failure) -> Outcome {
    defer { withExtendedLifetime(turn) {} }
    var attempt = AccountAttempt(turn)
    do throws(Failure) {
      let outcome = try await outcome(of: name, freshness, &attempt)
      if case .ready = outcome { attempt.tell(.token, on: turn) } else { attempt.tell(.needsLogin, on: turn) }
      return outcome
    } catch {
      attempt.tell(error, on: turn)
      throw error
    }
  }

  private func outcome(
    of name: AccountName, _ freshness: (Account) -> Freshness, _ attempt: inout AccountAttempt
  ) async throws(Failure) -> Outcome {
    let account = try await store.load(name)
    switch freshness(account) {
    case .good: return .ready(account)
    case .needsLogin: break
    case .needsRefresh where attempt.needsLogin: break
    case .needsRefresh: if let renewed = try await refreshed(account) { return .ready(renewed) }
    }
    guard let signIn else { return .needsLogin(account) }
    if let pause = attempt.log.pause(at: clock.now()) {
      throw .user(.signInPaused(account: name.description, seconds: pause))
    }
    let renewed = try await attempt.signingIn(at: clock) { () async throws(Failure) -> Account in
      try await signIn(account)
    }
    try await store.save(renewed)
    return .ready(renewed)
  }

  /// The new token is kept before it is looked into and handed out: the old refresh token may be dead already.
  /// Nothing if only somebody who signs in can help.
  private func refreshed(_ account: Account) async throws(Failure) -> Account? {
    guard let old = account.refreshToken else { return nil }
    let answer: Token
    do throws(Failure) {
      answer = try await refresh.token(
        for: old, of: account.login, claims: account.token.claims, boundTo: account.token.proofKey,
        repeating: account.login.repeated(from: account.token)
      ) { token async throws(Failure) in
        try await store.save(account.renewed(with: token, receivedAt: clock.now()))
      }
    } catch {
      if error.needsUser(of: account.login.provider) { return nil }
      guard account.hasRegisteredClient, error.isUnknownClient else { throw error }
      // The refresh token is of no use to another client, so somebody has to sign in.
      try await store.forgetClient(of: account.login)
      return nil
    }
    let renewed = account.renewed(with: answer, receivedAt: clock.now())
    if answer.claims != nil { try await store.save(renewed) }
    return renewed
  }
}

extension Failure {
  /// Whether a refresh has failed for good, so that only somebody who signs in can help. Whatever else a provider
  /// says may be better the next time, or is wrong with the client and not with the user.
  fileprivate func needsUser(of provider: Provider) -> Bool {
    switch self {
    case .provider(let error):
      (Self.codesForUser + provider.refreshRefusals).contains { $0.isIdentical(to: error.code) }
    // Some say it without words (glewlwyd): the account stays as it is, so a login is all that this can cost.
    case .network(.refusedWithoutReason): true
    default: false
    }
  }

  /// RFC 6749 section 5.2, GitHub's own word for the same, and the two of OpenID Connect Core section 3.1.2.6 that
  /// Microsoft sends from its token endpoint.
  private static let codesForUser = [
    "invalid_grant", "bad_refresh_token", "interaction_required", "login_required",
  ]
}
