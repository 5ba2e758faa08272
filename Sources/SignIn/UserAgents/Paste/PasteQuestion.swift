import Language
import LoginCore
import WindowProtocol

/// The reason why the user is asked for the answer again, or has to act.
package enum PasteProblem: Sendable {
  /// The pasted text is neither the address of an answer nor a code.
  case somethingElse
  case anotherLogin
  /// This login needs the whole address.
  case codeAlone
  case noBrowser

  /// The problem in the words of a terminal.
  package var message: Message {
    switch self {
    case .somethingElse: "that isn't an answer to this sign-in; copy the whole address from the browser"
    case .anotherLogin: "that address belongs to a different sign-in"
    case .codeAlone: "paste the whole address, not just the code"
    case .noBrowser: "no browser could be opened"
    }
  }
}

extension Pasted {
  /// The problem of a text that is not an answer. Returns nil for an empty one, too.
  package var problem: PasteProblem? {
    switch self {
    case .answer, .nothing: nil
    case .somethingElse: .somethingElse
    case .answerToAnother: .anotherLogin
    case .codeAlone: .codeAlone
    }
  }
}

extension Question {
  /// Asks at the terminal for the answer to a visit.
  static func pasteAtTerminal(_ visit: Visit, _ problem: PasteProblem?) -> Question {
    var question = Question()
    let prompt: Message =
      visit.acceptsBareCode
      ? "Paste the code or the address of the last page (input is hidden):"
      : "Paste the whole address of the last page (input is hidden):"
    (question.prompt, question.problem, question.secret) = (prompt.text, problem?.message.text, "")
    if problem == nil, visit.endsOnThisMachine {
      let sentence: Message = "The last page may say that it can't connect. Copy its address all the same."
      question.paragraphs = [sentence.text]
    }
    return question
  }

  /// The page of a window while the login continues in a browser, which may hand the answer back by itself. A window that
  /// `showsPages` can go back to them, and has opened the browser already; any other may open it if it `opensBrowser`.
  static func paste(
    _ acceptsCode: Bool, comesBack: Bool, _ problem: PasteProblem?, showsPages: Bool, opensBrowser: Bool
  ) -> Question {
    let objection: Message?
    let sentence: Message
    switch problem {
    case nil, .noBrowser: (objection, sentence) = (nil, first(acceptsCode, comesBack: comesBack))
    case .somethingElse:
      (objection, sentence) = (
        acceptsCode
          ? "That isn't a code or an address of this sign-in."
          : "That isn't the right address. Copy the whole address from the browser.", again(acceptsCode)
      )
    case .anotherLogin:
      (objection, sentence) = ("That address belongs to a different sign-in.", again(acceptsCode))
    case .codeAlone:
      (objection, sentence) = (
        "Paste the whole address, not just the code.", "Try again with the address of the last page:"
      )
    }
    var buttons: [Button] = [.proceed]
    if !showsPages, opensBrowser, problem != .noBrowser { buttons.append(.openInBrowser) }
    buttons.append(Button(Button.copy, WindowWords.copyLink))
    if showsPages { buttons.append(Button(Button.here, "Sign In _Here Instead" as Message)) }
    return Question(
      .browser, "Continue in your browser", sentence, problem: objection,
      secret: acceptsCode ? "Code or address" : "Address of the last page",
      details: [
        problem == .noBrowser
          ? "Couldn't open a browser. Copy the link and open it in your browser."
          : "Nothing opened? Copy the link and open it in your browser."
      ], buttons: buttons)
  }

  private static func first(_ acceptsCode: Bool, comesBack: Bool) -> Message {
    switch (comesBack, acceptsCode) {
    case (true, true):
      """
      Finish signing in there; this window then closes. If it stays open, paste the code or the address of the \
      last page:
      """
    case (true, false):
      "Finish signing in there; this window then closes. If it stays open, paste the address of the last page:"
    case (false, true):
      "After signing in there, paste the code or the address of the last page:"
    case (false, false): "After signing in there, paste the address of the last page:"
    }
  }

  /// After a text that was not accepted.
  private static func again(_ acceptsCode: Bool) -> Message {
    acceptsCode
      ? "Try again with the code or the address of the last page:"
      : "Try again with the address of the last page:"
  }
}

extension Visit {
  /// True if a browser on another machine cannot show the last page.
  fileprivate var endsOnThisMachine: Bool {
    policy.redirectTexts.contains { text in
      if case .loopback = (try? RedirectURI(text))?.kind { true } else { false }
    }
  }
}

extension Question.Button {
  static var proceed: Self { Self("continue", WindowWords.proceed) }
  static var openInBrowser: Self { Self(browser, WindowWords.openInBrowser) }
}
