/* What a program asks of the sanitizer that is part of it. Tests give most programs an environment of their own, or none,
 * so that variables would reach few of them: Tests/sanitize.sh links this into all programs of such a build. It says
 * where reports go (REPORTS), what names the functions in them (SYMBOLIZER), and which file tells what is none of ours
 * (SUPPRESSIONS), which becomes a part of the program, too, since some tests hide files from it.
 *
 * Every program's reports are a file of their own: standard error belongs to the tests, or to nobody. */
#include <signal.h>
#include <stdint.h>

#define COMMON \
  "log_path=" REPORTS ":log_exe_name=1:print_suppressions=1:external_symbolizer_path=" SYMBOLIZER

__asm__(".pushsection .rodata\nsuppressions: .incbin \"" SUPPRESSIONS "\"\n.byte 0\n.popsection");
extern const char suppressions[] __attribute__((visibility("hidden")));

/* Swift's runtime has a crash start a reporter, for which a part of it goes on and reads all memory, a page at a time. To a
 * sanitizer that is one more wrong use of memory. Releases have none of it. This comes after the runtime's constructors. */
__attribute__((constructor)) static void without_reporter(void) {
  static const int signals[] = {SIGQUIT, SIGABRT, SIGILL, SIGTRAP};
  for (unsigned index = 0; index < sizeof signals / sizeof *signals; ++index) signal(signals[index], SIG_DFL);
}

#ifdef OF_THREADS

/* Whoever forks in a test has other threads. */
const char *__tsan_default_options(void) { return COMMON ":die_after_fork=0"; }
const char *__tsan_default_suppressions(void) { return suppressions; }

#else

/* GLib and the libraries on it keep no frame pointers: without unwinding tables nobody would know who has called them, and
 * what they lose could not be told from what we do. That takes long, so only as far as it takes to see it. */
const char *__asan_default_options(void) {
  return COMMON ":detect_leaks=1:fast_unwind_on_malloc=0:malloc_context_size=14";
}
const char *__lsan_default_suppressions(void) { return suppressions; }

/* GLib before 2.76 has an allocator of its own for small objects, which keeps hold of what nobody else holds. It can be
 * told to leave that alone before its first use. That is in GLib's own constructors; only this comes before them. */
void g_slice_set_config(int key, int64_t value) __attribute__((weak));
static void without_slices(void) {
  if (g_slice_set_config) g_slice_set_config(1 /* G_SLICE_CONFIG_ALWAYS_MALLOC */, 1);
}
__attribute__((section(".preinit_array"), used)) static void (*const before_all)(void) = without_slices;

#endif
