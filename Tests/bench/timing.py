"""How long a process takes, and what is told of a measurement."""

import os
import sys
import time
import typing

NO_OUTPUT = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]


class Figure(typing.NamedTuple):
    """One line of the table that Tests/bench.sh makes: what was measured, and the most that it may be."""

    name: str
    value: float
    limit: float

    @property
    def is_kept(self):
        return self.value <= self.limit


def run(command, environment=os.environ):
    """Milliseconds from the start of a process, whose output nobody reads, to its end, which has to be a good one."""
    start = time.perf_counter_ns()
    process = os.posix_spawn(command[0], command, environment, file_actions=NO_OUTPUT)
    _, status = os.waitpid(process, 0)
    elapsed = time.perf_counter_ns() - start
    if status:
        sys.exit(f"{' '.join(command)} ended with status {os.waitstatus_to_exitcode(status)}")
    return elapsed / 1e6


def tell(measure, *rounds):
    """Prints the figures that `measure` returns for a number of rounds. What misses its limit is measured once more
    with the next number, since on a busy machine a first verdict can be wrong: once kept is kept."""
    told = {}
    for count in rounds:
        for figure in measure(count):
            if figure.name not in told or not told[figure.name].is_kept:
                told[figure.name] = figure
        if all(figure.is_kept for figure in told.values()):
            break
    for figure in told.values():
        print(f"figure\t{figure.name}\t{figure.value:.3f}\t{figure.limit:g}", flush=True)
