import LoginCore
import UserAgents

extension CommandRun {
  /// The window, from which the user may change over to the browser.
  func windowAgent(
    _ settings: Settings, titled name: String?, onward: BrowserAgent?
  ) async throws(Failure) -> WindowAgent {
    let sessionName = try settings.sessionName
    var presentation = try presentation(settings, titled: name)
    presentation.isSilent = settings.has(.silent)
    if hasDisplay, let sessionName {
      let folder = try SessionFolder(sessionName, under: environment.stateFolder)
      presentation.session = WindowAgent.Session(folder: folder.path, lock: folder)
    }
    presentation.comesBack = onward?.comesBack ?? false
    let memory = RenderingMemory(environment)
    let asked = settings[.rendering].flatMap(Rendering.init)
    presentation.rendering = asked ?? memory.rendering ?? .standard
    for (host, certificate) in try await trusted(settings) {
      presentation.trust[host] = String(decoding: certificate, as: UTF8.self)
    }
    return WindowAgent(
      candidates: windowPrograms, hasDisplay: hasDisplay, presentation: presentation, onward: onward
    ) { [messages, interruption] notice in
      switch notice {
      case .page(let origin): messages.trace("page of \(origin)")
      case .fault(let failure):
        if let failure, failure != interruption.shownFailure { messages.info(failure.message) }
        interruption.shownFailure = failure
      case .stray: messages.info("a callback of another request was ignored")
      case .warning(let text): messages.warning(text)
      case .restarted: messages.info("the window ended, and is started again")
      case .blank(let next):
        messages.info(
          "the page stayed blank, and is opened again with \(Option.rendering.flag) \(next.rawValue)")
      case .painted(let rendering):
        if asked == nil, memory.rendering != rendering, memory.keep(rendering) {
          messages.info("\(rendering.rawValue) is remembered for the next login")
        }
      case .left:
        messages.info("the login goes on in the browser")
        interruption.shownFailure = nil
      }
    }
  }

  /// How a window presents itself, whatever is in it.
  func presentation(
    _ settings: Settings, titled name: String?
  ) throws(Failure) -> WindowAgent.Presentation {
    var presentation = WindowAgent.Presentation()
    presentation.title = settings[.title] ?? name
    presentation.hasNoClose = settings.has(.noClose)
    presentation.parent = try settings.parentWindow
    return presentation
  }

  /// Whether there is a display to show a window on, as far as that can be told without trying.
  var hasDisplay: Bool { environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil }

  /// The program of the window is beside this one in a build, and in a folder of its own where it is installed.
  var windowPrograms: [String] {
    guard let executable = environment.executable, let slash = executable.lastIndex(of: "/") else {
      return []
    }
    let folder = executable[..<slash]
    return ["\(folder)/tokentry-window", "\(folder)/../libexec/tokentry/tokentry-window"]
  }

  /// What takes the place of a user in tests.
  func testAgent(
    _ settings: Settings, _ question: WayChoice.Question
  ) async throws(Failure) -> any UserAgent {
    if question.responseMode == .formPost {
      throw .caller(.invalidConfiguration("a headless test reads no answer that is posted"))
    }
    guard let path = settings[.navigations] else {
      let loader = TransportPageLoader(try await transport(settings, keepsCookies: true))
      return HeadlessAgent(loader: loader, values: try await formValues(settings), observe: observer)
    }
    if settings.has(.form) {
      throw .caller(.invalidConfiguration("--form and --navigations contradict each other"))
    }
    let file = InputFile(flag: Option.navigations.flag, path: path)
    return NavigationsAgent(descriptor: try file.open(), observe: observer)
  }

  /// Tells what is decided about each navigation, for a trace.
  var observer: @Sendable (_ uri: String, _ decision: String) -> Void {
    { [messages] uri, decision in messages.trace("\(decision): \(RedactedURL(uri))") }
  }
}
