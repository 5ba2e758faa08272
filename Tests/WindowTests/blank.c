/* A preloaded library that discards what WebKit draws into the window, as some graphics drivers do. WebKit itself
   does not notice. The library has no effect if the variable CURE is set. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static int is_lost(void *caller) {
  Dl_info library;
  return !getenv(CURE) && dladdr(caller, &library) && library.dli_fname &&
         strstr(library.dli_fname, "libwebkit2gtk");
}

#define LOSE(name)                                         \
  void name(void *context) {                               \
    if (is_lost(__builtin_return_address(0))) return;      \
    ((void (*)(void *))dlsym(RTLD_NEXT, #name))(context);  \
  }

LOSE(cairo_paint)
LOSE(cairo_fill)
