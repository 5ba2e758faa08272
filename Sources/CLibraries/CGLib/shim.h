#include "flags.h"

#include <gio/gio.h>
/* By this path, because the flags in gio-unix-2.0.pc include -pthread: Swift's package manager would warn of it in each build of
   a program that uses LoginKit. The same goes for libsoup and libsecret. */
#include <../gio-unix-2.0/gio/gunixinputstream.h>
#include <glib-unix.h>
