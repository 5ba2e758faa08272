import Glibc
import LoginCore
import Platform
import SignIn
import WindowProtocol

extension SignInOptions {
  /// Reads the caller's wishes. Refuses values that cannot be used, even where they have no effect.
  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    self.init()
    way =
      settings[.way].flatMap(AgentKind.init)
      ?? (settings.has(.silent) || settings.has(.session) ? .window : nil)
    user = try Self.user(settings)
    isSilent = settings.has(.silent)
    if let command = settings[.browser] {
      guard let words = shellWords(command), !words.isEmpty else {
        throw .takes(Option.browser.flag, "a command, quoted as for a shell")
      }
      browser = (words, command)
    }
    (allowsBrowser, opensPages) = (!settings.has(.kiosk), !settings.has(.noBrowser))
    try checkPages(settings)
    let isPipe = settings[.way] == AgentKind.paste.rawValue && Self.isPipe(STDIN_FILENO)
    pipe = isPipe && ![.options, .tokenFile].contains { settings[$0] == "-" } ? STDIN_FILENO : nil
    registersScheme = settings.has(.registerScheme)
    window.title = settings[.title]
    window.hasNoClose = settings.has(.kiosk)
    window.parent = try settings.value(
      of: .parent, wanting: "x11: with a window's number in hexadecimal, or wayland: with a handle"
    ) { ParentWindow($0) }
    if let name = settings[.session] {
      guard let jar = CookieJarName(name) else {
        throw Failure(.invalidOption, "\(Option.session.flag): the name is too long")
      }
      cookies = jar
    }
    rendering = try Rendering(asked: run.environment)
    windowSize = try settings.value(
      of: .windowSize, wanting: "a width and a height, each from 200 to 10000, such as 960x720"
    ) { WindowSize($0) }
    languages = try settings.parameters(.parameter).first { $0.name == "ui_locales" }?.value
    password = settings.password
    exchanged = settings.token
    registration = NewClient(settings, run)
    client = GivenClient(
      settings[.clientID], settings.clientSecret, settings.clientKey, settings.clientAuthentication)
    issuer = try settings.value(of: .issuer, as: Issuer.init)
    check = settings.check
  }

  /// Refuses two wishes about browsers and windows that contradict each other.
  private func checkPages(_ settings: Settings) throws(Failure) {
    guard let option = [Option.noBrowser, .kiosk].first(where: settings.has) else { return }
    let other: String? =
      if browser != nil {
        Option.browser.flag
      } else if way == .browser || way == .window && settings[.way] != nil && !opensPages {
        "\(Option.way.flag) \(settings[.way] ?? "")"
      } else {
        opensPages || allowsBrowser ? nil : Option.kiosk.flag
      }
    if let other { throw .contradiction(option.flag, other) }
  }

  private static func user(_ settings: Settings) throws(Failure) -> User {
    guard settings.has(.headlessTest) else {
      if let option = [Option.navigations, .form].first(where: settings.has) {
        throw Failure(
          .invalidConfiguration, "\(option.flag) replaces the user in tests",
          hint: "add --headless-test")
      }
      return .person
    }
    guard let path = settings[.navigations] else { return .form(settings.formValues) }
    if settings.has(.form) { throw .contradiction(Option.form.flag, Option.navigations.flag) }
    let file = InputFile(.navigations, path)
    return .navigations { () throws(Failure) in try file.open() }
  }

  private static func isPipe(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }
}

extension Rendering {
  /// The variable that chooses how the window draws pages.
  private static let variable = "TOKENTRY_RENDERING"

  /// Reads the wish in the environment. nil without one, and for `auto`.
  init?(asked environment: Environment) throws(Failure) {
    guard let word = try environment.text(Self.variable), word != "auto" else { return nil }
    guard let rendering = Rendering(rawValue: word) else {
      throw .takes(Self.variable, (["auto"] + Self.allCases.map(\.rawValue)).verbatim.list)
    }
    self = rendering
  }
}

extension NewClient {
  init(_ settings: Settings, _ run: Composition) {
    self.init()
    if let name = settings[.application] { self.name = name }
    authentication = settings.clientAuthentication
    initialAccessToken = settings.initialAccessToken
    // A test must not use the keyring unless it is told to, so it keeps no client.
    isKept = !settings.has(.headlessTest) || settings.has(.account) || run.isStoreNamed
  }
}

extension Settings {
  var clientAuthentication: ClientAuthentication? {
    self[.clientAuthentication].flatMap(ClientAuthentication.init)
  }

  /// Refuses a request whose token the output has no place for, and options that its grant cannot obey.
  var check: @Sendable (LoginRequest) throws(Failure) -> Void {
    let given = given.filter { self[$0] != "auto" }
    return { [output] request throws(Failure) in
      try output.check(request)
      try output.checkBinding(request.provider.bindsTokens)
      let (unfit, login): ([Option], Message) =
        switch request.grant {
        case .code, .implicit: ([], "")
        case .device: ([.silent, .session, .navigations, .form], "a code for another device")
        case .clientCredentials, .password, .tokenExchange:
          ([.way, .navigations, .form], "a login without a user")
        }
      guard let option = unfit.first(where: given.contains) else { return }
      throw Failure(.invalidConfiguration, "\(option.flag) cannot be used with \(login)")
    }
  }
}
