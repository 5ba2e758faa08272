"""Watches the memory, descriptors, processes and files of a session."""

import contextlib
import ctypes
import os
import pathlib
import re
import statistics
import time

PR_SET_CHILD_SUBREAPER = 36
# The limits for growth between the end of the first tenth and the end of the last.
MEMORY_SHARE, MEMORY_KB = 0.10, 2_048
# The limits for a program's memory and time in the last tenth, relative to the second. Time varies more on a busy machine.
PEAK_FACTOR, TIME_FACTOR = 1.1, 1.5
# Seconds that processes may take to end.
PATIENCE = 15


def adopt():
    """Makes this process the parent of orphaned processes in the session, so that it finds them."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def processes():
    """The descendants of this process by number, with parent, name and state. /proc shows these of all processes."""
    found = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            words = path.read_text(encoding="utf-8", errors="replace")
            name = words[words.index("(") + 1 : words.rindex(")")]
            state, parent = words[words.rindex(")") + 2 :].split()[:2]
            found[int(path.parent.name)] = (int(parent), name, state)
    ours, last = {os.getpid()}, 0
    while len(ours) != last:
        last = len(ours)
        ours |= {number for number, (parent, _, _) in found.items() if parent in ours}
    return {number: found[number] for number in ours - {os.getpid()} if number in found}


def reap(known):
    """Reaps the orphans that have ended."""
    for number, (parent, _, state) in processes().items():
        if parent == os.getpid() and state == "Z" and number not in known:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(number, os.WNOHANG)


def entries(folder):
    """All paths below a folder."""
    return {str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob("*")}


def resident_kb(number):
    """The memory of a process."""
    text = pathlib.Path(f"/proc/{number}/status").read_text(encoding="utf-8")
    return int(re.search(r"^VmRSS:\s+(\d+)", text, re.M).group(1))


def machine():
    """The files in the folders that all sessions share."""
    return {f"{folder}/{name}" for folder in ("/tmp", "/dev/shm") for name in os.listdir(folder)}


class Sample:
    """The state of a session at one moment."""

    def __init__(self, done, residents, root):
        self.done = done
        self.memory, self.descriptors = {}, {}
        for name, number in residents.items():
            self.memory[name] = resident_kb(number)
            self.descriptors[name] = len(os.listdir(f"/proc/{number}/fd"))
        self.processes = sorted(name for _, name, _ in processes().values())
        self.files = entries(root)


class Watch:
    """Takes samples of a session and reports growth."""

    def __init__(self, residents, root):
        self.residents, self.root = residents, root
        # The memory that a process is known to keep for its clients, by name.
        self.kept_kb = {}
        self.samples = []

    def sample(self, done):
        """Waits until ending processes are gone, and takes a sample."""
        end = time.monotonic() + PATIENCE
        while True:
            reap(self.residents.values())
            sample = Sample(done, self.residents, self.root)
            calm = self.samples and sample.processes == self.samples[0].processes
            calm = calm and sample.descriptors == self.samples[-1].descriptors
            if calm or not self.samples or time.monotonic() > end:
                break
            time.sleep(0.2)
        self.samples.append(sample)
        return sample

    def grown(self):
        """A sentence for each thing that grew. Memory and files that are made once exist after the first tenth."""
        begin, first, last = self.samples[0], self.samples[min(1, len(self.samples) - 1)], self.samples[-1]
        faults = []
        for name, memory in last.memory.items():
            allowed = first.memory[name] * (1 + MEMORY_SHARE) + MEMORY_KB + self.kept_kb.get(name, 0)
            if memory > allowed:
                faults.append(f"{name}: memory from {first.memory[name]} to {memory} kB, {allowed:.0f} at most")
            if last.descriptors[name] > first.descriptors[name]:
                faults.append(f"{name}: descriptors from {first.descriptors[name]} to {last.descriptors[name]}")
        left = list(last.processes)
        for name in begin.processes:
            if name in left:
                left.remove(name)
        if left:
            faults.append(f"processes left behind: {', '.join(left)}")
        if last.files - first.files:
            faults.append(f"new files: {', '.join(sorted(last.files - first.files)[:8])}")
        return faults

    def rows(self):
        """The rows of a table with a row for each sample."""
        names = list(self.residents)
        yield ["done"] + [f"{name}, kB / fds" for name in names] + ["processes", "files"]
        for sample in self.samples:
            cells = [f"{sample.memory[name]} / {sample.descriptors[name]}" for name in names]
            yield [str(sample.done)] + cells + [str(len(sample.processes)), str(len(sample.files))]


class Uses:
    """The memory and time of each run."""

    def __init__(self, total):
        self.total = total
        self.tenths = [([], []) for _ in range(10)]

    def add(self, index, peak, microseconds):
        """Adds the figures of a run."""
        peaks, times = self.tenths[min(9, index * 10 // self.total)]
        peaks.append(peak)
        times.append(microseconds / 1_000)

    def grown(self, with_time):
        """A sentence for each figure that is larger in the last tenth than in the second."""
        faults = []
        if not self.tenths[0][0]:
            return faults
        judged = [(0, "peak memory", PEAK_FACTOR), (1, "time", TIME_FACTOR)]
        for which, what, factor in judged if with_time else judged[:1]:
            filled = [tenth[which] for tenth in self.tenths if tenth[which]]
            second, last = filled[min(1, len(filled) - 1)], filled[-1]
            if statistics.median(last) > factor * statistics.median(second):
                faults.append(
                    f"{what} from {statistics.median(second):.1f} to {statistics.median(last):.1f}, "
                    f"more than {factor} times"
                )
        return faults

    def rows(self):
        """The rows of a table with a row for each tenth."""
        yield ["tenth", "runs", "peak kB, median", "largest", "ms, median", "longest"]
        for number, (peaks, times) in enumerate(self.tenths, 1):
            if peaks:
                figures = [statistics.median(peaks), max(peaks)]
                yield [str(number), str(len(peaks))] + [f"{figure:.0f}" for figure in figures] + [
                    f"{statistics.median(times):.1f}", f"{max(times):.1f}"
                ]  # fmt: skip
