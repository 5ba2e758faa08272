/// One command of a story and everything that it is expected to print and to end with.
struct Step: Equatable, Sendable {
  /// The line of the story in which the command begins, counted from 1.
  let line: Int
  /// What `/bin/sh` runs; several lines if the story continues it with `>`.
  var command: String
  /// The expected lines of standard output, in order and complete.
  var output: [ExpectedLine] = []
  /// The expected lines of standard error, in order and complete.
  var error: [ExpectedLine] = []
  /// The expected exit status; a story that does not say one expects 0.
  var status: Int?

  /// The exit status with the default applied.
  var expectedStatus: Int { status ?? 0 }
}
