import Glibc
import LoginCore

/// The answer on standard output.
struct AnswerWishes: WishGroup {
  var output: OutputFormat?

  static let rows = under(
    .result,
    [
      choice(
        \.output, "output", called: "FORMAT", "json, token, id_token, header, env, xoauth2", letter: "o")
    ])

  var format: OutputFormat { output ?? .json }

  /// True if the user reads standard output, so that some commands print a table instead of JSON.
  var isForReader: Bool { output == nil && isatty(StandardOutput.descriptor) == 1 }
}

/// Questions about the program itself.
struct GeneralWishes: WishGroup {
  var asksForHelp = false
  var asksForVersion = false

  static let rows = under(
    .general,
    [
      flag(\.asksForHelp, "help", "this text", letter: "h").onlyTyped,
      flag(\.asksForVersion, "version", "the version; also with --output json", letter: "V").onlyTyped,
    ])
}
