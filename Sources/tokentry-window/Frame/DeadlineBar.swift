import CWebKitGTK
import GLibSupport
import Language
import WindowProtocol

/// Counts the last seconds of a login's time limit down, and lets the user have more time if the caller did not set it.
@GLibActor
final class DeadlineBar {
  let widget: Widget
  private let label: Widget
  private let button: Widget
  private let presses: OpaquePointer
  private var time: TimeLeft?
  private var countdown: Countdown?
  private let act: ActionHandler
  private var lastActivity: ContinuousClock.Instant?

  /// Activity is reported no more often than this, and more often while the bar is visible.
  private static let reportInterval = Duration.seconds(5)
  private static let shortReportInterval = Duration.seconds(1)

  /// Reports that the user is active, which makes the caller wait longer.
  init(in window: Widget, _ act: @escaping ActionHandler) {
    self.act = act
    widget = gtk_info_bar_new()
    label = Widget.label("")
    button = Widget.button(DeadlineText.stillHere.text) { act(.stillHere) }
    g_object_ref_sink(widget)
    gtk_info_bar_set_message_type(widget.cast(), GTK_MESSAGE_WARNING)
    gtk_label_set_xalign(label.cast(), 0)
    gtk_label_set_justify(label.cast(), GTK_JUSTIFY_LEFT)
    gtk_container_add(gtk_info_bar_get_content_area(widget.cast()).cast(), label)
    gtk_container_add(gtk_info_bar_get_action_area(widget.cast()).cast(), button)
    gtk_widget_show_all(widget)
    // Any key or mouse button pressed in the window shows that the user is there.
    presses = gtk_gesture_multi_press_new(window)
    gtk_event_controller_set_propagation_phase(presses, GTK_PHASE_CAPTURE)
    gtk_gesture_single_set_button(presses, 0)
    connect(UnsafeMutableRawPointer(presses), argumentOf: "begin") { [weak self] _ in self?.reportActivity() }
    connect(
      window, "key-press-event",
      answering: { [weak self] _ in
        self?.reportActivity()
        return false
      })
  }

  isolated deinit {
    g_object_unref(UnsafeMutableRawPointer(presses))
    g_object_unref(widget)
  }

  func hide() { widget.setVisible(false) }

  /// Starts counting.
  func count(_ time: TimeLeft) {
    self.time = time
    button.setVisible(time.isExtendable)
    countdown = Countdown(from: time.seconds) { [weak self] in self?.show(left: $0) }
  }

  private func show(left seconds: Int64) {
    guard let time else { return }
    let isLate = seconds <= time.warning && seconds > 0
    let text = DeadlineText.time(left: seconds, isExtendable: time.isExtendable).text
    gtk_label_set_text(label.cast(), text)
    // A screen reader reads the text when the bar appears, and not every second.
    if isLate, gtk_widget_get_visible(widget) == 0 {
      atk_object_set_name(gtk_widget_get_accessible(widget), text)
    }
    widget.setVisible(isLate)
  }

  /// If the caller has set the time, activity does not change it.
  private func reportActivity() {
    guard time?.isExtendable == true else { return }
    let now = ContinuousClock.now
    let isVisible = gtk_widget_get_visible(widget) != 0
    let interval = isVisible ? Self.shortReportInterval : Self.reportInterval
    if let lastActivity, now - lastActivity < interval { return }
    lastActivity = now
    act(.stillHere)
  }
}

/// Calls a closure every second with the number of seconds that are left, down to zero.
@GLibActor
final class Countdown {
  // This clock goes on while the machine sleeps, like the provider's.
  private let end: ContinuousClock.Instant
  private let tell: @GLibActor (Int64) -> Void
  private var timer: Source?

  init(from seconds: Int64, _ tell: @escaping @GLibActor (Int64) -> Void) {
    end = .now + .seconds(seconds)
    self.tell = tell
    tell(seconds)
    timer = .every(.seconds(1)) { [weak self] in self?.tick() }
  }

  private func tick() {
    let left = max(0, ContinuousClock.now.duration(to: end).components.seconds)
    tell(left)
    if left == 0 { timer = nil }
  }
}
