/// Which ways lead to the user, in the order in which they are to be taken, and why.
///
/// What was asked for comes before what the preset prefers, and that before our own rule: the browser where it
/// can hand the answer back (RFC 8252 section 8.12), the window where nothing else can. Where nothing on this
/// machine can take the user anywhere and back, and the provider gives out codes for other devices (RFC 8628),
/// those come first, unless the preset names its ways without them.
public struct WayChoice: Sendable {
  /// The ways that are open: the first is taken, and the user may change over to those behind it.
  public let ways: [Way]
  /// The way that would be best, open or not.
  public let preferred: Way
  /// Why, in words that follow the name of the way.
  public let reason: String
  /// What is in the way of the preferred one, if no way is open.
  public let failure: Failure?

  /// What decides.
  public struct Question: Sendable {
    /// Where the answer goes.
    public var redirectURI: RedirectURI
    /// Where in the callback it will be.
    public var responseMode: ResponseMode
    /// The one way that was asked for.
    public var asked: Way?
    /// What the preset prefers, in order.
    public var preset: [Way]
    /// Whether the provider gives out codes for other devices.
    public var deviceCodes = DeviceCodes.none
    /// Whether this program may become the one that opens the scheme of the redirect URI.
    public var registersScheme = false

    /// A question that leaves the choice to us.
    public init(
      redirectURI: RedirectURI, responseMode: ResponseMode = .query, asked: Way? = nil, preset: [Way] = []
    ) {
      self.redirectURI = redirectURI
      self.responseMode = responseMode
      self.asked = asked
      self.preset = preset
    }
  }

  /// Whether a provider gives out codes for other devices, as far as that is known before it is asked.
  public enum DeviceCodes: Sendable {
    /// It does not, or the answer that is wanted does not come that way.
    case none
    /// It may say so itself.
    case unknown
    /// It does.
    case offered
  }

  /// Chooses.
  public init(_ question: Question, given capabilities: Capabilities) {
    let (wanted, why) = Self.wanted(question, capabilities)
    var open: [Way] = []
    var obstacles: [Failure] = []
    for way in wanted {
      let obstacle = Self.obstacle(to: way, after: open, question, capabilities)
      if let obstacle { obstacles.append(obstacle) } else { open.append(way) }
    }
    let obstacle = open.first == wanted[0] ? nil : obstacles[0]
    ways = open
    preferred = wanted[0]
    reason =
      why + (obstacle.map { ", but \($0.message)" } ?? "")
      + (open.first.flatMap { Self.addition(to: $0, question, capabilities) } ?? "")
    failure = ways.isEmpty ? obstacle : nil
  }

  /// The ways in order of preference, never none, and why.
  private static func wanted(_ question: Question, _ capabilities: Capabilities) -> ([Way], String) {
    if let asked = question.asked { return ([asked], "it was asked for") }
    let (usual, why) = usual(question)
    let mayBeDevice = question.preset.isEmpty || question.preset.contains(.device)
    guard mayBeDevice, question.deviceCodes == .offered, hasNoWayBack(question, capabilities),
      obstacle(to: .device, after: [], question, capabilities) == nil
    else { return (usual, why) }
    return (
      [.device] + usual.filter { $0 != .device },
      "no page that is opened here comes back, and the provider gives out codes for another device"
    )
  }

  /// The ways of the preset, or those of our own rule, and why.
  private static func usual(_ question: Question) -> ([Way], String) {
    if let first = question.preset.first { return (question.preset, "the preset prefers the \(first)") }
    return switch question.redirectURI.place {
    case .loopback where question.responseMode == .fragment:
      ([.window], "an answer in the fragment of a URL reaches no server on this machine")
    case .loopback:
      ([.browser, .window], "the redirect URI is on this machine, so a browser can hand the answer back")
    case .page:
      ([.window, .browser], "the redirect URI is a page from which no browser hands the answer back")
    case .privateScheme where question.registersScheme:
      ([.browser, .window], "the scheme of the redirect URI is registered for the login")
    case .privateScheme: ([.window], "the redirect URI has a scheme of its own, which only the window sees")
    case .codePage: ([.browser], "the provider shows a code, which the user has to bring back")
    }
  }
}

/// What a way needs of our own window.
extension WayChoice {
  private static func addition(
    to way: Way, _ question: Question, _ capabilities: Capabilities
  ) -> String? {
    let place = question.redirectURI.place
    return switch way {
    case .device where capabilities.showsCodeInWindow: ", and a window shows the code"
    case .paste where capabilities.takesPasteInWindow,
      .browser where capabilities.takesPasteInWindow && (place == .page || place == .codePage):
      ", and the answer is pasted into a window"
    case .window, .browser, .device, .paste: nil
    }
  }
}

