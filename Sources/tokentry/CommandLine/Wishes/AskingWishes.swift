import Glibc
import Language
import LoginCore
import Platform
import SignIn
import WindowProtocol

/// The user, who may have to sign in, or the test that replaces them.
struct AskingWishes: WishGroup {
  var way: LoginWay?
  /// The command that opens a page, in words and as the caller wrote it.
  var browser: Browser?
  var isWithoutBrowser = false
  var registersScheme = false
  var isKiosk = false
  var timeout: Int?
  var isSilent = false
  /// The name under which cookies are kept.
  var session: CookieJarName?
  var application: String?
  var parent: ParentWindow?
  var isTest = false
  var form: [Parameter] = []
  var navigations: String?
  var title: String?
  var windowSize: WindowSize?

  struct Browser: Sendable {
    let words: [String]
    let text: String
  }

  static let rows =
    under(
      .user,
      [
        choice(
          \.way, "way", called: "WAY", or: "auto", "window, browser, device, paste, or auto",
          hint: "--way browser opens your default browser, and --browser COMMAND another one"),
        value(
          \.browser, "browser", .text("COMMAND"), "opens the page; its URL replaces %s or follows",
          wanting: "a command, quoted as for a shell"
        ) { text in shellWords(text).flatMap { $0.isEmpty ? nil : Browser(words: $0, text: text) } },
        flag(\.isWithoutBrowser, "no-browser", "print the address, or a code for another device"),
        flag(\.registersScheme, "register-scheme", "let a browser answer to a private scheme"),
        flag(\.isKiosk, "kiosk", "a window that stays, without a way to a browser"),
        seconds(\.timeout, "timeout", "how long to wait; 0: no limit (not given: 300)"),
        flag(\.isSilent, "silent", "never ask; status 8 if the user is needed"),
        value(\.session, "session", .text("NAME"), "keep cookies under this name", jar),
        text(\.application, "application", .text("NAME"), "your application's name, for the user"),
        value(
          \.parent, "parent", .text("WINDOW"), "your window: x11:XID or wayland:HANDLE",
          wanting: "x11: with a window's number in hexadecimal, or wayland: with a handle"
        ) { ParentWindow($0) },
      ])
    + under(
      .testing,
      [
        flag(\.isTest, "headless-test", "no display and no user"),
        values(\.form, "form", .pair(), "fill in forms; NAME=@FILE reads a file") { $0.pair },
        text(\.navigations, "navigations", .text("FILE|-"), "addresses that a window would be led to"),
      ])
    + under(
      .members,
      [
        text(\.title, "title", .text("TEXT"), "the window's title (default: the provider's name)"),
        value(
          \.windowSize, "window_size", .text("WIDTHxHEIGHT"),
          "the window's size (default: that of the last one)",
          wanting: "a width and a height, each from 200 to 10000, such as 960x720"
        ) { WindowSize($0) },
      ])

  private static func jar(_ given: Given) throws(Failure) -> CookieJarName {
    guard let jar = CookieJarName(given.text) else {
      throw Failure(.invalidOption, "\(given.option.flag): the name is too long")
    }
    return jar
  }

  /// The seconds to wait for the user. Zero means no limit.
  var patience: Int { timeout ?? 300 }

  /// The application that the user signs in for.
  var requester: Requester { Requester(application: application, caller: RequesterProcesses.caller) }

  /// Reads the values for forms. A value that begins with `@` names a file, so that a password need not be on the command
  /// line.
  mutating func readFiles() async throws(Failure) {
    for (index, pair) in form.enumerated() {
      guard pair.value.utf8.first == UInt8(ascii: "@") else {
        if pair.namesPassword { Messages.hide(pair.value) }
        continue
      }
      let name = "\(Self.flag("form")) \(pair.name.forDisplay(limit: 60))"
      let file = InputFile(flag: name, path: pair.value.withoutFirstByte)
      var bytes = try await file.readOwn(limit: 64 * 1_024)
      if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
      guard let value = String(validating: bytes, as: UTF8.self) else { throw .notUTF8(name) }
      // A page may give its password field any name, so all values from files are hidden.
      Messages.hide(value)
      form[index] = Parameter(pair.name, value)
    }
  }
}

extension Parameter {
  fileprivate var namesPassword: Bool {
    let name = name.lowercased()
    return Redaction.secretNames.contains(name)
      || ["pass", "pw", "pin", "otp"].contains(where: name.hasPrefix)
  }
}

