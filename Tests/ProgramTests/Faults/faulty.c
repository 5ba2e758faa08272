/* Stands between a program and its disk. It logs the calls that change files below a folder, makes one of these calls
 * fail or kills the program there, and sets the clock wrong. Loaded with LD_PRELOAD.
 *
 * FAULTY_UNDER   the folder
 * FAULTY_LOG     the log, with a line for each call
 * FAULTY_AT      the number of the call, from 1, at which FAULTY_DEED happens:
 *                full  the disk is full from now on: files cannot grow or be created
 *                eio   this call fails, once
 *                kill  the program is killed before the call
 *                torn  the program is killed after half of the write
 * FAULTY_CLOSE   a file whose close() reports that the disk is full
 * FAULTY_CLOCK   the number of seconds by which the clock is wrong
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

static int calls;

static void say(const char *text, size_t length) {
  static int log = -2;
  if (log == -2) {
    const char *path = getenv("FAULTY_LOG");
    log = path ? REAL(openat)(AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    if (log >= 0) {
      int high = fcntl(log, F_DUPFD_CLOEXEC, 200);
      close(log);
      log = high;
    }
  }
  if (log >= 0) REAL(write)(log, text, length);
}

/* Writes the path of `name` in an open folder into `path`, or the path of an open file if `name` is NULL. */
static void path_of(char *path, int folder, const char *name) {
  char link[64];
  ssize_t length = 0;
  if (name && (name[0] == '/' || folder == AT_FDCWD)) {
    snprintf(path, 4096, "%s", name);
    return;
  }
  snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
  length = readlink(link, path, 2048);
  path[length < 0 ? 0 : length] = 0;
  if (name) snprintf(path + strlen(path), 2000, "/%s", name);
}

static int is_ours(const char *path) {
  const char *under = getenv("FAULTY_UNDER");
  return under && strncmp(path, under, strlen(under)) == 0;
}

/* Logs a call. Returns 0, the error with which the call must fail, or -1 for a torn write. `grows` is true if the call
 * needs room on the disk. */
static int fails(const char *what, const char *path, const char *rest, int grows) {
  static int is_full;
  const char *at = getenv("FAULTY_AT"), *deed = getenv("FAULTY_DEED");
  char line[9000];
  calls++;
  snprintf(line, sizeof line, "%s %s%s\n", what, path, rest);
  say(line, strlen(line));
  if (at && deed && calls == atoi(at)) {
    if (!strcmp(deed, "full")) is_full = 1;
    if (!strcmp(deed, "eio")) return errno = EIO;
    if (!strcmp(deed, "kill")) kill(getpid(), SIGKILL);
    if (!strcmp(deed, "torn")) return -1;
  }
  return is_full && grows ? (errno = ENOSPC) : 0;
}

static int opened(int folder, const char *name, int flags, mode_t mode) {
  char path[4096];
  struct stat status;
  path_of(path, folder, name);
  if (flags & O_CREAT && is_ours(path) && fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
    if (fails("create", path, "", 1) > 0) return -1;
  return REAL(openat)(folder, name, flags, mode);
}

int openat(int folder, const char *name, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return opened(folder, name, flags, mode);
}

int openat64(int, const char *, int, ...) __attribute__((alias("openat")));

ssize_t write(int file, const void *bytes, size_t length) {
  char path[4096], rest[64];
  struct stat status;
  path_of(path, file, NULL);
  if (!is_ours(path) || fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
    return REAL(write)(file, bytes, length);
  off_t place = lseek(file, 0, SEEK_CUR);
  snprintf(rest, sizeof rest, " %ld", (long)place);
  int failure = fails("write", path, rest, place + (off_t)length > status.st_size);
  if (failure > 0) return -1;
  if (failure < 0) {
    REAL(write)(file, bytes, length / 2);
    kill(getpid(), SIGKILL);
  }
  return REAL(write)(file, bytes, length);
}

int posix_fallocate64(int file, off64_t from, off64_t length) {
  char path[4096], rest[64];
  path_of(path, file, NULL);
  snprintf(rest, sizeof rest, " %ld", (long)(from + length));
  if (is_ours(path) && fails("allocate", path, rest, 1) > 0) return errno;
  return REAL(posix_fallocate64)(file, from, length);
}

int posix_fallocate(int, off_t, off_t) __attribute__((alias("posix_fallocate64")));

int ftruncate64(int file, off64_t length) {
  char path[4096], rest[64];
  path_of(path, file, NULL);
  snprintf(rest, sizeof rest, " %ld", (long)length);
  if (is_ours(path) && fails("truncate", path, rest, 0) > 0) return -1;
  return REAL(ftruncate64)(file, length);
}

int ftruncate(int, off_t) __attribute__((alias("ftruncate64")));

int fsync(int file) {
  char path[4096];
  path_of(path, file, NULL);
  if (is_ours(path) && fails("flush", path, "", 0) > 0) return -1;
  return REAL(fsync)(file);
}

int renameat(int old_folder, const char *old_name, int folder, const char *name) {
  char old[4096], path[4096];
  path_of(old, old_folder, old_name);
  path_of(path, folder, name);
  char rest[4200];
  snprintf(rest, sizeof rest, " %s", path);
  if (is_ours(old) && fails("rename", old, rest, 0) > 0) return -1;
  return REAL(renameat)(old_folder, old_name, folder, name);
}

int unlinkat(int folder, const char *name, int flags) {
  char path[4096];
  struct stat status;
  path_of(path, folder, name);
  if (is_ours(path) && fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0)
    if (fails("unlink", path, "", 0) > 0) return -1;
  return REAL(unlinkat)(folder, name, flags);
}

int mkdirat(int folder, const char *name, mode_t mode) {
  char path[4096];
  struct stat status;
  path_of(path, folder, name);
  if (is_ours(path) && fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
    if (fails("folder", path, "", 1) > 0) return -1;
  return REAL(mkdirat)(folder, name, mode);
}

int close(int file) {
  char path[4096];
  const char *failing = getenv("FAULTY_CLOSE");
  if (failing) path_of(path, file, NULL);
  int result = REAL(close)(file);
  if (!failing || strcmp(path, failing)) return result;
  errno = ENOSPC;
  return -1;
}

time_t time(time_t *result) {
  const char *wrong = getenv("FAULTY_CLOCK");
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  time_t seconds = now.tv_sec + (wrong ? atoll(wrong) : 0);
  if (result) *result = seconds;
  return seconds;
}
