import LoginWays

/// What the browser shows when it has brought something back to this machine, and waited a moment for what comes of it.
package enum EndPageText: CaseIterable, Sendable {
  /// What comes of it is not known, or nobody's business here.
  case answered
  /// There is a token.
  case signedIn
  /// There is none, although the provider has let the user in.
  case failed
  /// The user has said no.
  case denied
  /// The provider has refused.
  case refused
  /// It is no answer to the login that waits.
  case notAwaited
  /// It is an answer, at another address than the one that was agreed.
  case elsewhere

  /// The page for an answer with this error, or without one.
  package init(error: String?) {
    self = error.map { $0 == "access_denied" ? .denied : .refused } ?? .answered
  }

  package var title: Sentence {
    switch self {
    case .answered: "Almost done"
    case .signedIn: "You are signed in"
    case .failed: "Signing in did not work"
    case .denied: "You said no"
    case .refused: "You are not signed in"
    case .notAwaited: "This page belongs to no sign-in"
    case .elsewhere: FailureText.wrongAddress.title
    }
  }

  /// What it says of the application, by the name that it gives itself.
  package func sentence(for requester: Requester?) -> Sentence {
    let who: Sentence = (requester?.application).map(Sentence.init(verbatim:)) ?? "the application"
    return switch self {
    case .answered: "Your answer has arrived, and \(who) goes on from here. You can close this tab."
    case .signedIn: "You can close this tab; \(who) goes on from here."
    case .failed:
      "The provider let you in, but something went wrong after that. You can close this tab; \(who) has been told."
    case .denied: "Nothing was granted to \(who), which has been told. You can close this tab."
    case .refused: "The provider did not let you in. You can close this tab; \(who) has been told."
    case .notAwaited: "The sign-in goes on in the tab in which it began. You can close this one."
    case .elsewhere: FailureText.wrongAddress.sentence
    }
  }
}
