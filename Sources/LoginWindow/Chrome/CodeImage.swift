import CWebKitGTK
import GLibSupport
import LoginWays

/// A QR code on the screen: dark on light whatever the theme is, since cameras want it this way round.
@GLibActor
enum CodeImage {
  /// ISO/IEC 18004 demands four modules of quiet around a code.
  private static let quietZone = 4
  /// About as large as on the back of a telephone: a camera reads it from where one sits.
  private static let edge = 200

  static func make(_ picture: CodePicture, named name: String) -> Widget {
    let modules = picture.size + 2 * quietZone
    let scale = max(2, edge / modules)
    let area: Widget = gtk_drawing_area_new()
    gtk_widget_set_size_request(area, gint(modules * scale), gint(modules * scale))
    gtk_widget_set_halign(area, GTK_ALIGN_CENTER)
    let accessible = gtk_widget_get_accessible(area)
    atk_object_set_role(accessible, ATK_ROLE_IMAGE)
    atk_object_set_name(accessible, name)
    connect(
      area, "draw",
      answering: { context in
        if let context { draw(picture, scale, on: context) }
        return true
      })
    return area
  }

  private static func draw(_ picture: CodePicture, _ scale: Int, on context: OpaquePointer) {
    cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE)
    cairo_set_source_rgb(context, 1, 1, 1)
    cairo_paint(context)
    cairo_set_source_rgb(context, 0, 0, 0)
    for row in 0..<picture.size {
      for column in 0..<picture.size where picture.isDark(row: row, column: column) {
        cairo_rectangle(
          context, Double((column + quietZone) * scale), Double((row + quietZone) * scale), Double(scale),
          Double(scale))
      }
    }
    cairo_fill(context)
  }
}
