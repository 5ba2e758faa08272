import CWebKitGTK
import GLibSupport
import Language
import LoginCore
import WindowProtocol

/// Shows a ``Question``, or a failure, in place of a web page. It is made of GTK's widgets, so that it looks different from
/// any web page and works when WebKit does not. It takes one answer: the second press of a double click must not answer the
/// next question.
@GLibActor
final class QuestionPage {
  let widget: Widget
  let question: Question
  /// Return presses it, or typing fills it in.
  private let focus: Widget?
  private let field: Widget?
  private let card: CodeCard?
  private var countdown: Countdown?

  /// The `actions` are buttons of the window's own, the recommended first. `answer` is called with the user's answer, and
  /// returns true if it is taken. `copy` is called with a text for the clipboard.
  init(
    _ question: Question, actions: [UserAction] = [], _ act: @escaping ActionHandler,
    copy: @escaping @GLibActor (String) -> Void = { _ in },
    _ answer: @escaping @GLibActor (Question.Answer) -> Bool = { _ in false }
  ) {
    self.question = question
    var isAnswered = false
    let take: @GLibActor (Question.Answer) -> Void = { if !isAnswered { isAnswered = answer($0) } }
    let field = question.secret.map { Self.secretEntry($0.shown, question) }
    let choices = question.choices.enumerated().map { place, name in
      Self.choice(name) { take(Question.Answer(choice: place)) }
    }
    var buttons = question.buttons.enumerated().map { place, button in
      if let action = UserAction(ofButton: button.id) { return Self.button(button.label.shown, action, act) }
      return Widget.button(button.label.shown) {
        let text = place == 0 ? field.map { String(cString: gtk_entry_get_text($0.cast())) } : nil
        // An empty text is no answer: an empty PIN would only cost a try.
        if text != "" { take(Question.Answer(button: button.id, text: text)) }
      }
    }
    buttons += actions.map { Self.button($0.label, $0, act) }
    if choices.isEmpty, !question.isGuarded { buttons.first?.addClass("suggested-action") }
    card = question.code.map { CodeCard(question.address ?? "", $0, copy) }
    self.field = field
    focus = field ?? choices.first ?? buttons.first ?? card?.focus
    let time = question.secondsLeft.map { _ in Widget.label("") }
    let row = field.flatMap { field in buttons.first.map { Self.row(field, $0) } }
    if row != nil { buttons.removeFirst() }
    let show = field.map(Self.showButton)
    // A screen reader may read only the widget that has the keyboard.
    if let focus, field == nil { focus.describe(question.spokenText) }
    let parts =
      Self.words(question) + choices + [card?.widget, time, row, show].compactMap(\.self)
      + Self.details(question)
    let column = buttons.isEmpty ? nil : Self.column(of: buttons)
    // On a low screen, a code needs the room more than its button.
    let isLong = card != nil
    widget = Self.page(parts + (isLong ? [column].compactMap(\.self) : []), footer: isLong ? nil : column)
    g_object_ref_sink(widget)
    gtk_widget_show_all(widget)
    // Users of a screen reader learn that the content of the window has changed, and why.
    let accessible = gtk_widget_get_accessible(widget)
    atk_object_set_role(accessible, ATK_ROLE_ALERT)
    atk_object_set_name(accessible, (question.problem ?? question.title).spoken)
    widget.describe(question.spokenText)
    countdown = question.secondsLeft.map { seconds in
      Countdown(from: seconds) { left in
        let text = question.endsSignIn ? DeadlineText.time(left: left) : DeviceText.time(left: left)
        if let time { gtk_label_set_text(time.cast(), text.text) }
      }
    }
  }

  isolated deinit {
    gtk_widget_destroy(widget)
    g_object_unref(widget)
  }

  /// Gives the page the keyboard. Text in its entry stays as it is: selected, the next key would replace it.
  func takeFocus() {
    card?.deselect()
    guard let focus else { return }
    if focus == field {
      gtk_entry_grab_focus_without_selecting(focus.cast())
    } else {
      gtk_widget_grab_focus(focus)
    }
  }

  /// The space around the parts.
  private static let margin: gint = 24

  /// The width that the screen leaves for a part.
  static var room: gint { (WorkArea.current?.width ?? 640) - WorkArea.edges / 4 - 2 * margin }

  /// The width of a page, which is that of most windows unless the screen is narrower.
  private static var width: gint { min(410, room + 2 * margin) }

