/// Gets a token from a kept account: the kept one, else a refreshed one; whether anybody signs in is the caller's to
/// decide.
public struct AccountSession: Sendable {
  private let store: any CredentialStore
  private let refresh: RefreshSession
  private let clock: any WallClock

  /// What an account comes to.
  public enum Outcome: Sendable {
    /// The account as it is kept now, with a token that may be used.
    case ready(Account)
    /// Somebody has to sign in: there is nothing to refresh with, or the provider refuses it for good.
    case needsLogin(Account)
  }

  /// A session that uses these ways to the world.
  public init(
    store: any CredentialStore, transport: any HTTPTransport, cryptography: any Cryptography,
    clock: any WallClock
  ) {
    self.store = store
    refresh = RefreshSession(transport: transport, cryptography: cryptography, clock: clock)
    self.clock = clock
  }

  /// A token that is good for at least `seconds`, or one that has just been refreshed.
  ///
  /// One that is good is found without waiting for anybody. Otherwise the account is locked and looked at again,
  /// since another program may have refreshed it meanwhile.
  public func token(of name: AccountName, forAtLeast seconds: Int64) async throws(Failure) -> Outcome {
    let found = try await store.load(name)
    switch found.freshness(at: clock.now(), forAtLeast: seconds) {
    case .good: return .ready(found)
    case .needsLogin: return .needsLogin(found)
    case .needsRefresh: break
    }
    let lock = try await store.lock(name)
    defer { withExtendedLifetime(lock) {} }
    let account = try await store.load(name)
    switch account.freshness(at: clock.now(), forAtLeast: seconds) {
    case .good: return .ready(account)
    case .needsLogin: return .needsLogin(account)
    case .needsRefresh: return try await refreshed(account)
    }
  }

  /// The new token is kept before it is looked into and handed out: the old refresh token may be dead already.
  private func refreshed(_ account: Account) async throws(Failure) -> Outcome {
    guard let old = account.refreshToken else { return .needsLogin(account) }
    let answer: Token
    do throws(Failure) {
      answer = try await refresh.token(
        for: old, of: account.login, claims: account.token.claims, boundTo: account.token.proofKey,
        repeating: account.login.repeated(from: account.token)
      ) { token async throws(Failure) in
        try await store.save(account.renewed(with: token, receivedAt: clock.now()))
      }
    } catch {
      if error.needsUser { return .needsLogin(account) }
      throw error
    }
    let renewed = account.renewed(with: answer, receivedAt: clock.now())
    if answer.claims != nil { try await store.save(renewed) }
    return .ready(renewed)
  }
}

extension Failure {
  /// Whether a refresh has failed for good, so that only somebody who signs in can help. Whatever else a provider
  /// says may be better the next time, or is wrong with the client and not with the user.
  fileprivate var needsUser: Bool {
    guard case .provider(let error) = self else { return false }
    return Self.codesForUser.contains { $0.isIdentical(to: error.code) }
  }

  /// RFC 6749 section 5.2, GitHub's own word for the same, and the two of OpenID Connect Core section 3.1.2.6 that
  /// Microsoft sends from its token endpoint.
  private static let codesForUser = [
    "invalid_grant", "bad_refresh_token", "interaction_required", "login_required",
  ]
}
