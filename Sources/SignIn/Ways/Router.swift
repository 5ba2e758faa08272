import GLibSupport
import Glibc
import Language
import LoginCore
import Platform
import WindowProtocol

/// The agent that takes the user to the provider, and the redirect URI at which it waits.
package struct Route: Sendable {
  package let agent: any UserAgent
  package let redirectURI: RedirectURI

  package init(agent: any UserAgent, redirectURI: RedirectURI) {
    (self.agent, self.redirectURI) = (agent, redirectURI)
  }
}

/// Finds the way to the user: the caller's choice, or else that of the preset, or else our own rule.
@GLibActor
package final class Router {
  let host: Host
  let options: SignInOptions
  /// The languages that the request asks for.
  let languages: String?

  /// Without a request, pages have the user's languages.
  package nonisolated init(_ host: Host, _ options: SignInOptions, for request: LoginRequest? = nil) {
    (self.host, self.options, languages) = (host, options, request?.parameter("ui_locales"))
  }

  var capabilities: Capabilities {
    let environment = host.environment
    let hasDisplay = environment.hasDisplay && options.opensPages
    let hasBrowser =
      options.browser != nil || environment["BROWSER"] != nil || environment.windowsBrowser != nil
      || hasDisplay && !environment.isRemote
    return Capabilities(
      hasDisplay: hasDisplay,
      hasWindow: host.windowPrograms.program != nil,
      hasBrowser: hasBrowser && options.opensPages,
      hasTerminal: Terminal() != nil, showsMessages: isatty(STDERR_FILENO) == 1,
      isRemote: environment.isRemote, hasMessageBus: SessionBus.isKnown, readsPipe: options.pipe != nil,
      showsCodes: host.showsCodes)
  }

  /// True if a code for another device is shown in a window, too.
  package var showsCodeInWindow: Bool {
    !options.replacesWays && (options.way == .window || capabilities.showsCodeInWindow)
  }

  /// The way to the page of a ``LoginFlow``: the browser, else our window, else any other device of the user's.
  package var wayOfLoginFlow: LoginWay {
    if options.replacesWays { return .device }
    if let asked = options.way { return asked }
    let capabilities = capabilities
    if capabilities.hasBrowser, !opener.isEmpty { return .browser }
    return capabilities.hasDisplay && capabilities.hasWindow ? .window : .device
  }

  package func choice(_ question: WayChoice.Question) -> WayChoice {
    WayChoice(question, given: capabilities)
  }

  /// The facts about a login that decide its way.
  package func question(for login: LoginRequest) -> WayChoice.Question {
    var question = options.question(
      login.redirectURI, login.effectiveResponseMode, preset: ways(of: login.provider))
    question.deviceCodes = login.deviceCodes
    // Some providers compare the port, too. Only a redirect URI of a preset is known to work with any.
    question.keepsRedirectURI = login.redirectURI != login.provider.redirectURI
    return question
  }

  /// The ways that a preset names: the login's, or the preset of the same issuer. A provider that refuses a way does so
  /// however the user names it.
  private func ways(of provider: Provider) -> [LoginWay] {
    let own = provider.profile.ways
    guard own.isEmpty, let issuer = provider.issuer else { return own }
    return ProviderCatalog(environment: host.environment).ways(of: issuer)
  }

  /// Returns the route of a login. If a browser can bring the answer back, this starts to listen for it.
  package func route(
    _ question: WayChoice.Question, of provider: Provider? = nil, at port: ReservedPort? = nil
  ) async throws(Failure) -> Route {
    let route = try await plainRoute(question, of: provider, at: port)
    let agent = GuidedAgent(route.agent, host.network.keeper, host.run)
    return Route(agent: agent, redirectURI: route.redirectURI)
  }

  private func plainRoute(
    _ question: WayChoice.Question, of provider: Provider?, at port: ReservedPort?
  ) async throws(Failure) -> Route {
    if options.replacesWays {
      return Route(agent: try replacingAgent(question), redirectURI: question.redirectURI)
    }
    let choice = choice(question)
    var agents = choice.ways
    // With a window among the agents, a browser that cannot be opened is no failure.
    if !agents.contains(.window) { try checkBrowser() }
    guard !agents.isEmpty else { throw host.environment.foreignDisplay ?? choice.failure ?? .defect() }
    if let folders = host.environment.schemeFolders { SchemeRegistration.endAbandoned(in: folders) }
    var listener: (any AnswerListener)?
    var redirectURI = question.redirectURI
    if agents.contains(.browser) {
      do throws(Failure) {
        if redirectURI.isOnThisMachine {
          let loopback =
            if let reserved = port?.listener(for: redirectURI) { reserved } else {
              try LoopbackListener(
                for: redirectURI, mayMove: provider?.allowsOtherPort(for: redirectURI) ?? false,
                requester: host.requester, cryptography: host.cryptography)
            }
          if redirectURI.port != nil, loopback.redirectURI != redirectURI {
            host.tell(.portTaken(redirectURI, other: loopback.redirectURI))
          }
          (listener, redirectURI) = (loopback, loopback.redirectURI)
        } else if redirectURI.kind == .privateScheme {
          listener = try schemeListener(for: redirectURI)
        }
      } catch {
        agents.removeAll { $0 == .browser }
        if agents.isEmpty { throw error }
        host.tell(.browserUnusable(error))
      }
    }
    if !options.isSilent { explainFailures(of: provider) }
    host.tell(.listening(redirectURI, isBrowsers: agents.first == .browser && listener != nil))
    return Route(agent: try agent(agents, listener, of: provider), redirectURI: redirectURI)
  }

  /// While the login waits, the desktop starts this program again for every address with the scheme.
  private func schemeListener(for redirectURI: RedirectURI) throws(Failure) -> SchemeListener {
    guard let folders = host.environment.schemeFolders, let taker = host.callbackTaker else {
      throw Failure(.noUserAgent, "the scheme cannot be registered: HOME is not set")
    }
    return try SchemeListener(for: redirectURI, cryptography: host.cryptography) {
      [host] scheme throws(SchemeRegistration.WriteError) in
      host.tell(.schemeRegistered(scheme))
      return try SchemeRegistration(
        scheme, opening: taker, comment: DesktopText.callbackEntry.text, in: folders)
    }
  }

  /// Refuses a browser command whose program does not exist.
  private func checkBrowser() throws(Failure) {
    guard let program = options.browser?.words.first, !isProgram(program) else { return }
    throw .noBrowserProgram(program)
  }
}

