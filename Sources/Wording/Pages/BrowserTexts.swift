import LoginCore
import LoginWays

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
      case .somethingElse: ("That is not the address of an answer.", Self.again(question))
      case .anotherLogin: ("That is the answer to another sign-in.", Self.again(question))
      case .codeAlone: ("The code alone is not enough here.", "Try again: paste the whole address:")
      }
    help =
      question.problem == .noBrowser
      ? "No browser could be opened: copy the link."
      : "If no browser has opened, copy the link."
  }

  private static func first(_ question: PasteQuestion) -> Message {
    switch (question.comesBack, question.acceptsCode) {
    case (true, true):
      """
      The sign-in goes on there, and this window closes when it is done. If it does not, paste the code, or the \
      address of the page where you ended up:
      """
    case (true, false):
      """
      The sign-in goes on there, and this window closes when it is done. If it does not, paste the address of the \
      page where you ended up:
      """
    case (false, true):
      "When you have signed in there, paste the code, or the address of the page where you ended up:"
    case (false, false): "When you have signed in there, paste the address of the page where you ended up:"
    }
  }

  /// After a text that was not accepted.
  private static func again(_ question: PasteQuestion) -> Message {
    question.acceptsCode
      ? "Try again: paste the code, or the address of the page where you ended up:"
      : "Try again: paste the address of the page where you ended up:"
  }
}

/// The texts with which the user is asked for an answer at the terminal.
package enum PastePromptText {
  package static func question(acceptsCode: Bool) -> Message {
    acceptsCode
      ? "Paste the code, or the address of the page where you ended up (it is not shown):"
      : "Paste the whole address of the page where you ended up (it is not shown):"
  }

  /// Why the pasted text is not accepted, or why the user is asked.
  package static func objection(_ problem: PasteQuestion.Problem) -> Message {
    switch problem {
    case .somethingElse: "this is not the address of an answer"
    case .anotherLogin: "this is the answer to another sign-in"
    case .codeAlone: "the code alone is not enough here"
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

  /// `error` is the `error` parameter of the answer.
  package init(error: String?) {
    self = error.map { $0 == "access_denied" ? .denied : .refused } ?? .answered
  }

  package var title: Message {
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

  /// Names the application as it names itself.
  package func sentence(for requester: Requester?) -> Message {
    let who: Message = (requester?.application).map(Message.init(verbatim:)) ?? "the application"
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
