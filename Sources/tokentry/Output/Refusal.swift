import LoginCore
import Wording

/// What the caller is told of a failure besides its exit status.
struct Refusal: Sendable {
  /// The text for standard output.
  let output: @Sendable (Report) -> String
  /// Whether a person is told on standard error.
  var isSaid = true
  /// The status, where the caller's protocol has one for it.
  var status: Int32?

  /// The object of the contract.
  static let json = Refusal { $0.json.text + "\n" }
  /// Nothing on standard output.
  static let silent = Refusal { _ in "" }
}
