import Glibc
import LoginCore
import Platform
import SignIn

/// A command line that was understood.
struct Invocation {
  enum Action {
    case run(Command)
    case help(HelpText)
    case version(asJSON: Bool)
  }

  let action: Action
  let wishes: Wishes

  /// Parses the arguments after the name of the program.
  init(_ arguments: [String]) throws(Failure) {
    var words = arguments[...]
    // `tokentry help COMMAND`, `tokentry --help COMMAND` and `tokentry version` are habits from other programs.
    for option in GeneralWishes.options where [option.name, option.flag].contains(words.first) {
      words = words.dropFirst() + [option.flag]
    }
    var wishes = Wishes()
    let help = GeneralWishes.option("help")
    if words.elementsEqual(["all", help.flag]) {
      (action, self.wishes) = (.help(.all), wishes)
      return
    }
    var command: Command?
    if let first = words.first, !first.hasPrefix("-") {
      guard let known = Command(typed: first) else { throw Self.unknownCommand(first) }
      command = known
      words = words.dropFirst()
    }
    if command == .helper, let name = words.first, !name.hasPrefix("-") {
      guard let helper = HelperProtocols.named(name) else { throw Self.unknownHelper(name) }
      wishes.helper = helper
      words.removeFirst()
    }
    if wishes.helper?.hasArgumentsOfItsOwn == true, words != [help.flag] {
      (wishes.operands, words) = (Array(words), [])
    }
    if command == .gate, let end = words.firstIndex(of: "--") {
      wishes.program = Array(words[(end + 1)...])
      words = words[..<end]
      if wishes.program.isEmpty { throw .lacks(.gate, "the program after --") }
    }
    var given: [Given] = []
    while let word = words.popFirst() {
      if word.hasPrefix("-"), word != "-" {
        given += try Self.readOption(word, &words, of: command, wishes.helper)
        // A user who asks for help may have made a mistake after this option.
        if given.last?.option == help { words = [] }
      } else if let option = command?.optionOfWord,
        option.name != "provider" || Self.namesProvider(word, isFirst: given.isEmpty)
      {
        if given.contains(where: { $0.option == option }) {
          throw Self.unexpectedWord(word, after: command, meaning: nil)
        }
        given.append(try Given(option, word, as: option.flag))
      } else if wishes.helper != nil || wishes.operand == nil && command?.takesOperand == true {
        wishes.operands.append(word)
      } else {
        let meant = Self.option(forValue: word, of: command ?? .login)
        throw Self.unexpectedWord(word, after: command, meaning: meant)
      }
    }
    if given.contains(where: { $0.option == help }) {
      action = .help(wishes.helper.map(HelpText.helper) ?? command.map(HelpText.command) ?? .start)
    } else {
      action = try Self.action(command, given, wishes.helper)
      wishes.typed = given
      try wishes.take(given)
      if case .run(.logout) = action { try wishes.checkLogout() }
    }
    self.wishes = wishes
  }

  private static func action(
    _ command: Command?, _ given: [Given], _ helper: (any HelperProtocol.Type)?
  ) throws(Failure) -> Action {
    if command == nil, given.isEmpty, isatty(StandardOutput.descriptor) == 1 { return .help(.start) }
    if command == nil, given.contains(where: { $0.option.name == "version" }) {
      return .version(asJSON: given.contains { $0.option.name == "output" })
    }
    let command = command ?? .login
    let options = helper.map { Command.general + $0.options } ?? command.options
    for wish in given where !options.contains(wish.option) {
      throw Failure(
        .invalidOption, "\(wish.option.flag) is not an option of \(command)",
        hint: "see `tokentry \(command) --help`")
    }
    return .run(command)
  }

  /// True if a word is the provider of a login. After options, it may also be a part of a value that lacks its quotes.
  private static func namesProvider(_ word: String, isFirst: Bool) -> Bool {
    word.startOfAuthority == nil && (isFirst || word.contains("/") || isPreset(word))
  }

