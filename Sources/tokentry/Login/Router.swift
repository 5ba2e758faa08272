import GLibSupport
import Glibc
import Language
import LoginCore
import Platform
import SignIn
import WindowProtocol

/// The agent that takes the user to the provider, and the redirect URI at which it waits.
struct Route: Sendable {
  let agent: any UserAgent
  let redirectURI: RedirectURI
}

/// Finds the way to the user: the caller's choice, or else that of the preset, or else our own rule.
@GLibActor
struct Router {
  let run: Composition
  let settings: LoginSettings

  nonisolated init(_ run: Composition, _ settings: LoginSettings) {
    (self.run, self.settings) = (run, settings)
  }

  var capabilities: Capabilities {
    let environment = run.environment
    let hasDesktop = environment.hasDisplay && !environment.isRemote
    return Capabilities(
      hasDisplay: environment.hasDisplay,
      hasWindow: environment.windowPrograms.contains { access($0, X_OK) == 0 },
      hasBrowser: settings.browser != nil || environment["BROWSER"] != nil
        || environment.windowsBrowser != nil || hasDesktop,
      hasTerminal: Terminal() != nil, showsMessages: Messages.areRead,
      isRemote: environment.isRemote, hasMessageBus: SessionBus.isKnown, readsPipe: settings.pipe != nil)
  }

  /// True if a code for another device is shown in a window, too.
  var showsCodeInWindow: Bool {
    !settings.isTest && (settings.asked == .window || capabilities.showsCodeInWindow)
  }

  /// The way to the page of a ``LoginFlow``: the browser, else our window, else any other device of the user's.
  var wayOfLoginFlow: AgentKind {
    if settings.isTest { return .device }
    if let asked = settings.asked { return asked }
    let capabilities = capabilities
    if capabilities.hasBrowser, !opener.isEmpty { return .browser }
    return capabilities.hasDisplay && capabilities.hasWindow ? .window : .device
  }

  func choice(_ question: AgentChoice.Question) -> AgentChoice {
    AgentChoice(question, given: capabilities)
  }

  /// The facts about a login that decide its way.
  func question(for login: LoginRequest) -> AgentChoice.Question {
    var question = AgentChoice.Question(
      redirectURI: login.redirectURI, responseMode: login.effectiveResponseMode, asked: settings.asked,
      preset: login.provider.profile.agents)
    question.deviceCodes = login.deviceCodes
    question.registersScheme = settings.registersScheme
    question.allowsBrowser = settings.allowsBrowser && !settings.isSilent
    // Some providers compare the port, too. Only a redirect URI of ours or of a preset is known to work with any.
    let usual = [login.provider.redirectURI, try? RedirectURI.ofThisMachine(for: login.provider.issuer)]
    question.keepsRedirectURI = !usual.contains(login.redirectURI)
    return question
  }

  /// Returns the route of a login. If a browser can bring the answer back, this starts to listen for it.
  func route(
    _ question: AgentChoice.Question, of provider: Provider? = nil, at port: ReservedPort? = nil
  ) async throws(Failure) -> Route {
    let route = try await uncertifiedRoute(question, of: provider, at: port)
    guard let keeper = run.keeper else { return route }
    return Route(agent: CertificateAgent(keeper, route.agent), redirectURI: route.redirectURI)
  }

  private func uncertifiedRoute(
    _ question: AgentChoice.Question, of provider: Provider?, at port: ReservedPort?
  ) async throws(Failure) -> Route {
    if settings.isTest { return Route(agent: try testAgent(question), redirectURI: question.redirectURI) }
    let choice = choice(question)
    var agents = choice.agents
    // With a window among the agents, a browser that cannot be opened is no failure.
    if !agents.contains(.window) { try settings.checkBrowser() }
    guard !agents.isEmpty else { throw run.environment.foreignDisplay ?? choice.failure ?? .defect() }
    if let folders = run.environment.schemeFolders { SchemeRegistration.endAbandoned(in: folders) }
    var listener: (any AnswerListener)?
    var redirectURI = question.redirectURI
    if agents.contains(.browser) {
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
        agents.removeAll { $0 == .browser }
        if agents.isEmpty { throw error }
        run.messages.info(error.message)
      }
    }
    if !settings.isSilent { explainFailures(of: provider) }
    run.interruption.farewell = { [weak listener] in await listener?.close(.failure($0)) }
    run.messages.note("waiting for the answer at \(redirectURI.description, upTo: 200)")
    run.interruption.awaited = agents.first == .browser && listener != nil ? redirectURI : nil
    return Route(agent: try agent(agents, listener, of: provider), redirectURI: redirectURI)
  }

  /// While the login waits, the desktop starts this program again for every address with the scheme.
  private func schemeListener(for redirectURI: RedirectURI) throws(Failure) -> SchemeListener {
    guard let folders = run.environment.schemeFolders, let executable = run.environment.executable else {
      throw Failure(.noUserAgent, "the scheme cannot be registered: HOME is not set")
    }
    return try SchemeListener(for: redirectURI, cryptography: run.cryptography) {
      [messages = run.messages] scheme throws(SchemeRegistration.WriteError) in
      messages.info("\(scheme): links are opened by tokentry until the login ends")
      return try SchemeRegistration(
        scheme, opening: [executable, CallbackChild.argument], comment: DesktopText.callbackEntry.text,
        in: folders)
    }
  }
}

extension LoginRequest {
  /// The user who is going to sign in, if the request names one.
  var loginHint: String? { parameters.first { $0.name.isIdentical(to: "login_hint") }?.value }
}

/// Takes the user to a page that is not a login, such as the end of a session.
@GLibActor
enum PageVisit {
  /// Returns the URL that came back. The agent's window or page is closed in any case.
  static func callback(of visit: Visit, with agent: any UserAgent) async throws(Failure) -> Callback {
    let arrival: Arrival
    do throws(Failure) {
      arrival = try await agent.visit(visit)
    } catch {
      await agent.dismiss()
      await agent.conclude(.failure(error))
      throw error
    }
    await agent.dismiss()
    await agent.conclude(.answer)
    // The policy of such a visit has no error pages, and its answer is not a code.
    guard case .callback(let callback) = arrival else { throw .defect() }
    return callback
  }
}
