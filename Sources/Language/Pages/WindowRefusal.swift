import LoginCore

/// The window's program tells its caller with these sentences, in English, why it cannot show a window.
package enum WindowRefusal {
  package static let noPage: Message = "the first line does not open a page"
  package static let noDisplay: Message = "the display cannot be opened"
  package static let sandboxIsSilent: Message = "bubblewrap does not work"
  package static let sandboxEnded: Message = "the program in it stopped at once"
  package static let noDisplaySocket: Message =
    "the display has no socket in /tmp/.X11-unix, where the sandbox looks for it: make that folder visible here"
  package static let notInSandbox: Message = "the web engine started without it"
  package static let falseFlatpak: Message =
    "this is not a Flatpak, but looks like one to the web engine: remove the file /.flatpak-info"
  package static let unsafeWithoutBus: Message =
    "the session's message bus does not answer, and the web engine could leave the file /.flatpak-info behind: start the bus, or unset DBUS_SESSION_BUS_ADDRESS"

  /// The refusals of a sandbox that already say what to do.
  package static let advice = [falseFlatpak, unsafeWithoutBus, noDisplaySocket].map(\.description)

  package static func redirectURI(_ flaw: Message) -> Message { "a redirect URI is \(flaw)" }

  // Warnings: the window goes on.
  package static let silentBus: Message =
    "the session's message bus does not answer; the window continues without it"
  package static let unwritten: Message =
    "the pages' data could not be saved in time: the next login may ask again"
}
