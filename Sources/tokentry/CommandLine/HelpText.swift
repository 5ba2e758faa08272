import LoginCore

/// The help, from the tables of commands and options. It is at most 80 columns wide. That of one command fits on a screen.
enum HelpText {
  private static let width = 80
  /// The column of explanations in the help of the program.
  private static let column = 34
  /// The column of explanations in the help of a command. Most of them fit next to their option.
  private static let narrowColumn = 25

  /// Returns the help of the program, or of one command.
  static func text(for command: Command?) -> String {
    let lines = command.map(lines) ?? lines
    return lines.joined(separator: "\n") + "\n"
  }

  /// All commands and options.
  private static var lines: [String] {
    var lines = ["tokentry [COMMAND] [OPTION…]: sign a user in and print a token", "", "Examples:"]
    lines += [Command.login, .token, .explain, .providers].flatMap { examples(of: $0).prefix(2) }
    lines += ["", "Commands (login if none is given):"]
    lines += Command.allCases.flatMap { row("  \($0)", $0.summary, column) }
    for group in OptionGroup.allCases {
      lines += ["", "\(group.rawValue):"] + group.options.flatMap { row($0, column) }
    }
    return lines + ["", "Exit status:"] + exitStatuses
  }

  /// A command and its options. Options that few logins need are not explained.
  private static func lines(of command: Command) -> [String] {
    let operand = command.operand.map { " \($0)" } ?? ""
    let examples = examples(of: command)
    let options = OptionGroup.allCases.flatMap(\.options).filter(command.options.contains)
    // The options in the examples are always explained.
    let words = Set(examples.flatMap { $0.parts(at: " ") })
    let rare = options.filter { OptionGroup.rare.contains($0) && !words.contains($0.flag) }
    var lines = ["tokentry \(command)\(operand) [OPTION…]: \(command.summary)", "", "Examples:"] + examples
    lines += ["", "Options:"] + options.filter { !rare.contains($0) }.flatMap { row($0, narrowColumn) }
    if !rare.isEmpty {
      lines += ["", "More options:"] + broken(rare.map(\.flag).joined(separator: ", "), after: "", at: 2)
    }
    return lines + ["", "All options and the exit statuses: `tokentry --help`, and tokentry(1)"]
  }

  private static func examples(of command: Command) -> [String] {
    let lines = examples.split(separator: "\n").drop { $0 != command.rawValue }.dropFirst()
    return lines.prefix { $0.hasPrefix(" ") }.map(String.init)
  }

  /// The examples of each command, after its name.
  private static let examples = #"""
    login
      tokentry login --provider gitlab --client-id ID --scope read_api
      tokentry login --provider auth0 --var tenant=acme --client-id ID --account me
      tokentry --request login.json --headless-test --navigations urls.txt
    token
      tokentry token --account work
      tokentry token --account work --silent --output header
      tokentry token --account work --min-valid 600 --store file:tokens
    accounts
      tokentry accounts
      tokentry accounts --store file:tokens
      TOKENTRY_STORE=file:tokens tokentry accounts
    logout
      tokentry logout --account work
      tokentry logout --account work --force
      tokentry logout --session 'mail program'
    request
      tokentry request https://mcp.example/mcp/status
      tokentry request --account work -d @photo.png URL
      tokentry request --account work -X DELETE -H 'If-Match: "1"' URL
    keep
      tokentry keep --account work --file ~/.cache/work.token
      tokentry keep --account work --file token --output id_token --once
      tokentry keep --account work --file headers --output header -v
    helper
      tokentry helper
      echo https://registry.example | tokentry helper docker get
      echo url=https://gitlab.com | tokentry helper git get
    agent
      tokentry agent
      tokentry agent --socket ~/build.sock --account build --ask always
      tokentry agent --account work --account build --idle 3600
    register
      tokentry register --issuer https://sso.example --client-name Mail
      tokentry register --provider ./mine.json --store file:clients
      tokentry register --issuer https://sso.example --forget
    explain
      tokentry explain --provider vk --client-id 753197 --scope friends
      tokentry explain --provider ./mine.json --client-id ID --state S
      tokentry explain --request login.json
    demo
      tokentry demo
      tokentry demo --serve
      tokentry demo --headless-test --trace
      tokentry demo --output header
    doctor
      tokentry doctor
      tokentry doctor --silent -v
      tokentry doctor --rendering gpu
    userinfo
      tokentry userinfo --account work
      tokentry userinfo --issuer URL --token-file token.json
      tokentry login --request r.json | tokentry userinfo … --token-file -
    providers
      tokentry providers
      tokentry providers vk > mine.json
      tokentry providers ./mine.json
    navigate
      tokentry navigate --url URL --redirect-uri https://app.example/done
      tokentry navigate --request page.json
      tokentry navigate --request page.json --headless-test --navigations -
    """#

  private static let exitStatuses = [
    "  0 success          4 the deadline passed      7 the login cannot be shown",
    "  1 refused          5 the network failed       8 the user is needed",
    "  2 wrong request    6 an answer that must      9 the result cannot be written",
    "  3 cancelled          not be trusted          70 a defect in tokentry",
  ]

  private static func usage(of option: Option) -> String {
    let flag = option.letter.map { "-\($0), \(option.flag)" } ?? option.flag
    return switch option.value {
    case .none: flag
    case .text(let name), .texts(let name): "\(flag) \(name)"
    case .seconds: "\(flag) SECONDS"
    case .pair(let shape): "\(flag) \(shape)"
    case .choice(let choices): "\(flag) \(choices.joined(separator: "|"))"
    }
  }

  private static func row(_ option: Option, _ column: Int) -> [String] {
    row("  \(usage(of: option))", option.help, column)
  }

  /// A term and its explanation. A long term gets a line of its own.
  private static func row(_ term: String, _ text: String, _ column: Int) -> [String] {
    term.count < column - 1
      ? broken(text, after: term, at: column) : [term] + broken(text, after: "", at: column)
  }

  /// Breaks a text that follows `start` into lines that begin at a column.
  private static func broken(_ text: String, after start: String, at column: Int) -> [String] {
    var lines = [start]
    var isFirstWord = true
    for word in text.split(separator: " ") {
      if lines[lines.count - 1].count + 1 + word.count > width {
        lines.append("")
        isFirstWord = true
      }
      if isFirstWord {
        lines[lines.count - 1] += String(repeating: " ", count: column - lines[lines.count - 1].count)
      } else {
        lines[lines.count - 1] += " "
      }
      lines[lines.count - 1] += word
      isFirstWord = false
    }
    return lines
  }
}
