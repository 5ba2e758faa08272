/* Libraries that are loaded when the first of their functions is called, not when the program starts: loading all of
   them takes longer than everything else that a kept token takes.

   LATE defines a function of a library under its own name: it finds the real one when it is called first. A definition
   that does not agree with the library's header does not compile. Without the function that is missing here the program
   cannot be linked, since the linker overlooks these libraries (see Package.swift). Nobody else sees these definitions: what
   one library calls of another is that library's own. */

#pragma once

#include <stdatomic.h>
#include <stdint.h>

struct late_library {
  const char *name;
  _Atomic(void *) handle;

  /* What the library needs before the first of its functions, if anything: nothing, or why it cannot be had. Called with
     its handle, by several threads at once where several come first. */
  const char *(*ready)(void *handle);
};

/* The address of what a library calls by this name. Ends the program where there is none, as LateLibraries.h says. */
void *late_symbol(struct late_library *library, const char *name);

/* The same of a library that is open, and not ready yet. */
void *late_symbol_in(void *handle, const char *name);

#define LATE(type, function, parameters, arguments)                         \
  __attribute__((visibility("hidden"))) type function parameters {          \
    static _Atomic(void *) found;                                           \
    void *real = atomic_load_explicit(&found, memory_order_acquire);        \
    if (!real) {                                                            \
      real = late_symbol(&library, #function);                              \
      atomic_store_explicit(&found, real, memory_order_release);            \
    }                                                                       \
    return ((__typeof__(&function))real) arguments;                         \
  }

/* The library of a file, and a note for those who make packages, which no longer see it among what the program is
   linked with: https://systemd.io/ELF_DLOPEN_METADATA/ What follows the description are members of the library. */
#define LATE_LIBRARY(soname, feature, description, ...)                         \
  static struct late_library library = {.name = soname, __VA_ARGS__};           \
  LATE_NOTE("[{\"feature\":\"" feature "\",\"description\":\"" description        \
            "\",\"priority\":\"required\",\"soname\":[\"" soname "\"]}]")

#define LATE_NOTE(json)                                                     \
  __attribute__((used, section(".note.dlopen"), aligned(4))) static const struct { \
    uint32_t name_size, text_size, type;                                    \
    char name[4];                                                           \
    _Alignas(4) char text[sizeof(json)];                                    \
  } note = {4, sizeof(json), 0x407c0c0a, "FDO", json};
