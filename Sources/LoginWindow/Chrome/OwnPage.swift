import CWebKitGTK
import GLibSupport
import Wording

/// A page of ours in the place of one of the provider's. Made of GTK's widgets, so that no page can be mistaken for
/// it and it works when nothing of WebKit does.
@GLibActor
class OwnPage {
  /// What is shown.
  let widget: Widget
  private let focus: Widget?

  /// The parts below each other, in the middle of the window, and the one in which Return, or what is typed, does the
  /// obvious.
  init(_ parts: [Widget], focus: Widget?) {
    widget = .box(GTK_ORIENTATION_VERTICAL, spacing: 12, parts)
    self.focus = focus
    gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
    gtk_widget_set_halign(widget, GTK_ALIGN_CENTER)
    gtk_container_set_border_width(widget.cast(), 24)
    // A window that is as large as its page does not change its width with every sentence.
    gtk_widget_set_size_request(widget, 410, -1)
    g_object_ref_sink(widget)
    gtk_widget_show_all(widget)
  }

  isolated deinit {
    gtk_widget_destroy(widget)
    g_object_unref(widget)
  }

  func takeFocus() { if let focus { gtk_widget_grab_focus(focus) } }
}

extension TitleBar.Request {
  /// What a button of such a page says.
  var words: String {
    switch self {
    case .cancel: WindowWords.cancel
    case .openInBrowser: WindowWords.openInBrowser
    case .copyLink: WindowWords.copyLink
    case .back: WindowWords.goBack
    default: WindowWords.tryAgain
    }
  }
}