extension Failure {
  /// The caller's command for pages names a program that does not exist.
  package static func noBrowserProgram(_ program: String) -> Failure {
    Failure(.invalidOption, "there is no program \"\(program, upTo: 100)\" to open the page")
  }
}

extension LoginRequest {
  /// The user who is going to sign in, if the request names one.
  package var loginHint: String? { parameters.first { $0.name.isIdentical(to: "login_hint") }?.value }
}

/// Tells the keeper of certificates which page comes first, and the browser's last page why the run has ended. Everything
/// else is up to the agent that it wraps.
private struct GuidedAgent: UserAgent {
  private let agent: any UserAgent
  private let keeper: CertificateKeeper?
  private let run: Run

  init(_ agent: any UserAgent, _ keeper: CertificateKeeper?, _ run: Run) {
    (self.agent, self.keeper, self.run) = (agent, keeper, run)
  }

  func prepare(for policy: NavigationPolicy) async { await agent.prepare(for: policy) }

  func visit(_ visit: Visit) async throws(Failure) -> Arrival {
    await keeper?.begin(at: visit.url)
    return try await agent.visit(visit)
  }

  func dismiss() async { await agent.dismiss() }

  func conclude(_ conclusion: Conclusion) async {
    if case .failure = conclusion, let reason = run.reasonOfEnd {
      return await agent.conclude(.failure(reason))
    }
    await agent.conclude(conclusion)
  }
}
