import LoginCore
import Wording

/// A command line that was understood.
struct Invocation {
  /// What is to be done.
  enum Action {
    case run(Command)
    case help(Command?)
    case version(asJSON: Bool)
  }

  let action: Action
  let settings: Settings

  /// Reads the arguments without the name of the program.
  init(_ arguments: [String]) throws(Failure) {
    var words = arguments[...]
    // What many programs answer to.
    if words.first == "help" { words = words.dropFirst() + [Option.help.flag] }
    var command: Command?
    if let first = words.first, !first.hasPrefix("-") {
      guard let known = Command(rawValue: first) else { throw Self.unknownCommand(first) }
      command = known
      words = words.dropFirst()
    }
    var settings = Settings()
    if command == .helper, let name = words.first, !name.hasPrefix("-") {
      guard let helperProtocol = HelperProtocols.named(name) else { throw Self.unknownHelper(name) }
      settings.helperProtocol = helperProtocol
      words.removeFirst()
    } else if command == .gitCredential {
      settings.helperProtocol = GitHelper.self
    }
    if settings.helperProtocol?.hasArgumentsOfItsOwn == true, words != [Option.help.flag] {
      (settings.operands, words) = (Array(words), [])
    }
    while let word = words.popFirst() {
      if word.hasPrefix("-"), word != "-" {
        try Self.readOption(word, &words, into: &settings)
      } else if settings.helperProtocol != nil || settings.operand == nil && command?.operand != nil {
        settings.operands.append(word)
      } else {
        throw .commandLine(.unexpectedWord(word, of: command?.rawValue))
      }
    }
    self.settings = settings
    action = try Self.action(command, settings)
  }

  private static func action(_ command: Command?, _ settings: Settings) throws(Failure) -> Action {
    if settings.has(.help) { return .help(command) }
    if command == nil, settings.has(.version) { return .version(asJSON: settings.has(.json)) }
    let command = command ?? .login
    let options = settings.helperProtocol.map { command.generalOptions + $0.allOptions } ?? command.options
    for option in settings.given where !options.contains(option) {
      throw .commandLine(.notOf(option.flag, command: command.rawValue))
    }
    return .run(command)
  }

  private static func readOption(
    _ word: String, _ words: inout ArraySlice<String>, into settings: inout Settings
  ) throws(Failure) {
    let (flag, attached) = split(word)
    guard let option = Option.allCases.first(where: { $0.flag == flag || $0.letter.map { "-\($0)" } == flag })
    else {
      throw unknownOption(flag)
    }
    // Elsewhere whoever writes it has a token in mind.
    if option == .accessToken, settings.helperProtocol?.options.contains(option) != true {
      throw unknownOption(flag)
    }
    if case .none = option.value {
      if attached != nil { throw .commandLine(.takesNoValue(flag)) }
      return try settings.set(option, "", as: flag)
    }
    guard let value = attached ?? words.first, attached != nil || !isOption(value) else {
      throw .commandLine(.needsValue(flag))
    }
    if attached == nil { words.removeFirst() }
    try settings.set(option, value, as: flag)
  }

  /// An option and the value that is attached to it: behind the first equals sign of a long one, and right behind
  /// the letter of a short one.
  private static func split(_ word: String) -> (flag: String, value: String?) {
    if word.hasPrefix("--") || word.unicodeScalars.count <= 2 { return word.splitOnce(at: "=") }
    let end = word.unicodeScalars.index(word.startIndex, offsetBy: 2)
    return (String(word[..<end]), String(word[end...]))
  }

  private static func isOption(_ word: String) -> Bool {
    let flag = word.splitOnce(at: "=").0
    return Option.allCases.contains { $0.flag == flag }
  }

  /// Whether the arguments ask for an answer that is not JSON, as far as that can be told of arguments that
  /// may be wrong: then standard output stays empty on failure.
  static func asksForText(_ arguments: [String]) -> Bool {
    let command = arguments.first.flatMap(Command.init)
    if command?.answersInText == true { return true }
    let flag = Option.output.flag
    for (index, word) in arguments.enumerated() {
      if word.hasPrefix(flag + "=") { return word != flag + "=json" }
      if word == flag { return index + 1 < arguments.count && arguments[index + 1] != "json" }
    }
    return false
  }
}

extension Invocation {
  /// How a failure is told the caller, as far as that can be told of arguments that may be wrong.
  static func refusal(of failure: Failure, to arguments: [String]) -> Refusal {
    if arguments.count > 1, arguments[0] == Command.helper.rawValue,
      let helperProtocol = HelperProtocols.named(arguments[1])
    {
      return helperProtocol.refusal(of: failure)
    }
    return asksForText(arguments) ? .silent : .json
  }

  private static func unknownHelper(_ name: String) -> Failure {
    let nearest = nearestName(to: name, among: HelperProtocols.all.map { $0.name })
    return .helper(.unknownHelper(name, nearest: nearest))
  }
}

extension Invocation {
  private static func unknownCommand(_ word: String) -> Failure {
    let nearest = nearestName(to: word, among: Command.allCases.map(\.rawValue))
    return .commandLine(.unknownCommand(word, nearest: nearest))
  }

  private static func unknownOption(_ flag: String) -> Failure {
    if ["--client-secret", "--password", "--refresh-token", "--access-token"].contains(flag) {
      return .commandLine(.secretOption(flag))
    }
    let shown = flag.hasPrefix("--") ? flag : String(flag.prefix(2))
    let nearest = nearestName(to: flag, among: Option.allCases.map(\.flag))
    return .commandLine(.unknownOption(shown, nearest: nearest))
  }
}
