import CWebKitGTK
import GLibSupport
import Wording

/// A page of ours in the place of one of the provider's. Made of GTK's widgets, so that no page can be mistaken for
/// it and it works when nothing of WebKit does.
@GLibActor
protocol OwnPage: AnyObject {
  /// What is shown.
  var widget: Widget { get }
  /// Lets Return, or what is typed, do the obvious.
  func takeFocus()
}

extension OwnPage {
  /// The parts of such a page below each other, in the middle of the window; whoever asks for it owns it.
  static func makeColumn(_ parts: [Widget]) -> Widget {
    let column = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 12, parts)
    gtk_widget_set_valign(column, GTK_ALIGN_CENTER)
    gtk_widget_set_halign(column, GTK_ALIGN_CENTER)
    gtk_container_set_border_width(column.cast(), 24)
    // A window that is as large as its page does not change its width with every sentence.
    gtk_widget_set_size_request(column, 410, -1)
    g_object_ref_sink(column)
    gtk_widget_show_all(column)
    return column
  }
}

extension TitleBar.Request {
  /// What a button of such a page says.
  var words: String {
    switch self {
    case .cancel: WindowWords.cancel
    case .openInBrowser: WindowWords.openInBrowser
    case .copyLink: WindowWords.copyLink
    default: WindowWords.tryAgain
    }
  }
}
