import Language
import LoginCore

/// Failures of the command line that are thrown in several places. Names are options, variables or members of a request
/// document, as the caller wrote them.
extension Failure {
  /// Not even the name of the program is there.
  static let noCommandLine = Failure(
    .invalidOption, "the command line cannot be read",
    hint: "mount /proc, and pass the name of the program as its first word")

  /// The value of `name` is not what it takes.
  static func takes(_ name: String, _ wanted: Message) -> Failure {
    Failure(.invalidOption, "\(name) takes \(wanted)")
  }

  /// The value of `name` is not the address that it takes. `reason` continues "VALUE is …".
  static func address(_ name: String, _ text: String, _ reason: Message) -> Failure {
    Failure(
      .invalidOption, "\(name): \"\(Redaction.given(text).forDisplay(limit: 100))\" is \(reason)")
  }

  static func needsValue(_ name: String) -> Failure {
    Failure(.invalidOption, "\(name) needs a value")
  }

  static func notUTF8(_ name: String) -> Failure {
    let reason: Message = "the text is not UTF-8"
    return Failure(.invalidOption, "\(name): \(reason)")
  }

  /// The command cannot go on without `something`.
  static func lacks(_ command: Command, _ something: Message, hint: Hint? = nil) -> Failure {
    Failure(.invalidOption, "\(command) needs \(something)", hint: hint)
  }

  /// The option has no effect without another one.
  static func belongs(_ option: Option, to other: String) -> Failure {
    Failure(.invalidOption, "\(option.flag) only makes sense with \(other)")
  }

  static func contradiction(_ first: String, _ second: String) -> Failure {
    Failure(.invalidConfiguration, "\(first) and \(second) contradict each other")
  }

  static func standardInputTwice(_ first: String, _ second: String) -> Failure {
    Failure(.invalidConfiguration, "\(first) and \(second) cannot both read standard input")
  }
}
