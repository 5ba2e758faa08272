/* Runs a program and writes its status, peak memory in kB and microseconds to descriptor 3.

   The peak memory of a process starts with that of its parent, so the parent must be small, unlike Python. */

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000L + now.tv_nsec / 1000;
}

int main(int count, char **arguments) {
  if (count < 2) return 2;
  long start = microseconds();
  pid_t program = vfork();
  if (program == 0) {
    close(3);
    execv(arguments[1], arguments + 1);
    _exit(127);
  }
  int status = 127 << 8;
  struct rusage used = {0};
  if (program < 0 || wait4(program, &status, 0, &used) != program) return 1;
  dprintf(3, "%d %ld %ld\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), used.ru_maxrss,
    microseconds() - start);
  return 0;
}
