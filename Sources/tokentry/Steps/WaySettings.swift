import Desktop
import Glibc
import LoginCore
import LoginWays
import Wording

/// How a login may reach its user, as the caller has said it.
struct WaySettings: Sendable {
  /// The one way that is asked for: by name, or by what only a window can do.
  let asked: Way?
  /// Whether nobody may be asked.
  let isSilent: Bool
  /// Whether a test takes the place of the user.
  let isTest: Bool
  let navigations: InputFile?
  /// What the forms of a test are filled with.
  let form: [Parameter]
  /// The command that opens a page.
  let browser: [String]?
  let browserCommand: String?
  /// Standard input, if an answer may come through it: pasting was asked for, and it is a pipe that nobody else reads.
  let pipe: Int32?
  /// Whether this program may become the one that opens a private scheme.
  let registersScheme: Bool
  let title: String?
  /// What the application calls itself.
  let application: String?
  let hasNoClose: Bool
  /// The window that the login belongs to.
  let parent: ParentWindow?
  /// The name under which cookies are kept.
  private(set) var cookieJar: CookieJarName?
  /// Below which folder that is, if not the one for the user's state.
  var cookieFolder: String?
  let rendering: Rendering?
  /// How large the caller wants the window.
  let windowSize: WindowSize?
  /// The languages in which the caller wants the provider's pages.
  let languages: String?
  /// What does not go with a login that shows no page.
  let given: [Option]

  /// Refuses what cannot be, even where it has no effect.
  init(_ settings: Settings) throws(Failure) {
    asked =
      settings[.agent].flatMap(Way.init)
      ?? (settings.has(.silent) || settings.has(.session) ? .window : nil)
    isSilent = settings.has(.silent)
    isTest = settings.has(.headlessTest)
    if !isTest, let option = [Option.navigations, .form].first(where: settings.has) {
      throw .configuration(.testsOnly(option.flag))
    }
    navigations = settings[.navigations].map { InputFile(.navigations, $0) }
    form = settings.formValues
    browser = try settings.value(of: .browser, wanting: .command) { command in
      shellWords(command).flatMap { $0.isEmpty ? nil : $0 }
    }
    browserCommand = settings[.browser]
    let isPipe = settings[.agent] == Way.paste.rawValue && Self.isPipe(STDIN_FILENO)
    pipe = isPipe && ![.request, .tokenFile].contains { settings[$0] == "-" } ? STDIN_FILENO : nil
    registersScheme = settings.has(.registerScheme)
    (title, application) = (settings[.title], settings[.application])
    hasNoClose = settings.has(.noClose)
    parent = try settings.value(of: .parent, wanting: .parentWindow) { ParentWindow($0) }
    cookieJar = try settings.value(of: .session, wanting: .sessionName) { CookieJarName($0) }
    rendering = settings[.rendering].flatMap(Rendering.init)
    windowSize = try settings.value(of: .windowSize, wanting: .windowSize) { WindowSize($0) }
    languages = try settings.parameters(.parameter).first { $0.name == "ui_locales" }?.value
    given = settings.given.filter { settings[$0] != "auto" }
  }

  private static func isPipe(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  /// Refuses a browser that cannot be started, before anybody waits for it.
  func checkBrowser() throws(Failure) {
    guard let program = browser?.first, !isProgram(program) else { return }
    throw .commandLine(.noProgram(Option.browser.flag, name: program))
  }

  /// The same for somebody who signs in to an account, whose cookies are used unless the caller names others.
  func withCookies(of account: Account) -> WaySettings {
    var settings = self
    settings.cookieJar = cookieJar ?? account.session.flatMap { CookieJarName($0) }
    return settings
  }
}
