import CWebKitGTK
import GLibSupport
import LoginWays
import Wording

/// Counts the last seconds in which the login still waits for its user, and lets the user have more of them where the
/// caller has not said how long it waits.
@GLibActor
final class DeadlineBar {
  private let bar: Widget
  private let label: Widget
  private let button: Widget
  private let presses: OpaquePointer
  private var time: TimeLeft?
  private var countdown: Countdown?
  /// When the caller was last told that the user is there.
  private var lastToken: ContinuousClock.Instant?
  private let tell: @GLibActor () -> Void

  /// So often is the caller told at most.
  private static let interval = Duration.seconds(5)

  /// `tell` has the caller wait for as long again.
  init(in window: Widget, _ tell: @escaping @GLibActor () -> Void) {
    self.tell = tell
    bar = gtk_info_bar_new()
    label = Widget.label("")
    button = gtk_button_new_with_mnemonic(DeadlineText.stillHere.text)
    g_object_ref_sink(bar)
    gtk_info_bar_set_message_type(bar.cast(), GTK_MESSAGE_WARNING)
    gtk_label_set_xalign(label.cast(), 0)
    gtk_label_set_justify(label.cast(), GTK_JUSTIFY_LEFT)
    gtk_container_add(gtk_info_bar_get_content_area(bar.cast()).cast(), label)
    gtk_container_add(gtk_info_bar_get_action_area(bar.cast()).cast(), button)
    gtk_widget_show_all(bar)
    // Whatever is pressed in the window shows that the user is there, and so does this button.
    presses = gtk_gesture_multi_press_new(window)
    gtk_event_controller_set_propagation_phase(presses, GTK_PHASE_CAPTURE)
    gtk_gesture_single_set_button(presses, 0)
    connect(UnsafeMutableRawPointer(presses), argumentOf: "begin") { [weak self] _ in self?.userIsThere() }
    connect(
      window, "key-press-event",
      answering: { [weak self] _ in
        self?.userIsThere()
        return false
      })
  }

  isolated deinit {
    g_object_unref(UnsafeMutableRawPointer(presses))
    g_object_unref(bar)
  }

  var widget: Widget { bar }

  func hide() { bar.setVisible(false) }

  /// Counts from here on.
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
    // A screen reader says it when the bar comes, and not every second.
    if isLate, gtk_widget_get_visible(bar) == 0 {
      atk_object_set_name(gtk_widget_get_accessible(bar), text)
    }
    bar.setVisible(isLate)
  }

  private func userIsThere() {
    guard time?.isExtendable == true else { return }
    let now = ContinuousClock.now
    if let lastToken, now - lastToken < Self.interval, gtk_widget_get_visible(bar) == 0 { return }
    lastToken = now
    tell()
  }
}
