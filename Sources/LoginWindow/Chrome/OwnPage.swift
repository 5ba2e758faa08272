import CWebKitGTK
import GLibSupport
import Wording

/// A page of ours in the place of one of the provider's. Made of GTK's widgets, so that no page can be mistaken for
/// it and it works when nothing of WebKit does.
@GLibActor
class OwnPage {
  /// What is shown: what is higher than its place is scrolled.
  let widget: Widget
  private let focus: Widget?

  /// The parts below each other, in the middle of the window, and the one in which Return, or what is typed, does the
  /// obvious. `accessible` is what a screen reader takes them for as a whole.
  init(_ parts: [Widget], focus: Widget?, accessible: (UnsafeMutablePointer<AtkObject>?) -> Void = { _ in }) {
    let box = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 12, parts)
    widget = .scroller(box)
    self.focus = focus
    gtk_widget_set_valign(box, GTK_ALIGN_CENTER)
    gtk_widget_set_halign(box, GTK_ALIGN_CENTER)
    gtk_container_set_border_width(box.cast(), 24)
    // A window that is as large as its page does not change its width with every sentence.
    gtk_widget_set_size_request(box, 410, -1)
    accessible(gtk_widget_get_accessible(box))
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
    case .cancel: WindowWords.cancel.text
    case .openInBrowser: WindowWords.openInBrowser.text
    case .copyLink: WindowWords.copyLink.text
    case .back: WindowWords.goBack.text
    default: WindowWords.tryAgain.text
    }
  }
}
