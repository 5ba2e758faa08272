import CWebKitGTK
import GLibSupport
import LoginWays
import Wording

/// Says whose page is shown, and how safe the way to it is: drawn by us, where no page can draw.
@GLibActor
final class AddressLine {
  private let strip: Widget
  private let box: Widget
  private let icon: Widget
  private let host: Widget
  private let note: Widget

  init() {
    icon = gtk_image_new()
    host = gtk_label_new(nil)
    note = gtk_label_new(nil)
    // The end of a name says whose it is, so that is what stays of one that is too long.
    gtk_label_set_ellipsize(host.cast(), PANGO_ELLIPSIZE_START)
    // And of both it is the last to become shorter: what the note says is in its explanation as well.
    gtk_label_set_ellipsize(note.cast(), PANGO_ELLIPSIZE_END)
    // In a window that is written from right to left, an address with a port would read backwards.
    gtk_widget_set_direction(host, GTK_TEXT_DIR_LTR)
    box = .box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, [icon, host, note])
    gtk_widget_set_halign(box, GTK_ALIGN_CENTER)
    gtk_widget_set_margin_start(box, 12)
    gtk_widget_set_margin_end(box, 12)
    host.addClass("tokentry-host")
    note.addClass("dim-label")
    strip = .box(GTK_ORIENTATION_VERTICAL, spacing: 0, [box])
    strip.addClass("tokentry-address")
    g_object_ref_sink(strip)
    atk_object_set_name(gtk_widget_get_accessible(strip), WindowWords.address.text)
    atk_object_set_role(gtk_widget_get_accessible(strip), ATK_ROLE_PANEL)
    gtk_widget_show_all(strip)
  }

  isolated deinit { g_object_unref(strip) }

  var widget: Widget { strip }

  /// How many letters of a host are always there.
  private static let kept = 22

  /// There is no page of others.
  func hide() { set(nil, "", "", "") }

  /// Shows where a page comes from that is there.
  func show(_ address: PageAddress) {
    let text = address.connection.text
    set(address.connection.icon, address.host, text.note.text, text.explanation.text)
    if [.plain, .inherited].contains(address.connection) { note.addClass("tokentry-warning") }
  }

  /// Shows where a page is to come from that is not there yet.
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
    gtk_label_set_width_chars(self.host.cast(), gint(min(host.count, Self.kept)))
    gtk_label_set_text(self.note.cast(), note)
    self.host.setVisible(!host.isEmpty)
    self.note.setVisible(!note.isEmpty)
    strip.setVisible(!host.isEmpty || !note.isEmpty)
  }
}

extension PageAddress.Connection {
  fileprivate var icon: String? {
    switch self {
    case .secure: "channel-secure-symbolic"
    case .plain: "channel-insecure-symbolic"
    case .local: "computer-symbolic"
    case .inherited: "dialog-warning-symbolic"
    case .none: nil
    }
  }
}
