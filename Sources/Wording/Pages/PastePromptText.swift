import LoginWays

/// What a user reads at the terminal who is asked for an answer.
package enum PastePromptText {
  package static func question(acceptsCode: Bool) -> Sentence {
    acceptsCode
      ? "Paste the code, or the address of the page where you ended up (it is not shown):"
      : "Paste the whole address of the page where you ended up (it is not shown):"
  }

  /// What is wrong with what was pasted.
  package static func objection(_ problem: PasteQuestion.Problem) -> Sentence {
    switch problem {
    case .somethingElse: "this is not the address of an answer"
    case .anotherLogin: "this is the answer to another sign-in"
    case .codeAlone: "the code alone is not enough here"
    case .noBrowser: "no browser could be opened"
    }
  }
}
