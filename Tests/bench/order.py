#!/usr/bin/python3
"""Sees which functions run when `tokentry` starts, hands out a kept token and answers as a helper, and when
`tokentry-window` shows a page, and which variables change. Writes them to data/order in the order in which they are needed:
data/build.sh puts them side by side. Worth a run when one of these has changed or Swift has; names that are gone do no harm.
For x86-64.

usage: order.py FOLDER    (of the programs, built by data/build.sh, which leaves a map of each in .build)
"""

import contextlib
import ctypes
import errno
import json
import os
import pathlib
import re
import signal
import sys
import tempfile
import threading
import time

import window
from helpers import HELPERS, provider, sign_in
from session import keyring
from timing import Run

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ORDER = ROOT / "data/order"

# A line of lld's map: where it is, how much it takes, and how far it is indented (a section 1, what is moved as one 9, a
# name in that 17).
LINE = re.compile(r" *([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+) +\d+( +)(\S.*)")
SECTION, PIECE, NAME = 1, 9, 17

# All variables in pieces of at most so many bytes take a page: those that are only looked at are among them.
SMALL = 64

# ptrace(2), helperProtocol(2) and the registers of user_regs_struct
TRACE_ME, GO_ON, GET_REGISTERS, SET_REGISTERS, LET_GO, SET_OPTIONS, GET_MESSAGE = 0, 7, 12, 13, 17, 0x4200, 0x4201
SEE_FORKS, SEE_SPAWNS, SEE_THREADS, SEE_THE_END, END_TOO = 0x02, 0x04, 0x08, 0x40, 0x100000
THREADS_TOO = 0x40000000
AT_A_FORK, AT_A_SPAWN, AT_THE_END = 1, 2, 6
NO_RANDOM_PLACES = 0x0040000
REGISTERS, INSTRUCTION = 27, 16
# An instruction that stops whoever comes to it.
STOP = b"\xcc"

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long


def ptrace(request, process, data=0):
    if libc.ptrace(request, process, 0, data) == -1:
        raise OSError(ctypes.get_errno(), f"ptrace {request}: {errno.errorcode[ctypes.get_errno()]}")


class Map:
    """What is where in a program: sections, and names by address."""

    def __init__(self, path):
        self.sections, self.names, self.moved_with = {}, {}, {}
        piece = 0
        for line in path.read_text().splitlines():
            if found := LINE.fullmatch(line):
                address, size, depth = int(found[1], 16), int(found[2], 16), len(found[3])
                if depth == SECTION:
                    self.sections[found[4]] = range(address, address + size)
                elif depth == PIECE:
                    piece = size
                elif depth == NAME:
                    self.names.setdefault(address, []).append(found[4])
                    self.moved_with[address] = piece

    def within(self, section):
        """The addresses in a section that have names, in order."""
        return sorted(set(self.names).intersection(self.sections[section]))

    def small_variables(self):
        return [address for address in self.within(".bss") if self.moved_with[address] <= SMALL]


