import CWebKitGTK
import GLibSupport
import Glibc

/// What lets our window come to the front, as the caller was given it (XDG_ACTIVATION_TOKEN).
enum Activation {
  /// Hands it to GTK 3, which itself knows only of the older variable; no process of a page is to see it. To be called
  /// when there is a display.
  @GLibActor
  static func take() {
    guard let token = getenv("XDG_ACTIVATION_TOKEN").map({ String(cString: $0) }),
      let display = gdk_display_get_default()
    else { return }
    unsetenv("XDG_ACTIVATION_TOKEN")
    if display.isX11 { gdk_x11_display_set_startup_notification_id(display, token) }
    if display.isWayland { gdk_wayland_display_set_startup_notification_id(display, token) }
  }
}

/// Of a display.
extension OpaquePointer {
  var isX11: Bool { isKind(gdk_x11_display_get_type()) }
  var isWayland: Bool { isKind(gdk_wayland_display_get_type()) }

  private func isKind(_ type: GType) -> Bool {
    let object = UnsafeMutableRawPointer(self).assumingMemoryBound(to: GTypeInstance.self)
    return g_type_check_instance_is_a(object, type) != 0
  }
}