  /// Puts the parts below each other in the middle of the window. The footer stays in sight while the parts scroll.
  private static func page(_ parts: [Widget], footer: Widget?) -> Widget {
    let box = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 12, parts)
    gtk_widget_set_valign(box, GTK_ALIGN_CENTER)
    gtk_widget_set_halign(box, GTK_ALIGN_CENTER)
    gtk_container_set_border_width(box.cast(), guint(margin))
    // A window that is as large as its page keeps its width from one page to the next.
    gtk_widget_set_size_request(box, width, -1)
    // The scroller asks for the height of lines that do not wrap, but large text wraps. A hidden label has no height.
    gtk_widget_show_all(box)
    for part in parts where g_type_check_instance_is_a(part.cast(), gtk_label_get_type()) != 0 {
      var height: gint = 0
      gtk_widget_get_preferred_height_for_width(part, width - 2 * margin, nil, &height)
      gtk_widget_set_size_request(part, -1, height)
    }
    let page = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 0, [])
    gtk_box_pack_start(page.cast(), .scroller(box, above: footer), 1, 1, 0)
    if let footer { gtk_box_pack_end(page.cast(), footer, 0, 0, 0) }
    return page
  }

  /// Returns buttons below each other.
  private static func column(of buttons: [Widget]) -> Widget {
    // Large text would make the window wider than the screen of a phone.
    for label in buttons.compactMap({ gtk_bin_get_child($0.cast()) }) {
      gtk_label_set_line_wrap(label.cast(), 1)
      gtk_label_set_justify(label.cast(), GTK_JUSTIFY_CENTER)
    }
    let column = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 6, buttons)
    gtk_widget_set_halign(column, GTK_ALIGN_CENTER)
    gtk_container_set_border_width(column.cast(), 12)
    return column
  }

  /// Returns a button of the window's own. One that copies says so when it has.
  private static func button(_ label: String, _ action: UserAction, _ act: @escaping ActionHandler) -> Widget
  {
    let button = Widget.button(label) { act(action) }
    if [.copyLink, .copyDetails].contains(action) {
      connect(button, "clicked") { gtk_button_set_label(button.cast(), WindowWords.copied.text) }
    }
    return button
  }

  /// Returns the small print, which can be selected.
  private static func details(_ question: Question) -> [Widget] {
    question.details.flatMap { $0.parts(at: "\n") }.map { line in
      let label = Widget.sentence(line.shown, "tokentry-detail")
      gtk_label_set_selectable(label.cast(), 1)
      gtk_widget_set_can_focus(label, 0)
      return label
    }
  }

  private static func words(_ question: Question) -> [Widget] {
    let top =
      question.picture.map { QRCodeImage.make($0, named: WindowWords.picture.text) }
      ?? .emblem(question.icon.name)
    let problem = question.problem.map { Widget.sentence("⚠ " + $0.shown, "tokentry-error") }
    return [top, .heading(question.title.shown)] + [problem].compactMap(\.self)
      + question.paragraphs.map { .sentence(emphasizingValuesIn: $0) }
  }

  /// Returns an entry that does not show its text, since other people may see the screen. A screen reader reads the problem
  /// here, where the user tries again.
  private static func secretEntry(_ label: String, _ question: Question) -> Widget {
    let entry: Widget = gtk_entry_new()
    gtk_entry_set_visibility(entry.cast(), 0)
    gtk_entry_set_width_chars(entry.cast(), 12)
    gtk_entry_set_placeholder_text(entry.cast(), label)
    gtk_entry_set_input_purpose(entry.cast(), GTK_INPUT_PURPOSE_PASSWORD)
    if question.problem != nil { entry.addClass("error") }
    atk_object_set_name(gtk_widget_get_accessible(entry), label)
    entry.describe([question.problem?.spoken, question.spokenText].compactMap(\.self).joined(separator: " "))
    return entry
  }

  /// Returns a button that shows the text of an entry: the user may have pasted another one than they think.
  private static func showButton(_ entry: Widget) -> Widget {
    let button: Widget = gtk_check_button_new_with_mnemonic(WindowWords.show.text)
    connect(button, "toggled") {
      gtk_entry_set_visibility(entry.cast(), gtk_toggle_button_get_active(button.cast()))
    }
    return button
  }

  /// Returns an entry beside its button, which Return presses. Large text leaves no room beside it on a narrow screen.
  private static func row(_ entry: Widget, _ button: Widget) -> Widget {
    connect(entry, "activate") { gtk_button_clicked(button.cast()) }
    let row = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, [])
    gtk_box_pack_start(row.cast(), entry, 1, 1, 0)
    gtk_box_pack_start(row.cast(), button, 0, 0, 0)
    gtk_widget_show_all(row)
    var needed: gint = 0
    gtk_widget_get_preferred_width(row, &needed, nil)
    if needed > width - 2 * margin {
      gtk_orientable_set_orientation(OpaquePointer(row), GTK_ORIENTATION_VERTICAL)
    }
    return row
  }

  /// The name comes from elsewhere, so an underscore in it marks no letter.
  private static func choice(_ name: String, _ press: @escaping @GLibActor () -> Void) -> Widget {
    let label = Widget.label(name.forDisplay(limit: 200))
    gtk_label_set_max_width_chars(label.cast(), 40)
    let button: Widget = gtk_button_new()
    gtk_container_add(button.cast(), label)
    connect(button, "clicked", press)
    return button
  }
}

extension Question.Icon {
  fileprivate var name: String {
    switch self {
    case .warning: "dialog-warning-symbolic"
    case .browser: "web-browser-symbolic"
    case .device: "phone-symbolic"
    case .password: "dialog-password-symbolic"
    case .offline: "network-offline-symbolic"
    case .network: "network-error-symbolic"
    case .insecure: "channel-insecure-symbolic"
    }
  }
}

extension UserAction {
  /// Returns nil for a button that the window only reports.
  fileprivate init?(ofButton id: String) {
    switch id {
    case Question.Button.browser: self = .openInBrowser
    case Question.Button.copy: self = .copyLink
    case Question.Button.here: self = .signInHere
    case Question.Button.close: self = .cancel
    case Question.Button.details: self = .copyDetails
    default: return nil
    }
  }
}

extension Question {
  /// The paragraphs for a screen reader.
  fileprivate var spokenText: String {
    (paragraphs.map(\.spoken) + [address, code].compactMap(\.self)).joined(separator: " ")
  }

  /// Says why a web page could not be shown.
  init(_ text: FailureText, about fault: PageFault) {
    let icon: Icon =
      switch fault {
      case .offline: .offline
      case .unknownHost, .connection: .network
      case .tls: .insecure
      case .viewEnded, .refused: .warning
      }
    self.init(icon, text.title, text.sentence, details: text.details)
  }
}