class Watched:
    """One run of a program: the functions that are called, in order, and the variables that are not zero at its end. What it
    starts in its turn is not watched."""

    def __init__(self, layout, run, until=None):
        """Its input ends after what it is told, or when `until` returns."""
        self.layout, self.functions, self.variables, self.early = layout, [], [], set()
        self.process = self.start(run, until)
        ptrace(SET_OPTIONS, self.process, SEE_FORKS | SEE_SPAWNS | SEE_THREADS | SEE_THE_END | END_TOO)
        with open(f"/proc/{self.process}/maps", encoding="utf-8") as lines:
            program = os.path.realpath(run.command[0])
            self.base = min(int(line.split("-")[0], 16) for line in lines if line.rstrip().endswith(program))
        self.memory = os.open(f"/proc/{self.process}/mem", os.O_RDWR)
        self.code = self.put_stops()
        ptrace(GO_ON, self.process)
        self.status = self.follow()
        os.close(self.memory)

    @staticmethod
    def start(run, until):
        reading, writing = os.pipe2(os.O_CLOEXEC)
        os.write(writing, run.told.encode())
        if process := os.fork():
            os.close(reading)
            os.waitpid(process, 0)
            if until:
                threading.Thread(target=lambda: (until(), os.close(writing))).start()
            else:
                os.close(writing)
            return process
        os.dup2(reading, 0)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        libc.helperProtocol(NO_RANDOM_PLACES)
        ptrace(TRACE_ME, 0)
        os.execve(run.command[0], run.command, run.environment)

    def put_stops(self):
        """Puts a stop at the beginning of each function, and returns what was there."""
        text = self.layout.sections[".text"]
        code = os.pread(self.memory, len(text), self.base + text.start)
        stopping = bytearray(code)
        for address in self.layout.within(".text"):
            stopping[address - text.start] = STOP[0]
        os.pwrite(self.memory, stopping, self.base + text.start)
        return code

    def follow(self):
        """Goes from stop to stop until the end, whose status it returns."""
        while True:
            thread, status = os.waitpid(-1, THREADS_TOO)
            if os.WIFEXITED(status) or os.WIFSIGNALED(status):
                if thread == self.process:
                    return os.waitstatus_to_exitcode(status)
                continue
            sent, event = os.WSTOPSIG(status), status >> 16
            if event in (AT_A_FORK, AT_A_SPAWN):
                self.let_go_of_child(thread, has_own_memory=event == AT_A_FORK)
            elif event == AT_THE_END and thread == self.process:
                self.look_at_variables()
            elif not os.path.exists(f"/proc/{self.process}/task/{thread}"):
                # A child that stops before whoever has made it.
                self.early.add(thread)
                continue
            handed_on = 0 if event or sent == signal.SIGSTOP or self.has_called(thread, sent) else sent
            # It may have been killed where it stood.
            with contextlib.suppress(ProcessLookupError):
                ptrace(GO_ON, thread, handed_on)

    def let_go_of_child(self, thread, has_own_memory):
        message = ctypes.c_ulong()
        ptrace(GET_MESSAGE, thread, ctypes.addressof(message))
        child = message.value
        if child in self.early:
            self.early.remove(child)
        else:
            os.waitpid(child, THREADS_TOO)
        if has_own_memory:
            with open(f"/proc/{child}/mem", "r+b", buffering=0) as memory:
                memory.seek(self.base + self.layout.sections[".text"].start)
                memory.write(self.code)
        ptrace(LET_GO, child)

    def has_called(self, thread, sent):
        """Whether a signal came from a stop of ours: it is taken away, and the function goes on."""
        if sent != signal.SIGTRAP:
            return False
        registers = (ctypes.c_ulonglong * REGISTERS)()
        ptrace(GET_REGISTERS, thread, ctypes.addressof(registers))
        address = registers[INSTRUCTION] - 1 - self.base
        if address not in self.layout.names:
            return False
        offset = address - self.layout.sections[".text"].start
        if os.pread(self.memory, 1, self.base + address) == STOP:
            os.pwrite(self.memory, self.code[offset : offset + 1], self.base + address)
            self.functions.append(address)
        registers[INSTRUCTION] -= 1
        ptrace(SET_REGISTERS, thread, ctypes.addressof(registers))
        return True

    def look_at_variables(self):
        section, starts = self.layout.sections[".bss"], self.layout.within(".bss")
        held = os.pread(self.memory, len(section), self.base + section.start)
        for start, end in zip(starts, starts[1:] + [section.stop]):
            if any(held[start - section.start : end - section.start]):
                self.variables.append(start)


def tokens(tokentry, folder):
    """What people wait for most often, first what all of it has in common."""
    yield Run([tokentry, "--version"], {"PATH": "/usr/bin:/bin", "HOME": str(folder)}), None
    with keyring(folder) as session, provider() as base:
        for store in (f"file:{folder}/store", "keyring"):
            environment = session | {"TOKENTRY_STORE": store}
            sign_in(tokentry, base, environment)
            yield Run([tokentry, "token", "--account", "work"], environment), None
            for name, (arguments, told, more) in HELPERS.items():
                yield Run([tokentry, "helper", name] + arguments, environment | more, told), None


def pages(tokentry_window, folder):
    """A page that stays until the program that has opened it is gone, and one that leads back at once."""
    with window.display():
        shown = window.Provider()
        variables = {name: os.environ[name] for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS")}
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder)} | variables
        for path in ("/page", "/authorize"):
            opening = {"open": {"url": shown.base + path, "redirect_uris": [window.REDIRECT]}}
            yield (
                Run([tokentry_window], environment, json.dumps(opening) + "\n"),
                lambda: (shown.shown.wait(window.PATIENCE), time.sleep(5)),
            )


def watch(program, runs):
    """Writes the order for one program."""
    layout = Map(ROOT / f".build/{program.name}.map")
    functions, variables = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for run, until in runs(str(program), pathlib.Path(folder)):
            seen = Watched(layout, run, until)
            functions |= dict.fromkeys(seen.functions)
            variables |= dict.fromkeys(seen.variables)
            words = " ".join([program.name, *run.command[1:]])
            print(f"{words}: {len(seen.functions)} functions and {len(seen.variables)} variables, status {seen.status}")
    # A page is shared by as many as possible: what takes many of them, such as the standard library's variables, comes last.
    variables = sorted(variables | dict.fromkeys(layout.small_variables()), key=layout.moved_with.get)
    # What is the same is there once, under several names of which each will do.
    names = [min(layout.names[address], key=lambda name: (len(name), name)) for address in [*functions, *variables]]
    ORDER.mkdir(exist_ok=True)
    (ORDER / program.name).write_text("".join(name + "\n" for name in names))
    print(f"{len(names)} names in {(ORDER / program.name).relative_to(ROOT)}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1]).resolve()
    watch(folder / "tokentry", tokens)
    watch(folder / "tokentry-window", pages)


if __name__ == "__main__":
    main()
