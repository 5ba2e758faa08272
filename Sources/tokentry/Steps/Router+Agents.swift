import Desktop
import GLibSupport
import LoginCore
import LoginWays
import UserAgents
import Wording

/// The agents on the ways to the user.
extension Router {
  /// The first way, and behind it the one to which the user may change over.
  func agent(
    _ ways: [Way], _ listener: (any AnswerListener)?, of provider: Provider?
  ) throws(Failure) -> any UserAgent {
    switch ways[0] {
    case .window:
      let browser = ways.contains(.browser) ? browserAgent(opener, listener, paste: nil) : nil
      return try windowAgent(of: provider, onward: browser)
    case .browser:
      let window = ways.contains(.window) ? try windowAgent(of: provider, onward: nil) : nil
      return browserAgent(opener, listener, paste: pasteMedium(of: provider), otherwise: window)
    case .paste:
      let medium = pasteMedium(of: provider)
      // Whoever has a terminal is told what to open, on whatever machine.
      let isAtTerminal = if case .terminal = medium { true } else { false }
      return browserAgent(isAtTerminal ? nil : opener, nil, paste: medium)
    case .device: throw .defect(.here())
    }
  }

  /// The terminal, or else a window, if somebody sees it.
  private func pasteMedium(of provider: Provider?) -> PasteMedium? {
    if let terminal = Terminal() { return .terminal(terminal) }
    guard capabilities.takesPasteInWindow else { return nil }
    return .window(candidates: run.environment.windowPrograms, presentation(of: provider))
  }

  /// What the caller or the environment names to open pages.
  private var command: String? { settings.browserCommand ?? run.environment["BROWSER"] }

  private func browserAgent(
    _ opener: BrowserOpener?, _ listener: (any AnswerListener)?, paste medium: PasteMedium?,
    otherwise: (any UserAgent)? = nil
  ) -> BrowserAgent {
    BrowserAgent(
      opener: opener, listener: listener, paste: medium, input: settings.pipe,
      isRemote: run.environment.isRemote, otherwise: otherwise
    ) {
      [messages = run.messages, host = run.environment.thisHost, interruption = run.interruption, command]
      notice in
      switch notice {
      case .opened: messages.tell(.pageOpen)
      case .address(let url): messages.tell(.openPage(url))
      case .forward(let port): messages.tell(.forwardPort(port, host: host))
      case .notOpened: messages.tell(.windowInstead)
      case .late: messages.tell(.browserLate)
      case .failed:
        interruption.obstacle = .browserFailed(command: command)
        messages.warning(.failure(.way(.obstacle(.browserFailed(command: command)))))
      case .elsewhere(let address, let visit):
        let refusal = visit.policy.refusal(of: Array(address.utf8))
        interruption.shownFailure = .application(UserAfterRefusal.waited(refusal))
        messages.warning(.failure(.application(refusal)))
      case .refused(let pasted): if let problem = pasted.problem { messages.warning(.noAnswer(problem)) }
      }
    }
  }

  /// What `--browser` says, else the desktop, else what the environment says. Over a network the desktop is not
  /// the one at which the user sits.
  var opener: BrowserOpener {
    if let words = settings.browser { return BrowserOpener([.command(words)]) }
    let environment = run.environment
    // In WSL the user's browser is that of Windows, whatever there is beside it.
    var means = environment.windowsBrowser.map { [BrowserOpener.Means.command($0)] } ?? []
    if environment.hasDisplay, !environment.isRemote, let executable = environment.executable {
      means.append(.desktop([executable, DesktopChild.argument]))
    }
    if let variable = environment["BROWSER"] {
      means += BrowserOpener.commands(in: variable, words: shellWords)
    }
    return BrowserOpener(means)
  }

  /// For whom somebody signs in.
  var requester: Requester { Requester(application: settings.application, caller: CallerProcesses.caller) }

