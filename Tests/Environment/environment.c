/* Removes the developer's environment from the tests before main, when there is no other thread yet: a proxy, a store or an
 * input method of the developer must not decide whether a test passes. Programs that tests start without an environment of
 * their own inherit the rest. */
#include <environment.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static const char *const kept[] = {
#include "kept.h"
};

static int is_kept(const char *name) {
  for (size_t index = 0; index < sizeof kept / sizeof *kept; index++)
    if (fnmatch(kept[index], name, 0) == 0) return 1;
  return 0;
}

/* Lets pip alone use what the developer's programs use. */
static void hand_to_pip(const char *variable, const char *others) {
  const char *value = getenv(others);
  if (value) setenv(variable, value, 0);
}

__attribute__((constructor)) static void clean(void) {
  hand_to_pip("PIP_PROXY", "https_proxy");
  hand_to_pip("PIP_CERT", "REQUESTS_CA_BUNDLE");
  for (char **entry = environ; entry && *entry;) {
    char *name = strndup(*entry, strcspn(*entry, "="));
    /* unsetenv moves the later entries up. It refuses an entry without a name. */
    if (is_kept(name) || unsetenv(name) != 0) entry++;
    free(name);
  }
  setenv("LC_ALL", "C.UTF-8", 1);
}
