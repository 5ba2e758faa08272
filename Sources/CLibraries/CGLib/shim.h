#include "flags.h"

#include <gio/gio.h>
#include <gio/gunixinputstream.h>
#include <glib-unix.h>
