"""Measures how long processes take, and prints figures."""

import os
import statistics
import sys
import time
import typing

NO_OUTPUT = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
WARM_UP = 10


class Figure(typing.NamedTuple):
    """A line in the table of Tests/bench.sh: a measured value and its limit."""

    name: str
    value: float
    limit: float

    @property
    def is_kept(self):
        return self.value <= self.limit


class Run(typing.NamedTuple):
    """A command, its environment and its standard input."""

    command: list
    environment: typing.Mapping
    told: str = ""


def run(command, environment=os.environ, told=""):
    """Runs a process without its output and returns the milliseconds that it took. It must succeed."""
    reading, writing = os.pipe()
    os.write(writing, told.encode())
    os.close(writing)
    files = NO_OUTPUT + [(os.POSIX_SPAWN_DUP2, reading, 0)]
    start = time.perf_counter_ns()
    process = os.posix_spawn(command[0], command, environment, file_actions=files)
    _, status = os.waitpid(process, 0)
    elapsed = time.perf_counter_ns() - start
    os.close(reading)
    if status:
        sys.exit(f"{' '.join(command)} ended with status {os.waitstatus_to_exitcode(status)}")
    return elapsed / 1e6


def compare(ours, theirs, pairs):
    """Runs both in turn, prints the times, and returns the ratio of medians or the median of ratios, whichever is larger."""
    for _ in range(WARM_UP):
        run(*ours), run(*theirs)
    times = ([], [])
    for index in range(pairs):
        # Each goes first as often as the other.
        for which in (0, 1) if index % 2 else (1, 0):
            times[which].append(run(*(ours, theirs)[which]))
    of_medians = statistics.median(times[0]) / statistics.median(times[1])
    of_pairs = statistics.median(our / their for our, their in zip(*times))
    print(f"{pairs} pairs")
    for (command, *_), measured in zip((ours, theirs), times):
        name = " ".join([os.path.basename(command[0])] + command[1:3])
        print(f"  {name:26} {statistics.median(measured):6.2f} ms  (least {min(measured):.2f})")
    print(f"  ratio of medians {of_medians:.3f}, median of ratios {of_pairs:.3f}")
    return max(of_medians, of_pairs)


def tell(measure, *rounds):
    """Prints the figures that `measure` returns for a number of rounds. A figure that misses its limit is measured again
    with the next number, because a busy machine can spoil a measurement. A limit that was kept once is kept."""
    told = {}
    for count in rounds:
        for figure in measure(count):
            if figure.name not in told or not told[figure.name].is_kept:
                told[figure.name] = figure
        if all(figure.is_kept for figure in told.values()):
            break
    for figure in told.values():
        print(f"figure\t{figure.name}\t{figure.value:.3f}\t{figure.limit:g}", flush=True)
