import LoginCore
import WindowProtocol

/// The text of the page that ends a login in the browser, shown once the outcome is known or after a moment.
package enum EndPageText: CaseIterable, Sendable {
  /// The outcome is unknown, or is only for the caller.
  case answered
  case signedIn
  /// The provider let the user in, but there is no token.
  case failed
  case denied
  /// The provider refused.
  case refused
  /// It is not the answer to the waiting login.
  case notAwaited
  /// The answer came to an address that is not the redirect URI.
  case elsewhere
  /// The answer came from a browser of another user.
  case otherUser

  /// Follows a reason that passes.
  package static let tryLater: Message = "Try again in a few minutes."

  /// `error` is the `error` parameter of the answer.
  package init(error: String?) {
    self = error.map { $0 == "access_denied" ? .denied : .refused } ?? .answered
  }

  package func title(for requester: Requester?) -> Message {
    switch self {
    case .answered: "Almost done"
    case .signedIn: "You are signed in"
    case .failed: "Sign-in failed"
    case .denied: "Access denied"
    case .refused: "You are not signed in"
    case .notAwaited: "This isn't the sign-in tab"
    case .elsewhere: FailureText.wrongAddress(for: requester).title
    case .otherUser: "This sign-in belongs to another user"
    }
  }

  /// Names the application as it names itself, or as the system knows it.
  package func sentence(for requester: Requester?) -> Message {
    let application = requester?.name
    let goingBack: Message =
      application.map { "You can close this tab and return to \($0)." }
      ?? "You can close this tab and return to the application."
    return switch self {
    case .answered: "Your answer has arrived. \(goingBack)"
    case .signedIn: goingBack
    case .failed: "The provider signed you in, but something went wrong afterwards. \(goingBack)"
    case .denied:
      application.map { "You didn't give \($0) access. You can close this tab." }
        ?? "You didn't give the application access. You can close this tab."
    case .refused: "The provider refused the sign-in. \(goingBack)"
    case .notAwaited: "Go back to the tab where you started. You can close this one."
    case .elsewhere: FailureText.wrongAddress(for: requester).sentence
    case .otherUser:
      "It began in another user's account on this computer, so it doesn't take answers from this browser. Sign in with a browser of that account, or paste this page's address where the sign-in began."
    }
  }
}