  /// How a window presents itself, whatever is in it.
  func presentation(of provider: Provider?) -> WindowAgent.Presentation {
    var presentation = WindowAgent.Presentation()
    presentation.title = settings.title ?? provider?.name
    presentation.requester = requester
    presentation.hasNoClose = settings.hasNoClose
    presentation.parent = settings.parent
    if settings.languages != nil {
      presentation.languages = run.environment.languages.after(settings.languages).names
    }
    presentation.deadline = LoginDeadline { [interruption = run.interruption] in
      interruption.timeLeft
    } extend: { [interruption = run.interruption] in
      interruption.extendDeadline()
    }
    return presentation
  }

  /// The window, from which the user may change over to the browser.
  private func windowAgent(of provider: Provider?, onward: BrowserAgent?) throws(Failure) -> WindowAgent {
    let environment = run.environment
    var presentation = presentation(of: provider)
    presentation.isSilent = settings.isSilent
    if environment.hasDisplay, let jar = settings.cookieJar {
      let folder = try CookieJar(jar, under: settings.cookieFolder ?? environment.stateFolder)
      presentation.cookies = WindowAgent.CookieFolder(folder: folder.path, lock: folder)
    }
    presentation.comesBack = onward?.comesBack ?? false
    let memory = WindowMemory(environment)
    presentation.rendering = settings.rendering ?? memory.rendering ?? .standard
    var layout = memory.layout ?? WindowLayout()
    if let size = settings.windowSize ?? provider?.windowSize?.union(layout.size) { layout.size = size }
    presentation.layout = layout
    presentation.hasFixedSize = settings.windowSize != nil
    for (host, certificate) in run.trust {
      presentation.trust[host] = String(decoding: certificate, as: UTF8.self)
    }
    return WindowAgent(
      candidates: environment.windowPrograms, hasDisplay: environment.hasDisplay,
      presentation: presentation, onward: onward, observe: observer(of: memory))
  }

  /// Tells what happens in a window, and remembers with what it shows its pages.
  private func observer(of memory: WindowMemory) -> @GLibActor (WindowAgent.Notice) -> Void {
    { [messages = run.messages, interruption = run.interruption, asked = settings.rendering] notice in
      switch notice {
      case .page(let origin): messages.trace(.page(origin: origin))
      case .fault(let failure):
        if let failure, failure != interruption.shownFailure {
          // What a page has led to nobody would guess from the window alone.
          if failure.fault(as: PageRefusal.self) == nil {
            messages.info(.failure(failure))
          } else {
            messages.warning(.failure(failure))
          }
        }
        interruption.shownFailure = failure
      case .arranged(let layout): memory.keep(layout)
      case .slow(let host):
        messages.info(.slow(host: host))
        interruption.shownFailure = .network(.connection(host: host, .timedOut))
      case .deadline(let failure): interruption.shownFailure = failure
      case .stray: messages.info(.strayCallback)
      case .warning(let text): messages.warning(.window(text))
      case .restarted: messages.info(.windowRestarted)
      case .blank(let next): messages.info(.blankPage(next: next))
      case .painted(let rendering):
        if asked == nil, memory.rendering != rendering, memory.keep(rendering) {
          messages.info(.remembered(rendering))
        }
      case .left:
        messages.info(.inBrowser)
        interruption.shownFailure = nil
      }
    }
  }

  /// What takes the place of a user in tests.
  func testAgent(_ question: WayChoice.Question) throws(Failure) -> any UserAgent {
    if question.responseMode == .formPost { throw .configuration(.postedInTest) }
    guard let navigations = settings.navigations else {
      return HeadlessAgent(
        loader: TransportPageLoader(run.pageTransport()), values: settings.form, observe: observer)
    }
    if !settings.form.isEmpty {
      throw .configuration(.contradiction(Option.form.flag, Option.navigations.flag))
    }
    return NavigationsAgent(descriptor: try navigations.open(), observe: observer)
  }

  /// Tells what is decided about each navigation, for a trace.
  var observer: @Sendable (_ uri: String, _ decision: String) -> Void {
    { [messages = run.messages] uri, decision in
      messages.trace(.decision(decision, uri: Redaction.address(uri)))
    }
  }
}
