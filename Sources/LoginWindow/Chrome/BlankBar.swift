import CWebKitGTK
import GLibSupport
import LoginCore

/// Asks above a page that seems to be blank what is to be done, out of the reach of the page.
@GLibActor
final class BlankBar {
  private let bar: Widget

  init(_ opening: WindowOpening, _ ask: @escaping @GLibActor (TitleBar.Request) -> Void) {
    bar = gtk_info_bar_new()
    g_object_ref_sink(bar)
    gtk_info_bar_set_message_type(bar.cast(), GTK_MESSAGE_QUESTION)
    let ways: [(String, TitleBar.Request)] =
      (opening.canBeReopened ? [("Open it _safely", .openSafely)] : [])
      + (opening.ways.contains("browser") ? [("Open in _browser", .openInBrowser)] : [])
    // To reload it is not offered: after a form that was sent that would send it again.
    let label = Widget.label(ways.isEmpty ? "The page seems to stay blank." : "Does the page stay blank?")
    gtk_label_set_xalign(label.cast(), 0)
    gtk_container_add(gtk_info_bar_get_content_area(bar.cast()).cast(), label)
    let buttons = ways.map { text, way in Widget.button(text) { ask(way) } }
    gtk_container_add(
      gtk_info_bar_get_action_area(bar.cast()).cast(), .box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, buttons))
    gtk_widget_show_all(bar)
  }

  isolated deinit { g_object_unref(bar) }

  var widget: Widget { bar }

  func show() { bar.setVisible(true) }

  func hide() { bar.setVisible(false) }
}
