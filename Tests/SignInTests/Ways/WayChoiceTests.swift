import LoginCore
import Testing

@testable import SignIn
@testable import WindowProtocol

/// The ways that are chosen for a redirect URI on a machine.
@Suite("WayChoice")
struct WayChoiceTests {
  private static let desktop = Capabilities(hasDisplay: true, hasWindow: true, hasBrowser: true)
  private static let desktopTerminal = Capabilities(
    hasDisplay: true, hasWindow: true, hasBrowser: true, hasTerminal: true, showsMessages: true)
  private static let desktopWithoutWindow = Capabilities(hasDisplay: true, hasBrowser: true)
  private static let session = Capabilities(
    hasDisplay: true, hasWindow: true, hasBrowser: true, hasMessageBus: true)
  private static let remote = Capabilities(hasTerminal: true, isRemote: true)
  private static let console = Capabilities(hasTerminal: true)
  private static let bare = Capabilities()

  private static let loopback = "http://127.0.0.1/callback"
  private static let page = "https://oauth.vk.com/blank.html"
  private static let app = "com.example.app:/done"
  private static let oob = "urn:ietf:wg:oauth:2.0:oob"

  struct Row: Sendable {
    let redirect: String
    let place: Capabilities
    let ways: [LoginWay]
    var asked: LoginWay?
    var preset: [LoginWay] = []
    var mode = ResponseMode.query
    var codes = WayChoice.DeviceCodes.none
    var registers = false
    var keepsRedirect = false
    var noBrowser = false
    var opensNothing = false
  }

