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
  case gate
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
    ("For other programs", [.request, .helper, .gate, .keep, .agent, .open, .navigate]),
    ("Look and try", [.providers, .explain, .userinfo, .demo, .doctor]),
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
    case .gate: "pass on requests to a server, each with a token"
    case .open: "open a page at home, for a program on this server"
    case .navigate: "open a page, and print where the user ends up"
    case .providers: "list the presets, or print one"
    case .userinfo: "show whose account it is"
    case .demo: "log in at an embedded provider, to try it out"
    case .doctor: "check whether logins work on this machine"
    case .explain: "print the request that login would send"
    }
  }

  /// The options of every command.
  static let general = PlaceWishes.options("verbose") + GeneralWishes.options("help")

  /// The options of commands that may have to ask the user to sign in.
  static let asking = AskingWishes.options + PlaceWishes.ofServers

  /// The options for the use of a saved account.
  static let using =
    AccountWishes.options("account", "min-valid") + RequestWishes.options("resource")
    + PlaceWishes.options("store", "no-wait")

  var options: [Option] { Self.general + main.options }

  /// The words that may follow the command without an option.
  var operand: String? {
    switch self {
    case .login, .explain: "[PROVIDER]"
    case .token, .logout, .userinfo, .keep: "[ACCOUNT]"
    case .providers: "[NAME]"
    case .request, .open: "URL"
    case .gate: "URL [-- PROGRAM [ARGUMENT…]]"
    case .helper: "[NAME [ARGUMENT…]]"
    default: nil
    }
  }

  /// True if a word may follow that is not the value of an option.
  var takesOperand: Bool { operand != nil && optionOfWord == nil }

  /// The option whose value may be given as a word.
  var optionOfWord: Option? {
    switch self {
    case .login, .explain: ProviderWishes.option("provider")
    case .token, .logout, .userinfo, .keep: AccountWishes.option("account")
    default: nil
    }
  }

  /// Reads a command, or a name that others give it.
  init?(typed word: String) {
    self.init(rawValue: word == "whoami" ? Command.userinfo.rawValue : word)
  }

  /// True if the command goes on without the program that has started it, as a service does.
  func outlivesCaller(_ wishes: Wishes) -> Bool {
    switch self {
    case .agent: true
    case .keep: !wishes[KeepWishes.self].isOnce
    default: wishes[DemoWishes.self].serves
    }
  }

  /// True if the command prints a table when the user reads standard output.
  var answersInTable: Bool { [.accounts, .doctor, .explain, .providers].contains(self) }

  /// True if the command does not print JSON, so that standard output stays empty on failure.
  var answersInText: Bool { [.request, .helper, .open].contains(self) }
}

/// A command with its wishes.
///
/// Commands that contain a whole login are classes: the code that copies a structure of that size is 28 KB.
protocol Action: Sendable {
  /// The options that the command has beside the general ones.
  static var options: [Option] { get }

  /// Refuses wishes that the command cannot work with.
  init(_ wishes: Wishes, _ shared: Composition) throws(Failure)

  /// Runs the command, and returns the text for standard output.
  @GLibActor func text() async throws(Failure) -> String

  /// What a reader at a terminal can do next.
  var nextStep: Message? { get }
}

extension Action {
  var nextStep: Message? { nil }
}

extension Action {
  /// Another action of the same command needs no list of its own.
  static var options: [Option] { [] }
}

extension Command {
  private var main: any Action.Type {
    switch self {
    case .login: LoginCommand.self
    case .token: TokenCommand.self
    case .accounts: AccountsCommand.self
    case .logout: LogoutCommand.self
    case .request: RequestCommand.self
    case .keep: KeepCommand.self
    case .helper: HelperCommand.self
    case .agent: AgentCommand.self
    case .gate: GateCommand.self
    case .demo: DemoCommand.self
    case .doctor: DoctorCommand.self
    case .userinfo: UserinfoCommand.self
    case .open: OpenCommand.self
    case .navigate: NavigateCommand.self
    case .explain: ExplainCommand.self
    case .providers: ProvidersCommand.self
    }
  }

  func action(_ wishes: Wishes) -> any Action.Type {
    switch self {
    case .login where wishes.isBareTest: DemoCommand.self
    case .helper where wishes.helper == nil: HelperListCommand.self
    case .helper where wishes[SetUpWishes.self].server != nil: SetUpCommand.self
    case .demo where wishes[DemoWishes.self].listsFaults: FaultsCommand.self
    case .demo where wishes[DemoWishes.self].serves: ServeCommand.self
    default: main
    }
  }
}
