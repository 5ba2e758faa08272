import CWebKitGTK
import GLibSupport
import Language
import LoginCore
import WindowProtocol

/// Shows a ``Question``. Takes one answer: the second press of a double click must not answer the next question.
@GLibActor
final class QuestionPage: NativePage {
  let question: Question
  private let card: CodeCard?
  private var countdown: Countdown?

  /// `answer` is called with the user's answer, and returns true if it is taken. `copy` is called with a text for the
  /// clipboard.
  init(
    _ question: Question, _ act: @escaping ActionHandler, copy: @escaping @GLibActor (String) -> Void,
    _ answer: @escaping @GLibActor (Question.Answer) -> Bool
  ) {
    self.question = question
    var isAnswered = false
    let take: @GLibActor (Question.Answer) -> Void = { if !isAnswered { isAnswered = answer($0) } }
    let field = question.secret.map { Self.secretEntry($0, question) }
    let choices = question.choices.enumerated().map { place, name in
      Self.choice(name) { take(Question.Answer(choice: place)) }
    }
    var buttons = question.buttons.enumerated().map { place, button in
      Widget.button(button.label) {
        if let action = UserAction(ofButton: button.id) { return act(action) }
        let text = place == 0 ? field.map { String(cString: gtk_entry_get_text($0.cast())) } : nil
        // An empty text is no answer: an empty PIN would only cost a try.
        if text != "" { take(Question.Answer(button: button.id, text: text)) }
      }
    }
    if choices.isEmpty, !question.isGuarded { buttons.first?.addClass("suggested-action") }
    card = question.code.map { CodeCard(question.address ?? "", $0, copy) }
    let focus = field ?? choices.first ?? buttons.first ?? card?.focus
    let time = question.secondsLeft.map { _ in Widget.label("") }
    let row = field.flatMap { field in buttons.first.map { Self.row(field, $0) } }
    if row != nil { buttons.removeFirst() }
    let note = question.note.map { Widget.sentence($0.shown, "tokentry-detail") }
    let text = question.paragraphs.map(\.spoken).joined(separator: " ")
    // A screen reader may read only the widget that has the keyboard.
    if let focus, field == nil { atk_object_set_description(gtk_widget_get_accessible(focus), text) }
    super.init(
      Self.words(question) + choices + [card?.widget, time, row, note].compactMap(\.self),
      footer: buttons.isEmpty ? nil : Self.column(of: buttons), focus: focus
    ) { accessible in
      // Users of a screen reader learn that the content of the window has changed, and why.
      atk_object_set_role(accessible, ATK_ROLE_ALERT)
      atk_object_set_name(accessible, (question.problem ?? question.title).spoken)
      atk_object_set_description(accessible, text)
    }
    countdown = question.secondsLeft.map { seconds in
      Countdown(from: seconds) { left in
        if let time { gtk_label_set_text(time.cast(), DeviceText.time(left: left).text) }
      }
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
    gtk_entry_set_width_chars(entry.cast(), 24)
    gtk_entry_set_placeholder_text(entry.cast(), label)
    gtk_entry_set_input_purpose(entry.cast(), GTK_INPUT_PURPOSE_PASSWORD)
    if question.problem != nil { entry.addClass("error") }
    let accessible = gtk_widget_get_accessible(entry)
    atk_object_set_name(accessible, label)
    let words = [question.problem].compactMap(\.self) + question.paragraphs
    atk_object_set_description(accessible, words.map(\.spoken).joined(separator: " "))
    return entry
  }

  /// Returns an entry beside its button, which Return presses.
  private static func row(_ entry: Widget, _ button: Widget) -> Widget {
    connect(entry, "activate") { gtk_button_clicked(button.cast()) }
    let row = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, [])
    gtk_box_pack_start(row.cast(), entry, 1, 1, 0)
    gtk_box_pack_start(row.cast(), button, 0, 0, 0)
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
    default: return nil
    }
  }
}
