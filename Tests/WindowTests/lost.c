/* Loaded before the other libraries, it tells WebKit's process for the network of its first TIMES requests that they were
   cancelled, although nobody has done so: as libsoup does where a connection fails that WebKit has begun in advance, and
   that a request has taken over in the meantime. */
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
