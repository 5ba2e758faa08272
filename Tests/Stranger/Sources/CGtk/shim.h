#include <gtk/gtk.h>

/* GTK_WINDOW is a macro, which Swift does not import. */
static inline GtkWindow *as_window(GtkWidget *widget) { return GTK_WINDOW(widget); }
