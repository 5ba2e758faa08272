import GLibSupport
import Glibc
import Language
import LoginCore
import LoginKit
import Platform
import SignIn
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
      return browserAgent(isAtTerminal || !settings.allowsBrowser ? nil : opener, nil, paste: medium)
    case .device: throw .defect()
    }
  }

  /// The application that the user signs in for.
  var requester: Requester { Requester(application: settings.application, caller: CallerProcesses.caller) }

  /// The time that the window shows to its user.
  var deadline: LoginDeadline {
    LoginDeadline { [interruption = run.interruption] in
      interruption.timeLeft
    } extend: { [interruption = run.interruption] isAsked in
      interruption.extendDeadline(isAsked: isAsked)
    } windowIsSeen: { [interruption = run.interruption] in
      interruption.hasSeenWindow = true
    }
  }

  /// Has a failure explained to the user in a window, after the login's own window has vanished.
  func explainFailures(of provider: Provider?) {
    var options = windowOptions(of: provider)
    let (requester, candidates) = (requester, run.environment.windowPrograms)
    run.interruption.explain = { failure in
      // A user who let the time pass may be typing in another window.
      options.isQuiet = failure.code == .timeout
      FailureWindow.show(LoginExplanation(of: failure, for: requester), options, candidates)
    }
  }

  /// Tells a trace about each navigation of a test.
  var observer: @Sendable (_ uri: String, _ decision: String) -> Void {
    { [messages = run.messages] uri, decision in
      messages.trace("\(decision): \(Redaction.address(uri))")
    }
  }

  /// The agent that replaces the user in tests.
  func testAgent(_ question: AgentChoice.Question) throws(Failure) -> any UserAgent {
    if question.responseMode == .formPost {
      throw Failure(.invalidConfiguration, "a headless test cannot read a posted answer")
    }
    guard let navigations = settings.navigations else {
      return HeadlessAgent(
        loader: run.pageLoader(), values: settings.form, observe: observer)
    }
    if !settings.form.isEmpty { throw .contradiction(Option.form.flag, Option.navigations.flag) }
    return NavigationsAgent(descriptor: try navigations.open(), observe: observer)
  }
}

/// The browser.
extension Router {
  var opener: BrowserOpener {
    BrowserOpener(settings.allowsBrowser ? run.environment.browsers(asked: settings.browser) : [])
  }

  /// The terminal, or else a window.
  private func pasteMedium(of provider: Provider?) -> PasteMedium? {
    if let terminal = Terminal() { return .terminal(terminal) }
    guard capabilities.takesPasteInWindow else { return nil }
    return .window(
      candidates: run.environment.windowPrograms, windowOptions(of: provider), until: deadline)
  }

  private func browserAgent(
    _ opener: BrowserOpener?, _ listener: (any AnswerListener)?, paste medium: PasteMedium?,
    otherwise: (any UserAgent)? = nil
  ) -> BrowserAgent {
    let command = settings.browserCommand ?? run.environment["BROWSER"]
    return BrowserAgent(
      opener: opener, listener: listener, paste: medium, input: settings.pipe,
      isRemote: run.environment.isRemote, otherwise: otherwise
    ) {
      [messages = run.messages, host = run.environment.thisHost, interruption = run.interruption]
      notice in
      switch notice {
      case .opening(let url):
        messages.tellReader(OAuthClient.Event.opening(url).message)
      case .opened: if !Messages.areRead { messages.tell(OAuthClient.Event.opened.message) }
      case .address(let url):
        messages.tell(OAuthClient.Event.address(url).message, holdsAddress: true)
      case .forward(let port):
        messages.tell(
          "if that browser runs on another machine, first run there: ssh -N -L \(port):localhost:\(port) \(host)"
        )
      case .notOpened: messages.tell("no browser could be opened, so the page is shown in a window")
      case .late: messages.tell("the browser has not come back yet")
      case .failed:
        let failure = Failure.browserFailed(command: command)
        interruption.obstacle = failure
        messages.warning(failure.message)
      case .missed(.otherUser, _):
        messages.warning("an answer came from a browser of another user of this computer, and was not taken")
      case .missed(.elsewhere(let address), let visit):
        let refusal = visit.policy.refusal(of: Array(address.utf8))
        interruption.shownFailure = refusal.failureOnDeadline
        messages.warning(refusal.failure.message)
      case .refused(let pasted):
        if let problem = pasted.problem { messages.warning(PastePromptText.objection(problem)) }
      }
    }
  }
}

