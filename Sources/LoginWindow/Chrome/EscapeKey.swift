import CWebKitGTK
import GLibSupport

/// What is typed into a page, and the key that leaves it: the page has that first, for a dialog or a menu of its own.
@GLibActor
final class EscapeKey {
  /// Whether something has been typed since the page has come.
  var hasTyped = false
  private let window: Widget
  private let leave: @GLibActor () -> Void
  /// The view that has the keyboard, if one has.
  private let view: @GLibActor () -> WebView?
  /// The wait for a page that does not say what it makes of the key.
  private var patience: Source?
  /// Whether the page has something open that the key closes.
  private var isPages = false
  /// Whether the page has let the key pass before it has answered.
  private var hasComeBack = false

  /// A page that takes longer than that does not answer at all.
  private static let deadline = Duration.milliseconds(700)

  init(
    in window: Widget, view: @escaping @GLibActor () -> WebView?, leave: @escaping @GLibActor () -> Void
  ) {
    (self.window, self.view, self.leave) = (window, view, leave)
    connect(
      window, "key-press-event",
      answering: { [weak self] event in
        if let event { self?.sees(UnsafePointer<GdkEventKey>(event).pointee) }
        return false
      })
    // What neither the page nor anything else in the window has a use for comes here.
    let call: @GLibActor @convention(c) (gpointer, UnsafePointer<GdkEventKey>, gpointer) -> gboolean = {
      _, event, data in
      guard event.pointee.keyval == guint(GDK_KEY_Escape) else { return 0 }
      Handler<@GLibActor () -> Void>.body(data)()
      return 1
    }
    let body: @GLibActor () -> Void = { [weak self] in self?.comesBack() }
    g_signal_connect_closure(window, "key-press-event", closure(call, body), 1)
  }

  private func sees(_ event: GdkEventKey) {
    if event.keyval == guint(GDK_KEY_Escape) { isPages = false }
    guard let view = view(), gtk_window_get_focus(window.cast()) == view.widget else { return }
    if event.keyval == guint(GDK_KEY_Escape) { return asks(view) }
    let isCommand = event.state & (GDK_CONTROL_MASK.rawValue | GDK_MOD1_MASK.rawValue) != 0
    let isPaste = isCommand && event.keyval == guint(GDK_KEY_v)
    if isPaste || !isCommand && gdk_keyval_to_unicode(event.keyval) > 0x20 { hasTyped = true }
  }

  /// Asks the page, before it gets the key, whether it has something open that the key closes.
  private func asks(_ view: WebView) {
    if patience != nil { return }  // it has not said anything to the last one
    hasComeBack = false
    patience = .timer(every: Self.deadline) { [weak self] in
      self?.hasComeBack = true
      self?.goes(unless: false)
    }
    GLibActor.task { [weak self] in self?.goes(unless: await view.hasSomethingOpen()) }
  }

  /// The page has answered, or does not.
  private func goes(unless isPages: Bool) {
    if patience == nil { return }
    patience = nil
    self.isPages = isPages
    if hasComeBack, !isPages { leave() }
  }

  private func comesBack() {
    if patience != nil {
      hasComeBack = true
    } else if isPages {
      isPages = false
    } else {
      leave()
    }
  }
}
