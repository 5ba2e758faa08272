import CWebKitGTK
import GLibSupport

/// Keeps keys and clicks that were meant for another window from answering a question, or from going into a page.
///
/// The window takes neither before it has been visible for a while without any, and no key in the same time after the
/// window got the keyboard. On X11, a key that was held down by then is repeated here as if it was pressed anew, so it
/// does not count before it is released.
@GLibActor
final class AnswerGuard {
  /// True while the question can be answered.
  private(set) var isOpen = false
  private var takesKeys = false
  /// True once the window is drawn.
  private var isDrawn = false
  /// The codes of keys that do not count before they are released.
  private var heldKeys: Set<Int> = []
  private var timer: Source?
  /// False if the guard ends when the window has taken the keyboard.
  private let isLasting: Bool
  private var isOver = false
  private let window: Widget
  private let opened: @GLibActor () -> Void

  /// Longer than a person who types needs to notice a new window.
  private static let quietTime = Duration.milliseconds(500)

  /// `opened` is called when the question can be answered. A guard of a question `isLasting`: a page that gets the keyboard
  /// again takes the next key.
  init(of window: Widget, isLasting: Bool, _ opened: @escaping @GLibActor () -> Void) {
    (self.window, self.isLasting, self.opened) = (window, isLasting, opened)
    typealias Event = UnsafeMutablePointer<GdkEvent>
    let call: @GLibActor @convention(c) (Event, gpointer) -> Void = { event, data in
      if Handler<@GLibActor (Event) -> Bool>.body(data)(event) { gtk_main_do_event(event) }
    }
    // Only here, no widget has seen the event yet.
    let body: @GLibActor (Event) -> Bool = { [weak self] in self?.lets($0) ?? true }
    gdk_event_handler_set(
      unsafeBitCast(call, to: GdkEventFunc.self), Handler.retained(body),
      Handler<@GLibActor (Event) -> Bool>.release)
    connect(
      window, "draw",
      answering: { [weak self] _ in
        self?.windowIsDrawn()
        return false
      })
  }

  private func windowIsDrawn() {
    if isDrawn { return }
    isDrawn = true
    waitForQuiet()
  }

  private func waitForQuiet() {
    guard isDrawn else { return }
    timer = .every(Self.quietTime) { [weak self] in
      // On a busy machine, keys and clicks of this time may still be waiting.
      guard let self, gdk_events_pending() == 0 else { return }
      timer = nil
      takesKeys = true
      isOver = !isLasting && gtk_window_is_active(window.cast()) != 0
      if isOpen { return }
      isOpen = true
      // Shows which answer the Return key gives.
      gtk_window_set_focus_visible(window.cast(), 1)
      gtk_widget_queue_draw(window)
      opened()
    }
  }

  /// Returns false for an event that must not reach the question.
  private func lets(_ event: UnsafeMutablePointer<GdkEvent>) -> Bool {
    if isOver { return true }
    switch event.pointee.type {
    case GDK_MAP where isOfWindow(event):
      (isOpen, isDrawn, takesKeys, timer) = (false, false, false, nil)
      gtk_widget_queue_draw(window)
    case GDK_FOCUS_CHANGE where isOfWindow(event) && event.pointee.focus_change.in != 0:
      takesKeys = false
      heldKeys = Self.pressedKeys
      waitForQuiet()
    case GDK_KEY_PRESS:
      let key = Int(event.pointee.key.hardware_keycode)
      if takesKeys { return !heldKeys.contains(key) }
      heldKeys.insert(key)
      waitForQuiet()
      return false
    case GDK_KEY_RELEASE: heldKeys.remove(Int(event.pointee.key.hardware_keycode))
    case GDK_BUTTON_PRESS, GDK_2BUTTON_PRESS, GDK_3BUTTON_PRESS, GDK_TOUCH_BEGIN:
      if isOpen { return true }
      waitForQuiet()
      return false
    default: break
    }
    return true
  }

  private func isOfWindow(_ event: UnsafeMutablePointer<GdkEvent>) -> Bool {
    event.pointee.any.window == gtk_widget_get_window(window)
  }

  /// The codes of the keys that are down. Wayland does not repeat keys that were pressed in another window.
  private static var pressedKeys: Set<Int> {
    guard let display = gdk_display_get_default(), display.isX11 else { return [] }
    var bits = [CChar](repeating: 0, count: 32)
    gdk_x11_get_pressed_keys(display, &bits)
    return Set((0..<256).filter { bits[$0 / 8] >> ($0 % 8) & 1 != 0 })
  }
}
