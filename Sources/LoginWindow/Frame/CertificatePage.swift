import CWebKitGTK
import GLibSupport
import LoginCore
import LoginWays
import Wording

/// Asks which certificate a server gets, or for the passphrase or PIN that unlocks it. Takes one answer: the second press of
/// a double click must not answer the next question.
@GLibActor
final class CertificatePage: NativePage {
  init(_ question: CertificateQuestion, _ take: @escaping @GLibActor (CertificateAnswer) -> Void) {
    var isAnswered = false
    let answer: @GLibActor (CertificateAnswer) -> Void = {
      if !isAnswered { take($0) }
      isAnswered = true
    }
    let text = CertificateText(question)
    let problem = text.problem.map { Widget.label("⚠ " + $0.text, classes: "tokentry-error") }
    if let problem { gtk_label_set_max_width_chars(problem.cast(), 44) }
    let (controls, focus) = Self.controls(for: question, text, answer)
    let without = Widget.button(CertificateText.without.text) { answer(.without) }
    gtk_widget_set_halign(without, GTK_ALIGN_CENTER)
    gtk_widget_set_margin_top(without, 12)
    super.init(
      [.emblem("dialog-password-symbolic"), .heading(text.title.text)] + [problem].compactMap(\.self)
        + [.sentence(text.sentence.text)] + controls + [without], focus: focus
    ) { accessible in
      // Users of a screen reader learn that the content of the window has changed, and why.
      atk_object_set_role(accessible, ATK_ROLE_ALERT)
      atk_object_set_name(accessible, (text.problem ?? text.title).text)
      atk_object_set_description(accessible, text.sentence.text)
    }
  }

  private static func controls(
    for question: CertificateQuestion, _ text: CertificateText,
    _ answer: @escaping @GLibActor (CertificateAnswer) -> Void
  ) -> ([Widget], focus: Widget?) {
    switch question.subject {
    case .choice(let names):
      let buttons = names.enumerated().map { place, name in choice(name) { answer(.chosen(place)) } }
      return (buttons, buttons.first)
    case .passphrase, .pin:
      let entry = makeEntry(text, isWrong: question.wasWrong)
      return ([makeRow(entry) { answer(.secret($0)) }], entry)
    case .token:
      let button = Widget.button(WindowWords.tryAgain.text) { answer(.again) }
      button.addClass("suggested-action")
      gtk_widget_set_halign(button, GTK_ALIGN_CENTER)
      return ([button], button)
    }
  }

  /// The name comes from the certificate, so an underscore in it marks no letter.
  private static func choice(_ name: String, _ press: @escaping @GLibActor () -> Void) -> Widget {
    let label = Widget.label(name.forDisplay(limit: 200))
    gtk_label_set_max_width_chars(label.cast(), 40)
    let button: Widget = gtk_button_new()
    gtk_container_add(button.cast(), label)
    connect(button, "clicked", press)
    return button
  }

  private static func makeEntry(_ text: CertificateText, isWrong: Bool) -> Widget {
    let entry: Widget = gtk_entry_new()
    gtk_entry_set_visibility(entry.cast(), 0)
    gtk_entry_set_input_purpose(entry.cast(), GTK_INPUT_PURPOSE_PASSWORD)
    gtk_entry_set_width_chars(entry.cast(), 22)
    gtk_entry_set_placeholder_text(entry.cast(), text.label.text)
    if isWrong { entry.addClass("error") }
    let accessible = gtk_widget_get_accessible(entry)
    atk_object_set_name(accessible, text.label.text)
    // A screen reader reads the problem here, where the user tries again.
    atk_object_set_description(
      accessible, [text.problem, text.sentence].compactMap(\.?.text).joined(separator: " "))
    return entry
  }

  private static func makeRow(_ entry: Widget, _ take: @escaping @GLibActor (String) -> Void) -> Widget {
    // An empty PIN would only cost a try.
    let give: @GLibActor () -> Void = {
      let text = String(cString: gtk_entry_get_text(entry.cast()))
      if !text.isEmpty { take(text) }
    }
    let button = Widget.button(WindowWords.proceed.text, give)
    button.addClass("suggested-action")
    connect(entry, "activate", give)
    let row = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, [])
    gtk_box_pack_start(row.cast(), entry, 1, 1, 0)
    gtk_box_pack_start(row.cast(), button, 0, 0, 0)
    return row
  }
}
