import Glibc
import LoginCore

/// The help, from the tables of commands and options. It is at most 80 columns wide, and narrower at a narrow terminal.
enum HelpText {
  /// The way in: what this program is, three lines to try, and the commands.
  case start
  /// All commands and options.
  case all
  case command(Command)
  case helper(any HelperProtocol.Type)

  static let width = 80
  /// The column of explanations. Most of them fit next to their option.
  private static let column = 29

  func text(width: Int = Self.width) -> String {
    rows.flatMap { $0.lines(width) }.joined(separator: "\n") + "\n"
  }

  private var rows: [HelpRow] {
    switch self {
    case .start: Self.wayIn
    case .all: Self.everything
    case .command(let command): Self.rows(of: command)
    case .helper(let helperProtocol): Self.rows(of: helperProtocol)
    }
  }

  /// Prints the help at a terminal, through a pager if it is longer than the screen. Returns nil in that case, else the text to
  /// print.
  func forReader() -> String? {
    guard isatty(StandardOutput.descriptor) == 1 else { return text() }
    let screen = Messages.size(ofTerminal: StandardOutput.descriptor)
    let text = text(width: min(screen.columns ?? Self.width, Self.width))
    let isLong = text.count { $0 == "\n" } >= screen.rows ?? 24
    return isLong && Self.page(text) ? nil : text
  }

  /// Shows a text in the user's pager. Without one, takes the pager of the system where the user can leave it again.
  private static func page(_ text: String) -> Bool {
    let pager: String
    if let own = getenv("PAGER") {
      pager = String(cString: own)
    } else {
      let terminal = getenv("TERM").map { String(cString: $0) } ?? "dumb"
      guard isatty(STDIN_FILENO) == 1, Messages.areRead, terminal != "dumb" else { return false }
      pager = """
        export LESS="${LESS--FRX}"; for pager in pager less; do command -v $pager >/dev/null && exec $pager; done; exit 1
        """
    }
    guard !pager.isEmpty, let pipe = popen(pager, "w") else { return false }
    fputs(text, pipe)
    return pclose(pipe) == 0
  }

  private static var wayIn: [HelpRow] {
    [
      HelpRow(usage),
      HelpRow("Try: tokentry demo", "a login at an embedded provider", 49),
      HelpRow("     tokentry login --issuer URL --client-id ID", "a login at your own", 49),
    ] + commands + [HelpRow("See `tokentry COMMAND --help`, `tokentry help all` and tokentry(1).")]
  }

  private static let usage = "tokentry [COMMAND] [OPTION…]: sign a user in, and print a token"

  private static var commands: [HelpRow] {
    Command.groups.flatMap { group in
      [HelpRow("\(group.heading):")] + group.commands.map { HelpRow("  \($0)", $0.summary, 14) }
    }
  }

  private static var everything: [HelpRow] {
    var rows = [HelpRow(usage), HelpRow(), HelpRow("Examples:")]
    rows += [Command.login, .token, .explain, .providers].flatMap { examples(of: $0).prefix(2) }
    rows += [HelpRow()] + commands
    for heading in Option.Heading.allCases {
      rows +=
        [HelpRow(), HelpRow("\(heading.rawValue):")] + Option.all.filter { $0.heading == heading }.map(row)
    }
    return rows + [HelpRow(), HelpRow("Exit status:")] + exitStatuses.map { HelpRow($0) }
  }

  /// A command and its options.
  private static func rows(of command: Command) -> [HelpRow] {
    let operand = command.operand.map { " \($0)" } ?? ""
    return [HelpRow("", "tokentry \(command)\(operand) [OPTION…]: \(command.summary)")]
      + examples(of: command)
      + rows(of: command.options)
  }

  /// A helper and its options.
  private static func rows(of helperProtocol: any HelperProtocol.Type) -> [HelpRow] {
    let name = "\(Command.helper) \(helperProtocol.name)"
    let usage = HelpRow("", "tokentry \(name) [ARGUMENT…]: give tokens to \(helperProtocol.callers)")
    let rows = [usage] + helperProtocol.setUp.map { HelpRow("  \($0)") }
    if helperProtocol.hasArgumentsOfItsOwn {
      return rows + [HelpRow("Its arguments are those of the program.")]
    }
    let own = helperProtocol.arguments
    return rows + (own.isEmpty ? [] : [HelpRow("Of this helper:")] + own.map(row))
      + Self.rows(of: helperProtocol.options)
  }

  /// The options under their headings.
  private static func rows(of options: [Option]) -> [HelpRow] {
    let known = Option.all.filter { option in
      !option.isMemberOnly && option.name != "help" && options.contains(option)
    }
    return Option.Heading.allCases.flatMap { heading -> [HelpRow] in
      let rows = known.filter { $0.heading == heading }
      return rows.isEmpty ? [] : [HelpRow("\(heading.rawValue):")] + rows.map(row)
    }
  }

  private static func examples(of command: Command) -> [HelpRow] {
    let lines = examples.split(separator: "\n").drop { $0 != command.rawValue }.dropFirst()
    return lines.prefix { $0.hasPrefix(" ") }.map { HelpRow(String($0)) }
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
    gate
      tokentry gate https://mcp.example/mcp
      tokentry gate https://api.example --account work --port 0
      tokentry gate https://api.example --account work -- ./job.sh
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
      tokentry demo --serve --user ada --fault refresh-lost=1
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

  private static func row(_ option: Option) -> HelpRow {
    HelpRow("  \(usage(of: option))", option.help, column)
  }
}

/// A term of the help and its explanation, which begins at a column. Without an explanation, any other line.
private struct HelpRow {
  private let term: String
  private let text: String
  private let column: Int

  /// The column of explanations where the screen is too narrow for two columns.
  private static let narrowColumn = 6

  init(_ term: String = "", _ text: String = "", _ column: Int = 0) {
    (self.term, self.text, self.column) = (term, text, column)
  }

  /// The lines, none of which is wider than the screen, if no word is. A long term gets a line of its own.
  func lines(_ width: Int) -> [String] {
    let indent = term.prefix { $0 == " " }.count
    let isNarrow = width < HelpText.width && column > width / 2
    let column = isNarrow && !term.isEmpty ? Self.narrowColumn : column
    let isAlone = text.isEmpty || isNarrow || term.count >= column - 1
    if !isAlone || term.isEmpty { return Self.broken(text, after: term, at: column, width) }
    // A line to copy is broken only where the terminal would do it.
    let isWhole = term.count <= width || width == HelpText.width
    let first = isWhole ? [term] : Self.broken(term, after: String(term.prefix(indent)), at: indent, width)
    return text.isEmpty ? first : first + Self.broken(text, after: "", at: column, width)
  }

  /// Breaks a text that follows `start` into lines that begin at a column.
  private static func broken(
    _ text: String, after start: String, at column: Int, _ width: Int
  ) -> [String] {
    var lines = [start]
    var isFirstWord = true
    for word in text.split(separator: " ") {
      if !isFirstWord, lines[lines.count - 1].count + 1 + word.count > width {
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
