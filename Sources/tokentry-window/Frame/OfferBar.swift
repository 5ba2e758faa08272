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
  /// The text and the buttons beside it, and the buttons that answer a question.
  private let (textRow, answerRow): (Widget, Widget)
  private let offersBrowser: Bool
  private let canBeReopened: Bool
  /// One offer for each reason, the most important at the end. That one is shown; the others come back when it goes.
  private var offers: [Offer] = []
  /// True if the user has put the bar about a slow page away, which would come back every few seconds.
  private var ignoresSlowness = false

  /// The width of the text in characters, which is enough for most words. A narrower text is hard to read.
  private static let readableWidth: gint = 16

  init(_ opening: WindowOpening, _ act: @escaping ActionHandler) {
    widget = gtk_info_bar_new()
    label = Widget.label("")
    entry = gtk_entry_new()
    textRow = .box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, [])
    answerRow = .box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, [])
    offersBrowser = opening.offersBrowser
    canBeReopened = opening.canBeReopened
    let labels: [(UserAction, String)] = [
      (.reloadOrStop, OfferText.reload.text), (.reopen, OfferText.openSafely.text),
      (.openInBrowser, OfferText.openInBrowser.text),
      (.switchToPaste, OfferText.goElsewhere.text), (.dontResend, OfferText.holdBack.text),
      (.resend, OfferText.resend.text), (.accept, OfferText.accept.text),
      (.decline, OfferText.decline.text), (.silence, OfferText.silence.text), (.stay, OfferText.stay.text),
      (.reload, OfferText.reload.text), (.cancel, OfferText.leave.text),
    ]
    buttons = labels.map { action, text in (action, .button(text) { act(action) }) }
    g_object_ref_sink(widget)
    close = .button(icon: "window-close-symbolic", WindowWords.dismiss.text) { act(.dismissOffer) }
    gtk_button_set_relief(close.cast(), GTK_RELIEF_NONE)
    connect(widget, "close") { [weak self] in
      if let offer = self?.offers.last, offer.isQuestion { act(offer.refusal) }
    }
    gtk_info_bar_set_message_type(widget.cast(), GTK_MESSAGE_QUESTION)
    gtk_label_set_xalign(label.cast(), 0)
    gtk_label_set_justify(label.cast(), GTK_JUSTIFY_LEFT)
    gtk_label_set_width_chars(label.cast(), Self.readableWidth)
    connect(entry, "activate") { act(.accept) }
    // The buttons that answer a question are below its text, which may be long.
    let answers: [UserAction] = [
      .accept, .decline, .silence, .dontResend, .resend, .stay, .reload, .cancel,
    ]
    gtk_box_pack_start(textRow.cast(), label, 1, 1, 0)
    for button in buttons {
      gtk_widget_set_valign(button.widget, GTK_ALIGN_START)
      gtk_container_add((answers.contains(button.action) ? answerRow : textRow).cast(), button.widget)
    }
    let content = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 6, [textRow, entry, answerRow])
    gtk_widget_set_valign(content, GTK_ALIGN_CENTER)
    let area = gtk_info_bar_get_content_area(widget.cast())
    gtk_box_pack_start(area?.cast(), content, 1, 1, 0)
    gtk_widget_set_valign(close, GTK_ALIGN_START)
    gtk_box_pack_end(area?.cast(), close, 0, 0, 0)
    gtk_widget_show_all(widget)
    // Even an empty area is at least as wide as an ordinary button, and the cross is narrower.
    gtk_info_bar_get_action_area(widget.cast()).setVisible(false)
  }

  isolated deinit { g_object_unref(widget) }

  /// Adds an offer. It is shown when there is no more important one.
  func show(_ offer: Offer) {
    if offer.reason == .refused, !offersBrowser { return }
    if offer.reason == .slow, ignoresSlowness { return }
    offers.removeAll { $0.reason == offer.reason }
    offers.insert(
      offer, at: offers.firstIndex { $0.reason.rawValue > offer.reason.rawValue } ?? offers.endIndex)
    if shows(offer.reason) { present(offer) }
  }

  private func present(_ offer: Offer) {
    let text = offer.text(offersBrowser: offersBrowser, offersSafeMode: canBeReopened).text
    gtk_label_set_text(label.cast(), text)
    entry.setVisible(offer.suggestion != nil)
    gtk_entry_set_text(entry.cast(), offer.suggestion ?? "")
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
      button.setVisible(isPossible && offer.actions.contains(action))
      if action == .reloadOrStop { gtk_button_set_label(button.cast(), offer.reload.text) }
    }
    close.setVisible(!offer.isQuestion)
    widget.setVisible(true)
    fitButtons()
    guard offer.isQuestion, let first = buttons.first(where: { $0.action == offer.actions[0] }) else {
      return
    }
    first.widget.describe(text)
    gtk_widget_grab_focus(offer.suggestion == nil ? first.widget : entry)
  }

  /// Puts the buttons below each other if they would be wider than the window side by side.
  private func fitButtons() {
    let turn = { (orientation: GtkOrientation) in
      for row in [self.textRow, self.answerRow] {
        gtk_orientable_set_orientation(OpaquePointer(row), orientation)
      }
    }
    turn(GTK_ORIENTATION_HORIZONTAL)
    var width: gint = 0
    gtk_widget_get_preferred_width(widget, &width, nil)
    let window = gtk_widget_get_allocated_width(gtk_widget_get_toplevel(widget))
    let room = min(window > 1 ? window : .max, WorkArea.current?.width ?? .max)
    if width > room { turn(GTK_ORIENTATION_VERTICAL) }
  }

  /// The height of the part of the page that the bar covers.
  var height: gint { gtk_widget_get_visible(widget) == 0 ? 0 : gtk_widget_get_allocated_height(widget) }

  /// The text that the user has entered for a prompt.
  var entered: String { String(cString: gtk_entry_get_text(entry.cast())) }

  /// The offer for this reason, shown or behind a more important one.
  func offer(_ reason: Offer.Reason) -> Offer? { offers.first { $0.reason == reason } }

  func shows(_ reason: Offer.Reason) -> Bool { reason == offers.last?.reason }

  /// True while the bar asks a question.
  var asks: Bool { offers.last?.isQuestion == true }

  func hide(_ reason: Offer.Reason) { remove { $0.reason == reason } }

  func hideSlowness() {
    ignoresSlowness = false
    hide(.slow)
  }

  func hide() { remove { _ in true } }

  /// Closes the message in the bar. A question stays until it is answered.
  func dismiss() {
    guard let offer = offers.last, !offer.isQuestion else { return }
    if offer.reason == .slow { ignoresSlowness = true }
    hide(offer.reason)
  }

  private func remove(_ isGone: (Offer) -> Bool) {
    let shown = offers.last
    offers.removeAll(where: isGone)
    guard let offer = offers.last else { return widget.setVisible(false) }
    if offer != shown { present(offer) }
  }
}