extension SignInOptions {
  /// Turns the caller's wishes into those of a sign-in. Refuses wishes that contradict each other, even where they have no
  /// effect.
  init(_ wishes: Wishes, _ shared: Composition) throws(Failure) {
    self.init()
    let (asking, request, client) = (wishes.asking, wishes.request, wishes.provider)
    way = asking.way ?? (asking.isSilent || asking.session != nil ? .window : nil)
    user = try Self.user(asking)
    isSilent = asking.isSilent
    browser = asking.browser.map { ($0.words, $0.text) }
    (allowsBrowser, opensPages) = (!asking.isKiosk, !asking.isWithoutBrowser)
    try Self.checkPages(asking)
    pipe =
      asking.way == .paste && wishes.readerOfInput == nil && Self.isPipe(STDIN_FILENO) ? STDIN_FILENO : nil
    registersScheme = asking.registersScheme
    (window.title, window.hasNoClose, window.parent) = (asking.title, asking.isKiosk, asking.parent)
    cookies = asking.session
    rendering = try Rendering(asked: shared.environment)
    windowSize = asking.windowSize
    (password, exchanged) = (request.password, request.token)
    registration = NewClient(wishes, shared)
    self.client = GivenClient(
      client.clientID, client.clientSecret, client.clientKey, request.clientAuthentication)
    issuer = client.issuer
    check = wishes.check
  }

  /// Refuses two wishes about browsers and windows that contradict each other.
  private static func checkPages(_ asking: AskingWishes) throws(Failure) {
    guard asking.isWithoutBrowser || asking.isKiosk else { return }
    let flag = AskingWishes.flag(asking.isWithoutBrowser ? "no-browser" : "kiosk")
    let other: String? =
      if asking.browser != nil {
        AskingWishes.flag("browser")
      } else if let way = asking.way, way == .browser || way == .window && asking.isWithoutBrowser {
        "\(AskingWishes.flag("way")) \(way.rawValue)"
      } else {
        asking.isWithoutBrowser && asking.isKiosk ? AskingWishes.flag("kiosk") : nil
      }
    if let other { throw .contradiction(flag, other) }
  }

  private static func user(_ asking: AskingWishes) throws(Failure) -> User {
    guard asking.isTest else {
      if asking.navigations == nil, asking.form.isEmpty { return .person }
      let flag = AskingWishes.flag(asking.navigations != nil ? "navigations" : "form")
      throw Failure(
        .invalidConfiguration, "\(flag) replaces the user in tests", hint: "add --headless-test")
    }
    guard let path = asking.navigations else { return .form(asking.form) }
    let option = AskingWishes.option("navigations")
    if !asking.form.isEmpty { throw .contradiction(AskingWishes.flag("form"), option.flag) }
    let file = InputFile(option, path)
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
  init(_ wishes: Wishes, _ shared: Composition) {
    self.init()
    if let name = wishes.asking.application { self.name = name }
    authentication = wishes.request.clientAuthentication
    initialAccessToken = wishes.request.initialAccessToken
    // A test must not use the keyring unless it is told to, so it keeps no client.
    isKept = !wishes.asking.isTest || !wishes.account.names.isEmpty || shared.namedStore != nil
  }
}

extension Wishes {
  /// Refuses a request whose token the output has no place for, and options that its grant cannot obey.
  fileprivate var check: @Sendable (LoginRequest) throws(Failure) -> Void {
    let (asking, format) = (asking, answer.format)
    return { request throws(Failure) in
      try format.check(request)
      try format.checkBinding(request.provider.bindsTokens)
      let tests = [("navigations", asking.navigations != nil), ("form", !asking.form.isEmpty)]
      let (unfit, login): ([(name: String, isGiven: Bool)], Message) =
        switch request.grant {
        case .code, .implicit: ([], "")
        case .device:
          (
            [("silent", asking.isSilent), ("session", asking.session != nil)] + tests,
            "a code for another device"
          )
        case .clientCredentials, .password, .tokenExchange:
          ([("way", asking.way != nil)] + tests, "a login without a user")
        }
      guard let option = unfit.first(where: \.isGiven) else { return }
      throw Failure(
        .invalidConfiguration, "\(AskingWishes.flag(option.name)) cannot be used with \(login)")
    }
  }
}
