import GLibSupport
import Glibc
import Language
import LoginCore
import Platform
import SoupNetwork
import WindowProtocol

/// The agents that take the user to the provider.
extension Router {
  /// Returns the agent of the first kind. The user may change over from it to the others.
  func agent(
    _ kinds: [AgentKind], _ listener: (any AnswerListener)?, of provider: Provider?
  ) throws(Failure) -> any UserAgent {
    switch kinds[0] {
    case .window:
      let browser = kinds.contains(.browser) ? browserAgent(opener, listener, paste: nil) : nil
      return try windowAgent(of: provider, onward: browser)
    case .browser:
      let window = kinds.contains(.window) ? try windowAgent(of: provider, onward: nil) : nil
      return browserAgent(opener, listener, paste: pasteMedium(of: provider), otherwise: window)
    case .paste:
      let medium = pasteMedium(of: provider)
      // A user at a terminal gets the address printed, and opens it on any machine.
      let isAtTerminal = if case .terminal = medium { true } else { false }
      return browserAgent(isAtTerminal || !options.allowsBrowser ? nil : opener, nil, paste: medium)
    case .device: throw .defect()
    }
  }

  /// The time that the window shows to its user.
  var deadline: LoginDeadline {
    LoginDeadline { [run = host.run] in
      run.timeLeft
    } extend: { [run = host.run] isAsked in
      run.extendDeadline(isAsked: isAsked)
    } windowIsSeen: { [host] in
      host.tell(.windowSeen)
    }
  }

  /// Has a failure explained to the user in a window, after the login's own window has vanished.
  func explainFailures(of provider: Provider?) {
    let (window, requester, candidates) = (windowOptions(of: provider), host.requester, host.windowPrograms)
    host.tell(
      .mayExplain { failure in
        var window = window
        // A user who let the time pass may be typing in another window.
        window.isQuiet = failure.code == .timeout
        FailureWindow.show(LoginExplanation(of: failure, for: requester), window, candidates)
      })
  }

  /// Tells a trace about each navigation of a test.
  package var observer: @Sendable (_ uri: String, _ decision: String) -> Void {
    { [host] uri, decision in host.tell(.navigation(uri: uri, decision: decision)) }
  }

  /// The agent that replaces the user in tests.
  func testAgent(_ question: AgentChoice.Question) throws(Failure) -> any UserAgent {
    if case .own(let agent) = options.user { return agent }
    if question.responseMode == .formPost {
      throw Failure(.invalidConfiguration, "a headless test cannot read a posted answer")
    }
    switch options.user {
    case .navigations(let open): return NavigationsAgent(descriptor: try open(), observe: observer)
    case .form(let values): return formFiller(values)
    case .person, .own: throw .defect()
    }
  }

  /// Returns an agent that fills in forms on pages.
  package func formFiller(_ values: [Parameter]) -> HeadlessAgent {
    let pages = host.network.pages()
    let loader = TransportPageLoader(host.network.watched(pages, host.run)) {
      pages.cookies(for: $0, onAnyPath: $1)
    }
    return HeadlessAgent(loader: loader, values: values, observe: observer)
  }
}

/// The browser.
extension Router {
  package var opener: BrowserOpener { BrowserOpener(options.allowsBrowser ? browsers : []) }

  /// The terminal, or else a window.
  private func pasteMedium(of provider: Provider?) -> PasteMedium? {
    if let terminal = Terminal() { return .terminal(terminal) }
    guard capabilities.takesPasteInWindow else { return nil }
    return .window(
      candidates: host.windowPrograms, windowOptions(of: provider), until: deadline)
  }

  private func browserAgent(
    _ opener: BrowserOpener?, _ listener: (any AnswerListener)?, paste medium: PasteMedium?,
    otherwise: (any UserAgent)? = nil
  ) -> BrowserAgent {
    let command = options.browser?.text ?? host.environment["BROWSER"]
    return BrowserAgent(
      opener: opener, listener: listener, paste: medium, input: options.pipe,
      isRemote: host.environment.isRemote, otherwise: otherwise
    ) { [host] notice in
      switch notice {
      case .opening(let url): host.tell(.opening(url))
      case .opened: host.tell(.opened)
      case .address(let url): host.tell(.address(url))
      case .forward(let port): host.tell(.forward(port: port, host: host.environment.thisHost))
      case .notOpened: host.tell(.notOpened)
      case .late: host.tell(.late)
      case .failed: host.tell(.browserFailed(.browserFailed(command: command)))
      case .missed(.otherUser, _): host.tell(.answerOfOtherUser)
      case .missed(.elsewhere(let address), let visit):
        host.tell(.answerElsewhere(visit.policy.refusal(of: Array(address.utf8))))
      case .refused(let pasted): if let problem = pasted.problem { host.tell(.pasted(problem)) }
      }
    }
  }
}

