/* Removes the developer's environment from the tests before main, when there is no other thread yet: a proxy, a store or an
 * input method of the developer must not decide whether a test passes. Programs that tests start without an environment of
 * their own inherit the rest. Also gives the tests a folder for their temporary files. */
#define _GNU_SOURCE
#include <environment.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <spawn.h>
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

/* A shell in a session of its own removes the folder when this program ends, even if it is killed: the kernel then closes
 * the shell's standard input. Programs of the tests may take a few seconds longer to end. A caller that sets TMPDIR, as
 * Tests/run.sh does, removes that folder itself. */
static void make_temporary_folder(void) {
  static char folder[] = "/tmp/tokentry.XXXXXX";
  char *words[] = {"sh", "-c", "cat; for pause in 1 3 9; do rm -rf \"$1\"; sleep $pause; done; rm -rf \"$1\"", "sh", folder, NULL};
  int ends[2];
  if (getenv("TMPDIR") || !mkdtemp(folder) || pipe2(ends, O_CLOEXEC) != 0) return;
  setenv("TMPDIR", folder, 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  posix_spawn(&(pid_t){0}, "/bin/sh", &actions, &attributes, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[0]);
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
  make_temporary_folder();
}
