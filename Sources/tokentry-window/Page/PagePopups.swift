import CWebKitGTK
import GLibSupport

/// Keeps WebKit's popups (bubbles about a form, calendars, lists) off the line with the page's address. WebKit places a
/// popup by an element of the page, which may lie above the view.
@GLibActor
enum PagePopups {
  private static var isWatching = false

  /// Moves each popup of a view that is about to be shown outside it. One hook for all widgets also covers popups of later
  /// versions of WebKit.
  static func keepInside() {
    if isWatching { return }
    isWatching = true
    let hook: @GLibActor @convention(c) (gpointer?, guint, UnsafePointer<GValue>, gpointer?) -> gboolean = {
      _, _, values, _ in
      guard let object = g_value_get_object(values) else { return 1 }
      let widget = object.assumingMemoryBound(to: GtkWidget.self)
      if PagePopups.isKind(widget, gtk_popover_get_type()) {
        PagePopups.keepInside(popover: widget)
      } else if PagePopups.isKind(widget, gtk_window_get_type()) {
        PagePopups.keepInside(popup: widget)
      }
      return 1
    }
    g_signal_add_emission_hook(
      g_signal_lookup("show", gtk_widget_get_type()), 0, unsafeBitCast(hook, to: GSignalEmissionHook.self),
      nil, nil)
  }

  /// True if a place, in the coordinates of a view, is inside it.
  static func isInside(_ place: GdkRectangle, of view: Widget) -> Bool {
    place.x >= 0 && place.y >= 0
      && place.x + place.width <= gtk_widget_get_allocated_width(view)
      && place.y + place.height <= gtk_widget_get_allocated_height(view)
  }

  /// Makes a popover point into its view, and open to where it stays inside. WebKit crashes if it is hidden instead.
  private static func keepInside(popover: Widget) {
    guard let view = gtk_popover_get_relative_to(popover.cast()), isView(view) else { return }
    let (width, height) = (gtk_widget_get_allocated_width(view), gtk_widget_get_allocated_height(view))
    var (place, needed) = (GdkRectangle(), gint(0))
    gtk_popover_get_pointing_to(popover.cast(), &place)
    gtk_widget_get_preferred_height(popover, nil, &needed)
    place = cut(place, toWidth: width, height: height)
    let fitsAbove = needed <= place.y
    let fitsBelow = place.y + place.height + needed <= height
    if !fitsAbove, !fitsBelow { place = GdkRectangle(x: place.x, y: 0, width: place.width, height: 1) }
    gtk_popover_set_position(popover.cast(), fitsAbove && !fitsBelow ? GTK_POS_TOP : GTK_POS_BOTTOM)
    gtk_popover_set_pointing_to(popover.cast(), &place)
  }

  /// Returns the part of a place that is inside a view of this size, or a point at the edge next to it.
  private static func cut(_ place: GdkRectangle, toWidth width: gint, height: gint) -> GdkRectangle {
    let (x, y) = (max(0, min(place.x, width - 1)), max(0, min(place.y, height - 1)))
    return GdkRectangle(
      x: x, y: y, width: max(1, min(place.x + place.width, width) - x),
      height: max(1, min(place.y + place.height, height) - y))
  }

  /// Moves a list down that would reach above its view.
  private static func keepInside(popup: Widget) {
    guard gtk_window_get_window_type(popup.cast()) == GTK_WINDOW_POPUP,
      let view = gtk_window_get_attached_to(popup.cast()), isView(view),
      let surface = gtk_widget_get_window(view)
    else { return }
    var (left, top, x, y) = (gint(0), gint(0), gint(0), gint(0))
    gdk_window_get_origin(surface, &left, &top)
    gtk_window_get_position(popup.cast(), &x, &y)
    if y < top { gtk_window_move(popup.cast(), x, top) }
  }

  private static func isView(_ widget: Widget) -> Bool { isKind(widget, webkit_web_view_get_type()) }

  private static func isKind(_ widget: Widget, _ type: GType) -> Bool {
    g_type_check_instance_is_a(widget.cast(), type) != 0
  }
}