extension Router {
  /// The ways to open a page: the command of `--browser`, or else the commands in `BROWSER`, then the browser of Windows,
  /// then the desktop. Programs with a terminal of their own set `BROWSER` on purpose. In an SSH session this machine's
  /// desktop is not the user's, and in WSL the user's browser is that of Windows, even if Linux has one as well.
  package var browsers: [BrowserOpener.Method] {
    let environment = host.environment
    if let asked = options.browser { return [.command(asked.words)] }
    var methods = environment["BROWSER"].map { BrowserOpener.commands(in: $0, words: shellWords) } ?? []
    if let windowsBrowser = environment.windowsBrowser { methods.append(.command(windowsBrowser)) }
    if environment.hasDisplay, !environment.isRemote { methods.append(.desktop(host.desktopBrowser)) }
    return methods
  }
}

/// The display.
extension Environment {
  /// The failure of a login that cannot show its page.
  package var noDisplay: Failure { foreignDisplay ?? .noDisplay }

  /// The failure if the reason is that the display belongs to another user.
  package var foreignDisplay: Failure? {
    guard let owner = ownerOfDisplay else { return nil }
    let name = getpwuid(owner).map { String(cString: $0.pointee.pw_name) } ?? "#\(owner)"
    return Failure(
      .noDisplay, "the display belongs to \(name, upTo: 60), and root cannot show pages there")
  }
}

/// The window.
extension Router {
  /// The options that all of our windows have in common.
  func windowOptions(of provider: Provider?) -> WindowOptions {
    var window = options.window
    window.title = window.title ?? provider?.name
    window.requester = host.requester
    if options.languages != nil {
      window.languages = host.environment.languages.after(options.languages).names
    }
    return window
  }

  private func windowAgent(of provider: Provider?, onward: BrowserAgent?) throws(Failure) -> WindowAgent {
    let environment = host.environment
    var window = windowOptions(of: provider)
    window.isHidden = options.isSilent
    var jar = options.connectionCookies
    window.keepsSessionCookies = jar != nil
    if environment.hasDisplay, jar == nil, let name = options.cookies {
      jar = try CookieJar(name, under: environment.stateFolder)
    }
    window.session = jar?.path
    let memory = WindowMemory(environment)
    window.rendering = options.rendering ?? memory.rendering ?? .standard
    window.layout = memory.layout ?? WindowLayout()
    if let size = options.windowSize ?? provider?.profile.windowSize?.union(window.layout.size) {
      window.layout.size = size
    }
    window.hasFixedSize = options.windowSize != nil
    window.trust = host.network.trustedPEM
    window.negotiate = host.network.negotiating
    return WindowAgent(
      candidates: host.windowPrograms, hasDisplay: environment.hasDisplay, options: window,
      deadline: deadline, sessionLock: jar, onward: onward, keeper: host.network.keeper,
      observe: observer(of: memory))
  }

  /// Reports what happens in the window, and remembers the rendering with which its pages are visible.
  private func observer(of memory: WindowMemory) -> @GLibActor (WindowAgent.Notice) -> Void {
    { [host, asked = options.rendering] notice in
      switch notice {
      case .page(let origin): host.tell(.page(origin: origin))
      case .fault(let fault): host.tell(.fault(fault))
      case .arranged(let layout): memory.keep(layout)
      case .slow(let server): host.tell(.slow(host: server))
      case .deadline(let failure): host.tell(.failureAtDeadline(failure))
      case .stray: host.tell(.stray)
      case .warning(let text): host.tell(.windowWarning(text))
      case .restarted: host.tell(.restarted)
      case .blank(let next): host.tell(.blank(next: next))
      case .painted(let rendering):
        if asked == nil, memory.rendering != rendering, memory.keep(rendering) {
          host.tell(.remembered(rendering))
        }
      case .left: host.tell(.left)
      }
    }
  }
}
