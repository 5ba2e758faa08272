import Foundation
import Testing

/// One helper as its program runs it, and what that program has to hear.
struct HelperRow: Sendable, CustomTestStringConvertible {
  /// What the program says.
  struct Question: Sendable {
    var arguments: [String] = []
    var input = ""
    var environment: [String: String] = [:]
  }

  /// What the program is told where there is no token: in its own words, or on standard error.
  struct Refusal: Sendable {
    let status: Int32
    /// What is on standard output.
    let output: String
    /// Whether a person is told.
    var isSaid = true
  }

  let name: String
  /// How the program asks for a token at an address.
  let question: @Sendable (String) -> Question
  /// What it wants to hear of a token, in part.
  let answer: @Sendable (String) -> String
  let otherHost: Refusal
  let needsLogin: Refusal
  /// What it hears where it is not said whose token it is; the names of the accounts are in there.
  let several: (status: Int32, isOnOutput: Bool)
  /// What nobody can understand, and what the program is told of it.
  let malformed: [Question]
  let refusal: Refusal
  /// More than any program has to say where it has one word to say, and the status of the answer.
  let oversized: (question: Question, status: Int32)
  /// What it is told where the keyring is locked.
  let locked: Refusal
  /// Whether the program comes again where an answer takes longer than it waits.
  var comesAgain = false

  var testDescription: String { name }
}
