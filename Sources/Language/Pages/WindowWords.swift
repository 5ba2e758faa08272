import LoginCore
import WindowProtocol

/// The labels and names of the window's parts. In the label of a button, an underline marks the letter that
/// presses it together with Alt. A name is for screen readers and tooltips.
package enum WindowWords {
  package static let title: Message = "Sign in"

  // Buttons.
  package static let cancel: Message = "_Cancel"
  package static let close: Message = "C_lose"
  package static let tryAgain: Message = "_Try Again"
  package static let goBack: Message = "_Back"
  package static let proceed: Message = "Con_tinue"
  package static let openInBrowser: Message = "_Open in Browser"
  package static let copyLink: Message = "Copy _Link"
  package static let copyDetails: Message = "Cop_y Details"
  package static let copyAddress: Message = "Copy Address"
  package static let copyCode: Message = "Copy Code"
  package static let picture: Message = "QR code of the address"
  package static let copyPageAddress: Message = "Copy Page _Address"
  package static let selectAll: Message = "Select _All"
  package static let show: Message = "_Show"

  // Names.
  package static let cancelName: Message = "Cancel (Esc)"
  package static let back: Message = "Back"
  package static let reload: Message = "Reload"
  package static let stop: Message = "Stop"
  package static let about: Message = "About this window"
  package static let address: Message = "Address of the page"
  package static let loading: Message = "Loading"
  package static let copied: Message = "Copied"
  package static let dismiss: Message = "Close"
}

/// The texts of the bar above a page that leads nowhere by itself.
package enum OfferText {
  package static let openSafely: Message = "Open in _Safe Mode"
  package static let openInBrowser: Message = "Open in _Browser"
  package static let goElsewhere: Message = "Copy _Link to Continue in Another Browser"
  package static let unopened: Message = "Couldn't open a browser."
  package static let stay: Message = "_Keep Signing In"
  package static let leave: Message = "Ca_ncel Sign-In"
  package static let leaving: Message = "Cancel signing in? Anything you typed will be lost."
  package static let leavingCode: Message = "Cancel signing in? The code will stop working."
  package static let leavingBrowser: Message = "Cancel signing in? The browser's answer won't be taken."
  package static let leavingNothing: Message = "Cancel signing in?"
  package static let reload: Message = "_Reload"
  package static let reloading: Message = "Reload this page? Anything you typed will be lost."
  package static let resend: Message = "_Submit Again"
  package static let holdBack: Message = "_Don't Submit"
  package static let resending: Message =
    "Submit the form again? The site may count it as a second attempt."
  package static let passkeyWithoutBrowser: Message =
    "This window doesn't support passkeys. Choose another way to sign in."
  package static let passkey: Message = """
    This window doesn't support passkeys. Open the page in your browser to use one.
    """
  package static let program: Message =
    "This window can't open other apps."
  package static let print: Message = "This window can't print."
  package static let hung: Message = "This page isn't responding."
  package static let files: Message = "This window can't upload files."
  package static let save: Message =
    "This window can't save files. Copy what you need, or open the page in your browser."
  package static let saveWithoutBrowser: Message = "This window can't save files. Copy what you need."
  package static let accept: Message = "_OK"
  package static let decline: Message = "Ca_ncel"
  package static let silence: Message = "Block _More Messages"
  package static let refused: Message = "This provider only allows signing in with a browser."

  /// The application has closed the window that the sign-in belongs to.
  package static func orphaned(_ requester: Requester?) -> Message {
    requester?.name.map { "\($0)'s window has closed." }
      ?? "The window that this sign-in belongs to has closed."
  }

  /// A message of the page's script, shown as text.
  package static func said(_ text: String, by host: String) -> Message {
    host.isEmpty ? "This page says: \(text)" : "\(host) says: \(text)"
  }

  /// Says what helps: the buttons next to it.
  package static func blank(offersSafeMode: Bool, offersBrowser: Bool) -> Message {
    switch (offersSafeMode, offersBrowser) {
    case (true, true):
      "Page still blank? Try safe mode, or open it in your browser."
    case (true, false): "Page still blank? Try safe mode."
    case (false, true): "Page still blank? Try opening it in your browser."
    case (false, false): "Page still blank? Try reloading it."
    }
  }

  package static func slow(_ host: String, hasBegun: Bool) -> Message {
    hasBegun ? "The rest of this page is still loading." : "\(host) hasn't answered yet."
  }
}

extension PageAddress {
  /// Shown above a page until it arrives. Empty for a page without an address.
  package var connectingText: Message { host.isEmpty ? "" : "Connecting to \(host)…" }

  /// Read aloud when a page of another host has arrived.
  package var announcement: Message { "This page is from \(host)" }
}

extension PageAddress {
  /// A note that is always shown next to the host, and the tooltip.
  package var text: (note: Message, explanation: Message) {
    let text = connection.text
    guard let server, server != host, [.secure, .local].contains(connection) else { return text }
    return (
      "for \(server)",
      "This page is not from \(server), which gets the answer of this sign-in. \(text.explanation)"
    )
  }
}

extension PageAddress.Connection {
  fileprivate var text: (note: Message, explanation: Message) {
    switch self {
    case .secure: ("", "The connection is encrypted")
    case .plain: ("not encrypted", "Others can read what you enter here")
    case .local: ("this computer", "The page comes from this computer")
    case .inherited:
      (
        "opened this page",
        """
        This page has no address of its own. The site that opened it controls what it shows.
        """
      )
    case .none: ("", "")
    }
  }
}

extension Requester {
  /// Who wants the user to sign in, and to which account.
  package var sentence: Message {
    switch (name, account) {
    case (let name?, let account?): "\(name) wants you to sign in to your account \(account)"
    case (nil, let account?): "A program wants you to sign in to your account \(account)"
    case (let name?, nil): "\(name) wants you to sign in"
    case (nil, nil): "A program wants you to sign in"
    }
  }

  /// The program's name and the account, where the sentence has no room.
  package var shortSentence: String {
    [name, account].compactMap(\.self).joined(separator: " · ")
  }

  /// The program that the system knows, next to which a claimed name can be judged.
  package var origin: Message { "Started by \(caller.message)" }
}

extension RequestingProgram? {
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
    case (nil, nil):
      return Message(verbatim: self.script.map { "\($0) (\(self.identifier))" } ?? self.identifier)
    }
  }
}
