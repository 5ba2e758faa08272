import LoginCore

/// Which ways lead to the user, in the order in which they are to be taken, and why.
///
/// What was asked for comes before what the preset prefers, and that before our own rule: the browser where it
/// can hand the answer back (RFC 8252 section 8.12), the window where nothing else can. Where nothing on this
/// machine can take the user anywhere and back, and the provider gives out codes for other devices (RFC 8628),
/// those come first, unless the preset names its ways without them.
package struct WayChoice: Sendable {
  /// The ways that are open: the first is taken, and the user may change over to those behind it.
  package let ways: [Way]
  /// The way that would be best, open or not.
  package let preferred: Way
  /// Why.
  package let reason: Reason
  /// What is in the way of the preferred one, if no way is open.
  package let failure: Failure?

  /// What decides.
  package struct Question: Sendable {
    package var redirectURI: RedirectURI
    /// Where in the callback it will be.
    package var responseMode: ResponseMode
    package var asked: Way?
    /// What the preset prefers, in order.
    package var preset: [Way]
    /// Whether the provider gives out codes for other devices.
    package var deviceCodes = DeviceCodes.none
    /// Whether this program may become the one that opens the scheme of the redirect URI.
    package var registersScheme = false

    /// A question that leaves the choice to us.
    package init(
      redirectURI: RedirectURI, responseMode: ResponseMode = .query, asked: Way? = nil, preset: [Way] = []
    ) {
      self.redirectURI = redirectURI
      self.responseMode = responseMode
      self.asked = asked
      self.preset = preset
    }
  }

  /// Why a way is taken.
  package struct Reason: Sendable, Equatable {
    /// Why one would be best.
    package let cause: Cause
    /// What is in its way, if anything.
    package let obstacle: Failure?
    /// What our own window does for the one that is taken.
    package let addition: Addition?
  }

  /// Why a way would be best.
  package enum Cause: Sendable, Equatable {
    case asked
    case preset(Way)
    /// No page that is opened here comes back, and the provider gives out codes for another device.
    case deviceCodes
    /// An answer in a fragment reaches no server on this machine.
    case fragment
    /// The redirect URI is on this machine, so a browser can hand the answer back.
    case loopback
    /// The redirect URI is a page from which no browser hands the answer back.
    case page
    /// The scheme of the redirect URI is registered for the login.
    case registeredScheme
    /// The redirect URI has a scheme of its own, which only the window sees.
    case privateScheme
    /// The provider shows a code, which the user has to bring back.
    case codePage
  }

  /// What our own window does besides.
  package enum Addition: Sendable, Equatable {
    case showsCode
    case takesPaste
  }

  /// Whether a provider gives out codes for other devices, as far as that is known before it is asked.
  package enum DeviceCodes: Sendable {
    /// It does not, or the answer that is wanted does not come that way.
    case none
    /// It may say so itself.
    case unknown
    /// It does.
    case offered
  }

  package init(_ question: Question, given capabilities: Capabilities) {
    let (wanted, cause) = Self.wanted(question, capabilities)
    var open: [Way] = []
    var obstacles: [Failure] = []
    for way in wanted {
      let obstacle = Self.obstacle(to: way, after: open, question, capabilities)
      if let obstacle { obstacles.append(obstacle) } else { open.append(way) }
    }
    let obstacle = open.first == wanted[0] ? nil : obstacles[0]
    ways = open
    preferred = wanted[0]
    reason = Reason(
      cause: cause, obstacle: obstacle,
      addition: open.first.flatMap { Self.addition(to: $0, question, capabilities) })
    failure = ways.isEmpty ? obstacle : nil
  }

  /// The ways in order of preference, never none, and why.
  private static func wanted(_ question: Question, _ capabilities: Capabilities) -> ([Way], Cause) {
    if let asked = question.asked { return ([asked], .asked) }
    let (usual, cause) = usual(question)
    let mayBeDevice = question.preset.isEmpty || question.preset.contains(.device)
    guard mayBeDevice, hasNoWayBack(question, capabilities),
      obstacle(to: .device, after: [], question, capabilities) == nil
    else { return (usual, cause) }
    return ([.device] + usual.filter { $0 != .device }, .deviceCodes)
  }

  /// The ways of the preset, or those of our own rule, and why.
  private static func usual(_ question: Question) -> ([Way], Cause) {
    if let first = question.preset.first { return (question.preset, .preset(first)) }
    return switch question.redirectURI.kind {
    case .loopback where question.responseMode == .fragment: ([.window], .fragment)
    case .loopback: ([.browser, .window], .loopback)
    case .page: ([.window, .browser], .page)
    case .privateScheme where question.registersScheme: ([.browser, .window], .registeredScheme)
    case .privateScheme: ([.window], .privateScheme)
    case .codePage: ([.browser], .codePage)
    }
  }
}

