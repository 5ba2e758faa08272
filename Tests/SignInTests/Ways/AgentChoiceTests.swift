import LoginCore
import Testing

@testable import SignIn
@testable import WindowProtocol

/// The ways that are chosen for a redirect URI on a machine.
@Suite("AgentChoice")
struct AgentChoiceTests {
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
    let agents: [AgentKind]
    var asked: AgentKind?
    var preset: [AgentKind] = []
    var mode = ResponseMode.query
    var codes = AgentChoice.DeviceCodes.none
    var registers = false
    var keepsRedirect = false
    var noBrowser = false
    var opensNothing = false
  }

  @Test(
    "By default the browser is chosen if it can come back, else the window",
    arguments: [
      Row(redirect: loopback, place: desktop, agents: [.browser, .window]),
      Row(redirect: "http://[::1]:8080/", place: desktop, agents: [.browser, .window]),
      Row(redirect: "http://localhost/", place: desktop, agents: [.browser, .window]),
      Row(redirect: loopback, place: remote, agents: [.browser]),
      Row(redirect: loopback, place: Capabilities(isRemote: true), agents: [.browser]),
      Row(redirect: loopback, place: console, agents: [.browser]),
      Row(redirect: loopback, place: Capabilities(hasBrowser: true), agents: [.browser]),
      Row(redirect: loopback, place: Capabilities(hasDisplay: true, hasWindow: true), agents: [.window]),
      Row(redirect: loopback, place: desktopWithoutWindow, agents: [.browser]),
      Row(redirect: loopback, place: desktopTerminal, agents: [.window], mode: .fragment),
      Row(redirect: loopback, place: desktopTerminal, agents: [.browser], mode: .formPost),
      Row(redirect: page, place: desktop, agents: [.window, .browser]),
      Row(redirect: page, place: desktopTerminal, agents: [.window, .browser]),
      Row(redirect: page, place: desktopTerminal, agents: [.window, .browser], mode: .fragment),
      Row(redirect: page, place: remote, agents: [.browser]),
      Row(redirect: "https://127.0.0.1/done", place: desktop, agents: [.window, .browser]),
      Row(redirect: "http://127.0.0.2/done", place: desktop, agents: [.window, .browser]),
      Row(redirect: app, place: desktopTerminal, agents: [.window]),
      Row(redirect: app, place: session, agents: [.window]),
      Row(redirect: app, place: session, agents: [.browser, .window], registers: true),
      Row(redirect: app, place: session, agents: [.window], mode: .fragment, registers: true),
      Row(redirect: app, place: desktop, agents: [.window], registers: true),
      Row(redirect: oob, place: desktopTerminal, agents: [.browser]),
      Row(redirect: oob, place: desktop, agents: [.browser]),
    ])
  func rule(row: Row) throws { #expect(try choice(row).agents == row.agents) }

  @Test(
    "The preset's order comes before the default, without the ways that cannot be used",
    arguments: [
      Row(redirect: loopback, place: desktop, agents: [.window], preset: [.window]),
      Row(redirect: loopback, place: desktop, agents: [.window, .browser], preset: [.window, .browser]),
      Row(redirect: loopback, place: desktop, agents: [.browser], preset: [.device, .browser]),
      Row(
        redirect: page, place: desktop, agents: [.browser, .paste, .window],
        preset: [.browser, .paste, .window]),
      Row(
        redirect: page, place: desktopTerminal, agents: [.browser, .paste, .window],
        preset: [.browser, .paste, .window]),
    ])
  func preset(row: Row) throws {
    let choice = try choice(row)
    #expect(choice.agents == row.agents)
    #expect(choice.reason.description.hasPrefix("the preset prefers the \(row.preset[0].rawValue)"))
  }

  @Test(
    "A code for another device comes first if the provider offers one and no page opened here can come back",
    arguments: [
      Row(redirect: loopback, place: remote, agents: [.device, .browser], codes: .offered),
      Row(
        redirect: loopback, place: Capabilities(isRemote: true), agents: [.device, .browser], codes: .offered),
      Row(redirect: loopback, place: console, agents: [.device, .browser], codes: .offered),
      Row(redirect: page, place: remote, agents: [.device, .browser], codes: .offered),
      Row(redirect: app, place: remote, agents: [.device], codes: .offered),
      Row(redirect: oob, place: console, agents: [.device, .browser], codes: .offered),
      Row(
        redirect: page, place: Capabilities(hasBrowser: true, hasTerminal: true),
        agents: [.device, .browser],
        codes: .offered),
      Row(
        redirect: loopback, place: console, agents: [.device, .browser],
        preset: [.browser, .device, .window],
        codes: .offered),
      // A page can come back.
      Row(
        redirect: loopback, place: Capabilities(hasBrowser: true, hasTerminal: true),
        agents: [.browser, .device], codes: .offered),
      Row(redirect: loopback, place: desktopTerminal, agents: [.browser, .window, .device], codes: .offered),
      Row(redirect: page, place: desktopTerminal, agents: [.window, .browser, .device], codes: .offered),
      // The user could not see the code.
      Row(redirect: page, place: bare, agents: [], codes: .offered),
      // The preset leaves the code out, or the provider is not known to offer one.
      Row(redirect: loopback, place: console, agents: [.browser], preset: [.browser], codes: .offered),
      Row(redirect: loopback, place: remote, agents: [.browser], codes: .unknown),
    ])
  func device(row: Row) throws { #expect(try choice(row).agents == row.agents) }

  @Test(
    "On a desktop a code for another device is used in the preset's order",
    arguments: [
      Row(
        redirect: loopback, place: desktopTerminal, agents: [.device, .browser], preset: [.device, .browser],
        codes: .offered),
      Row(
        redirect: loopback, place: desktopTerminal, agents: [.browser, .device], preset: [.browser, .device],
        codes: .offered),
      Row(
        redirect: loopback, place: desktop, agents: [.device, .browser], preset: [.device, .browser],
        codes: .offered),
      Row(
        redirect: loopback, place: desktopWithoutWindow, agents: [.browser], preset: [.device, .browser],
        codes: .offered),
    ])
  func deviceOfPreset(row: Row) throws { #expect(try choice(row).agents == row.agents) }

  @Test(
    "The way that the user asked for is the only one, except that a window leads to a browser that comes back",
    arguments: [
      Row(
        redirect: loopback, place: desktop, agents: [.window, .browser], asked: .window, preset: [.browser]),
      Row(redirect: app, place: session, agents: [.window, .browser], asked: .window, registers: true),
      Row(redirect: app, place: session, agents: [.window], asked: .window),
      Row(redirect: page, place: desktop, agents: [.window], asked: .window),
      Row(redirect: loopback, place: desktop, agents: [.window], asked: .window, mode: .fragment),
      Row(redirect: loopback, place: desktop, agents: [.window], asked: .window, keepsRedirect: true),
      Row(
        redirect: "http://[::1]:8080/", place: desktop, agents: [.window, .browser], asked: .window,
        keepsRedirect: true),
      Row(redirect: loopback, place: desktop, agents: [.window], asked: .window, noBrowser: true),
      Row(
        redirect: loopback, place: Capabilities(hasDisplay: true, hasWindow: true), agents: [.window],
        asked: .window),
      Row(redirect: loopback, place: bare, agents: [.browser], asked: .browser, preset: [.window]),
      Row(redirect: loopback, place: console, agents: [.paste], asked: .paste),
      Row(redirect: app, place: console, agents: [.paste], asked: .paste),
      Row(redirect: page, place: bare, agents: [.device], asked: .device, codes: .offered),
      Row(redirect: loopback, place: desktop, agents: [.device], asked: .device, codes: .unknown),
      Row(redirect: page, place: Capabilities(hasDisplay: true), agents: [.window], asked: .window),
    ])
  func asked(row: Row) throws {
    let choice = try choice(row)
    #expect(choice.agents == row.agents)
    #expect(choice.reason.description.hasPrefix("it was requested"))
  }

  @Test(
    "Without a browser the next way is taken",
    arguments: [
      (
        Row(redirect: loopback, place: desktop, agents: [.window], noBrowser: true),
        "no browser may be opened"
      ),
      (Row(redirect: page, place: desktop, agents: [.window], noBrowser: true), isPage),
      (
        Row(redirect: oob, place: desktopTerminal, agents: [.paste], noBrowser: true),
        "no browser may be opened"
      ),
      (
        Row(
          redirect: loopback, place: desktop, agents: [.paste], preset: [.browser, .paste], noBrowser: true),
        "no browser may be opened" + takesPaste
      ),
      (
        Row(
          redirect: loopback, place: desktop, agents: [.window], preset: [.window, .browser], noBrowser: true),
        "the preset prefers the window"
      ),
      (
        Row(
          redirect: loopback, place: Capabilities(hasBrowser: true, hasTerminal: true), agents: [.device],
          codes: .offered, noBrowser: true),
        "a browser here cannot return the answer, and the provider offers sign-in with a code on another device"
      ),
    ])
  func withoutBrowser(row: Row, reason: String) throws {
    let choice = try choice(row)
    #expect(choice.agents == row.agents)
    #expect(choice.reason.description == reason)
  }

  @Test(
    "A caller who has addresses printed gets a code, or an answer that comes back or is pasted",
    arguments: [
      Row(redirect: loopback, place: console, agents: [.browser, .paste], opensNothing: true),
      Row(redirect: loopback, place: bare, agents: [.browser], opensNothing: true),
      Row(redirect: page, place: console, agents: [.browser, .paste], opensNothing: true),
      Row(redirect: app, place: console, agents: [.paste], opensNothing: true),
      Row(
        redirect: loopback, place: bare, agents: [.device, .browser], codes: .offered, opensNothing: true),
      Row(
        redirect: page, place: console, agents: [.browser, .paste], preset: [.window, .browser],
        codes: .offered, opensNothing: true),
    ])
  func opensNothing(row: Row) throws {
    let choice = try choice(row)
    #expect(choice.agents == row.agents)
    #expect(choice.reason.description == "no page may be opened")
  }

  private static let showsCode = ", and a window shows the code"
  private static let takesPaste = ", and the answer is pasted into a window"

  @Test(
    "Without a terminal a window shows the code or takes the answer, and the reason says so",
    arguments: [
      (
        Row(redirect: loopback, place: desktop, agents: [.device], asked: .device, codes: .offered), showsCode
      ),
      (
        Row(redirect: loopback, place: desktopTerminal, agents: [.device], asked: .device, codes: .offered),
        ""
      ),
      (
        // Standard error goes to a file, so the user at the terminal would not see the code.
        Row(
          redirect: loopback,
          place: Capabilities(hasDisplay: true, hasWindow: true, hasBrowser: true, hasTerminal: true),
          agents: [.device], asked: .device, codes: .offered), showsCode
      ),
      (
        Row(
          redirect: loopback, place: desktopWithoutWindow, agents: [.device], asked: .device, codes: .offered),
        ""
      ),
      (Row(redirect: loopback, place: desktop, agents: [.paste], asked: .paste), takesPaste),
      (Row(redirect: app, place: desktopTerminal, agents: [.paste], asked: .paste), ""),
      (Row(redirect: page, place: desktop, agents: [.browser], asked: .browser), takesPaste),
      (Row(redirect: oob, place: desktop, agents: [.browser], asked: .browser), takesPaste),
      (Row(redirect: page, place: desktopTerminal, agents: [.browser], asked: .browser), ""),
      (Row(redirect: loopback, place: desktop, agents: [.browser], asked: .browser), ""),
      (Row(redirect: page, place: desktop, agents: [.window], asked: .window), ""),
    ])
  func window(row: Row, addition: String) throws {
    let choice = try choice(row)
    #expect(choice.agents == row.agents)
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
        Row(redirect: loopback, place: bare, agents: []),
        "there is neither a display for a browser nor a terminal"
      ),
      (Row(redirect: page, place: bare, agents: []), "there is no display"),
      (Row(redirect: loopback, place: console, agents: [], asked: .window), "there is no display"),
      (Row(redirect: loopback, place: console, agents: [], noBrowser: true), "there is no display"),
      (Row(redirect: app, place: remote, agents: []), "there is no display"),
      (Row(redirect: oob, place: desktopWithoutWindow, agents: []), noPlaceToPaste),
      (
        Row(redirect: page, place: Capabilities(hasDisplay: true), agents: []),
        "the window failed: tokentry-window is not installed"
      ),
      (
        Row(redirect: page, place: bare, agents: [], preset: [.device], codes: .offered),
        "there is neither a terminal nor a window to show a code in"
      ),
      (
        Row(redirect: app, place: Capabilities(hasMessageBus: true), agents: [], registers: true),
        "there is no display for a browser"
      ),
      (Row(redirect: page, place: desktopWithoutWindow, agents: [], asked: .browser), noPlaceToPaste),
      (Row(redirect: app, place: desktopTerminal, agents: [], asked: .browser), noWayBack),
      (Row(redirect: app, place: session, agents: [], asked: .browser), noWayBack),
      (Row(redirect: app, place: desktop, agents: [], asked: .browser, registers: true), noBus),
      (
        Row(redirect: app, place: session, agents: [], asked: .browser, mode: .fragment, registers: true),
        "a browser would put this token on a command line, where every user could read it"
      ),
      (
        Row(redirect: oob, place: desktopTerminal, agents: [], asked: .window),
        "a window cannot read the code from the page"
      ),
      (
        Row(redirect: page, place: desktopWithoutWindow, agents: [], asked: .paste),
        "there is neither a terminal nor a window to paste an answer into"
      ),
      (
        Row(redirect: page, place: desktopTerminal, agents: [], asked: .device),
        "the provider is not known to offer sign-in with a code on another device"
      ),
      (
        Row(redirect: loopback, place: desktop, agents: [], asked: .browser, mode: .fragment),
        "the answer is in the URL's fragment, which a browser does not send to a server"
      ),
      (Row(redirect: loopback, place: desktop, agents: [], asked: .window, mode: .formPost), noPost),
      (Row(redirect: page, place: desktopTerminal, agents: [], mode: .formPost), noPost),
      (Row(redirect: loopback, place: console, agents: [], asked: .paste, mode: .formPost), noPost),
    ])
  func closed(row: Row, obstacle: String) throws {
    let choice = try choice(row)
    #expect(choice.agents == [])
    #expect(choice.failure?.message.description == obstacle)
  }

  private static let isPage = "the redirect URI is a web page, from which a browser cannot return the answer"
  private static let isRegistered = "the scheme of the redirect URI is registered for the login"

  @Test(
    "The reason names the deciding fact, and the obstacle to the best way if another one is taken",
    arguments: [
      (
        Row(redirect: loopback, place: desktop, agents: [.browser, .window]),
        "the redirect URI is on this machine, so a browser can return the answer"
      ),
      (
        Row(redirect: loopback, place: desktop, agents: [.window], mode: .fragment),
        "an answer in the fragment of a URL reaches no server on this machine"
      ),
      (Row(redirect: page, place: desktop, agents: [.window, .browser]), isPage),
      (Row(redirect: page, place: remote, agents: [.browser]), isPage + ", but there is no display"),
      (
        Row(redirect: app, place: desktop, agents: [.window]),
        "the redirect URI has a private scheme, which only the window can catch"
      ),
      (Row(redirect: app, place: session, agents: [.browser, .window], registers: true), isRegistered),
      (
        Row(redirect: app, place: desktop, agents: [.window], registers: true),
        "\(isRegistered), but \(noBus)"
      ),
      (
        Row(redirect: oob, place: console, agents: [.browser]),
        "the provider shows a code that the user has to copy"
      ),
      (
        Row(redirect: loopback, place: console, agents: [.device, .browser], codes: .offered),
        "a browser here cannot return the answer, and the provider offers sign-in with a code on another device"
      ),
      (
        Row(redirect: page, place: desktop, agents: [.browser], preset: [.device, .browser]),
        "the preset prefers the device, but the provider is not known to offer sign-in with a code on "
          + "another device" + takesPaste
      ),
    ])
  func reasons(row: Row, reason: String) throws {
    let choice = try choice(row)
    #expect(choice.agents == row.agents)
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

  private func choice(_ row: Row) throws -> AgentChoice {
    var question = AgentChoice.Question(
      redirectURI: try RedirectURI(row.redirect), responseMode: row.mode, asked: row.asked, preset: row.preset
    )
    question.deviceCodes = row.codes
    question.registersScheme = row.registers
    question.keepsRedirectURI = row.keepsRedirect
    question.allowsBrowser = !row.noBrowser
    question.opensPages = !row.opensNothing
    let choice = AgentChoice(question, given: row.place)
    #expect((choice.failure == nil) == !choice.agents.isEmpty)
    return choice
  }
}