  private static func isPreset(_ word: String) -> Bool {
    ProviderCatalog(environment: Environment()).files().contains { $0.name.isIdentical(to: word) }
  }

  private static func readOption(
    _ word: String, _ words: inout ArraySlice<String>, of command: Command?,
    _ helper: (any HelperProtocol.Type)?
  ) throws(Failure) -> [Given] {
    if word.hasPrefix("-vv"), word.dropFirst().allSatisfy({ $0 == "v" }) {
      let verbose = try Given(PlaceWishes.option("verbose"), "", as: word)
      return [verbose, verbose]
    }
    let (flag, attached) = split(word)
    let arguments = helper?.arguments ?? []
    guard let option = Option(typed: flag, among: arguments) else {
      throw unknownOption(word, flag, of: command)
    }
    guard option.takesValue else {
      if attached != nil { throw Failure(.invalidOption, "\(flag) takes no value") }
      return [try Given(option, "", as: flag)]
    }
    guard let value = attached ?? words.first, attached != nil || !isOption(value, arguments) else {
      throw .needsValue(flag)
    }
    if attached == nil { words.removeFirst() }
    return [try Given(option, value, as: flag)]
  }

  /// Splits a word into an option and the value that is attached to it: after the first equals sign of a long option,
  /// and directly after the letter of a short one.
  private static func split(_ word: String) -> (flag: String, value: String?) {
    if word.hasPrefix("--") || word.unicodeScalars.count <= 2 { return word.splitOnce(at: "=") }
    let end = word.unicodeScalars.index(word.startIndex, offsetBy: 2)
    return (String(word[..<end]), String(word[end...]))
  }

  private static func isOption(_ word: String, _ arguments: [Option]) -> Bool {
    word.hasPrefix("--") && Option(typed: word.splitOnce(at: "=").0, among: arguments) != nil
  }
}

/// Answers to arguments that may be wrong.
extension Invocation {
  /// True if the arguments ask for an answer that is not JSON, so that standard output stays empty on failure.
  static func asksForText(_ arguments: [String]) -> Bool {
    if arguments.first.flatMap(Command.init(rawValue:))?.answersInText == true { return true }
    return output(in: arguments).map { $0 != OutputFormat.json.rawValue } ?? false
  }

  /// Returns the value of `--output`, which may be wrong.
  private static func output(in arguments: [String]) -> String? {
    // With `keep`, `--output` is the format of the file.
    if arguments.first == Command.keep.rawValue { return nil }
    for (index, word) in arguments.enumerated() {
      let (flag, attached) = split(word)
      guard Option(typed: flag)?.name == "output" else { continue }
      return attached ?? (index + 1 < arguments.count ? arguments[index + 1] : nil)
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
    if arguments.first.flatMap(Command.init(rawValue:))?.answersInText == true { return .silent }
    return output(in: arguments).map(OutputFormat.refusal) ?? .json
  }
}

/// Words that are not understood.
extension Invocation {
  /// The words of other programs for what a command does.
  private static let otherWords: [String: Command] = [
    "list": .accounts, "status": .accounts, "refresh": .token, "configure": .login, "auth": .login,
    "register": .login, "signin": .login, "signout": .logout, "test": .demo,
  ]

  private static func unknownCommand(_ word: String) -> Failure {
    let meant =
      otherWords[word].map { "`tokentry \($0)`" }
      ?? option(forValue: word, of: .login).map { "`tokentry login \($0)`" }
      ?? nearestName(to: word, among: Command.allCases.map(\.rawValue))
    return Failure(
      .invalidOption, "there is no command \"\(word, upTo: 60)\"",
      hint: meant.map(Failure.Hint.didYouMean) ?? "see `tokentry --help`")
  }

