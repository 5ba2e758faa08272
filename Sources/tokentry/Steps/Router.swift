import Desktop
import GLibSupport
import Glibc
import LoginCore
import LoginWays
import UserAgents
import Wording

/// How a login reaches its user: the agent, and the redirect URI at which that one waits.
struct Route: Sendable {
  let agent: any UserAgent
  let redirectURI: RedirectURI
}

/// Finds the way to the user that the caller asks for, or else the provider's preset, or else our own rule.
@GLibActor
struct Router {
  let run: Composition
  let settings: WaySettings

  nonisolated init(_ run: Composition, _ settings: WaySettings) {
    (self.run, self.settings) = (run, settings)
  }

  /// What there is where the program runs.
  var capabilities: Capabilities {
    let environment = run.environment
    let hasDesktop = environment.hasDisplay && !environment.isRemote
    return Capabilities(
      hasDisplay: environment.hasDisplay,
      hasWindow: environment.windowPrograms.contains { access($0, X_OK) == 0 },
      hasBrowser: settings.browser != nil || environment["BROWSER"] != nil
        || environment.windowsBrowser != nil || hasDesktop,
      hasTerminal: Terminal() != nil, showsMessages: isatty(STDERR_FILENO) == 1,
      isRemote: environment.isRemote, hasMessageBus: SessionBus.isKnown, readsPipe: settings.pipe != nil)
  }

  /// Which way is taken to the user, and why.
  func choice(_ question: WayChoice.Question) -> WayChoice { WayChoice(question, given: capabilities) }

  /// What decides the way of a login.
  func question(for login: LoginRequest) -> WayChoice.Question {
    var question = WayChoice.Question(
      redirectURI: login.redirectURI, responseMode: login.effectiveResponseMode, asked: settings.asked,
      preset: login.provider.agents)
    question.deviceCodes = login.deviceCodes
    question.registersScheme = settings.registersScheme
    return question
  }

  /// The route to be taken. Where a browser may bring the answer back, somebody listens for it from now on.
  func route(
    _ question: WayChoice.Question, of provider: Provider? = nil, at port: ReservedPort? = nil
  ) async throws(Failure) -> Route {
    if settings.isTest { return Route(agent: try testAgent(question), redirectURI: question.redirectURI) }
    let choice = choice(question)
    var ways = choice.ways
    // The window would take the place of a browser that cannot be opened.
    if !ways.contains(.window) { try settings.checkBrowser() }
    guard !ways.isEmpty else { throw run.environment.foreignDisplay ?? choice.failure ?? .defect(.here()) }
    if let folders = run.environment.schemeFolders { SchemeRegistration.endAbandoned(in: folders) }
    var listener: (any AnswerListener)?
    var redirectURI = question.redirectURI
    if ways.contains(.browser) {
      do throws(Failure) {
        if redirectURI.isOnThisMachine {
          let loopback =
            if let reserved = port?.listener(for: redirectURI) { reserved } else {
              try LoopbackListener(for: redirectURI, requester: requester, cryptography: run.cryptography)
            }
          (listener, redirectURI) = (loopback, loopback.redirectURI)
        } else if redirectURI.kind == .privateScheme {
          listener = try schemeListener(for: redirectURI)
        }
      } catch {
        ways.removeAll { $0 == .browser }
        if ways.isEmpty { throw error }
        run.messages.info(.failure(error))
      }
    }
    run.interruption.farewell = { [weak listener] in await listener?.close(.failure($0)) }
    run.interruption.awaited = ways.first == .browser && listener != nil ? redirectURI : nil
    return Route(agent: try agent(ways, listener, of: provider), redirectURI: redirectURI)
  }

  /// The desktop starts this program again for every address with the scheme, for as long as the login waits.
  private func schemeListener(for redirectURI: RedirectURI) throws(Failure) -> SchemeListener {
    guard let folders = run.environment.schemeFolders, let executable = run.environment.executable else {
      throw .way(.obstacle(.noHome))
    }
    return try SchemeListener(for: redirectURI, cryptography: run.cryptography) {
      [messages = run.messages] scheme throws(SchemeRegistration.Fault) in
      messages.info(.schemeOpened(scheme))
      return try SchemeRegistration(
        scheme, opening: [executable, CallbackChild.argument], comment: DesktopText.callbackEntry.text,
        in: folders)
    }
  }

  /// Whether a code for another device is shown in a window, too.
  var showsCodeInWindow: Bool {
    !settings.isTest && (settings.asked == .window || capabilities.showsCodeInWindow)
  }
}

extension LoginRequest {
  /// Who is going to sign in, as the request says.
  var loginHint: String? { parameters.first { $0.name.isIdentical(to: "login_hint") }?.value }

  /// Whether its provider gives out codes for other devices, as far as it is known.
  fileprivate var deviceCodes: WayChoice.DeviceCodes {
    if responseType != .code { return .none }
    if provider.endpoints[.deviceAuthorization] != nil { return .offered }
    return provider.issuer == nil ? .none : .unknown
  }
}
