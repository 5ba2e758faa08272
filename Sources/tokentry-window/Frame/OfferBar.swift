import CWebKitGTK
import GLibSupport
import Language
import LoginCore
import WindowProtocol

/// The bar above a page that offers a way on when the page seems stuck, asks before something is lost, and shows what
/// the page says. Pages cannot reach it.
@GLibActor
final class OfferBar {
  let widget: Widget
  private let label: Widget
  /// The answer to a prompt of the page.
  private let entry: Widget
  private let buttons: [(action: UserAction, widget: Widget)]
  private let close: Widget
  private let offersBrowser: Bool
  private let canBeReopened: Bool
  /// The reasons for an offer, one of each kind, the most important at the end. That one is shown; the others
  /// come back when it goes.
  private var reasons: [Reason] = []
  /// True if the user has put the bar about a slow page away, which would come back every few seconds.
  private var ignoresSlowness = false

  enum Reason: Equatable {
    /// The server is slow, before or after its page has begun to arrive. `isFirst` is true if there is no page yet.
    case slow(host: String, hasBegun: Bool, isFirst: Bool)
    /// The page seems to be blank.
    case blank
    /// The page asks for a passkey, which WebKitGTK does not support.
    case passkey
    /// The page calls another program, which this window does not do.
    case program
    /// The page wants something that this window cannot do.
    case lacking(WebView.Feature)
    /// No browser could be opened.
    case unopened
    /// The provider refuses sign-ins in an embedded window.
    case refused
    /// A script of the page shows a message or asks a question, and waits for the answer.
    case dialog(ScriptDialog.Kind, text: String, host: String, canBeSilenced: Bool)
    /// The page can only be loaded by sending a form again.
    case resending
    /// The user has pressed Esc, and has typed something, or the page does not say whether the key is for it.
    case leaving

    fileprivate var weight: Int {
      switch self {
      case .slow: 0
      case .blank: 1
      case .passkey: 2
      case .program: 3
      case .lacking: 4
      case .unopened: 5
      case .refused: 6
      case .dialog: 7
      case .resending: 8
      case .leaving: 9
      }
    }

    /// The buttons. The first gets the focus if this is a question.
    fileprivate var actions: [UserAction] {
      switch self {
      case .passkey, .program, .lacking, .refused: [.openInBrowser]
      case .slow: [.openInBrowser, .reloadOrStop]
      case .blank: [.reopen, .openInBrowser, .reloadOrStop]
      case .unopened: [.switchToPaste]
      case .dialog(let kind, _, _, let canBeSilenced):
        [.accept] + (kind == .message ? [] : [.decline]) + (canBeSilenced ? [.silence] : [])
      case .resending: [.dontResend, .resend]
      case .leaving: [.stay, .cancel]
      }
    }

    fileprivate var isSlow: Bool { if case .slow = self { true } else { false } }

    /// True if the user has to answer before anything else goes on.
    fileprivate var isQuestion: Bool { isDialog || [.resending, .leaving].contains(self) }

    /// The answer that Esc gives.
    fileprivate var refusal: UserAction { isDialog ? .decline : actions[0] }

    fileprivate var isDialog: Bool { if case .dialog = self { true } else { false } }

    /// The text in the entry of a prompt.
    fileprivate var suggestion: String? {
      if case .dialog(.prompt(let suggestion), _, _, _) = self { suggestion } else { nil }
    }
  }

