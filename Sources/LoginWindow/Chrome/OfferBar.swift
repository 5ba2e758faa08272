import CWebKitGTK
import GLibSupport
import LoginWays
import Wording

/// Offers above a page, out of its reach, what can be done where the page itself leads nowhere.
@GLibActor
final class OfferBar {
  private let bar: Widget
  private let label: Widget
  private let safely: Widget
  private let browser: Widget
  /// To leave, and before it not to.
  private let leaving: [Widget]
  private let offersBrowser: Bool
  private let canBeReopened: Bool
  private var reason: Reason?

  /// Why something is offered, the weightier last.
  enum Reason: Int {
    /// The page seems to be blank.
    case blank
    /// The page wants to know whether passkeys can be used, which WebKitGTK cannot do.
    case passkey
    /// The provider lets nobody sign in within a window such as this.
    case refused
    /// The user wants to leave, and has typed something.
    case leaving
  }

  init(_ opening: WindowOpening, _ ask: @escaping @GLibActor (TitleBar.Request) -> Void) {
    bar = gtk_info_bar_new()
    label = Widget.label("")
    offersBrowser = opening.offersBrowser
    canBeReopened = opening.canBeReopened
    // To reload it is not offered: after a form that was sent that would send it again.
    safely = Widget.button(OfferText.openSafely) { ask(.openSafely) }
    browser = Widget.button(OfferText.openInBrowser) { ask(.openInBrowser) }
    leaving = [
      Widget.button(OfferText.stay) { ask(.stay) }, Widget.button(OfferText.leave) { ask(.cancel) },
    ]
    g_object_ref_sink(bar)
    connect(bar, "close") { [weak self] in if self?.reason == .leaving { ask(.stay) } }
    gtk_info_bar_set_message_type(bar.cast(), GTK_MESSAGE_QUESTION)
    gtk_label_set_xalign(label.cast(), 0)
    gtk_label_set_justify(label.cast(), GTK_JUSTIFY_LEFT)
    gtk_container_add(gtk_info_bar_get_content_area(bar.cast()).cast(), label)
    gtk_container_add(
      gtk_info_bar_get_action_area(bar.cast()).cast(),
      .box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, [safely, browser] + leaving))
    gtk_widget_show_all(bar)
  }

  isolated deinit { g_object_unref(bar) }

  var widget: Widget { bar }

  /// Offers what there is for that reason, if there is something and no weightier reason.
  func show(_ reason: Reason) {
    guard reason == .blank || reason == .leaving || offersBrowser,
      reason.rawValue >= self.reason?.rawValue ?? 0
    else { return }
    self.reason = reason
    gtk_label_set_text(label.cast(), text(for: reason))
    safely.setVisible(reason == .blank && canBeReopened)
    browser.setVisible(reason != .leaving && offersBrowser)
    for button in leaving { button.setVisible(reason == .leaving) }
    bar.setVisible(true)
    if reason == .leaving, let stay = leaving.first { gtk_widget_grab_focus(stay) }
  }

  /// Whether that is what is offered.
  func shows(_ reason: Reason) -> Bool { reason == self.reason }

  /// Offers nothing for that reason any more.
  func hide(_ reason: Reason) { if reason == self.reason { hide() } }

  /// Offers nothing.
  func hide() {
    reason = nil
    bar.setVisible(false)
  }

  private func text(for reason: Reason) -> String {
    switch reason {
    case .blank: offersBrowser || canBeReopened ? OfferText.mayBeBlank : OfferText.isBlank
    case .passkey: OfferText.passkey
    case .refused: OfferText.refused
    case .leaving: OfferText.leaving
    }
  }
}
