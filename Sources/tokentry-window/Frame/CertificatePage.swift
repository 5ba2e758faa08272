import CWebKitGTK
import GLibSupport
import Language
import LoginCore
import WindowProtocol

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
    let (controls, focus) = Self.controls(for: question, text, answer)
    let without = Widget.button(CertificateText.without.text) { answer(.without) }
    gtk_widget_set_halign(without, GTK_ALIGN_CENTER)
    gtk_widget_set_margin_top(without, 12)
    super.init(
      Self.question("dialog-password-symbolic", text.title, text.problem, text.sentence)
        + controls + [without], focus: focus
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
      let entry = secretEntry(text.label, text.problem, text.sentence)
      gtk_entry_set_input_purpose(entry.cast(), GTK_INPUT_PURPOSE_PASSWORD)
      if question.wasWrong { entry.addClass("error") }
      // An empty PIN would only cost a try.
      return ([row(entry) { if !$0.isEmpty { answer(.secret($0)) } }], entry)
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
}
