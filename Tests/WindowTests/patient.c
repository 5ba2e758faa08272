/* A preloaded library that lets the window wait for its first page as long as it takes, however busy the machine is.
   The file NOTE exists once the window waits. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

void *g_timeout_source_new(unsigned interval) {
  void *(*next)(unsigned) = dlsym(RTLD_NEXT, "g_timeout_source_new");
  if (interval == DELAY) {
    close(open(NOTE, O_CREAT | O_WRONLY, 0600));
    interval = 3600000;
  }
  return next(interval);
}
