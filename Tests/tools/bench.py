#!/usr/bin/python3
"""Measures how long the two most frequent tasks take, in a release build: printing a kept token, and a login in the window.
Other programs do the same beside it: secret-tool reads the keyring, oidc-token asks its agent, and a bare window in C signs in.

usage: bench.py [--against FOLDER] [token] [window]    (default: both)

--against also measures the programs in FOLDER, a release build of an earlier commit: the folder that its data/build.sh prints.

All programs run in turn, so that other work of the machine affects them alike. A ratio is the median over the turns. Prints a
table of figures and limits, which is kept in Tests/results/bench.txt. Exits with status 1 if a limit is missed. The machine
should not be busy. A time that depends on the machine has no limit; a limit belongs to a ratio or to a size.
"""

import argparse
import contextlib
import os
import pathlib
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import typing

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/tools/support"), str(ROOT / "Tests/tools/bench")]

from oidc_agent import ACCOUNT, oidc_agent
from server import REDIRECT, Server
from session import display, keyring

# A login without a page: the token comes from standard input.
LOGIN = ["login", "--provider", "vk", "--client-id", "1", "--state", "S", "--headless-test", "--navigations", "-"]
CALLBACK = "https://oauth.vk.com/blank.html#access_token=T&expires_in=86400&user_id=1&state=S\n"
GIT = "https://git.example"
# The start of the names of runs of the earlier build, and the limit of a time against it. Less may be chance.
EARLIER = "earlier "
OF_EARLIER = 1.1


class Run(typing.NamedTuple):
    """A command, its environment, and the file that is its standard input."""

    command: list
    environment: dict
    question: str = "/dev/null"


