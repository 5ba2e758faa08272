import LoginCore
import Testing

@testable import LoginWays

/// Which way is taken where.
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
  private static let nothing = Capabilities()

  private static let loopback = "http://127.0.0.1/callback"
  private static let page = "https://oauth.vk.com/blank.html"
  private static let app = "com.example.app:/done"
  private static let oob = "urn:ietf:wg:oauth:2.0:oob"

  struct Row: Sendable {
    let redirect: String
    let place: Capabilities
    let ways: [Way]
    var asked: Way?
    var preset: [Way] = []
    var mode = ResponseMode.query
    var codes = WayChoice.DeviceCodes.none
    var registers = false
  }

  @Test(
    "Our own rule is the browser where it can come back, and the window where nothing else can",
    arguments: [
      Row(redirect: loopback, place: desktop, ways: [.browser, .window]),
      Row(redirect: "http://[::1]:8080/", place: desktop, ways: [.browser, .window]),
      Row(redirect: "http://localhost/", place: desktop, ways: [.browser, .window]),
      Row(redirect: loopback, place: remote, ways: [.browser]),
      Row(redirect: loopback, place: Capabilities(isRemote: true), ways: [.browser]),
      Row(redirect: loopback, place: console, ways: [.browser]),
      Row(redirect: loopback, place: Capabilities(hasBrowser: true), ways: [.browser]),
      Row(redirect: loopback, place: Capabilities(hasDisplay: true, hasWindow: true), ways: [.window]),
      Row(redirect: loopback, place: Capabilities(hasDisplay: true, hasBrowser: true), ways: [.browser]),
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
    "The preset's order comes before our rule, without the ways that are not open",
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
    #expect(choice.reason.cause == .preset(row.preset[0]))
  }

  // RFC 8628 section 1: for devices without a browser.
  @Test(
    "Where nothing that is opened here comes back, a code for another device comes first, if the provider has one",
    arguments: [
      Row(redirect: loopback, place: remote, ways: [.device, .browser], codes: .offered),
      Row(
        redirect: loopback, place: Capabilities(isRemote: true), ways: [.device, .browser], codes: .offered),
      Row(redirect: loopback, place: console, ways: [.device, .browser], codes: .offered),
      Row(redirect: page, place: remote, ways: [.device, .browser], codes: .offered),
      Row(redirect: app, place: remote, ways: [.device], codes: .offered),
      Row(redirect: oob, place: console, ways: [.device, .browser], codes: .offered),
      Row(
        redirect: page, place: Capabilities(hasBrowser: true, hasTerminal: true), ways: [.device, .browser],
        codes: .offered),
      Row(
        redirect: loopback, place: console, ways: [.device, .browser], preset: [.browser, .device, .window],
        codes: .offered),
      // Something does come back, or nobody would see the code.
      Row(
        redirect: loopback, place: Capabilities(hasBrowser: true, hasTerminal: true), ways: [.browser],
        codes: .offered),
      Row(redirect: loopback, place: desktopTerminal, ways: [.browser, .window], codes: .offered),
      Row(redirect: page, place: desktopTerminal, ways: [.window, .browser], codes: .offered),
      Row(redirect: page, place: nothing, ways: [], codes: .offered),
      // The preset names its ways without it, or nobody knows of one.
      Row(redirect: loopback, place: console, ways: [.browser], preset: [.browser], codes: .offered),
      Row(redirect: loopback, place: remote, ways: [.browser], codes: .unknown),
    ])
  func device(row: Row) throws { #expect(try choice(row).ways == row.ways) }

  @Test(
    "On a desktop a code for another device is taken where the preset wants it first",
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
    "What was asked for comes before everything, and alone",
    arguments: [
      Row(redirect: loopback, place: desktop, ways: [.window], asked: .window, preset: [.browser]),
      Row(redirect: loopback, place: nothing, ways: [.browser], asked: .browser, preset: [.window]),
      Row(redirect: loopback, place: console, ways: [.paste], asked: .paste),
      Row(redirect: app, place: console, ways: [.paste], asked: .paste),
      Row(redirect: page, place: nothing, ways: [.device], asked: .device, codes: .offered),
      Row(redirect: loopback, place: desktop, ways: [.device], asked: .device, codes: .unknown),
      Row(
        redirect: page, place: Capabilities(hasDisplay: true), ways: [.window], asked: .window),
    ])
  func asked(row: Row) throws {
    let choice = try choice(row)
    #expect(choice.ways == row.ways)
    #expect(choice.reason.cause == .asked)
  }

  @Test(
    "Where there is no terminal, what would be said or asked there is in a window, and the reason says so",
    arguments: [
      (Row(redirect: loopback, place: desktop, ways: [.device], asked: .device, codes: .offered), .showsCode),
      (
        Row(redirect: loopback, place: desktopTerminal, ways: [.device], asked: .device, codes: .offered), nil
      ),
      (
        // Somebody is at a terminal, and does not see what is written to a file.
        Row(
          redirect: loopback,
          place: Capabilities(hasDisplay: true, hasWindow: true, hasBrowser: true, hasTerminal: true),
          ways: [.device], asked: .device, codes: .offered), .showsCode
      ),
      (
        Row(
          redirect: loopback, place: desktopWithoutWindow, ways: [.device], asked: .device, codes: .offered),
        nil
      ),
      (Row(redirect: loopback, place: desktop, ways: [.paste], asked: .paste), .takesPaste),
      (Row(redirect: app, place: desktopTerminal, ways: [.paste], asked: .paste), nil),
      (Row(redirect: page, place: desktop, ways: [.browser], asked: .browser), .takesPaste),
      (Row(redirect: oob, place: desktop, ways: [.browser], asked: .browser), .takesPaste),
      (Row(redirect: page, place: desktopTerminal, ways: [.browser], asked: .browser), nil),
      (Row(redirect: loopback, place: desktop, ways: [.browser], asked: .browser), nil),
      (Row(redirect: page, place: desktop, ways: [.window], asked: .window), nil),
    ] as [(Row, WayChoice.Addition?)])
  func window(row: Row, addition: WayChoice.Addition?) throws {
    let choice = try choice(row)
    #expect(choice.ways == row.ways)
    #expect(choice.reason == WayChoice.Reason(cause: .asked, obstacle: nil, addition: addition))
  }

  @Test(
    "Where no way is open the choice says what is in the way of the best",
    arguments: [
      (Row(redirect: loopback, place: nothing, ways: []), .obstacle(.noBrowserNorTerminal)),
      (Row(redirect: page, place: nothing, ways: []), .noDisplay),
      (Row(redirect: app, place: remote, ways: []), .noDisplay),
      (Row(redirect: oob, place: desktopWithoutWindow, ways: []), .obstacle(.noWayBack)),
      (Row(redirect: page, place: Capabilities(hasDisplay: true), ways: []), .window(.notInstalled)),
      (
        Row(redirect: page, place: nothing, ways: [], preset: [.device], codes: .offered),
        .obstacle(.noPlaceForCode)
      ),
      (
        Row(redirect: app, place: Capabilities(hasMessageBus: true), ways: [], registers: true),
        .obstacle(.noBrowser)
      ),
      (Row(redirect: page, place: desktopWithoutWindow, ways: [], asked: .browser), .obstacle(.noWayBack)),
      (
        Row(redirect: app, place: desktopTerminal, ways: [], asked: .browser), .obstacle(.schemeNotRegistered)
      ),
      (Row(redirect: app, place: session, ways: [], asked: .browser), .obstacle(.schemeNotRegistered)),
      (
        Row(redirect: app, place: desktop, ways: [], asked: .browser, registers: true),
        .obstacle(.noMessageBus)
      ),
      (
        Row(redirect: app, place: session, ways: [], asked: .browser, mode: .fragment, registers: true),
        .conflict(.tokenOnCommandLine)
      ),
      (Row(redirect: oob, place: desktopTerminal, ways: [], asked: .window), .obstacle(.codeOnPage)),
      (Row(redirect: page, place: desktopWithoutWindow, ways: [], asked: .paste), .obstacle(.noPlaceToPaste)),
      (Row(redirect: page, place: desktopTerminal, ways: [], asked: .device), .obstacle(.noDeviceCodes)),
      (
        Row(redirect: loopback, place: desktop, ways: [], asked: .browser, mode: .fragment),
        .conflict(.fragment)
      ),
      (
        Row(redirect: loopback, place: desktop, ways: [], asked: .window, mode: .formPost),
        .conflict(.postedAnswer)
      ),
      (Row(redirect: page, place: desktopTerminal, ways: [], mode: .formPost), .conflict(.postedAnswer)),
      (
        Row(redirect: loopback, place: console, ways: [], asked: .paste, mode: .formPost),
        .conflict(.postedAnswer)
      ),
    ] as [(Row, WayFault)])
  func closed(row: Row, fault: WayFault) throws {
    let choice = try choice(row)
    #expect(choice.ways == [])
    #expect(choice.failure == .way(fault))
    #expect(choice.reason.obstacle == .way(fault))
  }

  @Test(
    "The reason names what decides, and what is in the way of the best where another way is taken",
    arguments: [
      (Row(redirect: loopback, place: desktop, ways: [.browser, .window]), .loopback, nil),
      (Row(redirect: loopback, place: desktop, ways: [.window], mode: .fragment), .fragment, nil),
      (Row(redirect: page, place: desktop, ways: [.window, .browser]), .page, nil),
      (Row(redirect: page, place: remote, ways: [.browser]), .page, .noDisplay),
      (Row(redirect: app, place: desktop, ways: [.window]), .privateScheme, nil),
      (
        Row(redirect: app, place: session, ways: [.browser, .window], registers: true), .registeredScheme, nil
      ),
      (
        Row(redirect: app, place: desktop, ways: [.window], registers: true), .registeredScheme,
        .obstacle(.noMessageBus)
      ),
      (Row(redirect: oob, place: console, ways: [.browser]), .codePage, nil),
      (
        Row(redirect: loopback, place: console, ways: [.device, .browser], codes: .offered), .deviceCodes, nil
      ),
    ] as [(Row, WayChoice.Cause, WayFault?)])
  func reasons(row: Row, cause: WayChoice.Cause, obstacle: WayFault?) throws {
    let choice = try choice(row)
    #expect(choice.ways == row.ways)
    #expect(choice.reason.cause == cause)
    #expect(choice.reason.obstacle?.way == obstacle)
  }

  private func choice(_ row: Row) throws -> WayChoice {
    var question = WayChoice.Question(
      redirectURI: try RedirectURI(row.redirect), responseMode: row.mode, asked: row.asked, preset: row.preset
    )
    question.deviceCodes = row.codes
    question.registersScheme = row.registers
    let choice = WayChoice(question, given: row.place)
    #expect((choice.failure == nil) == !choice.ways.isEmpty)
    return choice
  }
}
