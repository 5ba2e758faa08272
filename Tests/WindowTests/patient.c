/* A preloaded library that lets the window wait for its first page as long as it takes, however busy the machine is.
   The file NOTE exists once the window waits. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

unsigned g_timeout_add_full(int priority, unsigned interval, void *call, void *data, void *release) {
  unsigned (*next)(int, unsigned, void *, void *, void *) = dlsym(RTLD_NEXT, "g_timeout_add_full");
  if (interval == DELAY) {
    close(open(NOTE, O_CREAT | O_WRONLY, 0600));
    interval = 3600000;
  }
  return next(priority, interval, call, data, release);
}
