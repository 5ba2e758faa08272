import CWebKitGTK
import GLibSupport
import LoginWays
import Wording

/// The bar above a page that offers a way on when the page seems stuck, or asks before something is lost.
/// Pages cannot reach it.
@GLibActor
final class OfferBar {
  let widget: Widget
  private let label: Widget
  private let buttons: [(action: UserAction, widget: Widget)]
  private let offersBrowser: Bool
  private let canBeReopened: Bool
  /// The reasons for an offer, one of each kind, the most important at the end. That one is shown; the others
  /// come back when it goes.
  private var reasons: [Reason] = []

  enum Reason: Equatable {
    /// The server is slow, before or after its page has begun to arrive.
    case slow(host: String, hasBegun: Bool)
    /// The page seems to be blank.
    case blank
    /// The page asks for a passkey, which WebKitGTK does not support.
    case passkey
    /// The page calls another program, which this window does not do.
    case program
    /// No browser could be opened.
    case unopened
    /// The provider refuses sign-ins in an embedded window.
    case refused
    /// The page can only be loaded by sending a form again.
    case resending
    /// The user has pressed Esc, and the page does not say whether the key is for it.
    case silent
    /// The user wants to leave, and has typed something.
    case leaving

    fileprivate var weight: Int {
      switch self {
      case .slow: 0
      case .blank: 1
      case .passkey: 2
      case .program: 3
      case .unopened: 4
      case .refused: 5
      case .resending: 6
      case .silent: 7
      case .leaving: 8
      }
    }

    /// The buttons. The first gets the focus if this is a question.
    fileprivate var actions: [UserAction] {
      switch self {
      case .slow, .passkey, .program, .refused: [.openInBrowser]
      case .blank: [.reopen, .openInBrowser]
      case .unopened: [.switchToPaste]
      case .resending: [.dontResend, .resend]
      case .silent, .leaving: [.stay, .cancel]
      }
    }

    /// True if the user has asked for something that needs an answer first.
    fileprivate var isQuestion: Bool { [.resending, .silent, .leaving].contains(self) }
  }

  init(_ opening: WindowOpening, _ act: @escaping ActionHandler) {
    widget = gtk_info_bar_new()
    label = Widget.label("")
    offersBrowser = opening.offersBrowser
    canBeReopened = opening.canBeReopened
    // There is no button to reload a blank page: after a form was sent, that would send it again.
    let labels: [(UserAction, String)] = [
      (.reopen, OfferText.openSafely.text), (.openInBrowser, OfferText.openInBrowser.text),
      (.switchToPaste, OfferText.goElsewhere.text), (.dontResend, OfferText.holdBack.text),
      (.resend, OfferText.resend.text), (.stay, OfferText.stay.text), (.cancel, OfferText.leave.text),
    ]
    buttons = labels.map { action, text in (action, .button(text) { act(action) }) }
    g_object_ref_sink(widget)
    connect(widget, "close") { [weak self] in
      if let reason = self?.reasons.last, reason.isQuestion { act(reason.actions[0]) }
    }
    gtk_info_bar_set_message_type(widget.cast(), GTK_MESSAGE_QUESTION)
    gtk_label_set_xalign(label.cast(), 0)
    gtk_label_set_justify(label.cast(), GTK_JUSTIFY_LEFT)
    gtk_container_add(gtk_info_bar_get_content_area(widget.cast()).cast(), label)
    gtk_container_add(
      gtk_info_bar_get_action_area(widget.cast()).cast(),
      .box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, buttons.map(\.widget)))
    gtk_widget_show_all(widget)
  }

  isolated deinit { g_object_unref(widget) }

  /// Adds a reason. It is shown when there is no more important one.
  func show(_ reason: Reason) {
    if [.passkey, .refused].contains(reason), !offersBrowser { return }
    reasons.removeAll { $0.weight == reason.weight }
    reasons.insert(reason, at: reasons.firstIndex { $0.weight > reason.weight } ?? reasons.endIndex)
    if shows(reason) { present(reason) }
  }

  private func present(_ reason: Reason) {
    gtk_label_set_text(label.cast(), text(for: reason))
    for (action, button) in buttons {
      let isPossible =
        switch action {
        case .openInBrowser: offersBrowser
        case .reopen: canBeReopened
        default: true
        }
      button.setVisible(isPossible && reason.actions.contains(action))
    }
    widget.setVisible(true)
    guard reason.isQuestion, let first = buttons.first(where: { $0.action == reason.actions[0] }) else {
      return
    }
    gtk_widget_grab_focus(first.widget)
  }

  func shows(_ reason: Reason) -> Bool { reason == reasons.last }

  /// True while the bar asks whether to leave.
  var asksToLeave: Bool { shows(.silent) || shows(.leaving) }

  /// True while the bar asks a question.
  var asks: Bool { reasons.last?.isQuestion == true }

  func hide(_ reason: Reason) { remove { $0 == reason } }

  func hideSlowness() { remove { if case .slow = $0 { true } else { false } } }

  func hide() { remove { _ in true } }

  private func remove(_ isGone: (Reason) -> Bool) {
    let shown = reasons.last
    reasons.removeAll(where: isGone)
    guard let reason = reasons.last else { return widget.setVisible(false) }
    if reason != shown { present(reason) }
  }

  private func text(for reason: Reason) -> String {
    switch reason {
    case .slow(let host, let hasBegun): OfferText.slow(host, hasBegun: hasBegun).text
    case .blank: offersBrowser || canBeReopened ? OfferText.mayBeBlank.text : OfferText.isBlank.text
    case .passkey: OfferText.passkey.text
    case .program: OfferText.program.text
    case .unopened: OfferText.unopened.text
    case .refused: OfferText.refused.text
    case .resending: OfferText.resending.text
    case .silent: OfferText.silent.text
    case .leaving: OfferText.leaving.text
    }
  }
}
