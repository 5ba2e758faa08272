import LoginCore
import LoginWays

/// What the window's program tells its caller when it cannot show a window.
package enum WindowRefusal {
  package static let noPage: Sentence = "the first line opens no page"
  package static let noDisplay: Sentence = "the display cannot be opened"
  package static let sandboxIsSilent: Sentence = "bubblewrap does not work"
  package static let sandboxEnded: Sentence = "what was to run in it ended at once"
  package static let noDisplaySocket: Sentence =
    "the display has no socket in /tmp/.X11-unix, where the sandbox looks for it: make that folder visible here"
  package static let notInSandbox: Sentence = "the web engine has started without it"
  package static let falseFlatpak: Sentence =
    "this is not a Flatpak, but looks like one to the web engine: remove the file /.flatpak-info"
  package static let unsafeWithoutBus: Sentence =
    "the session's message bus does not answer, and the web engine could leave the file /.flatpak-info behind: start the bus, or unset DBUS_SESSION_BUS_ADDRESS"
  /// Those about the sandbox that say themselves what helps.
  static let advice = [falseFlatpak, unsafeWithoutBus, noDisplaySocket].map(\.source)
  /// Not a refusal: what is said where a window goes on without the session's message bus.
  package static let silentBus: Sentence =
    "the session's message bus does not answer, and the window goes on without it"
  /// What is said at the end where a disk has taken too long.
  package static let unwritten: Sentence =
    "what the pages have stored could not be written in time: the next login may ask again"

  package static func redirectURI(_ fault: AddressFault) -> Sentence { "a redirect URI is \(fault.words)" }
}

extension ParentFault {
  package var words: Sentence {
    switch self {
    case .noSurface: "the window has no surface"
    case .displayNotX11: "the parent window is one of X11, and the display is not"
    case .displayNotWayland: "the parent window is one of Wayland, and the display is not"
    case .unknown(let number): "there is no parent window with the number 0x\(String(number, radix: 16))"
    case .gone: "the parent window has gone"
    case .unsupported: "the compositor knows no parent windows of other programs"
    }
  }
}
