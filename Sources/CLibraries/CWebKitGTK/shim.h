#include <gtk/gtk.h>
#include <gdk/gdkwayland.h>
#include <gdk/gdkx.h>
#include <webkit2/webkit2.h>

/* The constructor is variadic, and Swift imports no variadic functions. */
static inline WebKitWebsiteDataManager *webkit_website_data_manager_new_in(const char *data, const char *cache) {
  return webkit_website_data_manager_new("base-data-directory", data, "base-cache-directory", cache, NULL);
}
