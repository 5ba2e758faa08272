import LoginCore

/// What a user reads at the terminal who is asked for an answer.
package enum PastePromptText {
  package static func question(acceptsCode: Bool) -> String {
    let what = acceptsCode ? "the code, or the address" : "the whole address"
    return "Paste \(what) of the page where you ended up (it is not shown): "
  }

  /// What is wrong with what was pasted; nothing if it was an answer, or nothing at all.
  package static func objection(to pasted: Pasted) -> String? {
    switch pasted {
    case .answer, .nothing: nil
    case .somethingElse: "This is not the address of an answer."
    case .answerToAnother: "This is the answer to another sign-in."
    case .codeAlone: "The code alone is not enough here."
    }
  }
}
