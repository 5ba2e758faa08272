import CWebKitGTK
import GLibSupport
import LoginWays
import Wording

/// Says above a page, out of its reach, what can be done where the page itself leads nowhere or something would be lost.
@GLibActor
final class OfferBar {
  private let bar: Widget
  private let label: Widget
  private let buttons: [(request: TitleBar.Request, widget: Widget)]
  private let offersBrowser: Bool
  private let canBeReopened: Bool
  /// Why something is offered or asked, each kind once, the greatest at the end: that is what is shown. What it hides
  /// comes back when it goes.
  private var reasons: [Reason] = []

  /// Why something is offered.
  enum Reason: Equatable {
    /// A server takes its time, before or after its page has begun to arrive.
    case slow(host: String, hasBegun: Bool)
    /// The page seems to be blank.
    case blank
    /// The page wants to know whether passkeys can be used, which WebKitGTK cannot do.
    case passkey
    /// The page has called another program, which it cannot do here.
    case program
    /// No browser could be opened.
    case unopened
    /// The provider lets nobody sign in within a window such as this.
    case refused
    /// The page can only be had once more by sending a form once more.
    case resending
    /// The user may want to leave, and the page does not say whether the key is for it.
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

    /// What answers it, the first of which has the focus where the user has asked for something.
    fileprivate var requests: [TitleBar.Request] {
      switch self {
      case .slow, .passkey, .program, .refused: [.openInBrowser]
      case .blank: [.openSafely, .openInBrowser]
      case .unopened: [.goElsewhere]
      case .resending: [.holdBack, .resend]
      case .silent, .leaving: [.stay, .cancel]
      }
    }

    fileprivate var isQuestion: Bool { [.resending, .silent, .leaving].contains(self) }
  }

  init(_ opening: WindowOpening, _ ask: @escaping @GLibActor (TitleBar.Request) -> Void) {
    bar = gtk_info_bar_new()
    label = Widget.label("")
    offersBrowser = opening.offersBrowser
    canBeReopened = opening.canBeReopened
    // To reload a blank page is not offered: after a form that was sent that would send it again.
    let words: [(TitleBar.Request, String)] = [
      (.openSafely, OfferText.openSafely.text), (.openInBrowser, OfferText.openInBrowser.text),
      (.goElsewhere, OfferText.goElsewhere.text),
      (.holdBack, OfferText.holdBack.text), (.resend, OfferText.resend.text), (.stay, OfferText.stay.text),
      (.cancel, OfferText.leave.text),
    ]
    buttons = words.map { request, text in (request, .button(text) { ask(request) }) }
    g_object_ref_sink(bar)
    connect(bar, "close") { [weak self] in
      if let reason = self?.reasons.last, reason.isQuestion { ask(reason.requests[0]) }
    }
    gtk_info_bar_set_message_type(bar.cast(), GTK_MESSAGE_QUESTION)
    gtk_label_set_xalign(label.cast(), 0)
    gtk_label_set_justify(label.cast(), GTK_JUSTIFY_LEFT)
    gtk_container_add(gtk_info_bar_get_content_area(bar.cast()).cast(), label)
    gtk_container_add(
      gtk_info_bar_get_action_area(bar.cast()).cast(),
      .box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, buttons.map(\.widget)))
    gtk_widget_show_all(bar)
  }

  isolated deinit { g_object_unref(bar) }

  var widget: Widget { bar }

  /// Offers what there is for that reason, if there is something, as soon as there is no greater one.
  func show(_ reason: Reason) {
    if [.passkey, .refused].contains(reason), !offersBrowser { return }
    reasons.removeAll { $0.weight == reason.weight }
    reasons.insert(reason, at: reasons.firstIndex { $0.weight > reason.weight } ?? reasons.endIndex)
    if shows(reason) { present(reason) }
  }

  private func present(_ reason: Reason) {
    gtk_label_set_text(label.cast(), text(for: reason))
    for (request, button) in buttons {
      let isPossible =
        switch request {
        case .openInBrowser: offersBrowser
        case .openSafely: canBeReopened
        default: true
        }
      button.setVisible(isPossible && reason.requests.contains(request))
    }
    bar.setVisible(true)
    guard reason.isQuestion, let first = buttons.first(where: { $0.request == reason.requests[0] }) else {
      return
    }
    gtk_widget_grab_focus(first.widget)
  }

  /// Whether that is what is offered.
  func shows(_ reason: Reason) -> Bool { reason == reasons.last }

  /// Whether the user is asked about leaving.
  var asksToLeave: Bool { shows(.silent) || shows(.leaving) }

  /// Whether the user is asked anything.
  var asks: Bool { reasons.last?.isQuestion == true }

  /// Offers nothing for that reason any more.
  func hide(_ reason: Reason) { forget { $0 == reason } }

  /// Says no more of a server that takes its time.
  func hideSlowness() { forget { if case .slow = $0 { true } else { false } } }

  /// Offers nothing.
  func hide() { forget { _ in true } }

  private func forget(_ isGone: (Reason) -> Bool) {
    let shown = reasons.last
    reasons.removeAll(where: isGone)
    guard let reason = reasons.last else { return bar.setVisible(false) }
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
