/* A preloaded library that gives pages the objects for passkeys without an authenticator, as later versions of WebKitGTK
   may. It puts them before our own script about them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

void *webkit_user_script_new(const char *source, int frames, int time, void *allowed, void *blocked) {
  static const char objects[] =
      "window.PublicKeyCredential = class {}; Object.defineProperty(Navigator.prototype, 'credentials', {"
      " configurable: true, enumerable: true, get() { return { get: async () => { throw Error() } } } });";
  char text[8192];
  snprintf(text, sizeof text, "%s%s", strstr(source, "PublicKeyCredential") ? objects : "", source);
  return ((void *(*)(const char *, int, int, void *, void *))dlsym(RTLD_NEXT, "webkit_user_script_new"))(
      text, frames, time, allowed, blocked);
}
