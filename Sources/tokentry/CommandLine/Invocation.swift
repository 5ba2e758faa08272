import LoginCore
import Platform
import SignIn

/// A command line that was understood.
struct Invocation {
  enum Action {
    case run(Command)
    case help(Command?)
    case version(asJSON: Bool)
  }

  let action: Action
  let settings: Settings

  /// Parses the arguments after the name of the program.
  init(_ arguments: [String]) throws(Failure) {
    var words = arguments[...]
    // `tokentry help COMMAND` and `tokentry version` are habits from other programs.
    for option in [Option.help, .version] where words.first == option.rawValue {
      words = words.dropFirst() + [option.flag]
    }
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
        throw Self.unexpectedWord(word, after: command)
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
      throw Failure(
        .invalidOption, "\(option.flag) is not an option of \(command)",
        hint: "see `tokentry \(command) --help`")
    }
    return .run(command)
  }

  private static func readOption(
    _ word: String, _ words: inout ArraySlice<String>, into settings: inout Settings
  ) throws(Failure) {
    let (flag, attached) = split(word)
    guard let option = Option(typed: flag) else { throw unknownOption(flag) }
    // Outside of helpers, the user wants to pass a token with this option.
    if option == .accessToken, settings.helperProtocol?.options.contains(option) != true {
      throw unknownOption(flag)
    }
    if case .none = option.value {
      if attached != nil { throw Failure(.invalidOption, "\(flag) takes no value") }
      return try settings.set(option, "", as: flag)
    }
    guard let value = attached ?? words.first, attached != nil || !isOption(value) else {
      throw .needsValue(flag)
    }
    if attached == nil { words.removeFirst() }
    try settings.set(option, value, as: flag)
  }

  /// Splits a word into an option and the value that is attached to it: after the first equals sign of a long option,
  /// and directly after the letter of a short one.
  private static func split(_ word: String) -> (flag: String, value: String?) {
    if word.hasPrefix("--") || word.unicodeScalars.count <= 2 { return word.splitOnce(at: "=") }
    let end = word.unicodeScalars.index(word.startIndex, offsetBy: 2)
    return (String(word[..<end]), String(word[end...]))
  }

  private static func isOption(_ word: String) -> Bool {
    let flag = word.splitOnce(at: "=").0
    return Option.allCases.contains { $0.flag == flag }
  }
}

/// Answers to arguments that may be wrong.
extension Invocation {
  /// True if the arguments ask for an answer that is not JSON, so that standard output stays empty on failure.
  static func asksForText(_ arguments: [String]) -> Bool {
    if arguments.first.flatMap(Command.init)?.answersInText == true { return true }
    return output(in: arguments).map { $0 != OutputFormat.json.rawValue } ?? false
  }

  /// Returns the value of `--output`, which may be wrong.
  private static func output(in arguments: [String]) -> String? {
    let flag = Option.output.flag
    for (index, word) in arguments.enumerated() {
      if word.hasPrefix(flag + "=") { return word.splitOnce(at: "=").1 }
      if word == flag { return index + 1 < arguments.count ? arguments[index + 1] : nil }
    }
    return nil
  }

  /// Returns how the caller learns of a failure.
  static func refusal(of failure: Failure, to arguments: [String]) -> Refusal {
    if arguments.count > 1, arguments[0] == Command.helper.rawValue,
      let helperProtocol = HelperProtocols.named(arguments[1])
    {
      return helperProtocol.refusal(of: failure)
    }
    if arguments.first.flatMap(Command.init)?.answersInText == true { return .silent }
    return output(in: arguments).map(OutputFormat.refusal) ?? .json
  }
}

/// Words that are not understood.
extension Invocation {
  private static func unknownCommand(_ word: String) -> Failure {
    let meant =
      option(forValue: word, of: .login).map { "`tokentry login \($0)`" }
      ?? nearestName(to: word, among: Command.allCases.map(\.rawValue))
    return Failure(
      .invalidOption, "there is no command \"\(word, upTo: 60)\"",
      hint: meant.map(Failure.Hint.didYouMean) ?? "see `tokentry --help`")
  }

  /// Returns the option that the user has probably left out before a value: the name of a preset, the address of an issuer,
  /// or the name of an account.
  private static func option(forValue word: String, of command: Command) -> String? {
    let isPlain = word.utf8.allSatisfy { $0.isUnreserved || ":/@".utf8.contains($0) }
    guard isPlain, word.utf8.count <= 60 else { return nil }
    if command.options.contains(.provider),
      ProviderCatalog(environment: Environment()).files().contains(where: { $0.name.isIdentical(to: word) })
    {
      return "\(Option.provider.flag) \(word)"
    }
    if command.options.contains(.issuer), (try? Issuer(word)) != nil {
      return "\(Option.issuer.flag) \(word)"
    }
    let takesOnlyAccount = command.options.contains(.account) && !command.options.contains(.provider)
    return takesOnlyAccount ? "\(Option.account.flag) \(word)" : nil
  }

  private static func unknownHelper(_ name: String) -> Failure {
    let nearest = nearestName(to: name, among: HelperProtocols.all.map { $0.name })
    return Failure(
      .invalidOption, "there is no helper \"\(name, upTo: 60)\"",
      hint: nearest.map(Failure.Hint.didYouMean) ?? "`tokentry helper` lists them")
  }

  private static func unknownOption(_ flag: String) -> Failure {
    if let remedy = remedy(forSecret: flag) {
      return Failure(
        .invalidOption, "\(flag) does not exist: every user of the machine can read a command line",
        hint: remedy)
    }
    let shown = flag.hasPrefix("--") ? flag : String(flag.prefix(2))
    let nearest = nearestName(to: flag, among: Option.allCases.map(\.flag))
    return Failure(
      .invalidOption, "there is no option \(shown, upTo: 60)",
      hint: nearest.map(Failure.Hint.didYouMean) ?? "see `tokentry --help`")
  }

  /// Returns another way to pass a secret that the user wants to pass with an option.
  private static func remedy(forSecret flag: String) -> Failure.Hint? {
    switch flag {
    case "--client-secret": "use --client-secret-file, --request or TOKENTRY_CLIENT_SECRET"
    case "--password": "use --password-file, --request or TOKENTRY_PASSWORD"
    case "--refresh-token", "--access-token": .secretFromInput
    default: nil
    }
  }

  private static func unexpectedWord(_ word: String, after command: Command?) -> Failure {
    Failure(
      .invalidOption, "unexpected argument \"\(word, upTo: 60)\"",
      hint: option(forValue: word, of: command ?? .login).map(Failure.Hint.didYouMean)
        ?? command.map { "a value with spaces needs quotes; see `tokentry \($0) --help`" }
        ?? "a value with spaces needs quotes; see `tokentry --help`")
  }
}
