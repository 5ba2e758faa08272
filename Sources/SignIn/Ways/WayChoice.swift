import LoginCore
import WindowProtocol

/// Chooses the ways that can take the user to the provider, best first, and says why.
///
/// The user's choice comes before the preset's, and the preset's before our own rule: the browser where it can hand the
/// answer back (RFC 8252 section 8.12), else the window. If no page opened on this machine can come back, and the
/// provider offers codes for other devices (RFC 8628), these come first unless the preset leaves them out; elsewhere they
/// come last, unless the preset has an order. A user who asks
/// for the window starts there, and may go on in a browser that can hand the answer back.
package struct WayChoice: Sendable {
  /// The usable ways. The first is taken, and the user may change over to the others.
  package let ways: [LoginWay]
  /// Why this way is taken; continues a sentence that names it.
  package let reason: Message
  /// Why the preferred way cannot be used, if no other can be used either.
  package let failure: Failure?

  /// Facts about the login that decide.
  package struct Question: Sendable {
    package var redirectURI: RedirectURI
    package var responseMode: ResponseMode
    /// The way that the user asked for.
    package var asked: LoginWay?
    /// The preset's ways, best first.
    package var preset: [LoginWay]
    package var deviceCodes = DeviceCodes.none
    /// True if this program may register itself for the scheme of the redirect URI.
    package var registersScheme = false
    /// True if the redirect URI is sent as it is: a listener must not add its port.
    package var keepsRedirectURI = false
    /// False if no browser may be opened, and the user may not go on in one.
    package var allowsBrowser = true
    /// False if neither a window nor a browser may be opened, and the caller passes on what is printed.
    package var opensPages = true

    package init(
      redirectURI: RedirectURI, responseMode: ResponseMode = .query, asked: LoginWay? = nil,
      preset: [LoginWay] = []
    ) {
      self.redirectURI = redirectURI
      self.responseMode = responseMode
      self.asked = asked
      self.preset = preset
    }
  }

  /// The provider's support for sign-in with a code on another device.
  package enum DeviceCodes: Sendable {
    /// The provider offers no codes, or a sign-in with a code cannot bring the answer that the caller wants.
    case none
    /// The provider's metadata may offer codes, but have not been fetched.
    case unknown
    case offered
  }

  init(_ question: Question, given capabilities: Capabilities) {
    let (wanted, cause) = Self.wanted(question, capabilities)
    var open: [LoginWay] = []
    var obstacles: [Failure] = []
    for way in wanted {
      let obstacle = Self.obstacle(to: way, after: open, question, capabilities)
      if let obstacle { obstacles.append(obstacle) } else { open.append(way) }
    }
    // A way that was asked for is not replaced by another.
    if question.asked != nil, open.first != wanted[0] { open = [] }
    let obstacle = open.first == wanted[0] ? nil : obstacles[0]
    ways = open
    failure = ways.isEmpty ? obstacle : nil
    let why: Message = obstacle.map { "\(cause), but \($0.message)" } ?? cause
    let addition = open.first.flatMap { Self.addition(to: $0, question, capabilities) }
    reason = addition.map { "\(why), \($0)" } ?? why
  }

  /// The ways in order of preference, at least one, and the reason for the first.
  private static func wanted(_ question: Question, _ capabilities: Capabilities) -> ([LoginWay], Message) {
    if let asked = question.asked {
      let mayLeave = asked == .window && question.allowsBrowser && question.browserComesBack
      return (mayLeave ? [.window, .browser] : [asked], "it was requested")
    }
    let mayBeDevice = question.preset.isEmpty || question.preset.contains(.device)
    let offersDevice = mayBeDevice && obstacle(to: .device, after: [], question, capabilities) == nil
    if !question.opensPages {
      let others = usual(question).0.filter { $0 == .browser }
      return ((offersDevice ? [.device] : []) + others + [.paste], "no page may be opened")
    }
    let (usual, cause) = question.allowsBrowser ? usual(question) : usualWithoutBrowser(question)
    guard offersDevice else { return (usual, cause) }
    guard hasNoWayBack(question, capabilities) else {
      return (usual.contains(.device) ? usual : usual + [.device], cause)
    }
    return (
      [.device] + usual.filter { $0 != .device },
      "a browser here cannot return the answer, and the provider offers sign-in with a code on another device"
    )
  }

  /// The preset's ways, or those of our own rule.
  private static func usual(_ question: Question) -> ([LoginWay], Message) {
    if let first = question.preset.first {
      return (question.preset, "the preset prefers the \(first.rawValue)")
    }
    return switch question.redirectURI.kind {
    case .loopback where question.responseMode == .fragment:
      ([.window], "an answer in the fragment of a URL reaches no server on this machine")
    case .loopback:
      ([.browser, .window], "the redirect URI is on this machine, so a browser can return the answer")
    case .page:
      ([.window, .browser], "the redirect URI is a web page, from which a browser cannot return the answer")
    case .privateScheme where question.registersScheme:
      ([.browser, .window], "the scheme of the redirect URI is registered for the login")
    case .privateScheme:
      ([.window], "the redirect URI has a private scheme, which only the window can catch")
    case .codePage: ([.browser], "the provider shows a code that the user has to copy")
    }
  }

  private static func usualWithoutBrowser(_ question: Question) -> ([LoginWay], Message) {
    let (usual, cause) = usual(question)
    let others = usual.filter { $0 != .browser }
    if others.first == usual[0] { return (others, cause) }
    // A code that the provider shows is pasted, wherever the user has opened the page.
    let fallback: LoginWay = question.redirectURI.kind == .codePage ? .paste : .window
    return (others.isEmpty ? [fallback] : others, "no browser may be opened")
  }

  /// True if there is neither a display for a window nor a browser that reaches the redirect URI. A printed address is
  /// opened on another machine, and does not come back from there by itself.
  private static func hasNoWayBack(_ question: Question, _ capabilities: Capabilities) -> Bool {
    let isLoopback = if case .loopback = question.redirectURI.kind { true } else { false }
    return !capabilities.hasDisplay && !(capabilities.hasBrowser && question.allowsBrowser && isLoopback)
  }

  /// The part that our own window plays for another way.
  private static func addition(
    to way: LoginWay, _ question: Question, _ capabilities: Capabilities
  ) -> Message? {
    let kind = question.redirectURI.kind
    return switch way {
    case .device where capabilities.showsCodeInWindow: "and a window shows the code"
    case .paste where capabilities.takesPasteInWindow,
      .browser where capabilities.takesPasteInWindow && (kind == .page || kind == .codePage):
      "and the answer is pasted into a window"
    case .window, .browser, .device, .paste: nil
    }
  }
}

