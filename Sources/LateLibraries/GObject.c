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

LATE(GType, g_byte_array_get_type, (void), ())
LATE(GClosure *, g_cclosure_new, (GCallback callback_func, gpointer user_data, GClosureNotify destroy_data),
  (callback_func, user_data, destroy_data))
LATE(void, g_object_get_property, (GObject *object, const gchar *property_name, GValue *value),
  (object, property_name, value))
LATE(GObject *, g_object_new_with_properties,
  (GType object_type, guint n_properties, const char *names[], const GValue values[]),
  (object_type, n_properties, names, values))
LATE(gpointer, g_object_ref, (gpointer object), (object))
LATE(void, g_object_unref, (gpointer object), (object))
LATE(gulong, g_signal_connect_closure,
  (gpointer instance, const gchar *detailed_signal, GClosure *closure, gboolean after),
  (instance, detailed_signal, closure, after))
LATE(gboolean, g_type_check_instance_is_a, (GTypeInstance *instance, GType iface_type),
  (instance, iface_type))
LATE(const gchar *, g_type_name_from_instance, (GTypeInstance *instance), (instance))
LATE(gpointer, g_value_get_boxed, (const GValue *value), (value))
LATE(GValue *, g_value_init, (GValue *value, GType g_type), (value, g_type))
LATE(void, g_value_unset, (GValue *value), (value))
