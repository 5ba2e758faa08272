import LoginCore

/// What the window asks for when a login is in the browser: the address at which it ended, or a code.
package struct PasteQuestion: Sendable, Equatable {
  /// Whether a code alone is an answer.
  package var acceptsCode: Bool
  /// Whether the browser hands the answer back by itself if all goes well.
  package var comesBack: Bool
  /// What is in the way, such as what was wrong with what was pasted before.
  package var problem: Problem?

  /// Why a text is no answer.
  package enum Problem: String, Sendable {
    /// It is neither an address of an answer nor a code.
    case somethingElse = "something_else"
    case anotherLogin = "another_login"
    /// A code proves nothing here without its address.
    case codeAlone = "code_alone"
    /// Nothing was pasted, and no browser could be opened.
    case noBrowser = "no_browser"
  }

  package init(acceptsCode: Bool, comesBack: Bool, problem: Problem? = nil) {
    self.acceptsCode = acceptsCode
    self.comesBack = comesBack
    self.problem = problem
  }

  /// The question that a visit in a browser ends with.
  package init(about visit: Visit, comesBack: Bool, problem: Problem? = nil) {
    self.init(acceptsCode: visit.acceptsBareCode, comesBack: comesBack, problem: problem)
  }
}

extension PasteQuestion {
  /// Reads the members; those that are not known are left to later versions.
  init(_ object: JSONObject) {
    self.init(
      acceptsCode: object["code"]?.bool ?? false, comesBack: object["comes_back"]?.bool ?? false,
      problem: object["problem"]?.string.flatMap(Problem.init))
  }

  /// The members that say something.
  var json: JSONObject {
    [
      "code": .bool(acceptsCode), "comes_back": .bool(comesBack),
      "problem": problem.map { .string($0.rawValue) },
    ]
  }
}

extension Pasted {
  /// What is wrong with it, if it is no answer but more than nothing.
  package var problem: PasteQuestion.Problem? {
    switch self {
    case .answer, .nothing: nil
    case .somethingElse: .somethingElse
    case .answerToAnother: .anotherLogin
    case .codeAlone: .codeAlone
    }
  }
}
