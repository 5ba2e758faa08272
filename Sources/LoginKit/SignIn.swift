import GLibSupport
import Glibc
import Language
import LoginCore
import Platform
import SignIn
import SoupNetwork
import WindowProtocol

/// Gets a new token with the grant of a request. It chooses how to reach the user, and finds or registers a client if the
/// request has no client ID.
struct SignIn: Sendable {
  let client: OAuthClient
  private let environment = Environment()

  init(client: OAuthClient) { self.client = client }

  /// Returns the token, and the request with the client for which it was issued.
  @GLibActor
  func token(for wanted: LoginRequest) async throws(Failure) -> (login: LoginRequest, token: Token) {
    guard wanted.mayRegister else { return (wanted, try await token(for: wanted, at: nil)) }
    let port = ReservedPort(
      for: wanted.redirectURI, requester: requester, client.dependencies.cryptography)
    let registration = RegistrationSession(store: client.store, client.dependencies)
    return try await wanted.signedIn { () async throws(Failure) in
      try await registration.client(
        for: wanted, initialAccessToken: nil, at: { number throws(Failure) in try await port.number(number) }
      ) { [name = client.name] asked in
        RegistrationRequest.Metadata(for: asked, name: name ?? "LoginKit", authentication: nil)
      }
    } forget: { login async throws(Failure) in
      try await client.store.forgetClient(of: login)
    } _: { request async throws(Failure) in
      try await token(for: request, at: port)
    }
  }

  @GLibActor
  private func token(for wanted: LoginRequest, at port: ReservedPort?) async throws(Failure) -> Token {
    do throws(Failure) {
      return switch wanted.grant {
      case .clientCredentials: try await DirectSession(client.dependencies).token(ofClientIn: wanted)
      case .password, .tokenExchange:
        throw Failure(
          .invalidConfiguration, "the grant \(wanted.grant.rawValue) does not take the user to the provider")
      case .device: try await deviceToken(for: wanted)
      case .code, .implicit: try await pageToken(for: wanted, port)
      }
    } catch {
      throw error.withoutOptions
    }
  }

  /// Gets a token while the user enters a code on another device.
  private func deviceToken(for wanted: LoginRequest) async throws(Failure) -> Token {
    let session = DeviceSession(client.dependencies) { [tell = client.tell] notice in
      switch notice {
      case .code(let authorization): tell(.code(authorization))
      case .slower: break
      case .silence(let failure, _): tell(.trouble(failure))
      }
    }
    return try await session.token(for: wanted)
  }

  /// Gets a token by showing the provider's page, or on another device if no page can be shown.
  @GLibActor
  private func pageToken(for wanted: LoginRequest, _ port: ReservedPort?) async throws(Failure) -> Token {
    if case .device? = client.way { return try await deviceToken(for: wanted) }
    try wanted.validate(for: .page)
    if let agent = ownAgent {
      return try await LoginSession(agent: agent, client.dependencies).token(for: wanted)
    }
    var request = wanted
    if !environment.hasDisplay, client.way?.kind == nil, wanted.responseType == .code {
      request = try await wanted.completed(
        needing: [.deviceAuthorization], through: client.dependencies.transport)
    }
    let choice = AgentChoice(question(for: request), given: capabilities)
    guard let first = choice.agents.first else {
      // Without a terminal, the command line could not show a code. The application can.
      if client.way == nil, request.deviceCodes == .offered { return try await deviceToken(for: request) }
      // A hint would name an option of the command line.
      throw (choice.failure ?? .defect()).with(hint: nil)
    }
    if first == .device { return try await deviceToken(for: request) }
    var listener: LoopbackListener?
    if choice.agents.contains(.browser), request.redirectURI.isOnThisMachine {
      let started =
        if let reserved = port?.listener(for: request.redirectURI) { reserved } else {
          try LoopbackListener(
            for: request.redirectURI, requester: requester, cryptography: client.dependencies.cryptography)
        }
      (listener, request.redirectURI) = (started, started.redirectURI)
    }
    let agent = agent(choice.agents, listener, request.provider)
    return try await LoginSession(agent: agent, client.dependencies).token(for: request)
  }
}

/// The user agents.
extension SignIn {
  /// The application by its own name, or else by its executable.
  private var requester: Requester {
    Requester(application: client.name, caller: environment.executable.map { Caller(.executable, $0) })
  }

  /// The application's own agent or the one for tests, which replaces ours. nil for any other ``OAuthClient/Way``.
  @GLibActor
  private var ownAgent: (any UserAgent)? {
    switch client.way {
    case .own(let agent)?: return agent
    case .headless(let form)?:
      let pages = SoupTransport(userAgent: Network.userAgent, keepsCookies: true)
      let loader = TransportPageLoader(pages) { pages.cookies(for: $0, onAnyPath: $1) }
      return HeadlessAgent(loader: loader, values: form.map { Parameter($0.key, $0.value) }) { _, _ in }
    default: return nil
    }
  }

