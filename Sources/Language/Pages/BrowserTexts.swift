import LoginCore
import WindowProtocol

/// The text of our page while the login goes on in a browser.
package struct HandoverText {
  package let title: Message = "Continue in your browser"
  package let sentence: Message
  /// Why the text pasted before was not accepted.
  package let problem: Message?
  package let help: Message
  /// The label of the field.
  package let placeholder: Message

  package init(_ question: PasteQuestion) {
    placeholder = question.acceptsCode ? "Code or address" : "Address of the last page"
    (problem, sentence) =
      switch question.problem {
      case nil, .noBrowser: (nil, Self.first(question))
      case .somethingElse:
        (
          """
          That isn't the right address. Copy the whole address from the browser.
          """, Self.again(question)
        )
      case .anotherLogin: ("That address belongs to a different sign-in.", Self.again(question))
      case .codeAlone:
        ("Paste the whole address, not just the code.", "Try again with the address of the last page:")
      }
    help =
      question.problem == .noBrowser
      ? "Couldn't open a browser. Copy the link into your browser."
      : "Nothing opened? Copy the link into your browser."
  }

  private static func first(_ question: PasteQuestion) -> Message {
    switch (question.comesBack, question.acceptsCode) {
    case (true, true):
      """
      Finish signing in there. Then this window closes. If it doesn't, paste the code or the address of the \
      last page:
      """
    case (true, false):
      "Finish signing in there. Then this window closes. If it doesn't, paste the address of the last page:"
    case (false, true):
      "After signing in there, paste the code or the address of the last page:"
    case (false, false): "After signing in there, paste the address of the last page:"
    }
  }

  /// After a text that was not accepted.
  private static func again(_ question: PasteQuestion) -> Message {
    question.acceptsCode
      ? "Try again with the code or the address of the last page:"
      : "Try again with the address of the last page:"
  }
}

/// The texts with which the user is asked for an answer at the terminal.
package enum PastePromptText {
  package static func question(acceptsCode: Bool) -> Message {
    acceptsCode
      ? "Paste the code or the address of the last page (input is hidden):"
      : "Paste the whole address of the last page (input is hidden):"
  }

  /// Why the pasted text is not accepted, or why the user is asked.
  package static func objection(_ problem: PasteQuestion.Problem) -> Message {
    switch problem {
    case .somethingElse: "that isn't the right address; copy the whole address from the browser"
    case .anotherLogin: "that address belongs to a different sign-in"
    case .codeAlone: "paste the whole address, not just the code"
    case .noBrowser: "no browser could be opened"
    }
  }
}

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
    case .notAwaited: "No sign-in is in progress"
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
    case .notAwaited: "The sign-in continues in the tab where it began. You can close this one."
    case .elsewhere: FailureText.wrongAddress(for: requester).sentence
    case .otherUser:
      "It began in another user's account on this computer, so it doesn't take answers from this browser. Sign in with a browser of that account, or paste this page's address where the sign-in began."
    }
  }
}
