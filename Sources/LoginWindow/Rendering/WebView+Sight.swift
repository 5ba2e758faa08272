import CWebKitGTK
import GLibSupport
import LoginWays

extension WebView {
  /// What is on the screen; with Wayland, where nobody can look there, what the view would draw now. (What was given to the
  /// compositor cannot be looked at either: one that keeps it until it is given the next leaves an empty surface here.)
  var sight: BlankJudge.Sight {
    guard let window = gtk_widget_get_window(widget), gdk_window_is_viewable(window) != 0,
      gdk_window_get_state(gdk_window_get_toplevel(window)).rawValue & GDK_WINDOW_STATE_ICONIFIED.rawValue
        == 0
    else { return .unknown }
    let (width, height) = (gdk_window_get_width(window), gdk_window_get_height(window))
    guard gtk_widget_get_display(widget).isWayland else {
      return Self.sight(gdk_pixbuf_get_from_window(window, 0, 0, width, height))
    }
    let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height)
    defer { cairo_surface_destroy(surface) }
    let context = cairo_create(surface)
    gtk_widget_draw(widget, context)
    cairo_destroy(context)
    return Self.sight(gdk_pixbuf_get_from_surface(surface, 0, 0, width, height))
  }

  /// What the process of the page paints when it is asked to, whatever is on the screen. It may never answer.
  func paintedSight() async -> BlankJudge.Sight {
    let cancellable = Cancellable()
    let view = pointer
    g_object_ref(view)
    defer { g_object_unref(view) }
    let result = await asyncCall(cancellable) { ready, data in
      webkit_web_view_get_snapshot(
        view, WEBKIT_SNAPSHOT_REGION_VISIBLE, WEBKIT_SNAPSHOT_OPTIONS_NONE, cancellable.pointer, ready, data)
    }
    defer { g_object_unref(UnsafeMutableRawPointer(result.pointer)) }
    guard let surface = webkit_web_view_get_snapshot_finish(view, result.pointer, nil) else {
      return .unknown
    }
    defer { cairo_surface_destroy(surface) }
    return Self.sight(
      gdk_pixbuf_get_from_surface(
        surface, 0, 0, cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface)))
  }

  /// Whether there is more than one colour, whatever its opacity. Takes the picture over.
  private static func sight(_ picture: OpaquePointer?) -> BlankJudge.Sight {
    guard let picture else { return .unknown }
    defer { g_object_unref(UnsafeMutableRawPointer(picture)) }
    let (width, height) = (Int(gdk_pixbuf_get_width(picture)), Int(gdk_pixbuf_get_height(picture)))
    let (row, pixel) = (Int(gdk_pixbuf_get_rowstride(picture)), Int(gdk_pixbuf_get_n_channels(picture)))
    guard width > 0, height > 0, let first = gdk_pixbuf_read_pixels(picture) else { return .unknown }
    for y in 0..<height {
      for x in 0..<width where memcmp(first, first + y * row + x * pixel, 3) != 0 { return .content }
    }
    return .flat
  }
}
