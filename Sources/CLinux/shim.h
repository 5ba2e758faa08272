#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* prctl and syscall are variadic, and Swift imports no variadic functions. */
static inline int linux_set_dumpable(int dumpable) { return prctl(PR_SET_DUMPABLE, dumpable, 0, 0, 0); }
static inline int linux_get_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }

/* A descriptor that becomes readable when the process ends; the C library has it since 2.36 only. */
static inline int linux_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

/* Named in the C library's header for GNU sources only. */
#define CLINUX_SPAWN_SETSID 0x80

/* The C library's header hides it from Swift. */
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
