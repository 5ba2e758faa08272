/* The sanitizer's options, which Tests/tools/sanitize.py links into all programs of a build. Environment variables would not do,
 * because tests give most programs an environment of their own. The options name the folder for reports (REPORTS), the
 * symbolizer (SYMBOLIZER) and the file of suppressions (SUPPRESSIONS). That file is included here, because some tests hide
 * files from the programs.
 *
 * Reports go into a file for each program, because the tests read standard error. */
#include <signal.h>
#include <stdint.h>

#define COMMON \
  "log_path=" REPORTS ":log_exe_name=1:print_suppressions=1:external_symbolizer_path=" SYMBOLIZER

__asm__(".pushsection .rodata\nsuppressions: .incbin \"" SUPPRESSIONS "\"\n.byte 0\n.popsection");
extern const char suppressions[] __attribute__((visibility("hidden")));

/* Turns off the crash reporter of Swift's runtime, which reads all memory; to a sanitizer, that is another wrong use of
 * memory. This runs after the runtime's constructors. */
__attribute__((constructor)) static void without_reporter(void) {
  static const int signals[] = {SIGQUIT, SIGABRT, SIGILL, SIGTRAP};
  for (unsigned index = 0; index < sizeof signals / sizeof *signals; ++index) signal(signals[index], SIG_DFL);
}

#ifdef OF_THREADS

/* Tests fork while other threads run. */
const char *__tsan_default_options(void) { return COMMON ":die_after_fork=0"; }
const char *__tsan_default_suppressions(void) { return suppressions; }

#else

/* GLib and the libraries on it have no frame pointers. Without unwinding tables, the reports would not show their callers,
 * and their leaks would look like ours. Unwinding is slow, so the stacks are short. */
const char *__asan_default_options(void) {
  return COMMON ":detect_leaks=1:fast_unwind_on_malloc=0:malloc_context_size=14";
}
const char *__lsan_default_suppressions(void) { return suppressions; }

/* GLib before 2.76 has its own allocator for small objects, which hides leaks. It can be turned off only before its first use
 * in GLib's constructors, which run after .preinit_array. */
void g_slice_set_config(int key, int64_t value) __attribute__((weak));
static void without_slices(void) {
  if (g_slice_set_config) g_slice_set_config(1 /* G_SLICE_CONFIG_ALWAYS_MALLOC */, 1);
}
__attribute__((section(".preinit_array"), used)) static void (*const before_all)(void) = without_slices;

#endif
