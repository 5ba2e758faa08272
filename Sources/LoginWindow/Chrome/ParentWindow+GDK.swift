import CWebKitGTK
import GLibSupport
import LoginWays

@GLibActor
extension ParentWindow {
  /// Puts a window that has not been shown yet in front of this one, for as long as it is there. Returns why that
  /// cannot be, if it cannot: the window is one of its own then.
  func adopt(_ window: Widget) -> ParentFault? {
    gtk_widget_realize(window)
    guard let child = gtk_widget_get_window(window), let display = gdk_window_get_display(child) else {
      return .noSurface
    }
    let objection =
      switch self {
      case .x11(let number): Self.adopt(window, child, number, display)
      case .wayland(let handle): Self.adopt(child, handle, display)
      }
    if objection == nil { gtk_window_set_modal(window.cast(), 1) }
    return objection
  }

  private static func adopt(
    _ window: Widget, _ child: OpaquePointer, _ number: UInt32, _ display: OpaquePointer
  ) -> ParentFault? {
    guard display.isX11 else {
      return .displayNotX11
    }
    guard let parent = gdk_x11_window_foreign_new_for_display(display, Window(number)) else {
      return .unknown(number)
    }
    defer { g_object_unref(UnsafeMutableRawPointer(parent)) }
    // The parent is another program's, and may be gone between any two requests.
    gdk_x11_display_error_trap_push(display)
    gdk_window_set_transient_for(child, parent)
    let place = centre(of: child, on: parent)
    let error = gdk_x11_display_error_trap_pop(display)
    guard error == 0, let place else { return .gone }
    gtk_window_set_position(window.cast(), GTK_WIN_POS_NONE)
    gtk_window_move(window.cast(), place.x, place.y)
    return nil
  }

  /// Where a window is in the middle of its parent and yet all on the screen.
  private static func centre(
    of child: OpaquePointer, on parent: OpaquePointer
  ) -> (x: Int32, y: Int32)? {
    guard let monitor = gdk_display_get_monitor_at_window(gdk_window_get_display(parent), parent) else {
      return nil
    }
    var area = GdkRectangle()
    gdk_monitor_get_workarea(monitor, &area)
    let (width, height) = (gdk_window_get_width(child), gdk_window_get_height(child))
    var (x, y): (gint, gint) = (0, 0)
    gdk_window_get_origin(parent, &x, &y)
    x += (gdk_window_get_width(parent) - width) / 2
    y += (gdk_window_get_height(parent) - height) / 2
    return (
      max(area.x, min(x, area.x + area.width - width)), max(area.y, min(y, area.y + area.height - height))
    )
  }

  private static func adopt(
    _ child: OpaquePointer, _ handle: String, _ display: OpaquePointer
  ) -> ParentFault? {
    guard display.isWayland else {
      return .displayNotWayland
    }
    let text = strdup(handle)
    defer { free(text) }
    return gdk_wayland_window_set_transient_for_exported(child, text) != 0
      ? nil : .unsupported
  }
}