/// Why a way cannot be used. Some obstacles do not count if the user asked for that way.
extension WayChoice {
  private static func obstacle(
    to way: LoginWay, after open: [LoginWay], _ question: Question, _ capabilities: Capabilities
  ) -> Failure? {
    if question.responseMode == .formPost, way != .browser || !question.redirectURI.isOnThisMachine {
      return Failure(
        .invalidConfiguration,
        "only a browser can post an answer (response_mode form_post), and only to a redirect URI on this machine"
      )
    }
    switch way {
    case .window: return windowObstacle(question, capabilities)
    case .browser: return browserObstacle(after: open, question, capabilities)
    case .device: return deviceObstacle(question, capabilities)
    case .paste:
      return capabilities.takesPaste
        ? nil
        : Failure(.noUserAgent, "there is neither a terminal nor a window to paste an answer into")
    }
  }

  private static func deviceObstacle(_ question: Question, _ capabilities: Capabilities) -> Failure? {
    let isAsked = question.asked != nil
    // If the user asked for a code, the provider itself may say that it offers none.
    guard question.deviceCodes == .offered || isAsked && question.deviceCodes == .unknown else {
      return Failure(
        .noUserAgent, "the provider is not known to offer sign-in with a code on another device",
        hint: .addDeviceEndpointIfOffered)
    }
    // A user who asked for a code reads it on standard error.
    let isSeen =
      isAsked || !question.opensPages || capabilities.hasTerminal || capabilities.isRemote
      || capabilities.showsCodes
      || capabilities.showsCodeInWindow
    return isSeen
      ? nil : Failure(.noUserAgent, "there is neither a terminal nor a window to show a code in")
  }

  private static func windowObstacle(_ question: Question, _ capabilities: Capabilities) -> Failure? {
    if question.redirectURI.kind == .codePage {
      return Failure(
        .noUserAgent, "a window cannot read the code from the page", hint: .pasteFromBrowser)
    }
    if !capabilities.hasDisplay { return .noDisplay }
    // If the user asked for the window, the failure to start it names the paths that were tried.
    return capabilities.hasWindow || question.asked != nil
      ? nil : .windowFailed("tokentry-window is not installed").with(hint: .installWindow)
  }

