import CWebKitGTK
import GLibSupport

/// The key that leaves a page, which has it first, for a dialog or a menu of its own.
@GLibActor
final class EscapeKey {
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
    /// Whether the page has let the key pass, and the view that it was in.
    var hasComeBack = false
    weak var view: WebView?
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
    return false
  }

  /// Asks the page, before it gets the key, whether it has something open that the key closes.
  private func asks(_ view: WebView, at time: guint32) {
    press = Press(time: time, view: view)
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

  /// Leaves where the page has said that it has nothing open, has let the key pass, and is as it was before: one that
  /// has changed meanwhile had a use for it, such as something on top of it that it takes for a dialog.
  private func settle() {
    guard let press, press.hasComeBack, press.isPages == false, !press.isOver else { return }
    self.press?.isOver = true
    guard let view = press.view else { return leave() }
    view.findChange { [weak self] in if !$0 { self?.leave() } }
  }
}
