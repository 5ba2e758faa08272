/* Loaded before the other libraries, it has libwayland tell what a program says to its display. The variable that asks
   for it is not one that the window takes over from its caller, since keys would be told as well. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

void *wl_display_connect(const char *name) {
  setenv("WAYLAND_DEBUG", "client", 1);
  return ((void *(*)(const char *))dlsym(RTLD_NEXT, "wl_display_connect"))(name);
}
