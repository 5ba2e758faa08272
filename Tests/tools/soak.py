#!/usr/bin/python3
"""Runs thousands of logins and requests for tokens and checks that memory, descriptors, files and processes do not grow.

usage: soak.py [--long] [--shared] [--minutes NUMBER] [--programs FOLDER] [ROUND[=COUNT]...]

  logins     headless logins at the demo provider, kept in the keyring and in a folder in turn
  windows    logins in a window, at a provider that redirects at once
  together   a hundred programs at a time: half sign in, the others ask for the token of one account
  tokens     silent tokens, from the keyring and from a folder in turn; every fiftieth is refreshed

Without a ROUND, all run, which takes about two minutes, or an hour or two with --long. The release is built unless
--programs names a folder with programs. Each round has its own session and its own part of Tests/results/soak.md. With
--minutes, a round ends early. New files in /tmp and /dev/shm and growing times are errors, too, unless other users work on
the machine (--shared).
"""

import argparse
import collections
import concurrent.futures
import contextlib
import ctypes
import itertools
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/tools/support"), str(ROOT / "data/callers")]

import tokentry_demo
from provider import Provider
from session import display, keyring

RESULTS = ROOT / "Tests/results"
COUNTS = {"logins": 300, "windows": 20, "together": 100, "tokens": 2_000}
LONG = {"logins": 10_000, "windows": 500, "together": 1_000, "tokens": 100_000}
AT_ONCE = 100
REFRESH_EVERY = 50
REDIRECT = "https://soak.example/done"
DEMO = ["--client-id", "tokentry-demo", "--redirect-uri", "https://demo.example/callback", "--scope", "openid profile",
        "--headless-test", "--form", "username=ada", "--form", "password=demo", "--form", "decision=allow"]  # fmt: skip

# The limits for growth between the end of the first tenth and the end of the last.
MEMORY_SHARE, MEMORY_KB = 0.10, 2_048
# The limits for a program's memory and time in the last tenth, relative to the second. Time varies more on a busy machine.
PEAK_FACTOR, TIME_FACTOR = 1.1, 1.5
# The demo provider keeps up to 10,000 grants for an hour, and as many refresh tokens and used codes for a day. libsoup 3.2
# keeps a third of a kB for each of the seven connections of a login.
KEPT_KB_PER_LOGIN = 4
# The name of the keyring's daemon, the number of requests of another program for comparison, and the factor by which the
# daemon may grow more for our programs than for others.
KEYRING, CONTROLS, MORE_FOR_OURS = "gnome-keyring-d", 200, 1.5
PR_SET_CHILD_SUBREAPER = 36
# Seconds that processes may take to end.
PATIENCE = 15


class Fault(Exception):
    """A wrong answer."""


