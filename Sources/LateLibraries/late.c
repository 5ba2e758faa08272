#include "late.h"

#include "LateLibraries.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void say(const char *reason) { fprintf(stderr, "tokentry: error: %s\n", reason); }

static _Atomic(late_ending) end = say;

void late_end_with(late_ending ending) { atomic_store(&end, ending); }

static void *checked(void *found) {
  if (!found) {
    atomic_load(&end)(dlerror());
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
