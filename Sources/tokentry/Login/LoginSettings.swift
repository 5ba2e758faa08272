import Glibc
import LoginCore
import Platform
import WindowProtocol

/// The caller's wishes about the way to the user.
struct LoginSettings: Sendable {
  /// The way that the caller asks for, by name or with an option that only the window has.
  let asked: AgentKind?
  /// True if the user must not be asked.
  let isSilent: Bool
  /// True if a test replaces the user.
  let isTest: Bool
  let navigations: InputFile?
  /// The values with which a test fills in forms.
  let form: [Parameter]
  /// The command that opens a page, in words and as the caller wrote it.
  let browser: [String]?
  let browserCommand: String?
  /// False if no browser may be opened or offered.
  let allowsBrowser: Bool
  /// Standard input, if the answer may come through it: the caller asks for pasting, and nothing else reads this pipe.
  let pipe: Int32?
  /// True if this program may register itself for a private scheme.
  let registersScheme: Bool
  /// The name that the application gives itself.
  let application: String?
  /// The window's title, parent and close button. ``Router`` adds the rest.
  let window: WindowOptions
  let rendering: Rendering?
  let windowSize: WindowSize?
  /// The languages for the provider's pages, as in `ui_locales`.
  let languages: String?
  /// The name under which cookies are kept.
  private(set) var cookieJar: CookieJarName?
  /// The cookies of the connection that this visit belongs to, which its caller has opened. They are kept in place of
  /// those under the name, with those that have no lifetime.
  var connectionCookies: CookieJar?
  /// All options that are set, for logins that some of them do not fit.
  let given: [Option]

  /// Refuses values that cannot be used, even where they have no effect.
  init(_ settings: Settings) throws(Failure) {
    asked =
      settings[.agent].flatMap(AgentKind.init)
      ?? (settings.has(.silent) || settings.has(.session) ? .window : nil)
    isSilent = settings.has(.silent)
    isTest = settings.has(.headlessTest)
    if !isTest, let option = [Option.navigations, .form].first(where: settings.has) {
      throw Failure(
        .invalidConfiguration, "\(option.flag) replaces the user in tests",
        hint: "add --headless-test")
    }
    navigations = settings[.navigations].map { InputFile(.navigations, $0) }
    form = settings.formValues
    browser = try settings.value(of: .browser, wanting: "a command, quoted as for a shell") { command in
      shellWords(command).flatMap { $0.isEmpty ? nil : $0 }
    }
    browserCommand = settings[.browser]
    allowsBrowser = !settings.has(.noBrowser)
    if !allowsBrowser, asked == .browser || browserCommand != nil {
      throw .contradiction(
        Option.noBrowser.flag, browserCommand == nil ? "\(Option.agent.flag) browser" : Option.browser.flag)
    }
    let isPipe = settings[.agent] == AgentKind.paste.rawValue && Self.isPipe(STDIN_FILENO)
    pipe = isPipe && ![.request, .tokenFile].contains { settings[$0] == "-" } ? STDIN_FILENO : nil
    registersScheme = settings.has(.registerScheme)
    application = settings[.application]
    var window = WindowOptions()
    window.title = settings[.title]
    window.hasNoClose = settings.has(.noClose)
    window.parent = try settings.value(
      of: .parent, wanting: "x11: with a window's number in hexadecimal, or wayland: with a handle"
    ) { ParentWindow($0) }
    self.window = window
    if let name = settings[.session] {
      guard let jar = CookieJarName(name) else {
        throw Failure(.invalidOption, "\(Option.session.flag): the name is too long")
      }
      cookieJar = jar
    }
    rendering = settings[.rendering].flatMap(Rendering.init)
    windowSize = try settings.value(
      of: .windowSize, wanting: "a width and a height, each from 200 to 10000, such as 960x720"
    ) { WindowSize($0) }
    languages = try settings.parameters(.parameter).first { $0.name == "ui_locales" }?.value
    given = settings.given.filter { settings[$0] != "auto" }
  }

  private static func isPipe(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  /// Refuses a browser command whose program does not exist.
  func checkBrowser() throws(Failure) {
    guard let program = browser?.first, !isProgram(program) else { return }
    throw Failure(.invalidOption, "\(Option.browser.flag): there is no program \"\(program, upTo: 100)\"")
  }

  /// Returns the settings for a login to a kept account. Its cookies are used unless the caller names others.
  func withCookies(of account: Account) -> LoginSettings {
    var settings = self
    settings.cookieJar = cookieJar ?? account.session.flatMap { CookieJarName($0) }
    return settings
  }
}
