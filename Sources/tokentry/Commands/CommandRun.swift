import GLibSupport
import LoginCore

/// One command that runs on the main loop and ends with a text for standard output.
@GLibActor
struct CommandRun {
  let command: Command
  let operand: String?
  let messages: Messages
  let interruption: Interruption
  let environment: Environment
  let catalog: ProviderCatalog

  init(_ command: Command, operand: String?, messages: Messages, interruption: Interruption) {
    self.command = command
    self.operand = operand
    self.messages = messages
    self.interruption = interruption
    environment = Environment()
    catalog = ProviderCatalog(environment: environment)
  }

  /// The text for standard output.
  ///
  /// `answersInText` is told as soon as it is known that standard output must stay empty on failure.
  func text(
    _ given: Settings, answersInText: @escaping @GLibActor () -> Void
  ) async throws(Failure) -> String {
    interruption.setDeadline(seconds: given.timeout)
    let settings = try await complete(given, answersInText)
    if settings.timeout != given.timeout { interruption.setDeadline(seconds: settings.timeout) }
    return switch command {
    case .login where settings.isBareTest: try await demo(settings)
    case .login: try await login(settings)
    case .token: try await token(settings)
    case .accounts: try await accounts(settings)
    case .logout: try await logout(settings)
    case .request: try await request(settings)
    case .gitCredential: try await gitCredential(settings)
    case .demo: try await demo(settings)
    case .doctor: try await doctor(settings)
    case .userinfo: try await userinfo(settings)
    case .navigate: try await navigate(settings)
    case .register: try await register(settings)
    case .explain: try await explain(settings)
    case .providers: try providers()
    }
  }

  /// Adds what files and environment say to what the command line says.
  private func complete(
    _ given: Settings, _ answersInText: @GLibActor () -> Void
  ) async throws(Failure) -> Settings {
    var settings = given
    if let path = settings[.request] {
      let file = InputFile(flag: Option.request.flag, path: path)
      if file.isStandardInput, settings[.navigations] == "-" {
        throw .caller(.invalidConfiguration("--request and --navigations cannot both read standard input"))
      }
      let bytes = try await file.read(limit: RequestDocument.maximumSize)
      if given[.output] == nil, RequestDocument.asksForText(bytes) { answersInText() }
      settings.fill(from: try RequestDocument(bytes, for: command).settings)
    }
    if let path = settings[.tokenFile] { settings.token = try await readToken(path, settings) }
    settings.clientSecret = try await secret(
      settings, .clientSecretFile, settings.clientSecret, "client_secret", "TOKENTRY_CLIENT_SECRET")
    settings.password = try await secret(
      settings, .passwordFile, settings.password, "password", "TOKENTRY_PASSWORD")
    if let path = settings[.initialAccessTokenFile] {
      let file = InputFile(flag: Option.initialAccessTokenFile.flag, path: path)
      if settings.initialAccessToken != nil {
        throw .caller(.invalidConfiguration("\(file.flag) and initial_access_token contradict each other"))
      }
      settings.initialAccessToken = AccessToken(try await file.readSecret())
    }
    if environment["TOKENTRY_HEADLESS_TEST"] == "1", !settings.has(.headlessTest),
      command.options.contains(.headlessTest)
    {
      try settings.set(.headlessTest, "", as: Option.headlessTest.flag)
    }
    return settings
  }

  /// A secret: what a request document gave, else what is in the file, else what the environment says.
  private func secret<Role>(
    _ settings: Settings, _ option: Option, _ given: Secret<Role>?, _ member: String, _ variable: String
  ) async throws(Failure) -> Secret<Role>? {
    if let path = settings[option] {
      if given != nil {
        throw .caller(.invalidConfiguration("\(option.flag) and \(member) contradict each other"))
      }
      return Secret(try await InputFile(flag: option.flag, path: path).readSecret())
    }
    return given ?? environment[variable].map { Secret($0) }
  }

  private func readToken(_ path: String, _ settings: Settings) async throws(Failure) -> Token {
    let file = InputFile(flag: Option.tokenFile.flag, path: path)
    if settings.token != nil {
      throw .caller(.invalidConfiguration("\(file.flag) and token contradict each other"))
    }
    if file.isStandardInput, let other = [Option.request, .navigations].first(where: { settings[$0] == "-" })
    {
      throw .caller(
        .invalidConfiguration("\(other.flag) and \(file.flag) cannot both read standard input"))
    }
    let bytes = try await file.read(limit: RequestDocument.maximumSize)
    let value = try? JSONReader.read(bytes, maximumSize: RequestDocument.maximumSize)
    guard let token = value?.object.flatMap(Token.init(json:)) else {
      throw .caller(.invalidOption("\(file.flag): this is no token as login prints it"))
    }
    return token
  }
}

extension OutputFormat {
  /// The format that was asked for.
  init(_ settings: Settings) {
    self = settings[.output].flatMap(OutputFormat.init) ?? .json
  }
}

extension Settings {
  /// Whether a test was asked for and nothing to be tested: then it is Tokentry itself.
  var isBareTest: Bool {
    let provider: [Option] = [
      .provider, .issuer, .authorizationEndpoint, .clientID, .account, .navigations, .form,
    ]
    return has(.headlessTest) && !provider.contains(where: has)
  }

  /// How long to wait for the user, in seconds; zero is for ever.
  var timeout: Int { self[.timeout].flatMap { Int($0) } ?? 300 }
}
