/* From version 2.88 on, GLib marks its flags with an attribute that makes Swift import them as option sets, under other names
   than from earlier versions. Without the attribute the names are the same for all versions. */
#define __GLIB_H_INSIDE__
#include <glib/gmacros.h>
#undef __GLIB_H_INSIDE__
#undef G_GNUC_FLAG_ENUM
#define G_GNUC_FLAG_ENUM