/// A way on from a page that seems stuck, a message of the page, or a question before something is lost.
struct Offer: Equatable {
  /// The reasons in the order of importance, the most important at the end. The last four are questions: the user has to
  /// answer them before anything else goes on.
  enum Reason: Int {
    case slow, blank, passkey, program, lacking, unopened, refused
    case dialog, resending, reloading, leaving
  }

  let reason: Reason
  private let text: Message
  /// The text where the login cannot go on in a browser, if it is another one.
  private var textWithoutBrowser: Message?
  /// The buttons. The first gets the focus if this is a question.
  let actions: [UserAction]
  /// The label of the button that reloads.
  private(set) var reload = OfferText.reload
  /// The text in the entry of a prompt.
  private(set) var suggestion: String?

  private init(
    _ reason: Reason, _ text: Message, orWithoutBrowser other: Message? = nil, _ actions: UserAction...
  ) {
    (self.reason, self.text, self.textWithoutBrowser, self.actions) = (reason, text, other, actions)
  }

  var isQuestion: Bool { reason.rawValue >= Reason.dialog.rawValue }

  /// The answer that Esc gives.
  var refusal: UserAction { reason == .dialog ? .decline : actions[0] }

  func text(offersBrowser: Bool, offersSafeMode: Bool) -> Message {
    switch reason {
    case .blank: OfferText.blank(offersSafeMode: offersSafeMode, offersBrowser: offersBrowser)
    default: offersBrowser ? text : textWithoutBrowser ?? text
    }
  }