  @Test(
    "By default the browser is chosen if it can come back, else the window",
    arguments: [
      Row(redirect: loopback, place: desktop, ways: [.browser, .window]),
      Row(redirect: "http://[::1]:8080/", place: desktop, ways: [.browser, .window]),
      Row(redirect: "http://localhost/", place: desktop, ways: [.browser, .window]),
      Row(redirect: loopback, place: remote, ways: [.browser]),
      Row(redirect: loopback, place: Capabilities(isRemote: true), ways: [.browser]),
      Row(redirect: loopback, place: console, ways: [.browser]),
      Row(redirect: loopback, place: Capabilities(hasBrowser: true), ways: [.browser]),
      Row(redirect: loopback, place: Capabilities(hasDisplay: true, hasWindow: true), ways: [.window]),
      Row(redirect: loopback, place: desktopWithoutWindow, ways: [.browser]),
      Row(redirect: loopback, place: desktopTerminal, ways: [.window], mode: .fragment),
      Row(redirect: loopback, place: desktopTerminal, ways: [.browser], mode: .formPost),
      Row(redirect: page, place: desktop, ways: [.window, .browser]),
      Row(redirect: page, place: desktopTerminal, ways: [.window, .browser]),
      Row(redirect: page, place: desktopTerminal, ways: [.window, .browser], mode: .fragment),
      Row(redirect: page, place: remote, ways: [.browser]),
      Row(redirect: "https://127.0.0.1/done", place: desktop, ways: [.window, .browser]),
      Row(redirect: "http://127.0.0.2/done", place: desktop, ways: [.window, .browser]),
      Row(redirect: app, place: desktopTerminal, ways: [.window]),
      Row(redirect: app, place: session, ways: [.window]),
      Row(redirect: app, place: session, ways: [.browser, .window], registers: true),
      Row(redirect: app, place: session, ways: [.window], mode: .fragment, registers: true),
      Row(redirect: app, place: desktop, ways: [.window], registers: true),
      Row(redirect: oob, place: desktopTerminal, ways: [.browser]),
      Row(redirect: oob, place: desktop, ways: [.browser]),
    ])
  func rule(row: Row) throws { #expect(try choice(row).ways == row.ways) }

  @Test(
    "The preset's order comes before the default, without the ways that cannot be used",
    arguments: [
      Row(redirect: loopback, place: desktop, ways: [.window], preset: [.window]),
      Row(redirect: loopback, place: desktop, ways: [.window, .browser], preset: [.window, .browser]),
      Row(redirect: loopback, place: desktop, ways: [.browser], preset: [.device, .browser]),
      Row(
        redirect: page, place: desktop, ways: [.browser, .paste, .window],
        preset: [.browser, .paste, .window]),
      Row(
        redirect: page, place: desktopTerminal, ways: [.browser, .paste, .window],
        preset: [.browser, .paste, .window]),
    ])
  func preset(row: Row) throws {
    let choice = try choice(row)
    #expect(choice.ways == row.ways)
    #expect(choice.reason.description.hasPrefix("the preset prefers the \(row.preset[0].rawValue)"))
  }

  @Test(
    "A code for another device comes first if the provider offers one and no page opened here can come back",
    arguments: [
      Row(redirect: loopback, place: remote, ways: [.device, .browser], codes: .offered),
      Row(
        redirect: loopback, place: Capabilities(isRemote: true), ways: [.device, .browser], codes: .offered),
      Row(redirect: loopback, place: console, ways: [.device, .browser], codes: .offered),
      Row(redirect: page, place: remote, ways: [.device, .browser], codes: .offered),
      Row(redirect: app, place: remote, ways: [.device], codes: .offered),
      Row(redirect: oob, place: console, ways: [.device, .browser], codes: .offered),
      Row(
        redirect: page, place: Capabilities(hasBrowser: true, hasTerminal: true),
        ways: [.device, .browser],
        codes: .offered),
      Row(
        redirect: loopback, place: console, ways: [.device, .browser],
        preset: [.browser, .device, .window],
        codes: .offered),
      // A page can come back.
      Row(
        redirect: loopback, place: Capabilities(hasBrowser: true, hasTerminal: true),
        ways: [.browser, .device], codes: .offered),
      Row(redirect: loopback, place: desktopTerminal, ways: [.browser, .window, .device], codes: .offered),
      Row(redirect: page, place: desktopTerminal, ways: [.window, .browser, .device], codes: .offered),
      // The user could not see the code.
      Row(redirect: page, place: bare, ways: [], codes: .offered),
      // The preset leaves the code out, or the provider is not known to offer one.
      Row(redirect: loopback, place: console, ways: [.browser], preset: [.browser], codes: .offered),
      Row(redirect: loopback, place: remote, ways: [.browser], codes: .unknown),
    ])
  func device(row: Row) throws { #expect(try choice(row).ways == row.ways) }

  @Test(
    "On a desktop a code for another device is used in the preset's order",
    arguments: [
      Row(
        redirect: loopback, place: desktopTerminal, ways: [.device, .browser], preset: [.device, .browser],
        codes: .offered),
      Row(
        redirect: loopback, place: desktopTerminal, ways: [.browser, .device], preset: [.browser, .device],
        codes: .offered),
      Row(
        redirect: loopback, place: desktop, ways: [.device, .browser], preset: [.device, .browser],
        codes: .offered),
      Row(
        redirect: loopback, place: desktopWithoutWindow, ways: [.browser], preset: [.device, .browser],
        codes: .offered),
    ])
  func deviceOfPreset(row: Row) throws { #expect(try choice(row).ways == row.ways) }

  @Test(
    "The way that the user asked for is the only one, except that a window leads to a browser that comes back",
    arguments: [
      Row(
        redirect: loopback, place: desktop, ways: [.window, .browser], asked: .window, preset: [.browser]),
      Row(redirect: app, place: session, ways: [.window, .browser], asked: .window, registers: true),
      Row(redirect: app, place: session, ways: [.window], asked: .window),
      Row(redirect: page, place: desktop, ways: [.window], asked: .window),
      Row(redirect: loopback, place: desktop, ways: [.window], asked: .window, mode: .fragment),
      Row(redirect: loopback, place: desktop, ways: [.window], asked: .window, keepsRedirect: true),
      Row(
        redirect: "http://[::1]:8080/", place: desktop, ways: [.window, .browser], asked: .window,
        keepsRedirect: true),
      Row(redirect: loopback, place: desktop, ways: [.window], asked: .window, noBrowser: true),
      Row(
        redirect: loopback, place: Capabilities(hasDisplay: true, hasWindow: true), ways: [.window],
        asked: .window),
      Row(redirect: loopback, place: bare, ways: [.browser], asked: .browser, preset: [.window]),
      Row(redirect: loopback, place: console, ways: [.paste], asked: .paste),
      Row(redirect: app, place: console, ways: [.paste], asked: .paste),
      Row(redirect: page, place: bare, ways: [.device], asked: .device, codes: .offered),
      Row(redirect: loopback, place: desktop, ways: [.device], asked: .device, codes: .unknown),
      Row(redirect: page, place: Capabilities(hasDisplay: true), ways: [.window], asked: .window),
    ])
  func asked(row: Row) throws {
    let choice = try choice(row)
    #expect(choice.ways == row.ways)
    #expect(choice.reason.description.hasPrefix("it was requested"))
  }

  @Test(
    "Without a browser the next way is taken",
    arguments: [
      (
        Row(redirect: loopback, place: desktop, ways: [.window], noBrowser: true),
        "no browser may be opened"
      ),
      (Row(redirect: page, place: desktop, ways: [.window], noBrowser: true), isPage),
      (
        Row(redirect: oob, place: desktopTerminal, ways: [.paste], noBrowser: true),
        "no browser may be opened"
      ),
      (
        Row(
          redirect: loopback, place: desktop, ways: [.paste], preset: [.browser, .paste], noBrowser: true),
        "no browser may be opened" + takesPaste
      ),
      (
        Row(
          redirect: loopback, place: desktop, ways: [.window], preset: [.window, .browser], noBrowser: true),
        "the preset prefers the window"
      ),
      (
        Row(
          redirect: loopback, place: Capabilities(hasBrowser: true, hasTerminal: true), ways: [.device],
          codes: .offered, noBrowser: true),
        "a browser here cannot return the answer, and the provider offers sign-in with a code on another device"
      ),
    ])
  func withoutBrowser(row: Row, reason: String) throws {
    let choice = try choice(row)
    #expect(choice.ways == row.ways)
    #expect(choice.reason.description == reason)
  }

  @Test(
    "A caller who has addresses printed gets a code, or an answer that comes back or is pasted",
    arguments: [
      Row(redirect: loopback, place: console, ways: [.browser, .paste], opensNothing: true),
      Row(redirect: loopback, place: bare, ways: [.browser], opensNothing: true),
      Row(redirect: page, place: console, ways: [.browser, .paste], opensNothing: true),
      Row(redirect: app, place: console, ways: [.paste], opensNothing: true),
      Row(
        redirect: loopback, place: bare, ways: [.device, .browser], codes: .offered, opensNothing: true),
      Row(
        redirect: page, place: console, ways: [.browser, .paste], preset: [.window, .browser],
        codes: .offered, opensNothing: true),
    ])
  func opensNothing(row: Row) throws {
    let choice = try choice(row)
    #expect(choice.ways == row.ways)
    #expect(choice.reason.description == "no page may be opened")
  }

  private static let showsCode = ", and a window shows the code"
  private static let takesPaste = ", and the answer is pasted into a window"

  @Test(
    "Without a terminal a window shows the code or takes the answer, and the reason says so",
    arguments: [
      (
        Row(redirect: loopback, place: desktop, ways: [.device], asked: .device, codes: .offered), showsCode
      ),
      (
        Row(redirect: loopback, place: desktopTerminal, ways: [.device], asked: .device, codes: .offered),
        ""
      ),
      (
        // Standard error goes to a file, so the user at the terminal would not see the code.
        Row(
          redirect: loopback,
          place: Capabilities(hasDisplay: true, hasWindow: true, hasBrowser: true, hasTerminal: true),
          ways: [.device], asked: .device, codes: .offered), showsCode
      ),
      (
        Row(
          redirect: loopback, place: desktopWithoutWindow, ways: [.device], asked: .device, codes: .offered),
        ""
      ),
      (Row(redirect: loopback, place: desktop, ways: [.paste], asked: .paste), takesPaste),
      (Row(redirect: app, place: desktopTerminal, ways: [.paste], asked: .paste), ""),
      (Row(redirect: page, place: desktop, ways: [.browser], asked: .browser), takesPaste),
      (Row(redirect: oob, place: desktop, ways: [.browser], asked: .browser), takesPaste),
      (Row(redirect: page, place: desktopTerminal, ways: [.browser], asked: .browser), ""),
      (Row(redirect: loopback, place: desktop, ways: [.browser], asked: .browser), ""),
      (Row(redirect: page, place: desktop, ways: [.window], asked: .window), ""),
    ])
  func window(row: Row, addition: String) throws {
    let choice = try choice(row)
    #expect(choice.ways == row.ways)
    #expect(choice.reason.description == "it was requested" + addition)
  }

  private static let noPlaceToPaste =
    "a browser cannot return this answer, and there is neither a terminal nor a window to paste it into"
  private static let noWayBack = "a browser cannot return an answer to a private scheme"
  private static let noBus = "the answer to a private scheme needs the session bus, and there is none"
  private static let noPost =
    "only a browser can post an answer (response_mode form_post), and only to a redirect URI on this machine"

  @Test(
    "If no way can be used, the failure names the obstacle to the best one",
    arguments: [
      (
        Row(redirect: loopback, place: bare, ways: []),
        "nothing here can show a page"
      ),
      (Row(redirect: page, place: bare, ways: []), "there is no display"),
      (Row(redirect: loopback, place: console, ways: [], asked: .window), "there is no display"),
      (Row(redirect: loopback, place: console, ways: [], noBrowser: true), "there is no display"),
      (Row(redirect: app, place: remote, ways: []), "there is no display"),
      (Row(redirect: oob, place: desktopWithoutWindow, ways: []), noPlaceToPaste),
      (
        Row(redirect: page, place: Capabilities(hasDisplay: true), ways: []),
        "the window failed: tokentry-window is not installed"
      ),
      (
        Row(redirect: page, place: bare, ways: [], preset: [.device], codes: .offered),
        "there is neither a terminal nor a window to show a code in"
      ),
      (
        Row(redirect: app, place: Capabilities(hasMessageBus: true), ways: [], registers: true),
        "there is no display for a browser"
      ),
      (Row(redirect: page, place: desktopWithoutWindow, ways: [], asked: .browser), noPlaceToPaste),
      (Row(redirect: app, place: desktopTerminal, ways: [], asked: .browser), noWayBack),
      (Row(redirect: app, place: session, ways: [], asked: .browser), noWayBack),
      (Row(redirect: app, place: desktop, ways: [], asked: .browser, registers: true), noBus),
      (
        Row(redirect: app, place: session, ways: [], asked: .browser, mode: .fragment, registers: true),
        "a browser would put this token on a command line, where every user could read it"
      ),
      (
        Row(redirect: oob, place: desktopTerminal, ways: [], asked: .window),
        "a window cannot read the code from the page"
      ),
      (
        Row(redirect: page, place: desktopWithoutWindow, ways: [], asked: .paste),
        "there is neither a terminal nor a window to paste an answer into"
      ),
      (
        Row(redirect: page, place: desktopTerminal, ways: [], asked: .device),
        "the provider is not known to offer sign-in with a code on another device"
      ),
      (
        Row(redirect: loopback, place: desktop, ways: [], asked: .browser, mode: .fragment),
        "the answer is in the URL's fragment, which a browser does not send to a server"
      ),
      (Row(redirect: loopback, place: desktop, ways: [], asked: .window, mode: .formPost), noPost),
      (Row(redirect: page, place: desktopTerminal, ways: [], mode: .formPost), noPost),
      (Row(redirect: loopback, place: console, ways: [], asked: .paste, mode: .formPost), noPost),
    ])
  func closed(row: Row, obstacle: String) throws {
    let choice = try choice(row)
    #expect(choice.ways == [])
    #expect(choice.failure?.message.description == obstacle)
  }

  private static let isPage = "the redirect URI is a web page, from which a browser cannot return the answer"
  private static let isRegistered = "the scheme of the redirect URI is registered for the login"

  @Test(
    "The reason names the deciding fact, and the obstacle to the best way if another one is taken",
    arguments: [
      (
        Row(redirect: loopback, place: desktop, ways: [.browser, .window]),
        "the redirect URI is on this machine, so a browser can return the answer"
      ),
      (
        Row(redirect: loopback, place: desktop, ways: [.window], mode: .fragment),
        "an answer in the fragment of a URL reaches no server on this machine"
      ),
      (Row(redirect: page, place: desktop, ways: [.window, .browser]), isPage),
      (Row(redirect: page, place: remote, ways: [.browser]), isPage + ", but there is no display"),
      (
        Row(redirect: app, place: desktop, ways: [.window]),
        "the redirect URI has a private scheme, which only the window can catch"
      ),
      (Row(redirect: app, place: session, ways: [.browser, .window], registers: true), isRegistered),
      (
        Row(redirect: app, place: desktop, ways: [.window], registers: true),
        "\(isRegistered), but \(noBus)"
      ),
      (
        Row(redirect: oob, place: console, ways: [.browser]),
        "the provider shows a code that the user has to copy"
      ),
      (
        Row(redirect: loopback, place: console, ways: [.device, .browser], codes: .offered),
        "a browser here cannot return the answer, and the provider offers sign-in with a code on another device"
      ),
      (
        Row(redirect: page, place: desktop, ways: [.browser], preset: [.device, .browser]),
        "the preset prefers the device, but the provider is not known to offer sign-in with a code on "
          + "another device" + takesPaste
      ),
    ])
  func reasons(row: Row, reason: String) throws {
    let choice = try choice(row)
    #expect(choice.ways == row.ways)
    #expect(choice.reason.description == reason)
  }

  @Test("A browser may answer to a private scheme and may be opened only as the caller says")
  func wishes() throws {
    var options = SignInOptions()
    options.registersScheme = true
    #expect(try options.question(RedirectURI("org.acme:/out"), .query).registersScheme)
    options.isSilent = true
    #expect(try !options.question(RedirectURI("org.acme:/out"), .query).allowsBrowser)
  }

  private func choice(_ row: Row) throws -> WayChoice {
    var question = WayChoice.Question(
      redirectURI: try RedirectURI(row.redirect), responseMode: row.mode, asked: row.asked, preset: row.preset
    )
    question.deviceCodes = row.codes
    question.registersScheme = row.registers
    question.keepsRedirectURI = row.keepsRedirect
    question.allowsBrowser = !row.noBrowser
    question.opensPages = !row.opensNothing
    let choice = WayChoice(question, given: row.place)
    #expect((choice.failure == nil) == !choice.ways.isEmpty)
    return choice
  }
}
