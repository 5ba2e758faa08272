import LoginCore
import LoginWays

/// The labels and names of the window's parts. In the label of a button or menu, an underline marks the letter that
/// presses it together with Alt. A name is for screen readers and tooltips.
package enum WindowWords {
  package static let title: Message = "Sign in"

  // Buttons and menus.
  package static let cancel: Message = "_Cancel"
  package static let tryAgain: Message = "_Try again"
  package static let goBack: Message = "_Back"
  package static let proceed: Message = "Co_ntinue"
  package static let openInBrowser: Message = "_Open in browser"
  package static let copyLink: Message = "Copy _link"
  package static let zoomIn: Message = "Zoom _in"
  package static let zoomOut: Message = "Zoom _out"
  package static let zoomNormal: Message = "_Normal size"

  // Names.
  package static let cancelName: Message = "Cancel (Esc)"
  package static let back: Message = "Back"
  package static let reload: Message = "Reload"
  package static let stop: Message = "Stop"
  package static let menu: Message = "Menu"
  package static let address: Message = "Address of the page"
  package static let loading: Message = "Loading"
  package static let copied: Message = "Copied"
}

/// The texts of the bar above a page that leads nowhere by itself.
package enum OfferText {
  package static let openSafely: Message = "Open in _safe mode"
  package static let openInBrowser: Message = "Open in _browser"
  package static let goElsewhere: Message = "Copy the _link and go on elsewhere"
  package static let unopened: Message = "No browser could be opened."
  package static let stay: Message = "_Stay"
  package static let leave: Message = "_Leave"
  package static let leaving: Message = "Leave the sign-in? What you have typed here is lost."
  package static let silent: Message = "The page is not responding. Leave the sign-in?"
  package static let resend: Message = "_Send again"
  package static let holdBack: Message = "_Do not send it"
  package static let resending: Message =
    "Send the form again? The provider may take it for a second attempt."
  package static let mayBeBlank: Message = "Does the page stay blank?"
  package static let isBlank: Message = "The page seems to be blank."
  package static let passkey: Message = "This page can take a passkey, which this window does not have."
  package static let program: Message =
    "This page wants to open another program, which this window does not do."
  package static let refused: Message = "This provider wants to be opened in a browser."

  package static func slow(_ host: String, hasBegun: Bool) -> Message {
    hasBegun ? "Still waiting for the rest of this page." : "\(host) has not answered yet."
  }
}

extension PageAddress {
  /// Shown above a page until it arrives. Empty for a page without an address.
  package var connectingText: Message { host.isEmpty ? "" : "Connecting to \(host) …" }
}

extension PageAddress.Connection {
  /// A note that is always shown next to the host, and the tooltip.
  package var text: (note: Message, explanation: Message) {
    switch self {
    case .secure: ("", "The connection is encrypted")
    case .plain: ("not encrypted", "Others can read what you enter here")
    case .local: ("this computer", "The page comes from this computer")
    case .inherited:
      ("opened this page, which has no address", "Whoever runs this host may have written the whole page")
    case .none: ("", "")
    }
  }
}

extension Requester {
  /// The application that the user signs in for. A name that is only claimed stands on a line of its own, next to the
  /// program that the system knows.
  package var lines: [Message] {
    guard let application else { return ["started by \(caller.message)"] }
    // If both names agree, one is enough.
    if caller?.name?.lowercased() == application.lowercased() { return ["for \(caller.message)"] }
    return ["for \(application)", "started by \(caller.message)"]
  }
}

extension Caller? {
  fileprivate var message: Message {
    guard let self else { return "an unknown program" }
    let kind: String? =
      switch self.kind {
      case .flatpak: "Flatpak"
      case .snap: "snap"
      case .application, .executable: nil
      }
    switch (self.name, kind) {
    case (let name?, let kind?): return "\(name) (\(kind) \(self.identifier))"
    case (let name?, nil): return Message(verbatim: name)
    case (nil, let kind?): return "\(kind) \(self.identifier)"
    case (nil, nil): return Message(verbatim: self.identifier)
    }
  }
}