  /// The server is slow, before or after its page has begun to arrive. A page that does not come is requested again if it
  /// `isFirst`, else stopped: it may be the answer to a form.
  static func slow(host: String, hasBegun: Bool, isFirst: Bool) -> Offer {
    var offer = Offer(.slow, OfferText.slow(host, hasBegun: hasBegun), .openInBrowser, .reloadOrStop)
    offer.reload = isFirst ? WindowWords.tryAgain : WindowWords.stop
    return offer
  }

  /// The page is complete but no longer answers. ``slow(host:hasBegun:isFirst:)`` cannot be true at the same time, so both have
  /// the same reason.
  static let hung = Offer(.slow, OfferText.hung, .openInBrowser, .reloadOrStop)

  /// The page wants something that this window cannot do.
  static func lacking(_ feature: WebView.Feature) -> Offer {
    switch feature {
    case .printing: Offer(.lacking, OfferText.print, .openInBrowser)
    case .uploads: Offer(.lacking, OfferText.files, .openInBrowser)
    case .saving:
      Offer(.lacking, OfferText.save, orWithoutBrowser: OfferText.saveWithoutBrowser, .openInBrowser)
    }
  }

  /// A script of the page shows a message or asks a question, and waits for the answer.
  static func dialog(_ dialog: ScriptDialog, host: String, canBeSilenced: Bool) -> Offer {
    let text = OfferText.said(dialog.text, by: host)
    var offer =
      switch (dialog.kind, canBeSilenced) {
      case (.message, false): Offer(.dialog, text, .accept)
      case (.message, true): Offer(.dialog, text, .accept, .silence)
      case (_, false): Offer(.dialog, text, .accept, .decline)
      case (_, true): Offer(.dialog, text, .accept, .decline, .silence)
      }
    if case .prompt(let suggestion) = dialog.kind { offer.suggestion = suggestion }
    return offer
  }

  /// The page seems to be blank. Its text depends on the ways on.
  static let blank = Offer(.blank, "", .reopen, .openInBrowser, .reloadOrStop)
  /// The page asks for a passkey, which WebKitGTK does not support.
  static let passkey = Offer(
    .passkey, OfferText.passkey, orWithoutBrowser: OfferText.passkeyWithoutBrowser, .openInBrowser)
  /// The page calls another program, which this window does not do.
  static let program = Offer(.program, OfferText.program, .openInBrowser)
  /// No browser could be opened.
  static let unopened = Offer(.unopened, OfferText.unopened, .switchToPaste)
  /// The provider refuses sign-ins in an embedded window.
  static let refused = Offer(.refused, OfferText.refused, .openInBrowser)
  /// The page can only be loaded by sending a form again.
  static let resending = Offer(.resending, OfferText.resending, .dontResend, .resend)
  /// A reload would empty the fields of the page.
  static let reloading = Offer(.reloading, OfferText.reloading, .stay, .reload)
  /// The user has pressed Esc or Ctrl+W, and the login is under way, or the page does not say whether Esc is for it.
  /// Says what is lost: the text in a web page, or on our `page` what goes on elsewhere.
  static func leaving(_ page: Question?) -> Offer {
    let text =
      switch page {
      case nil: OfferText.leaving
      case let page? where page.code != nil: OfferText.leavingCode
      case let page? where page.icon == .browser: OfferText.leavingBrowser
      case _?: OfferText.leavingNothing
      }
    return Offer(.leaving, text, .stay, .cancel)
  }

  /// The caller has closed its window while the login is under way.
  static func orphaned(_ requester: Requester?) -> Offer {
    Offer(.leaving, OfferText.orphaned(requester), .stay, .cancel)
  }
}
