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

/* prctl and syscall are variadic, and Swift does not import variadic functions. */
static inline int linux_set_dumpable(int dumpable) { return prctl(PR_SET_DUMPABLE, dumpable, 0, 0, 0); }
static inline int linux_get_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }

/* Opens a descriptor that becomes readable when the process ends. glibc has this since version 2.36. */
static inline int linux_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

/* Swift imports the flags with another type. */
static inline int linux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static const int linux_last_signal = NSIG - 1;

/* glibc's header defines POSIX_SPAWN_SETSID for GNU sources only. */
#define CLINUX_SPAWN_SETSID 0x80

/* glibc's header defines O_PATH for GNU sources only. Linux has this value on all machines that Swift runs on. */
#define CLINUX_O_PATH 010000000

/* glibc's header defines POLLRDHUP for GNU sources only. */
#define CLINUX_POLLRDHUP 0x2000

/* glibc's header hides this from Swift. */
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/* The start and the end of this program's code and constants. The linker defines both. */
extern const char __executable_start, etext;

/* Drops the pages of the program's code from memory. They come back from the page cache when they are needed: this range
   is never written to. */
static inline int linux_release_code(void) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t start = (uintptr_t)&__executable_start / page * page, end = (uintptr_t)&etext / page * page;
  return madvise((void *)start, end - start, MADV_DONTNEED);
}
