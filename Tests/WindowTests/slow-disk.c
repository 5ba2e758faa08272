/* A preloaded library that simulates a slow disk for the local storage of pages: it delays the opening of a site's
   file, and the first write to the journal of that file. The file NOTE exists once both have happened. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int opened, written;

static int ends(const char *name, const char *end) {
  size_t length = strlen(name), rest = strlen(end);
  return length >= rest && !strcmp(name + length - rest, end);
}

int open64(const char *name, int flags, ...) {
  int (*next)(const char *, int, ...) = dlsym(RTLD_NEXT, "open64");
  va_list list;
  va_start(list, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
  va_end(list);
  if (ends(name, ".localstorage") && !opened++) usleep(DELAY);
  return next(name, flags, mode);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t place) {
  ssize_t (*next)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
  char link[40], name[4096] = "";
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  if (readlink(link, name, sizeof name - 1) > 0 && ends(name, ".localstorage-wal") && opened && !written++) {
    usleep(DELAY);
    close(open64(NOTE, O_CREAT | O_WRONLY, 0600));
  }
  return next(file, bytes, count, place);
}