def milliseconds(run):
    """The time that a process takes. It must succeed."""
    files = [(os.POSIX_SPAWN_OPEN, 0, run.question, os.O_RDONLY, 0), (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
    start = time.perf_counter_ns()
    process = os.posix_spawn(run.command[0], run.command, run.environment, file_actions=files)
    _, status = os.waitpid(process, 0)
    if status:
        sys.exit(f"{shlex.join(run.command)} ended with status {os.waitstatus_to_exitcode(status)}")
    return (time.perf_counter_ns() - start) / 1e6


def in_turns(runs, measure, rounds, warm_up):
    """The values of each run, one for each round. The order changes with the round."""
    names, values = list(runs), {name: [] for name in runs}
    for turn in range(-warm_up, rounds):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            value = measure(runs[name])
            if turn >= 0:
                values[name].append(value)
    return values


def figures(values, ratios):
    """The median of each run, and the ratios of pairs of runs, among them each run and that of the earlier build."""
    for name in values:
        if not name.startswith(EARLIER):
            yield f"{name}, ms", statistics.median(values[name]), None
    of_earlier = [(name.removeprefix(EARLIER), name, OF_EARLIER) for name in values if name.startswith(EARLIER)]
    for ours, theirs, limit in ratios + of_earlier:
        yield f"{ours} / {theirs}", statistics.median(our / their for our, their in zip(values[ours], values[theirs])), limit


@contextlib.contextmanager
def agent(tokentry, path, store, environment):
    """Runs the agent with the accounts in a folder. The value is the option for those who ask it."""
    command = [tokentry, "agent", "--ask", "never", "--socket", path, "--store", f"file:{store}"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        try:
            yield ["--store", f"agent:{path}"]
        finally:
            process.terminate()


def keep(tokentry, count, environment, *store):
    """Keeps accounts, the first of which is for git's server."""
    for number in range(count):
        options = ["--account", f"other-{number}"] if number else ["--account", "work", "--for", GIT]
        subprocess.run([tokentry, *LOGIN, *options, *store], input=CALLBACK, text=True, env=environment, check=True,
                       stdout=subprocess.DEVNULL)  # fmt: skip


def token(tokentry, earlier):
    """`tokentry token` with a valid token, in the keyring, in a folder and over an agent, with one account and with many."""
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = pathlib.Path(name)
        one, full = (stack.enter_context(keyring(folder / name)) for name in ("one", "full"))
        question = folder / "question"
        question.write_text(f"protocol=https\nhost={GIT.removeprefix('https://')}\n\n", encoding="utf-8")
        keep(tokentry, 1, one)
        keep(tokentry, 100, full)
        for count in (1, 100, 1000):
            keep(tokentry, count, one, "--store", f"file:{folder}/{count}")

        def runs(program, prefix=""):
            ask = [program, "token", "--account", "work"]
            over_one, over_full = (
                stack.enter_context(agent(program, f"{folder}/{len(prefix)}-{count}.sock", folder / count, one))
                for count in ("1", "1000"))
            found = {
                "--version": Run([program, "--version"], one),
                "keyring": Run(ask, one),
                "keyring of 100": Run(ask, full),
                "helper git get, keyring": Run([program, "helper", "git", "get"], one, str(question)),
                "helper git get, keyring of 100": Run([program, "helper", "git", "get"], full, str(question)),
                "accounts, keyring of 100": Run([program, "accounts"], full),
                "folder": Run([*ask, "--store", f"file:{folder}/1"], one),
                "folder of 100": Run([*ask, "--store", f"file:{folder}/100"], one),
                "folder of 1,000": Run([*ask, "--store", f"file:{folder}/1000"], one),
                "agent": Run(ask + over_one, one),
                "agent of 1,000": Run(ask + over_full, one),
            }
            return {prefix + name: run for name, run in found.items()}

        others = {
            "secret-tool": Run(["/usr/bin/secret-tool", "lookup", "account", "work"], one),
            "oidc-token": Run(["/usr/bin/oidc-token", ACCOUNT], stack.enter_context(oidc_agent(folder, one))),
        }
        measured = runs(tokentry) | others | (runs(earlier, EARLIER) if earlier else {})
        values = in_turns(measured, milliseconds, rounds=200, warm_up=10)
    yield from figures(values, [
        ("keyring", "secret-tool", None), ("folder", "oidc-token", None), ("agent", "oidc-token", None),
        ("folder", "--version", 1.5), ("keyring of 100", "keyring", 1.3),
        ("helper git get, keyring of 100", "helper git get, keyring", 1.3), ("folder of 100", "folder", 1.3),
        ("agent of 1,000", "agent", 1.1)])  # fmt: skip


def bare_window(folder):
    """Compiles the window in C, and returns its path."""
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "webkit2gtk-4.1"], check=True, capture_output=True, text=True)
    subprocess.run(["gcc", "-O2", ROOT / "Tests/tools/bench/bare.c", "-o", f"{folder}/bare", *flags.stdout.split()], check=True)
    return f"{folder}/bare"


def window(tokentry, earlier):
    """A login in a window: from the start to the authorization request, and from the redirect to the printed token."""
    with tempfile.TemporaryDirectory() as folder, keyring(pathlib.Path(folder)) as session, display() as name:
        environment = session | {"DISPLAY": name}
        server = Server()
        endpoints = [server.base + "/authorize", server.base + "/token"]

        def login(program, *options):
            return [program, "login", *options, "--client-id", "1", "--redirect-uri", REDIRECT, "--way", "window"]

        def logins(program, prefix=""):
            named = zip(("authorization", "token"), endpoints)
            return {
                prefix + "--endpoint": login(program, *(word for pair in named for word in ("--endpoint", "=".join(pair)))),
                prefix + "--issuer": login(program, "--issuer", server.base + "/early"),
                prefix + "late --issuer": login(program, "--issuer", server.base + "/late"),
            }

        def times(command):
            started = time.perf_counter()
            done = subprocess.run(command, env=environment, capture_output=True, timeout=30, check=True)
            ended = time.perf_counter()
            if b'"access_token"' not in done.stdout:
                sys.exit(f"{shlex.join(command)} printed {done.stdout!r}")
            return ((server.requested - started) * 1e3, (ended - server.redirected) * 1e3)

        bare = {"a bare window in C": [bare_window(folder), *endpoints, REDIRECT]}
        commands = logins(tokentry) | bare | (logins(earlier, EARLIER) if earlier else {})
        values = in_turns(commands, times, rounds=30, warm_up=2)
        kilobytes = min(resident_kb(login(tokentry, "--issuer", server.base + "/page"), environment, server) for _ in range(3))
    for index, part in enumerate(("to the request", "from the redirect to the end")):
        ratios = [("--endpoint", "a bare window in C", None), ("--issuer", "a bare window in C", None)]
        if index == 0:
            ratios.append(("late --issuer", "--issuer", 1.05))
        chosen = {name: [value[index] for value in list_] for name, list_ in values.items()}
        yield from ((f"{part}, {figure}", value, limit) for figure, value, limit in figures(chosen, ratios))
    yield "resident kB of tokentry while the window is shown", kilobytes, 25 * 1024


def resident_kb(command, environment, server):
    """The memory of a program that has shown its page for some time."""
    server.shown.clear()
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            if not server.shown.wait(30):
                sys.exit("the window does not load its page")
            time.sleep(2)
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
            return int(re.search(r"^VmRSS:\s+(\d+)", status, re.M)[1])
        finally:
            process.terminate()


BENCHMARKS = {"token": token, "window": window}


def main():
    parser = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not set(options.names) <= BENCHMARKS.keys():
        parser.error(f"the benchmarks are {' and '.join(BENCHMARKS)}")
    missing = [name for name in ("secret-tool", "oidc-token", "Xvfb") if not shutil.which(name)]
    if missing:
        sys.exit(f"{', '.join(missing)}: not installed; data/dependencies.sh all installs it")
    build = [ROOT / "data/build.sh", "tokentry", "tokentry-window"]
    printed = subprocess.run(build, check=True, stdout=subprocess.PIPE, text=True).stdout
    tokentry = os.path.join(printed.splitlines()[-1], "tokentry")
    earlier = options.against and str((options.against / "tokentry").resolve(strict=True))
    lines, missed = [f"{'figure':90} {'value':>9} {'at most':>9}"], []
    for name in options.names or BENCHMARKS:
        for figure, value, limit in BENCHMARKS[name](tokentry, earlier):
            kept = limit is None or value <= limit
            missed += [] if kept else [name]
            lines.append(f"{name + ': ' + figure:90} {value:9.6g} {limit or '-':>9}{'' if kept else '  MISSED'}")
    results = ROOT / "Tests/results/bench.txt"
    results.parent.mkdir(exist_ok=True)
    results.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(results.read_text(encoding="utf-8"), end="")
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
