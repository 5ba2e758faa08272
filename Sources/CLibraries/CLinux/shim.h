#include <libintl.h>
#include <locale.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* prctl and syscall are variadic, and Swift imports no variadic functions. */
static inline int linux_set_dumpable(int dumpable) { return prctl(PR_SET_DUMPABLE, dumpable, 0, 0, 0); }
static inline int linux_get_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }

/* Only for a process without other threads; Swift hides it. */
static inline pid_t linux_fork(void) { return fork(); }

/* A descriptor that becomes readable when the process ends; the C library has it since 2.36 only. */
static inline int linux_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

/* Its flags are of another type for Swift. */
static inline int linux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static const int linux_last_signal = NSIG - 1;

/* Named in the C library's header for GNU sources only. */
#define CLINUX_SPAWN_SETSID 0x80

/* The C library's header hides it from Swift. */
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/* Where this program's own code and constants begin and end; the linker defines both. */
extern const char __executable_start, etext;

/* Unmaps the pages of the program's own code, which come back from the page cache as they are needed. Nothing in
   between is ever written to. */
static inline int linux_release_code(void) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t start = (uintptr_t)&__executable_start / page * page, end = (uintptr_t)&etext / page * page;
  return madvise((void *)start, end - start, MADV_DONTNEED);
}