class Session:
    """A user's session with its servers, and the programs that run in it."""

    def __init__(self, folder, programs, stack, minutes):
        self.folder, self.programs, self.stack = folder, programs, stack
        self.end = time.monotonic() + 60 * minutes
        (folder / "tmp").mkdir()
        self.environment = stack.enter_context(keyring(folder)) | {"TMPDIR": str(folder / "tmp"), "LANG": "C.UTF-8"}
        self.provider = Provider(folder)
        self.seen, self.asked_keyring = set(), 0
        self.measured = folder / "measured"
        subprocess.run(["gcc", "-O2", ROOT / "Tests/tools/soak/measured.c", "-o", self.measured], check=True)

    def demo(self):
        """Starts the demo provider and returns its issuer."""
        return self.stack.enter_context(tokentry_demo.Demo()).issuer

    def runs(self, count):
        """The numbers of the runs, until the time is over."""
        return itertools.takewhile(lambda _: time.monotonic() < self.end, range(count))

    def run(self, *arguments):
        """Runs tokentry. Returns its answer, its peak memory and its microseconds."""
        read, write = os.pipe()
        output, output_end = os.pipe()
        with tempfile.TemporaryFile(dir=self.folder) as errors, open(os.devnull, "rb") as null:
            # `measured` writes its figures to descriptor 3. The pipe comes last: its number may be one of the others.
            files = [(os.POSIX_SPAWN_DUP2, descriptor, number) for number, descriptor in
                     enumerate((null.fileno(), output_end, errors.fileno(), write))]
            process = os.posix_spawn(self.measured, [self.measured, self.programs / "tokentry", *arguments],
                                     self.environment, file_actions=files)
            os.close(write), os.close(output_end)
            with os.fdopen(output, "rb") as answers, os.fdopen(read) as figures:
                answer, figure = answers.read(), figures.read()
            os.waitpid(process, 0)
            errors.seek(0)
            said = errors.read().decode(errors="replace")
        self.asked_keyring += "keyring" in arguments
        status, peak, microseconds = map(int, figure.split())
        if status or answer.count(b"\n") != 1:
            raise Fault(f"tokentry {' '.join(map(str, arguments))}: status {status}, {answer!r}, {said}")
        return json.loads(answer), peak, microseconds

    def token(self, *arguments):
        """Runs tokentry. Returns its token, which must be a new one, and its memory and time."""
        answer, *used = self.run(*arguments)
        if answer["access_token"] in self.seen:
            raise Fault(f"{' '.join(map(str, arguments))}: an old token")
        self.seen.add(answer["access_token"])
        return answer["access_token"], *used

    def login(self, *arguments):
        """The command line of a login at the provider that refreshes."""
        return ["login", "--issuer", self.provider.base, "--client-id", "soak", "--redirect-uri", REDIRECT, *arguments]

    def sign_in(self, account, index):
        """A first login without a window."""
        return self.token(*self.login("--headless-test", "--account", account), *self.store(index))

    def store(self, index):
        """The keyring and a folder in turn."""
        return ["--store", f"file:{self.folder}/home/accounts" if index % 2 else "keyring"]

    def intact(self, account, tokens):
        """Checks that the account in each store still has its last token."""
        for index, token in tokens.items():
            answer, *_ = self.run("token", "--account", account, "--silent", *self.store(index))
            if answer["access_token"] != token:
                raise Fault(f"the account {account} has lost its token")

    def keyring_kb(self):
        """The growth of the keyring's daemon for each program that uses it: gnome-keyring 42 keeps a few kB for each. Measure
        this first, because the daemon uses freed memory again."""
        item = {"env": self.environment, "stdout": subprocess.DEVNULL, "check": True}
        subprocess.run(["secret-tool", "store", "--label=control", "soak", "control"], input=b"control", **item)
        before = resident_kb(residents()[KEYRING])
        for _ in range(CONTROLS):
            subprocess.run(["secret-tool", "lookup", "soak", "control"], **item)
        return (resident_kb(residents()[KEYRING]) - before) / CONTROLS


# --- The rounds: generators of the memory and time used by one run, or by several at a time ---


def logins(session, count):
    issuer = session.demo()
    yield None
    last = {}
    for index in session.runs(count):
        last[index % 2], *used = session.token("login", "--issuer", issuer, *DEMO, "--account", "work", *session.store(index))
        yield [used]
    session.intact("work", last)


def windows(session, count):
    session.environment["DISPLAY"] = session.stack.enter_context(display())
    yield None
    for index in session.runs(count):
        token, *used = session.token(*session.login("--way", "window", "--account", "work", *session.store(index)))
        session.intact("work", {index: token})
        yield [used]


