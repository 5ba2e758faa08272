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

/* The types are those of the result and of the parameters, in the order of the library's header. */
#define LATE(type, function, ...) \
  LATE_STUB(type, function, LATE_EACH(LATE_PARAMETERS, __VA_ARGS__), LATE_EACH(LATE_ARGUMENTS, __VA_ARGS__))

#define LATE_STUB(type, function, parameters, arguments)                    \
  __attribute__((visibility("hidden"))) type function(parameters) {         \
    static _Atomic(void *) found;                                           \
    void *real = atomic_load_explicit(&found, memory_order_acquire);        \
    if (!real) {                                                            \
      real = late_symbol(&library, #function);                              \
      atomic_store_explicit(&found, real, memory_order_release);            \
    }                                                                       \
    return ((__typeof__(&function))real)(arguments);                        \
  }

/* LATE_PARAMETERS gives each type a name, and LATE_ARGUMENTS lists these names. LATE_EACH adds the number of types, at
   most 13, to the name of the macro. */
#define LATE_EACH(macro, ...) \
  LATE_PICK( \
    __VA_ARGS__ __VA_OPT__(, ) macro##13, macro##12, macro##11, macro##10, macro##9, macro##8, macro##7, macro##6, \
    macro##5, macro##4, macro##3, macro##2, macro##1, macro##0)(__VA_ARGS__)
#define LATE_PICK(a, b, c, d, e, f, g, h, i, j, k, l, m, macro, ...) macro

#define LATE_PARAMETERS0() void
#define LATE_PARAMETERS1(type) type m
#define LATE_PARAMETERS2(type, ...) type l, LATE_PARAMETERS1(__VA_ARGS__)
#define LATE_PARAMETERS3(type, ...) type k, LATE_PARAMETERS2(__VA_ARGS__)
#define LATE_PARAMETERS4(type, ...) type j, LATE_PARAMETERS3(__VA_ARGS__)
#define LATE_PARAMETERS5(type, ...) type i, LATE_PARAMETERS4(__VA_ARGS__)
#define LATE_PARAMETERS6(type, ...) type h, LATE_PARAMETERS5(__VA_ARGS__)
#define LATE_PARAMETERS7(type, ...) type g, LATE_PARAMETERS6(__VA_ARGS__)
#define LATE_PARAMETERS8(type, ...) type f, LATE_PARAMETERS7(__VA_ARGS__)
#define LATE_PARAMETERS9(type, ...) type e, LATE_PARAMETERS8(__VA_ARGS__)
#define LATE_PARAMETERS10(type, ...) type d, LATE_PARAMETERS9(__VA_ARGS__)
#define LATE_PARAMETERS11(type, ...) type c, LATE_PARAMETERS10(__VA_ARGS__)
#define LATE_PARAMETERS12(type, ...) type b, LATE_PARAMETERS11(__VA_ARGS__)
#define LATE_PARAMETERS13(type, ...) type a, LATE_PARAMETERS12(__VA_ARGS__)

#define LATE_ARGUMENTS0()
#define LATE_ARGUMENTS1(...) m
#define LATE_ARGUMENTS2(...) l, m
#define LATE_ARGUMENTS3(...) k, l, m
#define LATE_ARGUMENTS4(...) j, k, l, m
#define LATE_ARGUMENTS5(...) i, j, k, l, m
#define LATE_ARGUMENTS6(...) h, i, j, k, l, m
#define LATE_ARGUMENTS7(...) g, h, i, j, k, l, m
#define LATE_ARGUMENTS8(...) f, g, h, i, j, k, l, m
#define LATE_ARGUMENTS9(...) e, f, g, h, i, j, k, l, m
#define LATE_ARGUMENTS10(...) d, e, f, g, h, i, j, k, l, m
#define LATE_ARGUMENTS11(...) c, d, e, f, g, h, i, j, k, l, m
#define LATE_ARGUMENTS12(...) b, c, d, e, f, g, h, i, j, k, l, m
#define LATE_ARGUMENTS13(...) a, b, c, d, e, f, g, h, i, j, k, l, m

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
