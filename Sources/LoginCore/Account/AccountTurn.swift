/// What waiting for a turn at an account comes to.
public enum Turn: Sendable {
  /// The caller has the account to itself.
  case mine(any AccountTurn)
  /// Another program had it, and this is how that has ended.
  case theirs(AttemptOutcome)
}

/// A lock on an account, from which others learn how the attempt ends. Where they learn nothing, because the program
/// was killed, one of them makes the next attempt.
public protocol AccountTurn: StoreLock {
  /// What is known of attempts, this one included.
  var log: AttemptLog { get }
  /// Whether an attempt that this one has waited for has found out that only a login can help.
  var needsLogin: Bool { get }
  /// Tells others what has become of the attempt. What cannot be told they find out for themselves.
  func tell(_ log: AttemptLog)
}

/// How a program waits for its turn at an account.
public enum TurnWait: Sendable {
  /// Not at all: if another program is at the account that is an error.
  case no
  /// Until nobody else is at the account.
  case forTurn
  /// Until another program has come to an end that is this one's as well; a login may be asked of those who can ask.
  case forOutcome(maySignIn: Bool)

  /// Whether the end of another program's attempt is this one's as well.
  public func takes(_ outcome: AttemptOutcome) -> Bool {
    switch (self, outcome) {
    case (.no, _), (.forTurn, _): false
    case (.forOutcome(let maySignIn), .needsLogin): !maySignIn
    case (.forOutcome, _): true
    }
  }
}