extension Environment {
  /// The ways to open a page: the command of `--browser`, or else the commands in `BROWSER`, then the browser of Windows,
  /// then the desktop. Programs with a terminal of their own set `BROWSER` on purpose. In an SSH session this machine's
  /// desktop is not the user's, and in WSL the user's browser is that of Windows, even if Linux has one as well.
  func browsers(asked: [String]?) -> [BrowserOpener.Method] {
    if let asked { return [.command(asked)] }
    var methods = self["BROWSER"].map { BrowserOpener.commands(in: $0, words: shellWords) } ?? []
    if let windowsBrowser { methods.append(.command(windowsBrowser)) }
    if hasDisplay, !isRemote, let executable {
      methods.append(.desktop([executable, DesktopChild.argument]))
    }
    return methods
  }
}

/// The display.
extension Environment {
  /// The failure of a login that cannot show its page.
  var noDisplay: Failure { foreignDisplay ?? .noDisplay }

  /// The failure if the reason is that the display belongs to another user.
  var foreignDisplay: Failure? {
    guard let owner = ownerOfDisplay else { return nil }
    let name = getpwuid(owner).map { String(cString: $0.pointee.pw_name) } ?? "#\(owner)"
    let words =
      ["sudo", "-u", name, "XDG_RUNTIME_DIR=/run/user/\(owner)", "tokentry"]
      + CommandLine.arguments.dropFirst()
    let command = words.map(\.quotedIfNeeded).joined(separator: " ")
    return Failure(
      .noDisplay, "the display belongs to \(name, upTo: 60), and root cannot show pages there",
      hint: "run it as that user: \(command, upTo: 400)")
  }
}

extension String {
  /// The word as a shell reads it.
  fileprivate var quotedIfNeeded: String {
    let isPlain = !isEmpty && utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_./:=,@+%#".utf8.contains($0) }
    return isPlain ? self : "'" + replacingAll("'", with: "'\\''") + "'"
  }
}

/// The window.
extension Router {
  /// The options that all of our windows have in common.
  func windowOptions(of provider: Provider?) -> WindowOptions {
    var options = settings.window
    options.title = options.title ?? provider?.name
    options.requester = requester
    if settings.languages != nil {
      options.languages = run.environment.languages.after(settings.languages).names
    }
    return options
  }

  private func windowAgent(of provider: Provider?, onward: BrowserAgent?) throws(Failure) -> WindowAgent {
    let environment = run.environment
    var options = windowOptions(of: provider)
    options.isHidden = settings.isSilent
    var jar = settings.connectionCookies
    options.keepsSessionCookies = jar != nil
    if environment.hasDisplay, jar == nil, let name = settings.cookieJar {
      jar = try CookieJar(name, under: environment.stateFolder)
    }
    options.session = jar?.path
    let memory = WindowMemory(environment)
    options.rendering = settings.rendering ?? memory.rendering ?? .standard
    options.layout = memory.layout ?? WindowLayout()
    if let size = settings.windowSize ?? provider?.profile.windowSize?.union(options.layout.size) {
      options.layout.size = size
    }
    options.hasFixedSize = settings.windowSize != nil
    for (host, certificate) in run.trust {
      options.trust[host] = String(decoding: certificate, as: UTF8.self)
    }
    options.negotiate = run.negotiating
    return WindowAgent(
      candidates: environment.windowPrograms, hasDisplay: environment.hasDisplay, options: options,
      deadline: deadline, sessionLock: jar, onward: onward, keeper: run.keeper, observe: observer(of: memory))
  }

  /// Reports what happens in the window, and remembers the rendering with which its pages are visible.
  private func observer(of memory: WindowMemory) -> @GLibActor (WindowAgent.Notice) -> Void {
    { [messages = run.messages, interruption = run.interruption, asked = settings.rendering] notice in
      switch notice {
      case .page(let origin): messages.trace("page of \(origin)")
      case .fault(let fault):
        let failure = fault?.failure
        if let failure, failure != interruption.shownFailure {
          // The window alone does not show where a page has led.
          if case .refused = fault {
            messages.warning(failure.message)
          } else {
            messages.info(failure.message)
          }
        }
        interruption.shownFailure = failure
      case .arranged(let layout): memory.keep(layout)
      case .slow(let host):
        messages.info("\(host) has not answered yet")
        interruption.shownFailure = .unreachable(host, "the connection timed out")
      case .deadline(let failure): interruption.shownFailure = failure
      case .stray: messages.info("ignored a callback of another request")
      case .warning(let text): messages.warning(Message(catalogued: text))
      case .restarted: messages.info("the window crashed and is restarted")
      case .blank(let next):
        messages.info("the page stayed blank and is reopened with --rendering \(next.rawValue)")
      case .painted(let rendering):
        if asked == nil, memory.rendering != rendering, memory.keep(rendering) {
          messages.info("\(rendering.rawValue) is remembered for the next login")
        }
      case .left:
        messages.info("the login continues in the browser")
        interruption.shownFailure = nil
      }
    }
  }
}