/// What is in the way.
extension WayChoice {
  /// Whether there is neither a display for a window nor a browser that reaches the redirect URI: an address that
  /// is printed is opened on another machine, and does not come back from there by itself.
  private static func hasNoWayBack(_ question: Question, _ capabilities: Capabilities) -> Bool {
    let isLoopback = if case .loopback = question.redirectURI.place { true } else { false }
    return !capabilities.hasDisplay && !(capabilities.hasBrowser && isLoopback)
  }

  private static func obstacle(
    to way: Way, after open: [Way], _ question: Question, _ capabilities: Capabilities
  ) -> Failure? {
    if question.responseMode == .formPost, way != .browser || !question.redirectURI.isOnThisMachine {
      return .caller(
        .invalidConfiguration(
          "only a browser can post an answer (response_mode form_post), and only to a redirect URI on this machine"
        ))
    }
    return switch way {
    case .window: windowObstacle(question, capabilities)
    case .browser: browserObstacle(after: open, question, capabilities)
    case .device: deviceObstacle(question, capabilities)
    case .paste:
      capabilities.takesPaste
        ? nil : .display(.noUserAgent("there is neither a terminal nor a window to paste an answer into"))
    }
  }

  private static func deviceObstacle(_ question: Question, _ capabilities: Capabilities) -> Failure? {
    let isAsked = question.asked != nil
    // Whoever asked for it is told by the provider itself that it gives out none.
    guard question.deviceCodes == .offered || isAsked && question.deviceCodes == .unknown else {
      return .display(
        .noUserAgent(
          "the provider is not known to give out codes for another device",
          hint: "--device-authorization-endpoint URL says where it does"))
    }
    // Whoever asked for it reads the code on standard error.
    if isAsked || capabilities.hasTerminal || capabilities.isRemote || capabilities.showsCodeInWindow {
      return nil
    }
    return .display(.noUserAgent("there is neither a terminal nor a window to show a code in"))
  }

  private static func windowObstacle(_ question: Question, _ capabilities: Capabilities) -> Failure? {
    if question.redirectURI.place == .codePage {
      return .display(
        .noUserAgent("a window cannot read a code off a page", hint: "--agent browser lets you paste it"))
    }
    if !capabilities.hasDisplay { return .display(.noDisplay) }
    // Whoever asked for it is told by the window itself where it was looked for.
    if !capabilities.hasWindow, question.asked == nil {
      return .display(.windowFailed("tokentry-window is not installed"))
    }
    return nil
  }

  private static func browserObstacle(
    after open: [Way], _ question: Question, _ capabilities: Capabilities
  ) -> Failure? {
    switch question.redirectURI.place {
    case .loopback:
      if question.responseMode == .fragment {
        return .caller(
          .invalidConfiguration(
            "a browser sends no server the fragment in which this answer is",
            hint: "use --response-type code, or --agent window"))
      }
      // Whoever asked for it reads the address on standard error.
      if capabilities.hasBrowser || capabilities.hasTerminal || capabilities.isRemote || question.asked != nil
      {
        return nil
      }
      return .display(
        .noUserAgent(
          "there is neither a display for a browser nor a terminal",
          hint: "--browser COMMAND opens the page; for tests there is --headless-test"))
    case .page, .codePage:
      // Whoever changes over from the window finds a place for the answer there.
      return capabilities.takesPaste || open.contains(.window)
        ? nil
        : .display(
          .noUserAgent(
            "a browser cannot hand this answer back, and there is neither a terminal nor a window to paste it into"
          ))
    case .privateScheme: return schemeObstacle(question, capabilities)
    }
  }

  private static func schemeObstacle(_ question: Question, _ capabilities: Capabilities) -> Failure? {
    if !question.registersScheme {
      return .display(
        .noUserAgent(
          "no browser can hand an answer to a scheme of its own back",
          hint: "--register-scheme makes it possible, and --agent window sees the scheme by itself"))
    }
    if question.responseMode == .fragment {
      return .caller(
        .invalidConfiguration(
          "a browser hands a scheme's addresses to a command line, where everybody could read this token",
          hint: "use --response-type code, or --agent window"))
    }
    if !capabilities.hasMessageBus {
      return .display(
        .noUserAgent("a scheme's answer comes over the session's message bus, and there is none"))
    }
    return capabilities.hasBrowser || question.asked != nil
      ? nil
      : .display(.noUserAgent("there is no display for a browser", hint: "--browser COMMAND opens the page"))
  }
}