  /// Returns what the user has probably meant by a word: the name of a preset, the address of an issuer, or the name of an
  /// account.
  private static func option(forValue word: String, of command: Command) -> String? {
    let isPlain = word.utf8.allSatisfy { $0.isUnreserved || ":/@".utf8.contains($0) }
    guard isPlain, word.utf8.count <= 60 else { return nil }
    let options = command.options
    let has = { (option: Option) in options.contains(option) }
    let (preset, issuer) = (ProviderWishes.option("provider"), ProviderWishes.option("issuer"))
    if has(preset), isPreset(word) { return word }
    if has(issuer), (try? Issuer(word)) != nil { return "\(issuer.flag) \(word)" }
    let account = AccountWishes.option("account")
    return has(account) && !has(preset) ? "\(account.flag) \(word)" : nil
  }

  private static func unknownHelper(_ name: String) -> Failure {
    let nearest = nearestName(to: name, among: HelperProtocols.all.map { $0.name })
    return Failure(
      .invalidOption, "there is no helper \"\(name, upTo: 60)\"",
      hint: nearest.map(Failure.Hint.didYouMean) ?? "`tokentry helper` lists them")
  }

  private static func unknownOption(_ word: String, _ flag: String, of command: Command?) -> Failure {
    if let remedy = remedy(forSecret: flag) {
      return Failure(
        .invalidOption, "\(flag) does not exist: every user of the machine can read a command line",
        hint: remedy)
    }
    // A short option may have a value attached, which may be secret. Some programs have long options with one hyphen.
    let long = Option(typed: "-" + word)
    let shown = flag.hasPrefix("--") ? flag : long == nil ? String(flag.prefix(2)) : word
    return Failure(
      .invalidOption, "there is no option \(shown, upTo: 60)",
      hint: long.map { .didYouMean($0.flag) } ?? replacement(for: flag)
        ?? command.map { "see `tokentry \($0) --help`" } ?? "see `tokentry --help`")
  }

  /// The options of other programs for what an option does.
  private static let otherOptions = [
    "--agent": AskingWishes.flag("way"), "--debug": "-vv", "--trace": "-vv",
    "--json": "\(AnswerWishes.flag("output")) json",
    "--no-launch-browser": AskingWishes.flag("no-browser"), "--quiet": AskingWishes.flag("silent"),
    "--device": "\(AskingWishes.flag("way")) device",
  ]

  /// Returns the hint for an option that is a member of the document, or an endpoint, or almost another option.
  private static func replacement(for flag: String) -> Failure.Hint? {
    if let option = otherOptions[flag] { return .didYouMean(option) }
    let name = String(flag.drop { $0 == "-" }).replacingAll("-", with: "_")
    if let endpoint = OptionsDocument.endpoints[name] { return .didYouMean(endpoint.flag) }
    if let member = Option.all.first(where: { $0.isMemberOnly && $0.member == name }) {
      return "\"\(member.name)\" belongs into the document of \(RequestWishes.flag("options"))"
    }
    let flags = Option.all.filter { !$0.isMemberOnly }.map(\.flag)
    return nearestName(to: flag, among: flags).map(Failure.Hint.didYouMean)
  }

  /// Returns another way to pass a secret that the user wants to pass with an option.
  private static func remedy(forSecret flag: String) -> Failure.Hint? {
    switch flag {
    case "--client-secret": "use --client-secret-file, --options or TOKENTRY_CLIENT_SECRET"
    case "--password": "use --options or TOKENTRY_PASSWORD"
    case "--refresh-token", "--access-token": .secretFromInput
    default: nil
    }
  }

  /// `option` is what the user may have meant by a word where no word can be.
  private static func unexpectedWord(
    _ word: String, after command: Command?, meaning option: String?
  ) -> Failure {
    Failure(
      .invalidOption, "unexpected argument \"\(word, upTo: 60)\"",
      hint: option.map(Failure.Hint.didYouMean)
        ?? command.map { "a value with spaces needs quotes; see `tokentry \($0) --help`" }
        ?? "a value with spaces needs quotes; see `tokentry --help`")
  }
}
