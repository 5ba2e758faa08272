/// Signs in and keeps the result as an account, one login at a time for each account.
///
/// This is for a user who wants to sign in now: the login waits for its own turn, and earlier refusals do not hold it up.
/// Use ``AccountSession`` for a program that only wants a token. A session that starts while the login lasts gets this
/// token or this failure.
package struct AccountLogin: Sendable {
  private let store: any CredentialStore
  private let clock: any WallClock
  private let waits: Bool
  private let report: @Sendable (Failure) -> JSONObject

  /// Creates a login that waits until no other program is at the account or, if `waits` is false, fails at once if one is.
  /// `report` returns the report of a failure to the programs that wait for the same account.
  package init(
    store: any CredentialStore, clock: any WallClock, waits: Bool = true,
    report: @escaping @Sendable (Failure) -> JSONObject = { $0.report }
  ) {
    self.store = store
    self.clock = clock
    self.waits = waits
    self.report = report
  }

  /// Saves the account that `signIn` returns, in place of another of its name. Refuses another user's.
  package func account(
    _ name: AccountName, signIn: @Sendable () async throws(Failure) -> Account
  ) async throws(Failure) -> Account {
    guard case .mine(let lock) = try await store.attempts.attempt(at: name, waiting: waits ? .forTurn : .no)
    else { throw .defect() }
    return try await AccountAttempt.made(with: lock, report) { (attempt) async throws(Failure) in
      attempt.log.forgetRefusals()
      let account = try await attempt.signingIn(at: clock) { () async throws(Failure) in
        let account = try await signIn()
        // An account that cannot be read is replaced.
        if account.token.claims != nil, let kept = try? await store.find(name) {
          try kept.checkUser(of: account)
        }
        return account
      }
      try await store.save(account)
      return account
    }
  }
}

/// An attempt of this program to get a token, whose result the waiting programs learn.
struct AccountAttempt {
  var log: AttemptLog
  /// True once it is known that the user must sign in, here or in another program.
  var needsLogin: Bool
  let report: (Failure) -> JSONObject

  /// Makes an attempt, and passes its result on to the waiting programs.
  static func made(
    with lock: any AttemptLock, _ report: @escaping (Failure) -> JSONObject,
    _ body: (inout AccountAttempt) async throws(Failure) -> Account
  ) async throws(Failure) -> Account {
    defer { withExtendedLifetime(lock) {} }
    var attempt = AccountAttempt(log: lock.log, needsLogin: lock.needsLogin, report: report)
    do throws(Failure) {
      let account = try await body(&attempt)
      await attempt.end(.token, with: lock)
      return account
    } catch {
      await attempt.end(error, with: lock)
      throw error
    }
  }

  /// Has the user sign in, and notes if they refuse.
  mutating func signingIn<Value>(
    at clock: any WallClock, _ signIn: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    needsLogin = true
    do throws(Failure) {
      let value = try await signIn()
      log.forgetRefusals()
      return value
    } catch {
      if error.isUsersRefusal { log.refuse(at: clock.now()) }
      throw error
    }
  }

  private mutating func end(_ outcome: AttemptOutcome, with lock: any AttemptLock) async {
    log.end(outcome)
    await lock.tell(log)
  }

  /// An attempt that was cancelled from outside has no result. One of the waiting programs then makes the next attempt.
  private mutating func end(_ failure: Failure, with lock: any AttemptLock) async {
    guard !Task.isCancelled else { return }
    let outcome = AttemptOutcome(failure, report: report) ?? (needsLogin ? .needsLogin : nil)
    if let outcome { await end(outcome, with: lock) }
  }
}

extension Account {
  /// Refuses a new login of another user: programs that use the account must not work for that user without a word. The
  /// user is known by verified id_tokens alone. A `sub` says nothing about users of another issuer.
  func checkUser(of new: Account) throws(Failure) {
    guard let (old, new) = token.claims.flatMap({ old in new.token.claims.map { (old, $0) } }),
      let (before, now) = old["sub"]?.string.flatMap({ old in new["sub"]?.string.map { (old, $0) } }),
      old["iss"] == new["iss"], !before.isIdentical(to: now)
    else { return }
    throw .otherUser(of: name, token.userName ?? before, Token.userName(in: new) ?? now)
  }
}

extension Token {
  /// The user's name for people, if the verified id_token gives one.
  package var userName: String? { claims.flatMap(Self.userName) }

  fileprivate static func userName(in claims: JSONObject) -> String? {
    ["preferred_username", "email", "name"].lazy.compactMap { claims[$0]?.string }.first {
      !$0.isEmpty
    }
  }
}

extension Failure {
  /// True if the user has refused to sign in, here or at the provider, or is not the account's user.
  fileprivate var isUsersRefusal: Bool {
    code == .accessDenied || kind == .givenUp || code == .otherUser
  }

  /// The account is `user`'s, and another one has signed in.
  fileprivate static func otherUser(of account: AccountName, _ user: String, _ other: String) -> Failure {
    Failure(
      .otherUser,
      "the account \"\(account)\" is that of \(user, upTo: 100), but \(other, upTo: 100) has signed in",
      hint: "choose another name, or sign out of that account first")
  }
}
