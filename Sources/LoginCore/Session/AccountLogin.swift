/// A login that becomes an account: one at a time for each account, whoever asks for it.
///
/// Somebody wants this login and no other, so it waits for its own turn and is not kept away by earlier refusals; but
/// those who want no more than a token, and come while it lasts, get this one or this error.
public struct AccountLogin: Sendable {
  private let store: any CredentialStore
  private let clock: any WallClock
  private let waits: Bool
  private let words: @Sendable (Failure) -> JSONObject

  /// A login that waits until no other program is at the account, or ends at once if one is. `words` are what others
  /// are told of a failure that is theirs as well.
  public init(
    store: any CredentialStore, clock: any WallClock, waits: Bool = true,
    words: @escaping @Sendable (Failure) -> JSONObject
  ) {
    self.store = store
    self.clock = clock
    self.waits = waits
    self.words = words
  }

  /// Keeps the account that `signIn` makes, in place of another of its name.
  public func account(
    _ name: AccountName, signIn: @Sendable () async throws(Failure) -> Account
  ) async throws(Failure) -> Account {
    guard case .mine(let turn) = try await store.turn(at: name, waiting: waits ? .forTurn : .no) else {
      throw .defect(.here())
    }
    return try await AccountAttempt.made(on: turn, words) { (attempt) async throws(Failure) in
      attempt.log.forgetRefusals()
      let account = try await attempt.signingIn(at: clock, signIn)
      try await store.save(account)
      return account
    }
  }
}

/// What one attempt finds out, for those who wait for it.
struct AccountAttempt {
  var log: AttemptLog
  /// Whether somebody has to sign in, whoever is going to ask.
  var needsLogin: Bool
  let words: (Failure) -> JSONObject

  /// Makes an attempt, and tells those who wait what it comes to.
  static func made(
    on turn: any AccountTurn, _ words: @escaping (Failure) -> JSONObject,
    _ body: (inout AccountAttempt) async throws(Failure) -> Account
  ) async throws(Failure) -> Account {
    defer { withExtendedLifetime(turn) {} }
    var attempt = AccountAttempt(log: turn.log, needsLogin: turn.needsLogin, words: words)
    do throws(Failure) {
      let account = try await body(&attempt)
      attempt.tell(.token, on: turn)
      return account
    } catch {
      attempt.tell(error, on: turn)
      throw error
    }
  }

  /// Signs somebody in, and remembers it if that is turned away.
  mutating func signingIn<Value>(
    at clock: any WallClock, _ signIn: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    needsLogin = true
    do throws(Failure) {
      let value = try await signIn()
      log.forgetRefusals()
      return value
    } catch {
      if error.isRefusal { log.refuse(at: clock.now()) }
      throw error
    }
  }

  private mutating func tell(_ outcome: AttemptOutcome, on turn: any AccountTurn) {
    log.end(outcome)
    turn.tell(log)
  }

  /// One that was ended from outside has found out nothing: then the next one goes on.
  private mutating func tell(_ failure: Failure, on turn: any AccountTurn) {
    guard !Task.isCancelled else { return }
    guard let outcome = AttemptOutcome(failure, told: words) ?? (needsLogin ? .needsLogin : nil) else {
      return
    }
    tell(outcome, on: turn)
  }
}

extension Failure {
  /// Whether the user has turned a login away: here, or at the provider.
  fileprivate var isRefusal: Bool {
    switch self {
    case .user(.cancelled): true
    case .provider(let error): error.code.isIdentical(to: "access_denied")
    default: false
    }
  }
}
