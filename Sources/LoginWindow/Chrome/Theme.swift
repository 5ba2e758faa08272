import CWebKitGTK
import GLibSupport

/// The little that our parts of the window add to the user's theme.
@GLibActor
enum Theme {
  private static let css = """
    .tokentry-address { padding: 5px 0 6px 0; }
    .tokentry-framed { margin: 0 4px 4px 4px; border: 1px solid @borders; }
    .tokentry-address, .tokentry-around { background-color: shade(@theme_bg_color, 0.9); color: @theme_fg_color; }
    .tokentry-requester { padding: 5px 12px 1px 12px; font-size: 92%; }
    .tokentry-host { font-weight: bold; }
    .tokentry-warning { color: mix(@warning_color, @theme_fg_color, 0.6); opacity: 1; }
    .tokentry-error { color: mix(@error_color, @theme_fg_color, 0.4); font-weight: bold; }
    .tokentry-title { font-size: 150%; font-weight: bold; }
    .tokentry-detail { font-size: 88%; }
    .tokentry-card { border: 1px solid @borders; border-radius: 8px; }
    .tokentry-card > separator { background-color: @borders; }
    .tokentry-code { font-size: 220%; font-weight: bold; letter-spacing: 4px; }
    .tokentry-long-code { font-size: 120%; font-weight: bold; letter-spacing: 2px; }
    """

  static func apply() {
    let provider = gtk_css_provider_new()
    gtk_css_provider_load_from_data(provider, css, -1, nil)
    gtk_style_context_add_provider_for_screen(
      gdk_screen_get_default(), OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
    g_object_unref(provider)
  }
}