  private static func browserObstacle(
    after open: [LoginWay], _ question: Question, _ capabilities: Capabilities
  ) -> Failure? {
    switch question.redirectURI.kind {
    case .loopback:
      if question.responseMode == .fragment {
        return Failure(
          .invalidConfiguration,
          "the answer is in the URL's fragment, which a browser does not send to a server",
          hint: .askForCodeOrUseWindow)
      }
      // A user who asked for the browser reads the address on standard error.
      let isReached =
        capabilities.hasBrowser || !question.opensPages || capabilities.hasTerminal || capabilities.isRemote
      return isReached || question.asked == .browser
        ? nil
        : Failure(
          .noUserAgent, "nothing here can show a page",
          hint: .nameBrowserOrTest)
    case .page, .codePage:
      // A user who changes over from the window pastes the answer there.
      return capabilities.takesPaste || open.contains(.window)
        ? nil
        : Failure(
          .noUserAgent,
          "a browser cannot return this answer, and there is neither a terminal nor a window to paste it into"
        )
    case .privateScheme: return schemeObstacle(question, capabilities)
    }
  }

  private static func schemeObstacle(_ question: Question, _ capabilities: Capabilities) -> Failure? {
    if !question.registersScheme {
      return Failure(
        .noUserAgent, "a browser cannot return an answer to a private scheme",
        hint: .registerSchemeOrUseWindow)
    }
    if question.responseMode == .fragment {
      return Failure(
        .invalidConfiguration,
        "a browser would put this token on a command line, where every user could read it",
        hint: .askForCodeOrUseWindow)
    }
    if !capabilities.hasMessageBus {
      return Failure(
        .noUserAgent, "the answer to a private scheme needs the session bus, and there is none")
    }
    return capabilities.hasBrowser || question.asked == .browser
      ? nil
      : Failure(.noUserAgent, "there is no display for a browser", hint: .nameBrowser)
  }
}

extension WayChoice.Question {
  /// True if a browser hands the answer back by itself.
  fileprivate var browserComesBack: Bool {
    switch redirectURI.kind {
    case .loopback(_, let port): responseMode != .fragment && (port != nil || !keepsRedirectURI)
    case .privateScheme: registersScheme && responseMode != .fragment
    case .page, .codePage: false
    }
  }
}

extension SignInOptions {
  /// Returns the question about the way to a page, with the caller's wishes filled in.
  func question(
    _ redirectURI: RedirectURI, _ responseMode: ResponseMode, preset: [LoginWay] = []
  ) -> WayChoice.Question {
    var question = WayChoice.Question(
      redirectURI: redirectURI, responseMode: responseMode, asked: way, preset: preset)
    question.registersScheme = registersScheme
    question.allowsBrowser = allowsBrowser && !isSilent
    question.opensPages = opensPages
    return question
  }
}

/// The ways that this machine has to reach the user.
struct Capabilities: Sendable {
  var hasDisplay = false
  var hasWindow = false
  /// True if there may be a browser to start.
  var hasBrowser = false
  var hasTerminal = false
  /// True if standard error is a terminal, so that the user reads our messages.
  var showsMessages = false
  /// True if the user sits at another machine.
  var isRemote = false
  var hasMessageBus = false
  /// True if the answer may come through a pipe from the program that started this one.
  var readsPipe = false
  /// True if the program itself shows codes for other devices.
  var showsCodes = false

  private var canShowWindow: Bool { hasDisplay && hasWindow }

  /// True if a code for another device is shown in a window, because the user does not read standard error.
  var showsCodeInWindow: Bool { canShowWindow && !showsMessages }

  /// True if the user pastes an answer into a window, for lack of a terminal.
  var takesPasteInWindow: Bool { canShowWindow && !hasTerminal }

  fileprivate var takesPaste: Bool { canShowWindow || hasTerminal || readsPipe }
}

extension LoginRequest {
  /// The provider's support for codes, as far as the request knows it.
  package var deviceCodes: WayChoice.DeviceCodes {
    if responseType != .code { return .none }
    if provider.endpoints[.deviceAuthorization] != nil { return .offered }
    return provider.issuer == nil ? .none : .unknown
  }
}

extension Failure {
  package static let noDisplay = Failure(.noDisplay, "there is no display", hint: .nameDisplayOrTest)
}
