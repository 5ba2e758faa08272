import LoginWays

/// What a page of ours says while the login goes on in a browser.
package struct HandoverText {
  package let title = "Continue in your browser"
  package let sentence: String
  /// What was wrong with what was pasted before.
  package let problem: String?
  package let help: String
  /// What is asked for, in a few words.
  package let placeholder: String

  package init(_ question: PasteQuestion) {
    let what = question.acceptsCode ? "the code, or the address" : "the address"
    placeholder = question.acceptsCode ? "Code or address" : "Address of the last page"
    let first =
      question.comesBack
      ? "The sign-in goes on there, and this window closes when it is done. If it does not, paste \(what) of "
        + "the page where you ended up:"
      : "When you have signed in there, paste \(what) of the page where you ended up:"
    (problem, sentence) =
      switch question.problem {
      case nil, .noBrowser: (nil, first)
      case .somethingElse:
        ("That is not the address of an answer.", "Try again: paste \(what) of the page where you ended up:")
      case .anotherLogin:
        (
          "That is the answer to another sign-in.",
          "Try again: paste \(what) of the page where you ended up now:"
        )
      case .codeAlone: ("The code alone is not enough here.", "Try again: paste the whole address:")
      }
    help =
      question.problem == .noBrowser
      ? "No browser could be opened: copy the link."
      : "If no browser has opened, copy the link."
  }
}
