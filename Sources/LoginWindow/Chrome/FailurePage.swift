import CWebKitGTK
import GLibSupport
import LoginCore

/// A page of ours in place of one that is not there: a plain sentence, and the ways on. Made of GTK's widgets,
/// so that no page can be mistaken for it and it works when nothing of WebKit does.
@GLibActor
final class FailurePage {
  private let page: Widget
  private let buttons: [Widget]

  /// `ways` are what the user can do here, the most obvious first.
  init(_ fault: PageFault, ways: [TitleBar.Request], _ ask: @escaping @GLibActor (TitleBar.Request) -> Void) {
    buttons = ways.map { way in .button(Self.words(for: way)) { ask(way) } }
    buttons.first?.addClass("suggested-action")
    page = .box(GTK_ORIENTATION_VERTICAL, spacing: 12, Self.parts(FailureText(fault), buttons: buttons))
    gtk_widget_set_valign(page, GTK_ALIGN_CENTER)
    gtk_widget_set_halign(page, GTK_ALIGN_CENTER)
    gtk_container_set_border_width(page.cast(), 24)
    g_object_ref_sink(page)
    gtk_widget_show_all(page)
  }

  isolated deinit {
    gtk_widget_destroy(page)
    g_object_unref(page)
  }

  var widget: Widget { page }

  /// Lets Return do the obvious.
  func takeFocus() {
    if let first = buttons.first { gtk_widget_grab_focus(first) }
  }

  private static func parts(_ text: FailureText, buttons: [Widget]) -> [Widget] {
    let icon: Widget = gtk_image_new_from_icon_name(text.icon, GTK_ICON_SIZE_DIALOG)
    gtk_image_set_pixel_size(icon.cast(), 64)
    icon.addClass("dim-label")
    gtk_widget_set_margin_bottom(icon, 6)
    let title = Widget.label(text.title, classes: "tokentry-title")
    atk_object_set_role(gtk_widget_get_accessible(title), ATK_ROLE_HEADING)
    let sentence = Widget.label(text.sentence)
    let details = text.details.map { detail in
      let label = Widget.label(detail, classes: "tokentry-detail")
      gtk_label_set_selectable(label.cast(), 1)
      gtk_widget_set_can_focus(label, 0)
      return label
    }
    for label in [sentence] + details { gtk_label_set_max_width_chars(label.cast(), 44) }
    let row = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 6, buttons)
    gtk_widget_set_halign(row, GTK_ALIGN_CENTER)
    gtk_widget_set_margin_top(row, 12)
    return [icon, title, sentence] + details + [row]
  }

  private static func words(for way: TitleBar.Request) -> String {
    switch way {
    case .cancel: "_Cancel"
    case .openInBrowser: "_Open in browser"
    default: "_Try again"
    }
  }
}
