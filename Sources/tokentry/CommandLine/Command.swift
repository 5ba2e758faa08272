import GLibSupport
import LoginCore

/// The commands of the program.
enum Command: String, CaseIterable, CustomStringConvertible {
  case login
  case token
  case accounts
  case logout
  case request
  case helper
  case keep
  case agent
  case open
  case navigate
  case providers
  case explain
  case userinfo
  case demo
  case doctor

  var description: String { rawValue }

  /// The commands in the help, under headings.
  static let groups: [(heading: String, commands: [Command])] = [
    ("Every day", [.login, .token, .accounts, .logout]),
    ("For other programs", [.request, .helper, .keep, .agent, .open, .navigate]),
    ("About providers", [.providers, .explain, .userinfo]),
    ("Try and check", [.demo, .doctor]),
  ]

  var summary: String {
    switch self {
    case .login: "sign a user in, and print a token"
    case .token: "print a saved account's token, refreshed if necessary"
    case .accounts: "list the saved accounts, without secrets"
    case .logout: "end an account or a session, and forget it"
    case .request: "send a request with the token of a saved account"
    case .keep: "keep a fresh token in a file for programs that read one"
    case .helper: "give tokens to git, docker, kubectl and others"
    case .agent: "give tokens to programs elsewhere, through a socket"
    case .open: "open a page where the agent is, for a program here"
    case .navigate: "open a page, and print where the user ends up"
    case .providers: "list the presets, or print one"
    case .userinfo: "print who signed in, according to the provider"
    case .demo: "log in at an embedded provider, to try it out"
    case .doctor: "check whether logins work on this machine"
    case .explain: "print the request that login would send"
    }
  }

  /// The options of every command.
  static let general: [Option] = [.verbose, .help]

  /// The options of commands that may have to ask the user to sign in.
  static let asking = OptionGroup.user.options + OptionGroup.testing.options

  /// The options for the use of a saved account.
  private static let using: [Option] = [.account, .resource, .store, .minValid, .noWait]

  private static let window: [Option] = [.options, .title, .windowSize]

  /// The options that only a window can obey, since a browser hands neither cookies nor header fields back.
  static let windowOnly: [Option] = [.cookie, .responseHeader, .post]

  var options: [Option] { Self.general + own }

  private var own: [Option] {
    switch self {
    case .login, .explain:  // the same, so that replacing one word explains any login
      OptionGroup.provider.options + OptionGroup.request.options + OptionGroup.members.options + Self.asking
        + [.account, .ifNeeded, .origins, .store, .noWait, .output]
    case .token: Self.using + Self.asking + Self.window + [.password, .output]
    case .accounts: [.store, .timeout, .output]
    case .logout:
      OptionGroup.provider.options.filter { ![.clientID, .clientSecretFile, .clientKeyFile].contains($0) }
        + Self.asking + Self.window + [.account, .resource, .store, .force, .header]
    case .request: Self.using + OptionGroup.api.options + [.header] + Self.asking
    case .helper:
      HelperProtocols.all.reduce(into: []) { options, helperProtocol in
        options += helperProtocol.allOptions.filter { !options.contains($0) }
      }
    case .keep: OptionGroup.keeping.options + [.account, .resource, .output, .minValid, .store, .trust]
    case .agent:
      [.socket, .ask, .open, .account, .store, .way, .browser, .noBrowser, .trust, .headlessTest, .form]
    case .open: [.store, .timeout]
    case .navigate: OptionGroup.page.options + [.redirectURI] + Self.asking + Self.window
    case .providers: [.output]
    case .userinfo:
      OptionGroup.provider.options.filter { $0 != .redirectURI } + [
        .header, .options, .clientAuthentication, .tokenFile, .account, .resource, .store, .silent, .timeout,
        .trust, .clientCertificate, .negotiate,
      ]
    case .doctor: [.silent, .browser, .output]
    case .demo:
      [.serve, .way, .timeout, .application, .output, .headlessTest, .options, .responseType, .title]
    }
  }

  /// The words that may follow the command without an option.
  var operand: String? {
    switch self {
    case .login, .explain: "[PROVIDER]"
    case .token, .logout, .userinfo, .keep: "[ACCOUNT]"
    case .providers: "[NAME]"
    case .request, .open: "URL"
    case .helper: "[NAME [ARGUMENT…]]"
    default: nil
    }
  }

  /// True if a word may follow that is not the value of an option.
  var takesOperand: Bool { operand != nil && optionOfWord == nil }

  /// The option whose value may be given as a word.
  var optionOfWord: Option? {
    switch self {
    case .login, .explain: .provider
    case .token, .logout, .userinfo, .keep: .account
    default: nil
    }
  }

  /// Reads a command, or a name that others give it.
  init?(typed word: String) {
    self.init(rawValue: word == "whoami" ? Command.userinfo.rawValue : word)
  }

  /// True if the command goes on without the program that has started it, as a service does.
  func outlivesCaller(_ settings: Settings) -> Bool {
    switch self {
    case .agent: true
    case .keep: !settings.has(.once)
    default: settings.has(.serve)
    }
  }

  /// True if the command prints a table when the user reads standard output.
  var answersInTable: Bool { [.accounts, .doctor, .explain, .providers].contains(self) }

  /// True if the command does not print JSON, so that standard output stays empty on failure.
  var answersInText: Bool { [.request, .helper, .open].contains(self) }
}

/// A command with its settings.
///
/// Commands that contain a whole login are classes: the code that copies a structure of that size is 28 KB.
protocol Action: Sendable {
  /// Reads the settings, and refuses those that the command cannot work with.
  init(_ settings: Settings, _ run: Composition) throws(Failure)

  /// Runs the command, and returns the text for standard output.
  @GLibActor func text() async throws(Failure) -> String
}

extension Command {
  func action(_ settings: Settings) -> any Action.Type {
    switch self {
    case .login where settings.isBareTest: DemoCommand.self
    case .login: LoginCommand.self
    case .token: TokenCommand.self
    case .accounts: AccountsCommand.self
    case .logout: LogoutCommand.self
    case .request: RequestCommand.self
    case .keep: KeepCommand.self
    case .helper where settings.helperProtocol == nil: HelperListCommand.self
    case .helper where settings.has(.setUp): SetUpCommand.self
    case .helper: HelperCommand.self
    case .agent: AgentCommand.self
    case .demo where settings.has(.serve): ServeCommand.self
    case .demo: DemoCommand.self
    case .doctor: DoctorCommand.self
    case .userinfo: UserinfoCommand.self
    case .open: OpenCommand.self
    case .navigate: NavigateCommand.self
    case .explain: ExplainCommand.self
    case .providers: ProvidersCommand.self
    }
  }
}

extension Settings {
  /// True for a headless test without a provider, which tests Tokentry itself.
  var isBareTest: Bool {
    let provider: [Option] = [.provider, .issuer, .clientID, .account, .navigations, .form, .resource]
    return has(.headlessTest) && !names(.authorization) && !provider.contains(where: has)
  }
}
