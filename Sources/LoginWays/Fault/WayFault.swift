import LoginCore

/// Why no way leads to the user.
package enum WayFault: ApplicationFault {
  case obstacle(WayObstacle)
  /// The request asks for what no way, or not this one, can do.
  case conflict(WayConflict)
  case noDisplay
  /// The display that the environment names is none, or does not let this user in.
  case displayClosed
  /// It was there until now, and has taken a window along.
  case displayEnded
  /// The display is this user's, and the program runs as root; the command is one that does not.
  case displayOfOther(user: String, command: String)
  case window(WindowFault)
  /// The sandbox around the pages cannot be made, in the words of who should make it, and none is shown without it.
  case noSandbox(String)

  package var concernsOthers: Bool {
    switch self {
    case .window, .noSandbox: true
    case .obstacle, .conflict, .noDisplay, .displayClosed, .displayEnded, .displayOfOther: false
    }
  }
}

/// What is in the way to the user.
package enum WayObstacle: Sendable, Equatable {
  // Nobody sees a page or a code, or can bring an answer back by hand.
  case noPlaceToPaste, noPlaceForCode, noBrowserNorTerminal, noBrowser
  case noDeviceCodes
  /// The browser could not be opened: that of a command, or the desktop's.
  case browserFailed(command: String?)
  /// A window cannot read a code off a page.
  case codeOnPage
  /// A browser cannot hand the answer back, and there is no place to paste it into.
  case noWayBack
  // A scheme's answer comes over the message bus, from a browser that has to know the scheme.
  case schemeNotRegistered, noMessageBus, messageBusUnreachable, noHome, notWritable(path: String)
  /// Another program waits there for the answer to a login with this state.
  case stateTaken
  /// The port of the redirect URI is another program's.
  case portInUse(UInt16)
  /// No server can be opened on this machine, in the system's words.
  case unreachable(String)
}

/// What a request asks for that a way cannot do.
package enum WayConflict: Sendable, Equatable {
  /// Only a browser can post an answer, and only to a redirect URI on this machine.
  case postedAnswer
  /// A browser sends no server the fragment in which the answer is.
  case fragment
  /// A browser hands a scheme's addresses to a command line, where everybody could read the token.
  case tokenOnCommandLine
  /// A browser finds its way back to a scheme only with a state.
  case schemeWithoutState
}

/// Why the window is not there.
package enum WindowFault: Sendable, Equatable {
  case notInstalled
  /// Its program is at none of these places.
  case notFound([String])
  /// It cannot be started, in the system's words.
  case cannotStart(path: String, String)
  /// At once: one of its libraries may be missing; for good: its page cannot be asked for again.
  case endedAtOnce, endedWithoutWord, endedTwice, endedForGood
  case blank
  case viewEnded(PageFault.ViewEnd)
  /// What it says of itself.
  case reported(String)
}

extension Failure {
  /// No way leads to the user.
  package static func way(_ fault: WayFault) -> Failure { .application(fault) }

  /// Why no way leads to the user, if that is it.
  package var way: WayFault? { fault() }
}

/// Why the window cannot belong to one of its caller's, and is one of its own.
package enum ParentFault: Sendable, Equatable {
  case noSurface
  /// The parent is of another kind than the display.
  case displayNotX11, displayNotWayland
  /// No window has this number.
  case unknown(UInt32)
  case gone
  /// The compositor lets no window belong to one of another program.
  case unsupported
}
