import Glibc
import LoginCore

/// The help, from the tables of commands and options. It is at most 80 columns wide.
enum HelpText {
  /// The way in: what this program is, three lines to try, and the commands.
  case start
  /// All commands and options.
  case all
  case command(Command)
  case helper(any HelperProtocol.Type)

  private static let width = 80
  /// The column of explanations. Most of them fit next to their option.
  private static let column = 29

  var text: String {
    let lines =
      switch self {
      case .start: Self.wayIn
      case .all: Self.everything
      case .command(let command): Self.lines(of: command)
      case .helper(let helperProtocol): Self.lines(of: helperProtocol)
      }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Shows everything through the user's pager. Returns false if this has to print it.
  func isPaged() -> Bool {
    guard case .all = self, isatty(StandardOutput.descriptor) == 1, let pager = getenv("PAGER"),
      pager.pointee != 0, let pipe = popen(pager, "w")
    else { return false }
    fputs(text, pipe)
    return pclose(pipe) == 0
  }

  private static var wayIn: [String] {
    let usage = "tokentry [COMMAND] [OPTION…]: sign a user in, and print a token"
    let lines =
      [usage, "", "Try:"]
      + row("  tokentry demo", "a login at an embedded provider", 46)
      + row("  tokentry login --issuer URL --client-id ID", "a login at your own", 46)
      + row("  tokentry providers", "those that need no URL", 46) + [""]
    return lines + commands + [
      "", "See `tokentry COMMAND --help`, `tokentry help all` and tokentry(1).",
    ]
  }

  private static var commands: [String] {
    Command.groups.flatMap { group in
      ["\(group.heading):"] + group.commands.flatMap { row("  \($0)", $0.summary, 14) }
    }
  }

  private static var everything: [String] {
    var lines = ["tokentry [COMMAND] [OPTION…]: sign a user in, and print a token", "", "Examples:"]
    lines += [Command.login, .token, .explain, .providers].flatMap { examples(of: $0).prefix(2) }
    lines += [""] + commands
    for heading in Option.Heading.allCases {
      lines += ["", "\(heading.rawValue):"] + Option.all.filter { $0.heading == heading }.flatMap(row)
    }
    return lines + ["", "Exit status:"] + exitStatuses
  }

  /// A command and its options.
  private static func lines(of command: Command) -> [String] {
    let operand = command.operand.map { " \($0)" } ?? ""
    let usage = "tokentry \(command)\(operand) [OPTION…]: \(command.summary)"
    return broken(usage, after: "", at: 0) + examples(of: command) + rows(of: command.options)
  }

  /// A helper and its options.
  private static func lines(of helperProtocol: any HelperProtocol.Type) -> [String] {
    let name = "\(Command.helper) \(helperProtocol.name)"
    let usage = "tokentry \(name) [ARGUMENT…]: give tokens to \(helperProtocol.callers)"
    let lines = broken(usage, after: "", at: 0) + helperProtocol.setUp.map { "  \($0)" }
    if helperProtocol.hasArgumentsOfItsOwn { return lines + ["Its arguments are those of the program."] }
    let own = helperProtocol.arguments
    let rows = own.isEmpty ? [] : ["Of this helper:"] + own.flatMap(row)
    return lines + rows + Self.rows(of: helperProtocol.options)
  }

  /// The options under their headings.
  private static func rows(of options: [Option]) -> [String] {
    let known = Option.all.filter { option in
      !option.isMemberOnly && option.name != "help" && options.contains(option)
    }
    return Option.Heading.allCases.flatMap { heading -> [String] in
      let rows = known.filter { $0.heading == heading }
      return rows.isEmpty ? [] : ["\(heading.rawValue):"] + rows.flatMap(row)
    }
  }

  private static func examples(of command: Command) -> [String] {
    let lines = examples.split(separator: "\n").drop { $0 != command.rawValue }.dropFirst()
    return lines.prefix { $0.hasPrefix(" ") }.map(String.init)
  }

  /// The examples of each command, after its name.
  private static let examples = #"""
    login
      tokentry login gitlab --client-id ID --scope read_api --account work
      tokentry login auth0 --var tenant=acme --client-id ID --output header
    token
      tokentry token work
      tokentry token work --silent --output header
      tokentry token work --min-valid 600 --store file:tokens
    accounts
      tokentry accounts
      tokentry accounts --store file:tokens
      TOKENTRY_STORE=file:tokens tokentry accounts
    logout
      tokentry logout work
      tokentry logout work --force
      tokentry logout --session 'mail program'
      tokentry logout --issuer https://sso.example
    request
      tokentry request https://mcp.example/mcp/status
      tokentry request --account work -d @photo.png URL
      tokentry request --account work -X DELETE -H 'If-Match: "1"' URL
    keep
      tokentry keep work --file ~/.cache/work.token
      tokentry keep work --file token --output id_token --once
      tokentry keep work --file headers --output header -v
    helper
      tokentry helper
      echo https://registry.example | tokentry helper docker get
      echo url=https://gitlab.com | tokentry helper git get
    agent
      tokentry agent
      tokentry agent --socket ~/build.sock --account build --ask always
      tokentry agent --account work --account build -v
    explain
      tokentry explain vk --client-id 753197 --scope friends
      tokentry explain --options login.json
    demo
      tokentry demo
      tokentry demo --serve
      tokentry demo --headless-test -vv
      tokentry demo --output header
    doctor
      tokentry doctor
      tokentry doctor --silent -v
      tokentry doctor --output json
    userinfo
      tokentry userinfo work
      tokentry userinfo --issuer URL --token-file token.json
      tokentry login --options r.json | tokentry userinfo … --token-file -
    providers
      tokentry providers
      tokentry providers vk > mine.json
      tokentry providers ./mine.json
    navigate
      tokentry navigate --url URL --redirect-uri https://app.example/done
      tokentry navigate --options page.json
      tokentry navigate --options page.json --headless-test --navigations -
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
    case .none, .level: flag
    case .text(let shape), .anyLine(let shape), .data(let shape), .texts(let shape), .pair(let shape),
      .choice(let shape, _), .secret(let shape, _), .json(let shape, _):
      "\(flag) \(shape)"
    case .field: "\(flag) NAME=VALUE"
    case .seconds: "\(flag) SECONDS"
    }
  }

  private static func row(_ option: Option) -> [String] { row("  \(usage(of: option))", option.help, column) }

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

extension Option {
  /// The headings of the help, in their order.
  enum Heading: String, CaseIterable, Sendable {
    case provider = "Provider and client"
    case request = "The login"
    case account = "Account"
    case user = "The user"
    case result = "Result"
    case api = "The API"
    case page = "Page"
    case keeping = "Token in a file"
    case agent = "Service"
    case testing = "Tests"
    case general = "General"
    case members = "Only in the document of --options"
  }
}
