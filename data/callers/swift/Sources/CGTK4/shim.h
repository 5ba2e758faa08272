#include <gtk/gtk.h>
#ifdef GDK_WINDOWING_X11
#include <gdk/x11/gdkx.h>
#endif

/* Swift does not import GTK's macros. */
static inline GtkWindow *as_window(GtkWidget *widget) { return GTK_WINDOW(widget); }
static inline GtkButton *as_button(GtkWidget *widget) { return GTK_BUTTON(widget); }
static inline void on(GtkWidget *widget, const char *signal, void (*run)(void)) {
  g_signal_connect(widget, signal, G_CALLBACK(run), NULL);
}

/* The number of the window on X11, or 0. On Wayland, gdk_wayland_toplevel_export_handle() returns a handle. */
static inline unsigned long number_of(GtkWidget *window) {
#ifdef GDK_WINDOWING_X11
  GdkSurface *surface = gtk_native_get_surface(GTK_NATIVE(window));
  if (GDK_IS_X11_SURFACE(surface)) return gdk_x11_surface_get_xid(surface);
#endif
  return 0;
}
