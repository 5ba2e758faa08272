import GLibSupport
import LoginCore

/// A command whose settings have been read: all that is left is to carry it out.
///
/// Those that hold a whole login are classes: nobody copies them, and what copies a structure of that size is 28 KB of code.
protocol Action: Sendable {
  /// Reads what this command needs of what the caller has said, and refuses what cannot be.
  init(_ settings: Settings, _ run: Composition) throws(Failure)

  /// Carries it out, and returns the text for standard output.
  @GLibActor func text() async throws(Failure) -> String
}

extension Command {
  /// What carries this command out.
  func action(_ settings: Settings) -> any Action.Type {
    switch self {
    case .login where settings.isBareTest: DemoCommand.self
    case .login: LoginCommand.self
    case .token: TokenCommand.self
    case .accounts: AccountsCommand.self
    case .logout: LogoutCommand.self
    case .request: RequestCommand.self
    case .helper where settings.helperProtocol == nil: HelperListCommand.self
    case .helper, .gitCredential: HelperCommand.self
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
  /// Whether a test was asked for and nothing to be tested: then it is Tokentry itself.
  fileprivate var isBareTest: Bool {
    let provider: [Option] = [
      .provider, .issuer, .authorizationEndpoint, .clientID, .account, .navigations, .form,
      .resource,
    ]
    return has(.headlessTest) && !provider.contains(where: has)
  }
}
