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
    _ kinds: [LoginWay], _ listener: (any AnswerListener)?, of provider: Provider?
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
      return browserAgent(
        isAtTerminal || !options.allowsBrowser || !options.opensPages ? nil : opener, nil, paste: medium)
    case .device: throw .defect()
    }
  }

  /// Has a failure explained to the user in a window, after the login's own window has vanished.
  func explainFailures(of provider: Provider?) {
    let (windows, requester) = (windows(of: provider), host.requester)
    host.run.explainFailure { failure in
      var windows = windows
      // A user who let the time pass may be typing in another window.
      windows.options.isQuiet = failure.code == .timeout
      windows.explain(Question(of: failure, for: requester))
    }
  }

  /// Tells a trace about each navigation of a test.
  package var observer: @Sendable (_ uri: String, _ decision: String) -> Void {
    { [host] uri, decision in host.tell(.navigation(uri: uri, decision: decision)) }
  }

  /// The agent that takes the place of ours: a test's, or the application's own.
  func replacingAgent(_ question: WayChoice.Question) throws(Failure) -> any UserAgent {
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
    return HeadlessAgent(
      host.network.watched(pages, host.run), cookies: { pages.cookies(for: $0, onAnyPath: $1) },
      values: values, observe: observer)
  }
}

/// The browser.
extension Router {
  package var opener: BrowserOpener {
    BrowserOpener(
      options.allowsBrowser && options.opensPages ? browsers : [],
      command: options.browser?.text ?? host.environment["BROWSER"])
  }

  /// The terminal, or else a window.
  private func pasteMedium(of provider: Provider?) -> PasteMedium? {
    if let terminal = Terminal() { return .terminal(terminal) }
    guard capabilities.takesPasteInWindow else { return nil }
    return .window(windows(of: provider))
  }

  private func browserAgent(
    _ opener: BrowserOpener?, _ listener: (any AnswerListener)?, paste medium: PasteMedium?,
    otherwise: (any UserAgent)? = nil
  ) -> BrowserAgent {
    let environment = host.environment
    return BrowserAgent(
      opener: opener, listener: listener, paste: medium, input: options.pipe,
      thisHost: environment.isRemote ? environment.thisHost : nil, otherwise: otherwise, tell: host.tell)
  }
}

extension Router {
  /// The ways to open a page: the caller's command, or else the commands in `BROWSER`, then the browser of Windows,
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
    nameOfDisplayOwner.map { name in
      Failure(.noDisplay, "the display belongs to \(name, upTo: 60), and root cannot show pages there")
    }
  }

  /// The name, or else the number, of the user who owns the display. nil if that is not another user.
  package var nameOfDisplayOwner: String? {
    ownerOfDisplay.map { owner in getpwuid(owner).map { String(cString: $0.pointee.pw_name) } ?? "#\(owner)" }
  }
}

/// The window.
extension Router {
  /// The host of the small windows.
  func windows(of provider: Provider?) -> WindowHost {
    WindowHost(host.windowPrograms, windowOptions(of: provider), in: host.run)
  }

  /// The options that all of our windows have in common.
  private func windowOptions(of provider: Provider?) -> WindowOptions {
    var window = options.window
    window.title = window.title ?? provider?.name
    window.requester = host.requester
    window.requester?.account = options.kept?.label
    if let provider, provider.isNamedByAPI {
      window.server = provider.issuer.map { PageAddress($0.description).host }
    }
    if languages != nil {
      window.languages = host.environment.languages.after(languages).names
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
    let memory = WindowMemory(environment, keepsRendering: options.rendering == nil)
    window.rendering = options.rendering ?? memory.rendering ?? .standard
    window.layout = memory.layout ?? WindowLayout()
    if let size = options.windowSize ?? provider?.profile.windowSize?.union(window.layout.size) {
      window.layout.size = size
    }
    window.hasFixedSize = options.windowSize != nil
    window.trust = host.network.trustedTexts
    window.negotiate = host.network.negotiating
    return WindowAgent(
      candidates: host.windowPrograms, hasDisplay: environment.hasDisplay, options: window,
      in: host.run, sessionLock: jar, onward: onward, keeper: host.network.keeper, memory: memory,
      observe: host.tell)
  }
}
