import LoginCore

/// Asks the user to paste the address at which a login in the browser ended, or a code.
package struct PasteQuestion: Sendable, Equatable {
  /// True if a code alone is an answer.
  package var acceptsCode: Bool
  /// True if the browser normally hands the answer back by itself.
  package var comesBack: Bool
  package var problem: Problem?

  /// Why the user is asked again, or has to act.
  package enum Problem: String, Sendable {
    /// The pasted text is neither the address of an answer nor a code.
    case somethingElse = "something_else"
    case anotherLogin = "another_login"
    /// This login needs the whole address.
    case codeAlone = "code_alone"
    /// No browser could be opened.
    case noBrowser = "no_browser"
  }

  package init(acceptsCode: Bool, comesBack: Bool, problem: Problem? = nil) {
    self.acceptsCode = acceptsCode
    self.comesBack = comesBack
    self.problem = problem
  }

  package init(about visit: Visit, comesBack: Bool, problem: Problem? = nil) {
    self.init(acceptsCode: visit.acceptsBareCode, comesBack: comesBack, problem: problem)
  }

  /// Reads the members. Unknown ones come from later versions and are ignored.
  init(_ object: JSONObject) {
    self.init(
      acceptsCode: object["code"]?.bool ?? false, comesBack: object["comes_back"]?.bool ?? false,
      problem: object["problem"]?.string.flatMap(Problem.init))
  }

  var json: JSONObject {
    [
      "code": .bool(acceptsCode), "comes_back": .bool(comesBack),
      "problem": problem.map { .string($0.rawValue) },
    ]
  }
}

extension Pasted {
  /// The problem of a text that is not an answer. Returns nil for an empty one, too.
  package var problem: PasteQuestion.Problem? {
    switch self {
    case .answer, .nothing: nil
    case .somethingElse: .somethingElse
    case .answerToAnother: .anotherLogin
    case .codeAlone: .codeAlone
    }
  }
}
