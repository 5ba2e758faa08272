/// Which ways lead to the user, in the order in which they are to be taken, and why.
///
/// What was asked for comes before what the preset prefers, and that before our own rule: the browser where it
/// can hand the answer back (RFC 8252 section 8.12), the window where nothing else can.
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

  /// Chooses.
  public init(_ question: Question, given capabilities: Capabilities) {
    let (wanted, why) = Self.wanted(question)
    var open: [Way] = []
    var obstacles: [Failure] = []
    for way in wanted {
      let obstacle = Self.obstacle(to: way, after: open, question, capabilities)
      if let obstacle { obstacles.append(obstacle) } else { open.append(way) }
    }
    let obstacle = open.first == wanted[0] ? nil : obstacles[0]
    ways = open
    preferred = wanted[0]
    reason = why + (obstacle.map { ", but \($0.message)" } ?? "")
    failure = ways.isEmpty ? obstacle : nil
  }

  /// The ways in order of preference, never none, and why.
  private static func wanted(_ question: Question) -> ([Way], String) {
    if let asked = question.asked { return ([asked], "it was asked for") }
    if let first = question.preset.first { return (question.preset, "the preset prefers the \(first)") }
    return switch question.redirectURI.place {
    case .loopback where question.responseMode == .fragment:
      ([.window], "an answer in the fragment of a URL reaches no server on this machine")
    case .loopback:
      ([.browser, .window], "the redirect URI is on this machine, so a browser can hand the answer back")
    case .page:
      ([.window, .browser], "the redirect URI is a page from which no browser hands the answer back")
    case .privateScheme: ([.window], "the redirect URI has a scheme of its own, which only the window sees")
    case .codePage: ([.browser], "the provider shows a code, which the user has to bring back")
    }
  }
}

/// What is in the way.
extension WayChoice {
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
    case .device: .display(.noUserAgent("this version does not show device codes"))
    case .paste:
      capabilities.hasTerminal ? nil : .display(.noUserAgent("there is no terminal to paste an answer into"))
    }
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
      return capabilities.hasTerminal || open.contains(.window)
        ? nil
        : .display(
          .noUserAgent(
            "a browser cannot hand this answer back, and there is no terminal to paste it into"))
    case .privateScheme:
      return .display(
        .noUserAgent(
          "no browser can hand an answer to a scheme of its own back", hint: "--agent window sees it"))
    }
  }
}
