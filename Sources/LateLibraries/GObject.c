#include "late.h"

#include <glib-object.h>

#if GLIB_MAJOR_VERSION == 2
#define FILE_NAME "libgobject-2.0.so.0"
#else
#error "The file name of this version of GObject is not known here: add it."
#endif

LATE_LIBRARY(FILE_NAME, "objects", "objects of the libraries that follow")

/* The header defines it as a macro, too. */
#undef g_object_ref

LATE(GType, g_byte_array_get_type)
LATE(GClosure *, g_cclosure_new, GCallback, gpointer, GClosureNotify)
LATE(void, g_object_get_property, GObject *, const gchar *, GValue *)
LATE(GObject *, g_object_new_with_properties, GType, guint, const char **, const GValue *)
LATE(gpointer, g_object_ref, gpointer)
LATE(void, g_object_unref, gpointer)
LATE(gulong, g_signal_connect_closure, gpointer, const gchar *, GClosure *, gboolean)
LATE(gboolean, g_type_check_instance_is_a, GTypeInstance *, GType)
LATE(const gchar *, g_type_name_from_instance, GTypeInstance *)
LATE(gpointer, g_value_get_boxed, const GValue *)
LATE(GValue *, g_value_init, GValue *, GType)
LATE(void, g_value_set_int, GValue *, gint)
LATE(void, g_value_unset, GValue *)
