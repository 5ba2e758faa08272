import CWebKitGTK
import GLibSupport

/// What is typed into a page, and the key that leaves it: the page has that first, for a dialog or a menu of its own.
@GLibActor
final class EscapeKey {
  /// Whether something has been typed since the page has come.
  var hasTyped = false
  /// Told that the page says nothing to the key, or that it does after all.
  var isSilent: (@GLibActor (Bool) -> Void)?
  private let window: Widget
  private let leave: @GLibActor () -> Void
  /// The view that has the keyboard, if one has.
  private let view: @GLibActor () -> WebView?
  /// The last press that a page has got.
  private var press: Press?
  /// The wait for a page that does not say what it makes of the key.
  private var patience: Source?

  private struct Press {
    /// When it was, which tells one from another: WebKit sends an event that a page lets pass once more.
    let time: guint32
    /// Whether the page has something open that the key closes, as soon as it has said so.
    var isPages: Bool?
    /// Whether the page has let the key pass.
    var hasComeBack = false
    /// Whether the user has been asked in place of the page, and stays.
    var isOver = false
  }

  /// Who has waited that long for an answer to a key presses it again.
  private static let deadline = Duration.milliseconds(700)

  init(
    in window: Widget, view: @escaping @GLibActor () -> WebView?, leave: @escaping @GLibActor () -> Void
  ) {
    (self.window, self.view, self.leave) = (window, view, leave)
    connect(
      window, "key-press-event",
      answering: { [weak self] event in
        guard let self, let event else { return false }
        return sees(UnsafePointer<GdkEventKey>(event).pointee)
      })
    // What nothing in the window has a use for comes here.
    let call: @GLibActor @convention(c) (gpointer, UnsafePointer<GdkEventKey>, gpointer) -> gboolean = {
      _, event, data in
      guard event.pointee.keyval == guint(GDK_KEY_Escape) else { return 0 }
      Handler<@GLibActor () -> Void>.body(data)()
      return 1
    }
    g_signal_connect_closure(window, "key-press-event", closure(call, leave), 1)
  }

  /// The user has been asked and stays, whatever the page still says.
  func stays() {
    press?.isOver = true
    patience = nil
  }

  /// Whether the key goes no further.
  private func sees(_ event: GdkEventKey) -> Bool {
    let isEscape = event.keyval == guint(GDK_KEY_Escape)
    if isEscape, event.time == press?.time {
      press?.hasComeBack = true
      settle()
      return true
    }
    guard let view = view(), gtk_window_get_focus(window.cast()) == view.widget else { return false }
    if isEscape { asks(view, at: event.time) }
    let isCommand = event.state & (GDK_CONTROL_MASK.rawValue | GDK_MOD1_MASK.rawValue) != 0
    let isPaste = isCommand && event.keyval == guint(GDK_KEY_v)
    if isPaste || !isCommand && gdk_keyval_to_unicode(event.keyval) > 0x20 { hasTyped = true }
    return false
  }

  /// Asks the page, before it gets the key, whether it has something open that the key closes.
  private func asks(_ view: WebView, at time: guint32) {
    press = Press(time: time)
    patience = .timer(every: Self.deadline) { [weak self] in
      self?.patience = nil
      self?.isSilent?(true)
    }
    view.findOpen { [weak self] in self?.answers($0, to: time) }
  }

  private func answers(_ isPages: Bool, to time: guint32) {
    guard let press, press.time == time, !press.isOver else { return }
    if patience == nil { isSilent?(false) }
    patience = nil
    self.press?.isPages = isPages
    settle()
  }

  /// Leaves where the page has said that it has nothing open, and has let the key pass.
  private func settle() {
    guard let press, press.hasComeBack, press.isPages == false, !press.isOver else { return }
    self.press?.isOver = true
    leave()
  }
}
