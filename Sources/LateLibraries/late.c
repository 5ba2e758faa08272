#include "late.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *checked(void *found) {
  if (!found) {
    fprintf(stderr, "tokentry: error: %s\n", dlerror());
    abort();
  }
  return found;
}

void *late_symbol(struct late_library *library, const char *name) {
  void *handle = atomic_load(&library->handle);
  if (!handle) {
    /* Two threads that come here at once get the same handle. It is never closed. */
    handle = checked(dlopen(library->name, RTLD_LAZY | RTLD_LOCAL));
    atomic_store(&library->handle, handle);
  }
  return checked(dlsym(handle, name));
}
