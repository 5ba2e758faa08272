/* A preloaded library that makes the first TIMES requests of WebKit's network process fail as cancelled. libsoup does
   that if a connection that WebKit opened in advance fails after a request has taken it over. */
#define _GNU_SOURCE
#include <dlfcn.h>

static int lost;

void *soup_session_send_finish(void *session, void *result, void **error) {
  void *(*next)(void *, void *, void **) = dlsym(RTLD_NEXT, "soup_session_send_finish");
  unsigned (*domain)(void) = dlsym(RTLD_DEFAULT, "g_io_error_quark");
  void *(*make)(unsigned, int, const char *) = dlsym(RTLD_DEFAULT, "g_error_new_literal");
  void (*release)(void *) = dlsym(RTLD_DEFAULT, "g_object_unref");
  void *stream = next(session, result, error);
  if (!stream || ++lost > TIMES) return stream;
  release(stream);
  *error = make(domain(), 19, "Operation was cancelled"); /* G_IO_ERROR_CANCELLED */
  return 0;
}
