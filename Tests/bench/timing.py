"""How long a process takes."""

import os
import sys
import time

NO_OUTPUT = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]


def run(command, environment=os.environ):
    """Milliseconds from the start of a process, whose output nobody reads, to its end, which has to be a good one."""
    start = time.perf_counter_ns()
    process = os.posix_spawn(command[0], command, environment, file_actions=NO_OUTPUT)
    _, status = os.waitpid(process, 0)
    elapsed = time.perf_counter_ns() - start
    if status:
        sys.exit(f"{' '.join(command)} ended with status {os.waitstatus_to_exitcode(status)}")
    return elapsed / 1e6