  init(_ opening: WindowOpening, _ act: @escaping ActionHandler) {
    widget = gtk_info_bar_new()
    label = Widget.label("")
    entry = gtk_entry_new()
    offersBrowser = opening.offersBrowser
    canBeReopened = opening.canBeReopened
    let labels: [(UserAction, String)] = [
      (.reloadOrStop, WindowWords.reload.text), (.reopen, OfferText.openSafely.text),
      (.openInBrowser, OfferText.openInBrowser.text),
      (.switchToPaste, OfferText.goElsewhere.text), (.dontResend, OfferText.holdBack.text),
      (.resend, OfferText.resend.text), (.accept, OfferText.accept.text),
      (.decline, OfferText.decline.text), (.silence, OfferText.silence.text), (.stay, OfferText.stay.text),
      (.cancel, OfferText.leave.text),
    ]
    buttons = labels.map { action, text in (action, .button(text) { act(action) }) }
    g_object_ref_sink(widget)
    close = .button(icon: "window-close-symbolic", WindowWords.dismiss.text) { act(.dismissOffer) }
    gtk_button_set_relief(close.cast(), GTK_RELIEF_NONE)
    connect(widget, "close") { [weak self] in
      if let reason = self?.reasons.last, reason.isQuestion { act(reason.refusal) }
    }
    gtk_info_bar_set_message_type(widget.cast(), GTK_MESSAGE_QUESTION)
    gtk_label_set_xalign(label.cast(), 0)
    gtk_label_set_justify(label.cast(), GTK_JUSTIFY_LEFT)
    connect(entry, "activate") { act(.accept) }
    // The buttons that answer a question are below its text, which may be long.
    let answers: [UserAction] = [
      .accept, .decline, .silence, .dontResend, .resend, .stay, .cancel,
    ]
    let row = { (buttons: [Widget]) -> Widget in .box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, buttons) }
    let answerRow = row(buttons.filter { answers.contains($0.action) }.map(\.widget))
    let content = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 6, [label, entry, answerRow])
    gtk_widget_set_valign(content, GTK_ALIGN_CENTER)
    gtk_container_add(gtk_info_bar_get_content_area(widget.cast()).cast(), content)
    gtk_container_add(
      gtk_info_bar_get_action_area(widget.cast()).cast(),
      row(buttons.filter { !answers.contains($0.action) }.map(\.widget) + [close]))
    gtk_widget_show_all(widget)
  }

  isolated deinit { g_object_unref(widget) }

  /// Adds a reason. It is shown when there is no more important one.
  func show(_ reason: Reason) {
    if reason == .refused, !offersBrowser { return }
    if reason.isSlow, ignoresSlowness { return }
    reasons.removeAll { $0.weight == reason.weight }
    reasons.insert(reason, at: reasons.firstIndex { $0.weight > reason.weight } ?? reasons.endIndex)
    if shows(reason) { present(reason) }
  }

  private func present(_ reason: Reason) {
    let text = text(for: reason)
    gtk_label_set_text(label.cast(), text)
    entry.setVisible(reason.suggestion != nil)
    gtk_entry_set_text(entry.cast(), reason.suggestion ?? "")
    // GTK would call the bar "Question". With the text as its name, a screen reader reads the question itself.
    for part in [widget, entry] { atk_object_set_name(gtk_widget_get_accessible(part), text) }
    for (action, button) in buttons {
      let isPossible =
        switch action {
        case .openInBrowser: offersBrowser
        // A browser is the better way, and there is little room.
        case .reloadOrStop: !offersBrowser
        case .reopen: canBeReopened
        default: true
        }
      button.setVisible(isPossible && reason.actions.contains(action))
      if action == .reloadOrStop { gtk_button_set_label(button.cast(), reloadLabel(for: reason).text) }
    }
    close.setVisible(!reason.isQuestion)
    widget.setVisible(true)
    guard reason.isQuestion, let first = buttons.first(where: { $0.action == reason.actions[0] }) else {
      return
    }
    atk_object_set_description(gtk_widget_get_accessible(first.widget), text)
    gtk_widget_grab_focus(reason.suggestion == nil ? first.widget : entry)
  }

  /// The text that the user has entered for a prompt.
  var entered: String { String(cString: gtk_entry_get_text(entry.cast())) }

  func shows(_ reason: Reason) -> Bool { reason == reasons.last }

  /// True while the bar asks a question.
  var asks: Bool { reasons.last?.isQuestion == true }

  func hide(_ reason: Reason) { remove { $0 == reason } }

  func hideDialog() { remove(\.isDialog) }

  func hideSlowness() {
    ignoresSlowness = false
    remove(\.isSlow)
  }

  func hide() { remove { _ in true } }

  /// Closes the message in the bar. A question stays until it is answered.
  func dismiss() {
    guard let reason = reasons.last, !reason.isQuestion else { return }
    if reason.isSlow { ignoresSlowness = true }
    hide(reason)
  }

  private func remove(_ isGone: (Reason) -> Bool) {
    let shown = reasons.last
    reasons.removeAll(where: isGone)
    guard let reason = reasons.last else { return widget.setVisible(false) }
    if reason != shown { present(reason) }
  }

  /// A page that does not come is requested again if it is the first, else stopped: it may be the answer to a form.
  private func reloadLabel(for reason: Reason) -> Message {
    switch reason {
    case .slow(_, _, isFirst: true): WindowWords.tryAgain
    case .slow: WindowWords.stop
    default: WindowWords.reload
    }
  }

  private func text(for reason: Reason) -> String {
    switch reason {
    case .slow(let host, let hasBegun, _): OfferText.slow(host, hasBegun: hasBegun).text
    case .blank: OfferText.blank(offersSafeMode: canBeReopened, offersBrowser: offersBrowser).text
    case .passkey: offersBrowser ? OfferText.passkey.text : OfferText.passkeyWithoutBrowser.text
    case .program: OfferText.program.text
    case .lacking(.printing): OfferText.print.text
    case .lacking(.files): OfferText.files.text
    case .dialog(_, let text, let host, _): OfferText.said(text, by: host).text
    case .unopened: OfferText.unopened.text
    case .refused: OfferText.refused.text
    case .resending: OfferText.resending.text
    case .leaving: OfferText.leaving.text
    }
  }
}