/// What a way needs of our own window.
extension WayChoice {
  private static func addition(
    to way: Way, _ question: Question, _ capabilities: Capabilities
  ) -> Addition? {
    let kind = question.redirectURI.kind
    return switch way {
    case .device where capabilities.showsCodeInWindow: .showsCode
    case .paste where capabilities.takesPasteInWindow,
      .browser where capabilities.takesPasteInWindow && (kind == .page || kind == .codePage):
      .takesPaste
    case .window, .browser, .device, .paste: nil
    }
  }
}

/// What is in the way.
extension WayChoice {
  /// Whether there is neither a display for a window nor a browser that reaches the redirect URI: an address that
  /// is printed is opened on another machine, and does not come back from there by itself.
  private static func hasNoWayBack(_ question: Question, _ capabilities: Capabilities) -> Bool {
    let isLoopback = if case .loopback = question.redirectURI.kind { true } else { false }
    return !capabilities.hasDisplay && !(capabilities.hasBrowser && isLoopback)
  }

  private static func obstacle(
    to way: Way, after open: [Way], _ question: Question, _ capabilities: Capabilities
  ) -> Failure? {
    if question.responseMode == .formPost, way != .browser || !question.redirectURI.isOnThisMachine {
      return .way(.conflict(.postedAnswer))
    }
    return switch way {
    case .window: windowObstacle(question, capabilities)
    case .browser: browserObstacle(after: open, question, capabilities)
    case .device: deviceObstacle(question, capabilities)
    case .paste: capabilities.takesPaste ? nil : .way(.obstacle(.noPlaceToPaste))
    }
  }

  private static func deviceObstacle(_ question: Question, _ capabilities: Capabilities) -> Failure? {
    let isAsked = question.asked != nil
    // Whoever asked for it is told by the provider itself that it gives out none.
    guard question.deviceCodes == .offered || isAsked && question.deviceCodes == .unknown else {
      return .way(.obstacle(.noDeviceCodes))
    }
    // Whoever asked for it reads the code on standard error.
    let isSeen =
      isAsked || capabilities.hasTerminal || capabilities.isRemote || capabilities.showsCodeInWindow
    return isSeen ? nil : .way(.obstacle(.noPlaceForCode))
  }

  private static func windowObstacle(_ question: Question, _ capabilities: Capabilities) -> Failure? {
    if question.redirectURI.kind == .codePage { return .way(.obstacle(.codeOnPage)) }
    if !capabilities.hasDisplay { return .way(.noDisplay) }
    // Whoever asked for it is told by the window itself where it was looked for.
    return capabilities.hasWindow || question.asked != nil ? nil : .way(.window(.notInstalled))
  }

  private static func browserObstacle(
    after open: [Way], _ question: Question, _ capabilities: Capabilities
  ) -> Failure? {
    switch question.redirectURI.kind {
    case .loopback:
      if question.responseMode == .fragment { return .way(.conflict(.fragment)) }
      // Whoever asked for it reads the address on standard error.
      let isReached = capabilities.hasBrowser || capabilities.hasTerminal || capabilities.isRemote
      return isReached || question.asked != nil ? nil : .way(.obstacle(.noBrowserNorTerminal))
    case .page, .codePage:
      // Whoever changes over from the window finds a place for the answer there.
      return capabilities.takesPaste || open.contains(.window) ? nil : .way(.obstacle(.noWayBack))
    case .privateScheme: return schemeObstacle(question, capabilities)
    }
  }

  private static func schemeObstacle(_ question: Question, _ capabilities: Capabilities) -> Failure? {
    if !question.registersScheme { return .way(.obstacle(.schemeNotRegistered)) }
    if question.responseMode == .fragment { return .way(.conflict(.tokenOnCommandLine)) }
    if !capabilities.hasMessageBus { return .way(.obstacle(.noMessageBus)) }
    return capabilities.hasBrowser || question.asked != nil ? nil : .way(.obstacle(.noBrowser))
  }
}
