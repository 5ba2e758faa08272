import CWebKitGTK
import GLibSupport
import Language
import WindowProtocol

/// Shows the host of the page and how secure the connection is. It is drawn by this program, where no page
/// can draw.
@GLibActor
final class AddressBar {
  let widget: Widget
  private let box: Widget
  private let icon: Widget
  private let host: Widget
  private let note: Widget

  /// The number of characters of a host that are always visible.
  private static let minimumLength = 22

  /// `info` stands beside the host.
  init(_ info: InfoButton) {
    icon = gtk_image_new()
    host = gtk_label_new(nil)
    note = gtk_label_new(nil)
    // The note is shortened before the host: the tooltip says the same.
    gtk_label_set_ellipsize(note.cast(), PANGO_ELLIPSIZE_END)
    // In a right-to-left window, a host with a port would be shown in the wrong order.
    gtk_widget_set_direction(host, GTK_TEXT_DIR_LTR)
    box = .box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, [icon, host, note, info.widget])
    gtk_widget_set_halign(box, GTK_ALIGN_CENTER)
    gtk_widget_set_margin_start(box, 6)
    gtk_widget_set_margin_end(box, 6)
    host.addClass("tokentry-host")
    note.addClass("dim-label")
    let area: Widget = gtk_event_box_new()
    gtk_container_add(area.cast(), box)
    widget = .box(GTK_ORIENTATION_VERTICAL, spacing: 0, [area])
    // All of it opens what the button says: the button alone is small for a finger.
    connect(
      area, "button-release-event",
      answering: { [weak info] event in
        // The button has a window of its own, and answers itself.
        guard let event, UnsafePointer<GdkEvent>(event).pointee.any.window == gtk_widget_get_window(area)
        else {
          return false
        }
        _ = info?.open()
        return true
      })
    widget.addClass("tokentry-address")
    gtk_button_set_relief(info.widget.cast(), GTK_RELIEF_NONE)
    g_object_ref_sink(widget)
    atk_object_set_name(gtk_widget_get_accessible(widget), WindowWords.address.text)
    atk_object_set_role(gtk_widget_get_accessible(widget), ATK_ROLE_PANEL)
    gtk_widget_show_all(widget)
  }

  isolated deinit { g_object_unref(widget) }

  func hide() { set(nil, "", "", "") }

  var isVisible: Bool { gtk_widget_get_visible(widget) != 0 }

  /// Shows where the page that can be seen comes from.
  func show(_ address: PageAddress) {
    let text = address.text
    set(address.connection.icon, address.host, text.note.text, text.explanation.text)
    if [.plain, .inherited].contains(address.connection) { note.addClass("tokentry-warning") }
  }

  /// Shows where the page that is on its way comes from.
  func showConnecting(to address: PageAddress) {
    set(nil, "", address.connectingText.text, "")
  }

  private func set(_ iconName: String?, _ host: String, _ note: String, _ explanation: String) {
    self.note.removeClass("tokentry-warning")
    icon.setVisible(iconName != nil)
    if let iconName { gtk_image_set_from_icon_name(icon.cast(), iconName, GTK_ICON_SIZE_MENU) }
    atk_object_set_name(gtk_widget_get_accessible(icon), explanation)
    gtk_widget_set_tooltip_text(box, explanation)
    gtk_label_set_text(self.host.cast(), host)
    // The end of a host name says whose it is, so a long name loses its start. A short name is shown whole.
    let isLong = host.count > Self.minimumLength
    gtk_label_set_ellipsize(self.host.cast(), isLong ? PANGO_ELLIPSIZE_START : PANGO_ELLIPSIZE_NONE)
    gtk_label_set_width_chars(self.host.cast(), isLong ? gint(Self.minimumLength) : -1)
    gtk_label_set_text(self.note.cast(), note)
    self.host.setVisible(!host.isEmpty)
    self.note.setVisible(!note.isEmpty)
    widget.setVisible(!host.isEmpty || !note.isEmpty)
  }
}

extension PageAddress.Connection {
  var icon: String? {
    switch self {
    case .secure: "channel-secure-symbolic"
    case .plain: "channel-insecure-symbolic"
    case .local: "computer-symbolic"
    case .inherited: "dialog-warning-symbolic"
    case .none: nil
    }
  }
}
