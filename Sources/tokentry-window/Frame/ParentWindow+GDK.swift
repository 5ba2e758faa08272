import CWebKitGTK
import GLibSupport
import LoginCore
import WindowProtocol

@GLibActor
extension ParentWindow {
  /// Keeps a window that has not been shown yet in front of this one. Returns the reason if that is not
  /// possible; then the window stands alone. `hasGone` is called when this one is destroyed; only X11 reports that.
  func adopt(_ window: Widget, _ hasGone: @escaping @GLibActor () -> Void) -> Message? {
    gtk_widget_realize(window)
    guard let child = gtk_widget_get_window(window), let display = gdk_window_get_display(child) else {
      return "the window has no surface"
    }
    let objection =
      switch self {
      case .x11(let number): Self.adopt(window, child, number, display, hasGone)
      case .wayland(let handle): Self.adopt(child, handle, display)
      }
    if objection == nil { gtk_window_set_modal(window.cast(), 1) }
    return objection
  }

  private static func adopt(
    _ window: Widget, _ child: OpaquePointer, _ number: UInt32, _ display: OpaquePointer,
    _ hasGone: @escaping @GLibActor () -> Void
  ) -> Message? {
    guard display.isX11 else { return "the parent window belongs to X11, but the display does not" }
    // The same digits may have been meant as a decimal number.
    let numbers = [number, UInt32(String(number, radix: 16))].compactMap(\.self)
    guard
      let parent = numbers.lazy.compactMap({ gdk_x11_window_foreign_new_for_display(display, Window($0)) })
        .first
    else {
      return "there is no parent window with the number 0x\(String(number, radix: 16))"
    }
    // The parent is another program's, and may disappear between any two requests.
    gdk_x11_display_error_trap_push(display)
    gdk_window_set_transient_for(child, parent)
    watchEnd(of: parent, hasGone)
    let place = center(of: child, on: parent)
    let error = gdk_x11_display_error_trap_pop(display)
    guard error == 0, let place else { return "the parent window no longer exists" }
    gtk_window_set_position(window.cast(), GTK_WIN_POS_NONE)
    gtk_window_move(window.cast(), place.x, place.y)
    return nil
  }

  /// Calls `hasGone` when the parent is destroyed. The parent's GDK window and the handler live as long as this program.
  private static func watchEnd(of parent: OpaquePointer, _ hasGone: @escaping @GLibActor () -> Void) {
    gdk_window_set_events(parent, GDK_STRUCTURE_MASK)
    // From X.h, which Swift does not import: every event begins with its type, and 17 is DestroyNotify.
    let filter: @GLibActor @convention(c) (UnsafePointer<Int32>, gpointer, gpointer) -> GdkFilterReturn = {
      event, _, data in
      if event.pointee == 17 { Handler<@GLibActor () -> Void>.body(data)() }
      return GDK_FILTER_CONTINUE
    }
    gdk_window_add_filter(parent, unsafeBitCast(filter, to: GdkFilterFunc.self), Handler.retained(hasGone))
  }

  /// Returns the position that centers a window on its parent and keeps all of it on the screen.
  private static func center(
    of child: OpaquePointer, on parent: OpaquePointer
  ) -> (x: Int32, y: Int32)? {
    guard let monitor = gdk_display_get_monitor_at_window(gdk_window_get_display(parent), parent)
    else {
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
  ) -> Message? {
    guard display.isWayland else { return "the parent window belongs to Wayland, but the display does not" }
    let text = strdup(handle)
    defer { free(text) }
    return gdk_wayland_window_set_transient_for_exported(child, text) != 0
      ? nil : "the compositor does not support parent windows of other programs"
  }
}
