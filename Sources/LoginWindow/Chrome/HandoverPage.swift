import CWebKitGTK
import GLibSupport
import LoginCore

/// A page of ours that stands in the window while the login goes on in the browser: it says so, and takes the
/// answer from the user where the browser cannot hand it back.
@GLibActor
final class HandoverPage {
  private let page: Widget
  private let entry: Widget

  /// `paste` is given what the user has pasted.
  init(_ question: PasteQuestion, _ paste: @escaping @GLibActor (String) -> Void) {
    let entry: Widget = gtk_entry_new()
    self.entry = entry
    let text = HandoverText(question)
    let give: @GLibActor () -> Void = { paste(String(cString: gtk_entry_get_text(entry.cast()))) }
    let button = Widget.button("_Continue", give)
    button.addClass("suggested-action")
    connect(entry, "activate", give)
    // It may hold a token, and others may see the screen.
    gtk_entry_set_visibility(entry.cast(), 0)
    gtk_entry_set_input_purpose(entry.cast(), GTK_INPUT_PURPOSE_URL)
    gtk_entry_set_placeholder_text(entry.cast(), text.placeholder)
    atk_object_set_name(gtk_widget_get_accessible(entry), text.placeholder)
    let row = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, [button])
    gtk_box_pack_start(row.cast(), entry, 1, 1, 0)
    gtk_box_reorder_child(row.cast(), entry, 0)
    page = .box(GTK_ORIENTATION_VERTICAL, spacing: 12, Self.parts(text) + [row])
    gtk_widget_set_valign(page, GTK_ALIGN_CENTER)
    gtk_container_set_border_width(page.cast(), 24)
    g_object_ref_sink(page)
    gtk_widget_show_all(page)
  }

  isolated deinit {
    gtk_widget_destroy(page)
    g_object_unref(page)
  }

  var widget: Widget { page }

  /// Lets the user paste at once.
  func takeFocus() { gtk_widget_grab_focus(entry) }

  private static func parts(_ text: HandoverText) -> [Widget] {
    let icon: Widget = gtk_image_new_from_icon_name("web-browser-symbolic", GTK_ICON_SIZE_DIALOG)
    gtk_image_set_pixel_size(icon.cast(), 64)
    icon.addClass("dim-label")
    let title = Widget.label("Continue in your browser", classes: "tokentry-title")
    atk_object_set_role(gtk_widget_get_accessible(title), ATK_ROLE_HEADING)
    let sentences = text.sentences.map { sentence in
      let label = Widget.label(sentence)
      gtk_label_set_max_width_chars(label.cast(), 44)
      return label
    }
    return [icon, title] + sentences
  }
}

/// What the page says.
struct HandoverText {
  let sentences: [String]
  let placeholder: String

  init(_ question: PasteQuestion) {
    let what = question.acceptsCode ? "the code, or the address" : "the address"
    placeholder = question.acceptsCode ? "Code or address" : "Address of the last page"
    let first =
      question.comesBack
      ? "The sign-in goes on there, and this window closes when it is done. If it does not, paste \(what) of "
        + "the page where you ended up:"
      : "When you have signed in there, paste \(what) of the page where you ended up:"
    let problem: String? =
      switch question.problem {
      case nil: nil
      case .somethingElse: "That is not the address of an answer."
      case .anotherLogin: "That is the answer to another sign-in."
      case .codeAlone: "The code alone is not enough here: paste the whole address."
      }
    let help = "If no browser has opened, copy the link from the menu."
    sentences = [first] + [problem ?? help]
  }
}
