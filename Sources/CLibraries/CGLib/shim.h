/* The C library's types belong to Swift's module for it, not also to this one: Swift would else take either for the owner of
   `stat`, depending on the order in which it loads them. */
#ifdef __swift__
#pragma clang module import SwiftGlibc
#endif
#include "flags.h"

#include <gio/gio.h>
/* By this path, because the flags in gio-unix-2.0.pc include -pthread: Swift's package manager would warn of it in each build of
   a program that uses LoginKit. The same goes for libsoup and libsecret. */
#include <../gio-unix-2.0/gio/gdesktopappinfo.h>
#include <../gio-unix-2.0/gio/gunixinputstream.h>
#include <glib-unix.h>
