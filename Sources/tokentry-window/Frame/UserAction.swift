import CWebKitGTK
import GLibSupport
import Language

/// An action that the user can ask the window for, by a button or a key.
enum UserAction: CaseIterable {
  /// The Cancel button.
  case cancel
  /// The close button that the desktop draws.
  case close
  /// Esc and Ctrl+W: goes back from a page that another one has opened, or cancels, but asks first once the login is under way.
  case leave
  /// Esc on a page that does not respond: asks first.
  case leaveSilentPage
  /// Answers that question: do not leave.
  case stay
  case back, reloadOrStop
  /// Answers the question before a reload: reload.
  case reload
  case resend, dontResend
  /// Answers a message or question of the page's script.
  case accept, decline
  /// Declines, and shows no more messages of this host.
  case silence
  /// Puts away the bar above the page.
  case dismissOffer
  /// Opens the popover that says more about the window.
  case openInfo
  case openInBrowser
  /// Opens the page in a new window that renders in another way.
  case reopen
  case copyLink
  /// Gives up the browser for a page in this window.
  case signInHere
  /// Copies the text of a failure page.
  case copyDetails
  /// Copies the link for another browser, and asks for the answer to be pasted here.
  case switchToPaste
  case zoomIn, zoomOut, zoomNormal
  /// Types or clicks, or presses the button in the bar about the time, which shows that the user is there.
  case stillHere
}

typealias ActionHandler = @GLibActor (UserAction) -> Void

extension UserAction {
  /// The label of a button on one of our own pages.
  var label: String {
    switch self {
    case .cancel, .close: WindowWords.close.text
    case .openInBrowser: WindowWords.openInBrowser.text
    case .copyDetails: WindowWords.copyDetails.text
    case .back: WindowWords.goBack.text
    default: WindowWords.tryAgain.text
    }
  }

  /// The keyboard shortcuts in GTK's notation. GTK also finds them on keyboards with another script.
  private var keys: [String] {
    switch self {
    // Esc, too, but the page gets that key first: see EscapeKey.
    case .leave: ["<Control>w"]
    case .back: ["<Alt>Left"]
    case .reloadOrStop: ["<Control>r", "F5"]
    case .openInfo: ["F10"]
    case .openInBrowser: ["<Control>b"]
    case .zoomIn: ["<Control>plus", "<Control>equal", "<Control>KP_Add"]
    case .zoomOut: ["<Control>minus", "<Control>KP_Subtract"]
    case .zoomNormal: ["<Control>0", "<Control>KP_0"]
    case .cancel, .close, .leaveSilentPage, .stay, .reload, .resend, .dontResend, .accept, .decline, .silence,
      .dismissOffer, .reopen,
      .copyLink, .copyDetails, .signInHere, .switchToPaste, .stillHere:
      []
    }
  }

  /// Makes the shortcuts work in a window. They go before any use that the page has for the keys.
  @GLibActor
  static func addShortcuts(to window: Widget, _ act: @escaping ActionHandler) {
    let group = gtk_accel_group_new()
    defer { g_object_unref(group) }
    gtk_window_add_accel_group(window.cast(), group)
    typealias Call =
      @GLibActor @convention(c) (gpointer, gpointer, guint, GdkModifierType, gpointer) -> gboolean
    let call: Call = { _, _, _, _, data in
      Handler<@GLibActor () -> Void>.body(data)()
      return 1
    }
    for action in allCases {
      for name in action.keys {
        let (key, modifiers) = parse(name)
        let body: @GLibActor () -> Void = { act(action) }
        gtk_accel_group_connect(group, key, modifiers, GTK_ACCEL_LOCKED, closure(call, body))
      }
    }
  }

  @GLibActor
  private static func parse(_ name: String) -> (guint, GdkModifierType) {
    var (key, modifiers) = (guint(0), GdkModifierType(rawValue: 0))
    gtk_accelerator_parse(name, &key, &modifiers)
    return (key, modifiers)
  }
}
