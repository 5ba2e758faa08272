import GLibSupport
import LoginCore

/// The commands of the program.
enum Command: String, CaseIterable, CustomStringConvertible {
  case login
  case token
  case accounts
  case logout
  case request
  case keep
  case helper
  case agent
  case register
  case navigate
  case providers
  case explain
  case userinfo
  case demo
  case doctor

  var description: String { rawValue }

  var summary: String {
    switch self {
    case .login: "ask the user to sign in and print a token"
    case .token: "print a kept account's token, refreshed if necessary"
    case .accounts: "list the kept accounts, without secrets"
    case .logout: "end an account or a session, and forget it"
    case .request: "send a request with the token of a kept account"
    case .keep: "keep a fresh token in a file for programs that read one"
    case .helper: "give tokens to other programs"
    case .agent: "give tokens to programs elsewhere, through a socket"
    case .register: "register a client with the provider, and keep it"
    case .navigate: "open a page, and print where the user ends up"
    case .providers: "list the presets, or print one"
    case .userinfo: "print who signed in, according to the provider"
    case .demo: "log in at an embedded provider, to try it out"
    case .doctor: "check whether logins work on this machine"
    case .explain: "print the request that login would send"
    }
  }

  /// The options of every command.
  var generalOptions: [Option] { [.help, .verbose, .trace] }

  var options: [Option] {
    let general = generalOptions
    return switch self {
    case .login, .explain:  // the same, so that replacing one word explains any login
      general + OptionGroup.provider.options + OptionGroup.request.options
        + OptionGroup.testing.options.filter { $0 != .serve }
        + OptionGroup.registration.options + OptionGroup.identity + [
          .account, .ifNeeded, .origins, .store, .noWait, .agent, .browser, .noBrowser, .registerScheme,
          .timeout,
          .session, .silent, .parent, .title, .application, .windowSize, .noClose, .rendering, .trust,
          .output,
        ]
    case .token:
      general + [
        .account, .resource, .store, .minValid, .noWait, .silent, .agent, .browser, .noBrowser,
        .registerScheme, .timeout, .session, .parent, .title, .application, .windowSize, .noClose, .rendering,
        .trust, .output, .headlessTest, .navigations, .form, .request, .passwordFile,
      ] + OptionGroup.identity
    case .accounts: general + [.store, .timeout]
    case .request:
      general + [.method, .header, .data, .allowOrigin, .account, .resource, .store, .minValid]
        + OptionGroup.asking
    case .keep:
      general + [.account, .resource, .file, .output, .minValid, .once, .store, .trust]
    case .helper:
      HelperProtocols.all.reduce(into: general) { options, helperProtocol in
        options += helperProtocol.allOptions.filter { !options.contains($0) }
      }
    case .agent:
      general + [
        .socket, .ask, .account, .store, .idle, .agent, .browser, .noBrowser, .rendering, .trust,
        .headlessTest,
        .form,
      ]
    case .navigate:
      general + [
        .url, .redirectURI, .cookie, .responseHeader, .post, .agent, .browser, .noBrowser, .registerScheme,
        .timeout, .session, .silent, .parent, .title, .application, .windowSize, .noClose, .rendering, .trust,
        .headlessTest, .navigations,
        .form, .request,
      ] + OptionGroup.identity
    case .logout:
      general + [
        .account, .resource, .store, .force, .redirectURI, .request, .agent, .browser, .noBrowser, .timeout,
        .session, .silent, .parent, .title, .application, .windowSize, .rendering, .trust, .headlessTest,
        .navigations,
        .form,
      ] + OptionGroup.identity
    case .register:
      general
        + OptionGroup.provider.options.filter {
          ![.clientID, .clientSecretFile, .clientKeyFile].contains($0)
        }
        + OptionGroup.registration.options + OptionGroup.identity
        + [
          .grant, .responseType, .scope, .header, .request, .store, .forget, .force, .timeout, .silent,
          .trust,
        ]
    case .providers: general + [.json]
    case .userinfo:
      general + OptionGroup.provider.options.filter { $0 != .redirectURI }
        + OptionGroup.identity
        + [
          .header, .request, .tokenFile, .account, .resource, .store, .introspect, .silent, .timeout, .trust,
        ]
    case .doctor: general + [.silent, .rendering, .browser, .json]
    case .demo:
      general + [.serve, .responseType, .agent, .timeout, .title, .application, .output, .headlessTest]
    }
  }

  /// The words that may follow the command without an option.
  var operand: String? {
    switch self {
    case .providers: "[NAME]"
    case .request: "URL"
    case .helper: "[NAME [ARGUMENT…]]"
    default: nil
    }
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
  var answersInTable: Bool { self == .doctor || self == .providers }

  /// True if the command does not print JSON, so that standard output stays empty on failure.
  var answersInText: Bool { self == .request || self == .helper }
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
    case .helper: HelperCommand.self
    case .agent: AgentCommand.self
    case .demo where settings.has(.serve): ServeCommand.self
    case .demo: DemoCommand.self
    case .doctor: DoctorCommand.self
    case .userinfo: UserinfoCommand.self
    case .navigate: NavigateCommand.self
    case .register: RegisterCommand.self
    case .explain: ExplainCommand.self
    case .providers: ProvidersCommand.self
    }
  }
}

extension Settings {
  /// True for a headless test without a provider, which tests Tokentry itself.
  var isBareTest: Bool {
    let provider: [Option] = [
      .provider, .issuer, .authorizationEndpoint, .clientID, .account, .navigations, .form, .resource,
    ]
    return has(.headlessTest) && !provider.contains(where: has)
  }
}
