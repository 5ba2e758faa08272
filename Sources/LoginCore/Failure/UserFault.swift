/// The user did not sign in.
public enum UserFault: Sendable, Equatable {
  /// Somebody or something ended the login.
  case cancelled(Cancellation)
  /// Somebody would have to sign in at this page, and nobody may be asked.
  case loginRequired(page: String)
  /// Another program is at the account, with a refresh or a login.
  case alreadyInProgress(account: String)
  /// An account needs somebody to sign in, and nobody may be asked.
  case signInForbidden(account: String)
  /// An account needs somebody to sign in, who has turned that away and is not asked for so many seconds more.
  case signInPaused(account: String, seconds: Int64)

  /// What ended a login.
  public enum Cancellation: Sendable, Equatable {
    /// The user has closed the window or the terminal.
    case windowClosed, terminalClosed
    /// Nothing more can be read where the answer was to be.
    case inputEnded
    /// The task was cancelled.
    case task
  }
}
