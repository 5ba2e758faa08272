#include "../CGLib/flags.h"

#include <gtk/gtk.h>
#include <gdk/gdkwayland.h>
#include <gdk/gdkx.h>
#include <webkit2/webkit2.h>

/* The constructors are variadic, and Swift does not import variadic functions. */
static inline WebKitWebsiteDataManager *webkit_website_data_manager_new_in(const char *data, const char *cache) {
  return webkit_website_data_manager_new("base-data-directory", data, "base-cache-directory", cache, NULL);
}

static inline WebKitWebContext *webkit_web_context_new_limited(WebKitWebsiteDataManager *manager,
                                                               WebKitMemoryPressureSettings *settings) {
  return WEBKIT_WEB_CONTEXT(g_object_new(WEBKIT_TYPE_WEB_CONTEXT, "website-data-manager", manager,
                                         "memory-pressure-settings", settings, NULL));
}

static inline void gtk_announce(AtkObject *object, guint signal, const char *text) {
  g_signal_emit(object, signal, 0, text);
}

/* Sets a bit for the code of each key that is down. */
static inline void gdk_x11_get_pressed_keys(GdkDisplay *display, char keys[32]) {
  XQueryKeymap(GDK_DISPLAY_XDISPLAY(display), keys);
}

/* The window with the keyboard, of any program on X11. GTK 4 no longer has this function, and Swift refuses it. */
static inline GdkWindow *gdk_screen_get_window_in_use(GdkScreen *screen) {
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  return gdk_screen_get_active_window(screen);
  G_GNUC_END_IGNORE_DEPRECATIONS
}
