#include <gtk/gtk.h>

// A program in Swift cannot use GTK's macros for its classes.
static inline GtkWindow *as_window(GtkWidget *widget) { return GTK_WINDOW(widget); }
static inline GtkContainer *as_container(GtkWindow *window) { return GTK_CONTAINER(window); }
static inline GtkWidget *as_widget(GtkWindow *window) { return GTK_WIDGET(window); }
static inline GtkLabel *as_label(GtkWidget *widget) { return GTK_LABEL(widget); }
