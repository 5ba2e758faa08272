#include "late.h"

#include "LateLibraries.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void say(const char *reason) { fprintf(stderr, "tokentry: error: %s\n", reason); }

static _Atomic(late_ending) end = say;

void late_end_with(late_ending ending) { atomic_store(&end, ending); }

__attribute__((noreturn)) static void fail(const char *reason) {
  atomic_load(&end)(reason);
  abort();
}

static void *checked(void *found) {
  if (!found) fail(dlerror());
  return found;
}

void *late_symbol_in(void *handle, const char *name) { return checked(dlsym(handle, name)); }

void *late_symbol(struct late_library *library, const char *name) {
  void *handle = atomic_load(&library->handle);
  if (!handle) {
    /* Two threads may do this at the same time; they get the same handle, which is never closed. */
    handle = checked(dlopen(library->name, RTLD_LAZY | RTLD_LOCAL));
    const char *reason = library->ready ? library->ready(handle) : NULL;
    if (reason) fail(reason);
    atomic_store(&library->handle, handle);
  }
  return late_symbol_in(handle, name);
}
