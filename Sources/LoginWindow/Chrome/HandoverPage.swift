import CWebKitGTK
import GLibSupport
import LoginWays
import Wording

/// A page of ours that stands in the window while the login goes on in the browser: it says so, and takes the
/// answer from the user where the browser cannot hand it back.
@GLibActor
final class HandoverPage: OwnPage {
  /// `paste` is given what the user has pasted.
  init(
    _ question: PasteQuestion, in opening: WindowOpening,
    _ ask: @escaping @GLibActor (TitleBar.Request) -> Void, _ paste: @escaping @GLibActor (String) -> Void
  ) {
    let text = HandoverText(question)
    // From a window that has shown the page, the browser has just been opened with it, and is once.
    let opensBrowser = opening.offersBrowser && !opening.showsPages && question.problem != .noBrowser
    let ways: [TitleBar.Request] = opensBrowser ? [.openInBrowser, .copyLink] : [.copyLink]
    let entry = Self.makeEntry(text)
    let buttons = Widget.box(
      GTK_ORIENTATION_HORIZONTAL, spacing: 6, ways.map { way in .button(way.words) { ask(way) } })
    gtk_widget_set_halign(buttons, GTK_ALIGN_CENTER)
    let row = Self.makeRow(entry, paste)
    gtk_widget_set_margin_bottom(row, 12)
    let problem = text.problem.map { Widget.label("⚠ " + $0.text, classes: "tokentry-error") }
    if problem != nil { entry.addClass("error") }
    super.init(
      [.emblem("web-browser-symbolic"), .heading(text.title.text)] + [problem].compactMap(\.self)
        + [.sentence(text.sentence.text), row, .sentence(text.help.text), buttons], focus: entry
    ) { accessible in
      guard let problem = text.problem else { return }
      atk_object_set_role(accessible, ATK_ROLE_ALERT)
      atk_object_set_name(accessible, problem.text)
    }
  }

  private static func makeEntry(_ text: HandoverText) -> Widget {
    let entry: Widget = gtk_entry_new()
    // It may hold a token, and others may see the screen.
    gtk_entry_set_visibility(entry.cast(), 0)
    gtk_entry_set_input_purpose(entry.cast(), GTK_INPUT_PURPOSE_URL)
    gtk_entry_set_width_chars(entry.cast(), 26)
    gtk_entry_set_placeholder_text(entry.cast(), text.placeholder.text)
    let accessible = gtk_widget_get_accessible(entry)
    atk_object_set_name(accessible, text.placeholder.text)
    // Whoever does not see the sentence above hears it where the next attempt is made.
    atk_object_set_description(
      accessible, [text.problem, text.sentence].compactMap(\.?.text).joined(separator: " "))
    return entry
  }

  private static func makeRow(_ entry: Widget, _ paste: @escaping @GLibActor (String) -> Void) -> Widget {
    let give: @GLibActor () -> Void = { paste(String(cString: gtk_entry_get_text(entry.cast()))) }
    let button = Widget.button(WindowWords.proceed.text, give)
    button.addClass("suggested-action")
    connect(entry, "activate", give)
    let row = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, [])
    gtk_box_pack_start(row.cast(), entry, 1, 1, 0)
    gtk_box_pack_start(row.cast(), button, 0, 0, 0)
    return row
  }
}