  private func question(for login: LoginRequest) -> AgentChoice.Question {
    var question = AgentChoice.Question(
      redirectURI: login.redirectURI, responseMode: login.effectiveResponseMode, asked: client.way?.kind)
    question.deviceCodes = login.deviceCodes
    let usual = [login.provider.redirectURI, try? RedirectURI.onThisMachine(for: login.provider.issuer)]
    question.keepsRedirectURI = !usual.contains(login.redirectURI)
    return question
  }

  private var capabilities: Capabilities {
    Capabilities(
      hasDisplay: environment.hasDisplay,
      hasWindow: environment.installedWindowPrograms.contains { access($0, X_OK) == 0 },
      hasBrowser: !browsers.isEmpty, hasTerminal: Terminal() != nil,
      showsMessages: isatty(STDERR_FILENO) != 0,
      isRemote: environment.isRemote)
  }

  /// The commands in `BROWSER`, the browser of Windows, and the desktop's browser. In an SSH session the user does not see
  /// this machine's desktop.
  private var browsers: [BrowserOpener.Method] {
    var methods = environment["BROWSER"].map { BrowserOpener.commands(in: $0, words: shellWords) } ?? []
    if let windows = environment.windowsBrowser { methods.append(.command(windows)) }
    if environment.hasDisplay, !environment.isRemote {
      // Other users can see the browser's arguments, so it gets an address on this machine that works once.
      let script = "IFS= read -r page; xdg-open \"$page\" || gio open \"$page\""
      methods.append(.desktop(["/bin/sh", "-c", script]))
    }
    return methods
  }

  @GLibActor
  private func agent(
    _ kinds: [AgentKind], _ listener: LoopbackListener?, _ provider: Provider
  ) -> any UserAgent {
    switch kinds[0] {
    case .window:
      return window(provider, onward: kinds.contains(.browser) ? browser(listener, paste: nil) : nil)
    case .browser:
      let window = kinds.contains(.window) ? window(provider, onward: nil) : nil
      return browser(listener, paste: medium(provider), otherwise: window)
    case .paste, .device: return browser(nil, paste: medium(provider))
    }
  }

  private func window(_ provider: Provider, onward: BrowserAgent?) -> WindowAgent {
    WindowAgent(
      candidates: environment.installedWindowPrograms, hasDisplay: environment.hasDisplay,
      options: options(provider), onward: onward
    ) { [tell = client.tell] notice in
      switch notice {
      case .fault(let fault?): tell(.trouble(fault.failure.withoutOptions))
      case .left: tell(.opened)
      default: break
      }
    }
  }

  func options(_ provider: Provider) -> WindowOptions {
    var options = WindowOptions()
    (options.title, options.requester) = (provider.name, requester)
    options.parent = client.parentWindow.flatMap { ParentWindow($0) }
    return options
  }

  private func medium(_ provider: Provider) -> PasteMedium? {
    if let terminal = Terminal() { return .terminal(terminal) }
    guard capabilities.takesPasteInWindow else { return nil }
    return .window(candidates: environment.installedWindowPrograms, options(provider), until: nil)
  }

  private func browser(
    _ listener: LoopbackListener?, paste medium: PasteMedium?, otherwise: (any UserAgent)? = nil
  ) -> BrowserAgent {
    BrowserAgent(
      opener: BrowserOpener(browsers), listener: listener, paste: medium, isRemote: environment.isRemote,
      otherwise: otherwise
    ) { [tell = client.tell] notice in
      switch notice {
      case .opening(let address): tell(.opening(address))
      case .opened: tell(.opened)
      case .address(let address): tell(.address(address))
      case .failed: tell(.trouble(.browserFailed(command: nil).withoutOptions))
      case .missed(.elsewhere(let address), let visit):
        tell(.trouble(visit.policy.refusal(of: Array(address.utf8)).failure.withoutOptions))
      case .forward, .notOpened, .late, .missed(.otherUser, _), .refused: break
      }
    }
  }
}

extension OAuthClient.Way {
  var kind: AgentKind? {
    switch self {
    case .browser: .browser
    case .window: .window
    case .paste: .paste
    case .device: .device
    case .headless, .own: nil
    }
  }
}

extension Failure {
  /// The failure without a hint that names an option of our command line. A hint with a command to run stays.
  var withoutOptions: Failure {
    guard let words = hint?.description.parts(at: " "), words.contains(where: { $0.hasPrefix("--") }) else {
      return self
    }
    return words.contains { $0.hasPrefix("`") } ? self : with(hint: nil)
  }
}
