import CWebKitGTK
import GLibSupport

/// Esc leaves the page, but the page gets the key first: it may close a dialog or a menu with it.
///
/// The window leaves only if the page says that it has no dialog open, lets the key pass, and has not changed
/// since. A page that changes has used the key, for example to close an element that only looks like a
/// dialog.
///
/// WebKit also sends a Tab a second time, if it leads out of the page.
@GLibActor
final class EscapeKey {
  /// Called when the page does not answer.
  private let ask: @GLibActor () -> Void
  private let window: Widget
  private let leave: @GLibActor () -> Void
  private let view: @GLibActor () -> WebView?
  /// The last press that a page has received.
  private var press: Press?
  /// The view that has received the last Tab, and the time of the event. If the focus leaves the page with this Tab, WebKit
  /// sends the event a second time.
  private weak var tabView: WebView?
  private var tabTime: guint32 = 0
  private var answerTimer: Source?

  private struct Press {
    /// The time of the event. It identifies the press: WebKit sends an event that the page lets pass a second
    /// time.
    let time: guint32
    /// True if the page has a dialog open that the key closes, nil until it has answered.
    var isForPage: Bool?
    /// True once the page has let the key pass.
    var hasPassed = false
    /// The view that received the key.
    weak var view: WebView?
    /// True once the press has been dealt with.
    var isOver = false
  }

  /// A user who has waited this long presses the key again.
  private static let answerTimeout = Duration.milliseconds(700)

  /// `view` returns the view that is shown. `ask` is called in place of `leave` if the page does not say what the key does.
  init(
    in window: Widget, view: @escaping @GLibActor () -> WebView?, leave: @escaping @GLibActor () -> Void,
    ask: @escaping @GLibActor () -> Void
  ) {
    (self.window, self.view, self.leave, self.ask) = (window, view, leave, ask)
    connect(
      window, "key-press-event",
      answering: { [weak self] event in
        guard let self, let event else { return false }
        return handle(UnsafeMutablePointer<GdkEvent>(event))
      })
    // This handler runs after all others, for a key that no widget has used.
    let call: @GLibActor @convention(c) (gpointer, UnsafePointer<GdkEventKey>, gpointer) -> gboolean = {
      _, event, data in
      guard event.pointee.keyval == guint(GDK_KEY_Escape) else { return 0 }
      Handler<@GLibActor () -> Void>.body(data)()
      return 1
    }
    g_signal_connect_closure(window, "key-press-event", closure(call, leave), 1)
  }

  /// Returns true if no other handler should get the key.
  private func handle(_ event: UnsafeMutablePointer<GdkEvent>) -> Bool {
    let time = event.pointee.key.time
    if [GDK_KEY_Tab, GDK_KEY_ISO_Left_Tab].map(guint.init).contains(event.pointee.key.keyval) {
      return handleTab(event, at: time)
    }
    guard event.pointee.key.keyval == guint(GDK_KEY_Escape) else { return false }
    if let press, press.time == time {
      // The view does not pass the next key event to its page, because WebKit expects that event to be this one. So
      // this one must reach the view, or the page would miss the user's next key.
      if let view = press.view { gtk_widget_event(view.widget, event) }
      self.press?.hasPassed = true
      leaveIfUnused()
      return true
    }
    guard let view = view(), gtk_window_get_focus(window.cast()) == view.widget else { return false }
    question(view, at: time)
    return false
  }

  /// Gives the second event of a Tab to the view that has lost the focus. Any other widget would pass the focus on once more.
  private func handleTab(_ event: UnsafeMutablePointer<GdkEvent>, at time: guint32) -> Bool {
    if let tabView, tabTime == time {
      self.tabView = nil
      gtk_widget_event(tabView.widget, event)
      return true
    }
    tabView = view().flatMap { gtk_widget_is_focus($0.widget) != 0 ? $0 : nil }
    tabTime = time
    return false
  }

  /// Asks the page whether it has a dialog open, before it gets the key.
  private func question(_ view: WebView, at time: guint32) {
    press = Press(time: time, view: view)
    answerTimer = .after(Self.answerTimeout) { [weak self] in
      // A late answer does not count: the user has the question now.
      self?.press?.isOver = true
      self?.answerTimer = nil
      self?.ask()
    }
    view.findOpenDialog { [weak self] in self?.answered($0, to: time) }
  }

  private func answered(_ isForPage: Bool, to time: guint32) {
    guard let press, press.time == time, !press.isOver else { return }
    answerTimer = nil
    self.press?.isForPage = isForPage
    leaveIfUnused()
  }

  private func leaveIfUnused() {
    guard let press, press.hasPassed, press.isForPage == false, !press.isOver else { return }
    self.press?.isOver = true
    guard let view = press.view else { return leave() }
    view.findChange { [weak self] in if !$0 { self?.leave() } }
  }
}
