/// What the browser shows when it has brought something back to this machine.
package enum EndPageText: CaseIterable, Sendable {
  case answered
  /// The provider has refused, or the user has.
  case refused
  /// It is no answer to the login that waits.
  case notAwaited
  /// It is an answer, at another address than the one that was agreed.
  case elsewhere

  package var title: String {
    switch self {
    case .answered: "That is all here"
    case .refused: "You are not signed in"
    case .notAwaited: "This is not what was waited for"
    case .elsewhere: FailureText.wrongAddress.title
    }
  }

  package var sentence: String {
    switch self {
    case .answered:
      "The provider's answer has arrived. You can close this tab and go back to the application."
    case .refused: "The provider did not let you in. You can close this tab; the application knows."
    case .elsewhere: FailureText.wrongAddress.sentence
    case .notAwaited: "The sign-in goes on in the tab in which it began. You can close this one."
    }
  }
}
