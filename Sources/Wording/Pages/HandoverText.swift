import LoginWays

/// What a page of ours says while the login goes on in a browser.
package struct HandoverText {
  package let title: Sentence = "Continue in your browser"
  package let sentence: Sentence
  /// What was wrong with what was pasted before.
  package let problem: Sentence?
  package let help: Sentence
  /// What is asked for, in a few words.
  package let placeholder: Sentence

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

  /// What is asked for at first.
  private static func first(_ question: PasteQuestion) -> Sentence {
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

  /// What is asked for after something else was pasted.
  private static func again(_ question: PasteQuestion) -> Sentence {
    question.acceptsCode
      ? "Try again: paste the code, or the address of the page where you ended up:"
      : "Try again: paste the address of the page where you ended up:"
  }
}
