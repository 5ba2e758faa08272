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
      settings[.agent].flatMap(AgentKind.init)
      ?? (settings.has(.silent) || settings.has(.session) ? .window : nil)
    user = try Self.user(settings)
    isSilent = settings.has(.silent)
    if let command = settings[.browser] {
      guard let words = shellWords(command), !words.isEmpty else {
        throw .takes(Option.browser.flag, "a command, quoted as for a shell")
      }
      browser = (words, command)
    }
    allowsBrowser = !settings.has(.noBrowser)
    if !allowsBrowser, way == .browser || browser != nil {
      throw .contradiction(
        Option.noBrowser.flag, browser == nil ? "\(Option.agent.flag) browser" : Option.browser.flag)
    }
    let isPipe = settings[.agent] == AgentKind.paste.rawValue && Self.isPipe(STDIN_FILENO)
    pipe = isPipe && ![.request, .tokenFile].contains { settings[$0] == "-" } ? STDIN_FILENO : nil
    registersScheme = settings.has(.registerScheme)
    window.title = settings[.title]
    window.hasNoClose = settings.has(.noClose)
    window.parent = try settings.value(
      of: .parent, wanting: "x11: with a window's number in hexadecimal, or wayland: with a handle"
    ) { ParentWindow($0) }
    if let name = settings[.session] {
      guard let jar = CookieJarName(name) else {
        throw Failure(.invalidOption, "\(Option.session.flag): the name is too long")
      }
      cookies = jar
    }
    rendering = settings[.rendering].flatMap(Rendering.init)
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

extension NewClient {
  init(_ settings: Settings, _ run: Composition) {
    self.init()
    if let name = settings[.clientName] { self.name = name }
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
          ([.agent, .navigations, .form], "a login without a user")
        }
      guard let option = unfit.first(where: given.contains) else { return }
      throw Failure(.invalidConfiguration, "\(option.flag) cannot be used with \(login)")
    }
  }
}
