/* A preloaded library that makes libwayland print the requests of a program. The window does not accept the variable
   WAYLAND_DEBUG from its caller, because libwayland would print keys, too. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

void *wl_display_connect(const char *name) {
  setenv("WAYLAND_DEBUG", "client", 1);
  return ((void *(*)(const char *))dlsym(RTLD_NEXT, "wl_display_connect"))(name);
}
