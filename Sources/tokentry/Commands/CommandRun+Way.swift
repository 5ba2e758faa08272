import Desktop
import GnuTLSCrypto
import Glibc
import LoginCore
import UserAgents

/// How a login reaches its user: the agent, and the redirect URI at which that one waits.
struct Route: Sendable {
  let agent: any UserAgent
  let redirectURI: RedirectURI
}

extension CommandRun {
  /// Which way is taken to the user, and why.
  func choice(_ settings: Settings, _ question: WayChoice.Question) -> WayChoice {
    WayChoice(question, given: capabilities(settings))
  }

  /// The route that the settings ask for, or else the provider's preset, or else our own rule. Where a browser
  /// may bring the answer back, somebody listens for it from now on.
  func route(
    _ settings: Settings, _ question: WayChoice.Question, titled name: String? = nil
  ) async throws(Failure) -> Route {
    _ = (try settings.sessionName, try settings.parentWindow)  // refused even where they have no effect
    if settings.has(.headlessTest) {
      return Route(
        agent: try await testAgent(settings, question), redirectURI: question.redirectURI)
    }
    if let option = [Option.navigations, .form].first(where: settings.has) {
      throw .caller(
        .invalidConfiguration(
          "\(option.flag) takes the place of a user in tests", hint: "add --headless-test"))
    }
    let choice = choice(settings, question)
    var ways = choice.ways
    guard !ways.isEmpty else { throw choice.failure ?? .defect("no way is open, and nothing is in the way") }
    let opener = try opener(settings)
    if let places = environment.schemePlaces { SchemeRegistration.endAbandoned(in: places) }
    var listener: (any AnswerListener)?
    var redirectURI = question.redirectURI
    if ways.contains(.browser) {
      do throws(Failure) {
        if redirectURI.isOnThisMachine {
          let loopback = try LoopbackListener(for: redirectURI, cryptography: GnuTLSCryptography())
          (listener, redirectURI) = (loopback, loopback.redirectURI)
        } else if redirectURI.place == .privateScheme {
          listener = try schemeListener(for: redirectURI)
        }
      } catch {
        ways.removeAll { $0 == .browser }
        if ways.isEmpty { throw error }
        messages.info(error.message)
      }
    }
    return Route(
      agent: try await agent(ways, opener, listener, settings, titled: name),
      redirectURI: redirectURI)
  }

  /// The desktop starts this program again for every address with the scheme, for as long as the login waits.
  private func schemeListener(for redirectURI: RedirectURI) throws(Failure) -> SchemeListener {
    guard let places = environment.schemePlaces, let executable = environment.executable else {
      throw .display(.noUserAgent("the scheme cannot be registered without a home"))
    }
    return try SchemeListener(for: redirectURI, cryptography: GnuTLSCryptography()) {
      [messages] scheme throws(SchemeRegistration.Fault) in
      messages.info("\(scheme): is opened by tokentry until the login has ended")
      return try SchemeRegistration(scheme, opening: [executable, CallbackChild.argument], in: places)
    }
  }

  /// The first way, and behind it the one to which the user may change over.
  private func agent(
    _ ways: [Way], _ opener: BrowserOpener, _ listener: (any AnswerListener)?, _ settings: Settings,
    titled name: String?
  ) async throws(Failure) -> any UserAgent {
    switch ways[0] {
    case .window:
      let browser = ways.contains(.browser) ? browserAgent(opener, listener, paste: nil) : nil
      return try await windowAgent(settings, titled: name, onward: browser)
    case .browser:
      let window = ways.contains(.window) ? try await windowAgent(settings, titled: name, onward: nil) : nil
      let place = try pastePlace(settings, titled: name)
      return browserAgent(opener, listener, paste: place, otherwise: window)
    case .paste:
      let place = try pastePlace(settings, titled: name)
      // Whoever has a terminal is told what to open, on whatever machine.
      let isAtTerminal = if case .terminal = place { true } else { false }
      return browserAgent(isAtTerminal ? nil : opener, nil, paste: place)
    case .device: throw .defect("a way was chosen that there is not")
    }
  }

  /// The terminal, or else a window, if somebody sees it.
  private func pastePlace(_ settings: Settings, titled name: String?) throws(Failure) -> PastePlace? {
    if let terminal = Terminal() { return .terminal(terminal) }
    guard capabilities(settings).takesPasteInWindow else { return nil }
    return .window(candidates: windowPrograms, try presentation(settings, titled: name))
  }

  private func browserAgent(
    _ opener: BrowserOpener?, _ listener: (any AnswerListener)?, paste place: PastePlace?,
    otherwise: (any UserAgent)? = nil
  ) -> BrowserAgent {
    BrowserAgent(
      opener: opener, listener: listener, paste: place, isRemote: isRemote, otherwise: otherwise
    ) { [messages, host = thisHost] notice in
      switch notice {
      case .opened: messages.tell("the page is open in your browser")
      case .address(let url): messages.tell("open this page in a browser: ", address: url)
      case .forward(let port):
        messages.tell(
          "if that browser runs on another machine, first run there: "
            + "ssh -N -L \(port):localhost:\(port) \(host)")
      case .notOpened: messages.tell("no browser could be opened, so the page is shown in a window")
      case .late: messages.tell("the browser has not come back yet")
      }
    }
  }

  /// What `--browser` says, else the desktop, else what the environment says. Over a network the desktop is not
  /// the one at which the user sits.
  func opener(_ settings: Settings) throws(Failure) -> BrowserOpener {
    if let command = settings[.browser] {
      guard let words = shellWords(command), !words.isEmpty else {
        throw .caller(.invalidOption("\(Option.browser.flag) takes a command as a shell would split it"))
      }
      return BrowserOpener([.command(words)])
    }
    var means: [BrowserOpener.Means] = []
    if hasDisplay, !isRemote, let executable = environment.executable {
      means.append(.desktop([executable, DesktopChild.argument]))
    }
    if let variable = environment["BROWSER"] {
      means += BrowserOpener.commands(in: variable, words: shellWords)
    }
    return BrowserOpener(means)
  }

  func capabilities(_ settings: Settings) -> Capabilities {
    Capabilities(
      hasDisplay: hasDisplay, hasWindow: windowPrograms.contains { access($0, X_OK) == 0 },
      hasBrowser: settings.has(.browser) || environment["BROWSER"] != nil || hasDisplay && !isRemote,
      hasTerminal: Terminal() != nil, showsMessages: isatty(STDERR_FILENO) == 1, isRemote: isRemote,
      hasMessageBus: SessionBus.isKnown)
  }

  var isRemote: Bool { environment["SSH_CONNECTION"] != nil }

  /// This machine as the user's own machine calls it: the third of client, its port, server and its port.
  private var thisHost: String {
    let parts = environment["SSH_CONNECTION"]?.parts(at: " ") ?? []
    return parts.count == 4 ? parts[2] : "THIS-MACHINE"
  }
}

extension WayChoice.Question {
  /// What decides a login's way.
  init(_ settings: Settings, for login: LoginRequest) {
    self.init(
      redirectURI: login.redirectURI, responseMode: login.effectiveResponseMode,
      asked: settings.askedWay, preset: login.provider.agents)
    deviceCodes = login.deviceCodes
    registersScheme = settings.has(.registerScheme)
  }
}

extension Settings {
  /// The one way that is asked for: by name, or by what only a window can do.
  var askedWay: Way? {
    if let way = self[.agent].flatMap(Way.init) { return way }
    return has(.silent) || has(.session) ? .window : nil
  }
}
