/* Libraries that are loaded when one of their functions is first called, not when the program starts. Loading all of them
   takes longer than the rest of the work for a kept token.

   LATE defines a function of a library under its own name. On the first call, it finds the real function. A definition
   that differs from the library's header does not compile, and a program that uses a function without a definition does
   not link, since the linker ignores these libraries (see Package.swift). The definitions are hidden, so calls from one
   library to another are not affected. */

#pragma once

#include <stdatomic.h>
#include <stdint.h>

struct late_library {
  const char *name;
  _Atomic(void *) handle;

  /* Optional: initializes the library before its first function is called. Returns NULL, or the reason if that fails.
     Several threads may call it at once. */
  const char *(*ready)(void *handle);
};

/* Returns the address of a symbol. Without one, it ends the program as described in LateLibraries.h. */
void *late_symbol(struct late_library *library, const char *name);

/* Does the same for a library that is open, but not initialized yet. */
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

/* Defines a library by its file name, and adds a note for packagers, whose tools do not find it among the program's linked
   libraries: https://systemd.io/ELF_DLOPEN_METADATA/ The arguments after the description initialize members of the struct. */
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
