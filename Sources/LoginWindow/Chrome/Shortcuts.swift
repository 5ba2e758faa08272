import CWebKitGTK
import GLibSupport

extension TitleBar.Request {
  /// The keys that ask for it, as GTK writes them. GTK finds them on keyboards of other scripts too.
  private var keys: [String] {
    switch self {
    case .cancel: ["<Control>w"]
    case .back: ["<Alt>Left"]
    case .reloadOrStop: ["<Control>r", "F5"]
    case .openMenu: ["F10"]
    case .openInBrowser: ["<Control>b"]
    case .zoomIn: ["<Control>plus", "<Control>equal", "<Control>KP_Add"]
    case .zoomOut: ["<Control>minus", "<Control>KP_Subtract"]
    case .zoomNormal: ["<Control>0", "<Control>KP_0"]
    // Esc is the page's first; see EscapeKey.
    case .close, .leave, .stay, .resend, .holdBack, .openSafely, .copyLink, .goElsewhere, .stillHere: []
    }
  }

  /// The first of them as people read it.
  @GLibActor
  var shortcut: String? {
    guard let name = keys.first else { return nil }
    let (key, modifiers) = Self.parse(name)
    guard let label = gtk_accelerator_get_label(key, modifiers) else { return nil }
    defer { g_free(label) }
    return String(cString: label)
  }

  /// Lets keys ask for what a window can do, whatever its page would do with them.
  @GLibActor
  static func listen(in window: Widget, _ ask: @escaping @GLibActor (Self) -> Void) {
    let group = gtk_accel_group_new()
    defer { g_object_unref(group) }
    gtk_window_add_accel_group(window.cast(), group)
    for request in allCases {
      for name in request.keys { connect(name, of: group, for: window) { ask(request) } }
    }
  }

  @GLibActor
  private static func connect(
    _ name: String, of group: UnsafeMutablePointer<GtkAccelGroup>?, for window: Widget,
    _ body: @escaping @GLibActor () -> Void
  ) {
    let (key, modifiers) = parse(name)
    typealias Call =
      @GLibActor @convention(c) (gpointer, gpointer, guint, GdkModifierType, gpointer) -> gboolean
    let call: Call = { _, _, _, _, data in
      Handler<@GLibActor () -> Void>.body(data)()
      return 1
    }
    gtk_accel_group_connect(group, key, modifiers, GTK_ACCEL_LOCKED, closure(call, body))
  }

  @GLibActor
  private static func parse(_ name: String) -> (guint, GdkModifierType) {
    var (key, modifiers) = (guint(0), GdkModifierType(rawValue: 0))
    gtk_accelerator_parse(name, &key, &modifiers)
    return (key, modifiers)
  }
}
