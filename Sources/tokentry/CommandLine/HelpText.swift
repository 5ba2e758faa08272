/// The help, made from the tables of commands and options: at most 80 columns wide.
enum HelpText {
  private static let width = 80
  private static let column = 34

  /// The help of the program, or of one command.
  static func text(for command: Command?) -> String {
    var lines: [String] = []
    if let command {
      let operand = command.operand.map { " \($0)" } ?? ""
      lines.append("tokentry \(command)\(operand) [OPTION…]: \(command.summary)")
      lines += ["", "Examples:"] + examples(of: command)
    } else {
      lines.append("tokentry [COMMAND] [OPTION…]: sign a user in and print a token")
      lines +=
        ["", "Examples:"]
        + [Command.login, .token, .explain, .providers].flatMap { examples(of: $0).prefix(2) }
      lines += ["", "Commands (login if none is given):"]
      lines += Command.allCases.map { row("  \($0)", $0.summary) }.flatMap(\.self)
    }
    for group in OptionGroup.allCases {
      let options = group.options.filter { option in
        command.map { $0.options.contains(option) } ?? true
      }
      if options.isEmpty { continue }
      lines += ["", "\(group.rawValue):"] + options.flatMap { row("  \(usage(of: $0))", $0.help) }
    }
    lines += ["", "Exit status:"] + exitStatuses
    return lines.joined(separator: "\n") + "\n"
  }

  private static func examples(of command: Command) -> [String] {
    let lines = examples.split(separator: "\n").drop { $0 != command.rawValue }.dropFirst()
    return lines.prefix { $0.hasPrefix(" ") }.map(String.init)
  }

  /// Under the name of each command.
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
      tokentry request --account work https://api.example/me
      tokentry request --account work -d @photo.png URL
      tokentry request --account work -X DELETE -H 'If-Match: "1"' URL
    helper
      tokentry helper
      echo https://registry.example | tokentry helper docker get
      echo url=https://gitlab.com | tokentry helper git get
    git-credential
      git config --global credential.https://gitlab.com.helper \
          '!tokentry git-credential --client-id ID'
      tokentry git-credential --account work get
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

  /// A term and its explanation, broken into lines; a term that is too long gets a line of its own.
  private static func row(_ term: String, _ text: String) -> [String] {
    var lines = [term.count < column - 1 ? term : ""]
    let head = lines[0].isEmpty ? [term] : []
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
    return head + lines
  }
}