def together(session, count):
    issuer = session.demo()
    shared = ["token", "--account", "shared", "--silent", "--store", "keyring"]
    session.sign_in("shared", 0)
    yield None
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for _ in session.runs(count // AT_ONCE):
            # A short-lived token, so that the first of many programs has to refresh it.
            session.provider.life = 30
            session.token(*shared, "--min-valid", "90000")
            session.provider.life, before = 86_400, session.provider.refreshes
            asking, own = [], []
            for index in range(AT_ONCE // 2):
                kept = ["--account", f"own-{index}", *session.store(index)]
                own.append(pool.submit(session.token, "login", "--issuer", issuer, *DEMO, *kept))
                asking.append(pool.submit(session.run, *shared))
            tokens = {run.result()[0]["access_token"] for run in asking}
            if len(tokens) != 1 or session.provider.refreshes != before + 1:
                raise Fault(f"{len(tokens)} tokens of one account, {session.provider.refreshes - before} refreshes")
            session.seen |= tokens
            yield [run.result()[1:] for pair in zip(own, asking) for run in pair]
            for index, run in enumerate(own):
                session.intact(f"own-{index}", {index: run.result()[0]})


def tokens(session, count):
    session.provider.life = 86_400
    last = {index: session.sign_in("work", index)[0] for index in range(2)}
    yield None
    for index in session.runs(count):
        silent = ["token", "--account", "work", "--silent", *session.store(index)]
        if index // 2 % REFRESH_EVERY == REFRESH_EVERY - 1:
            last[index % 2], *used = session.token(*silent, "--min-valid", "90000")
        else:
            answer, *used = session.run(*silent)
            if answer["access_token"] != last[index % 2]:
                raise Fault("a kept token has changed")
        yield [used]
    session.intact("work", last)


ROUNDS = {"logins": logins, "windows": windows, "together": together, "tokens": tokens}

# --- What may not grow ---


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


def residents():
    """The programs that run until the end of the session, by name."""
    return {name: number for number, (parent, name, _) in processes().items() if parent == os.getpid()}


def resident_kb(number):
    text = pathlib.Path(f"/proc/{number}/status").read_text(encoding="utf-8")
    return int(re.search(r"^VmRSS:\s+(\d+)", text, re.M)[1])


class Sample:
    """The state of a session at one moment: memory and descriptors of the residents, all processes, and all files."""

    def __init__(self, running, root):
        self.memory = {name: resident_kb(number) for name, number in running.items()}
        self.descriptors = {name: len(os.listdir(f"/proc/{number}/fd")) for name, number in running.items()}
        self.processes = collections.Counter(name for _, name, _ in processes().values())
        self.files = {str(path.relative_to(root)) for path in root.rglob("*")}


def sampled(running, root, before=None):
    """Waits until ending processes are gone, and takes a sample."""
    end = time.monotonic() + PATIENCE
    while True:
        for number, (parent, _, state) in processes().items():
            if parent == os.getpid() and state == "Z" and number not in running.values():
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(number, os.WNOHANG)
        sample = Sample(running, root)
        calm = before and sample.processes == before.processes and sample.descriptors == before.descriptors
        if calm or not before or time.monotonic() > end:
            return sample
        time.sleep(0.2)


def grown(begin, first, last, kept_kb):
    """A sentence for each thing that grew. Memory and files that are made once exist after the first tenth."""
    for name, memory in last.memory.items():
        allowed = first.memory[name] * (1 + MEMORY_SHARE) + MEMORY_KB + kept_kb.get(name, 0)
        if memory > allowed:
            yield f"{name}: memory from {first.memory[name]} to {memory} kB, {allowed:.0f} at most"
        if last.descriptors[name] > first.descriptors[name]:
            yield f"{name}: descriptors from {first.descriptors[name]} to {last.descriptors[name]}"
    if left := last.processes - begin.processes:
        yield f"processes left behind: {', '.join(left)}"
    if new := last.files - first.files:
        yield f"new files: {', '.join(sorted(new)[:8])}"


def slower(used, with_time):
    """A sentence for the peak memory and the time if they are larger in the last tenth of the runs than in the second."""
    tenth = max(1, len(used) // 10)
    for which, what, factor in [(0, "peak memory", PEAK_FACTOR), (1, "time", TIME_FACTOR)][: 2 if with_time else 1]:
        second, last = (statistics.median(one[which] for one in part) for part in (used[tenth:2 * tenth] or used, used[-tenth:]))
        if last > factor * second:
            yield f"{what} from {second:.0f} to {last:.0f}, more than {factor} times"


def shared_files():
    """The files in the folders that all sessions share."""
    return {f"{folder}/{name}" for folder in ("/tmp", "/dev/shm") for name in os.listdir(folder)}


def soak(name, count, programs, options):
    """Runs one round. Returns the number of runs, and what went wrong."""
    faults, before, used = [], shared_files(), []
    with tempfile.TemporaryDirectory(prefix="soak-") as folder, contextlib.ExitStack() as stack:
        folder = pathlib.Path(folder)
        session = Session(folder, programs, stack, options.minutes)
        of_keyring = session.keyring_kb()
        running = ROUNDS[name](session, count)
        next(running)
        known = residents()
        begin = first = sampled(known, folder)
        try:
            for several in running:
                if len(used) < count / 10 <= len(used) + len(several):
                    first = sampled(known, folder, begin)
                if (len(used) + len(several)) * 10 // count > len(used) * 10 // count:
                    print(f"{name}: {len(used) + len(several)} of {count}", flush=True)
                used += several
        except Fault as fault:
            faults.append(str(fault))
        last = sampled(known, folder, begin)
        kept_kb = {"tokentry": KEPT_KB_PER_LOGIN * len(used), KEYRING: MORE_FOR_OURS * session.asked_keyring * of_keyring}
        faults += [*grown(begin, first, last, kept_kb), *(slower(used, not options.shared) if used else [])]
    if not options.shared and (new := shared_files() - before):
        faults.append(f"new files: {', '.join(sorted(new)[:12])}")
    memory = ", ".join(f"{name} from {first.memory[name]} to {kb} kB" for name, kb in last.memory.items())
    return len(used), faults, memory


def report(name, text):
    """Writes the part of one round, and the report with all parts."""
    parts = RESULTS / "soak"
    parts.mkdir(parents=True, exist_ok=True)
    (parts / f"{name}.md").write_text(text, encoding="utf-8")
    known = [parts / f"{name}.md" for name in ROUNDS if (parts / f"{name}.md").exists()]
    (RESULTS / "soak.md").write_text("# Soak\n\n" + "\n".join(path.read_text(encoding="utf-8") for path in known), "utf-8")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2], add_help=False)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--shared", action="store_true")
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--programs", type=pathlib.Path)
    parser.add_argument("rounds", nargs="*")
    options = parser.parse_args()
    counts = LONG if options.long else COUNTS
    wanted = {name: int(count or counts.get(name, 0)) for name, _, count in (word.partition("=") for word in options.rounds or counts)}
    if not wanted.keys() <= ROUNDS.keys():
        sys.exit(__doc__)
    programs = options.programs
    if programs is None:
        build = [ROOT / "data/build.sh", "tokentry", "tokentry-window"]
        programs = subprocess.run(build, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[-1]
    tokentry_demo.PROGRAM = f"{programs}/tokentry"
    # Orphaned processes of a session become children of this one, so that it finds them.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    # SIGTERM has to end the started programs, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    failed = False
    for name, count in wanted.items():
        start = time.monotonic()
        done, faults, memory = soak(name, count, pathlib.Path(programs).resolve(), options)
        verdict = "\n".join(f"- {fault}" for fault in faults) or "No growth."
        report(name, f"## {name}: {done} of {count} runs\n\n{time.monotonic() - start:.0f} s. {memory}.\n\n{verdict}\n")
        print("\n".join(f"{name}: {fault}" for fault in faults) or f"{name}: no growth", flush=True)
        failed = failed or bool(faults)
    sys.exit(failed)


if __name__ == "__main__":
    main()
