#!/usr/bin/python3
"""Runs thousands of logins and requests for tokens and checks that memory, descriptors, files and processes do not grow.

usage: soak.py [--long] [--shared] [--minutes NUMBER] [--programs FOLDER] [ROUND[=COUNT]...]

  logins     headless logins at the demo provider, kept in the keyring and in a folder in turn
  windows    logins in a window, on a page that signs in by itself
  together   a hundred programs at a time: half sign in, the others ask for the token of one account
  tokens     silent tokens, from the keyring and from a folder in turn; every fiftieth is refreshed

Without a ROUND, all run, which takes about two minutes, or an hour or two with --long. The release is built unless
--programs names a folder with programs. Each round has its own session and its own part of Tests/results/soak.md. With
--minutes, a round ends early. New files in /tmp and /dev/shm and growing times are errors, too, unless other users work on
the machine (--shared).
"""

import argparse
import concurrent.futures
import contextlib
import datetime
import os
import pathlib
import platform
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "Tests/soak"), str(ROOT / "Tests/support")]

from provider import REDIRECT
from session import keyring
from user import KEYRING, Fault, Session
from watch import Uses, Watch, adopt, machine

RESULTS = ROOT / "Tests/results"
COUNTS = {"logins": 300, "windows": 20, "together": 100, "tokens": 2_000}
LONG = {"logins": 10_000, "windows": 500, "together": 1_000, "tokens": 100_000}
AT_ONCE = 100
REFRESH_EVERY = 50
# The factor by which the keyring's daemon may grow more for our programs than for others.
MORE_FOR_OURS = 1.5
# The demo provider keeps up to 10,000 grants for an hour, and libsoup 3.2 keeps a third of a kB for each of the seven
# connections of a login.
KEPT_KB_PER_LOGIN = 3
DEMO = ["--client-id", "tokentry-demo", "--redirect-uri", "https://demo.example/callback", "--scope", "openid profile",
        "--headless-test", "--form", "username=ada", "--form", "password=demo", "--form", "decision=allow"]  # fmt: skip


# Each round is a generator. It yields the memory and time used by one run, or by several at a time.


def logins(session, count):
    """Headless logins."""
    issuer = session.demo_server()
    yield None
    last = {}
    for index in session.runs(count):
        kept = ["--account", "work", *session.store(index)]
        last[index % 2], *used = session.token("login", "--issuer", issuer, *DEMO, *kept)
        yield [used]
    session.intact("work", last)


def windows(session, count):
    """Logins in a window."""
    session.screen()
    yield None
    for index in session.runs(count):
        kept = ["--account", "work", *session.store(index)]
        token, *used = session.token(*session.login("--way", "window", *kept))
        session.intact("work", {index: token})
        yield [used]


def sign_in(session, account, index):
    """A first login without a window."""
    answer = session.folder / "navigations"
    answer.write_text(f"{REDIRECT}?code=C&state=S\n")
    return session.token(
        *session.login("--headless-test", "--navigations", answer, "--state", "S", "--account", account),
        *session.store(index),
    )


def together(session, count):
    """Many programs at a time."""
    issuer = session.demo_server()
    shared = ["token", "--account", "shared", "--silent", "--store", "keyring"]
    sign_in(session, "shared", 0)
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
    """Silent tokens."""
    last = {index: sign_in(session, "work", index)[0] for index in range(2)}
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


def soak(name, count, programs, minutes, is_shared):
    """Runs one round. Returns the measurements, the errors and the new files of the machine."""
    faults, before = [], machine()
    with tempfile.TemporaryDirectory(prefix="soak-") as folder, contextlib.ExitStack() as stack:
        folder = pathlib.Path(folder)
        session = Session(folder, stack.enter_context(keyring(folder)), programs, stack, minutes)
        uses, done, of_keyring = Uses(count), 0, session.keyring_kb()
        running = ROUNDS[name](session, count)
        next(running)
        watch = Watch(session.residents, folder)
        watch.sample(0)
        try:
            for used in running:
                for peak, microseconds in used:
                    uses.add(done, peak, microseconds)
                    done += 1
                if done * 10 // count > (done - len(used)) * 10 // count:
                    watch.sample(done)
                    print(f"{name}: {done} of {count}", flush=True)
        except Fault as fault:
            faults.append(str(fault))
        if watch.samples[-1].done != done:
            watch.sample(done)
        watch.kept_kb = {
            "demo-server": KEPT_KB_PER_LOGIN * done,
            KEYRING: MORE_FOR_OURS * session.asked_keyring * of_keyring,
        }
        faults += watch.grown() + uses.grown(not is_shared) + session.provider.faults
    return watch, uses, faults, sorted(machine() - before)


def table(rows):
    """A Markdown table."""
    head, *body = rows
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *body])


def report(name, count, watch, uses, faults, new, seconds):
    """Writes the part of one round, and the report with all parts."""
    parts = RESULTS / "soak"
    parts.mkdir(parents=True, exist_ok=True)
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    kept = " and ".join(f"{name} {kb:.0f} kB" for name, kb in watch.kept_kb.items() if name in watch.residents and kb >= 1)
    known = f" beyond the memory that others keep for each program: {kept} at most" if kept else ""
    verdict = "\n".join(f"- {fault}" for fault in faults) or f"No growth{known}."
    shown = ", ".join(new[:12]) + (f" and {len(new) - 12} more" if len(new) > 12 else "") or "none"
    (parts / f"{name}.md").write_text(
        f"## {name}: {watch.samples[-1].done} of {count} runs\n\n{date}, {seconds:.0f} s\n\n{verdict}\n\n"
        f"{table(watch.rows())}\n\nNew in /tmp and /dev/shm: {shown}.\n\n{table(uses.rows())}\n"
    )
    machine = f"{platform.platform()}, {os.cpu_count()} processors"
    known = [parts / f"{round_}.md" for round_ in ROUNDS]
    (RESULTS / "soak.md").write_text(
        "\n".join([f"# Soak\n\n{machine}\n"] + [path.read_text() for path in known if path.exists()])
    )


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2], add_help=False)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--shared", action="store_true")
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--programs", type=pathlib.Path)
    parser.add_argument("rounds", nargs="*")
    return parser.parse_args()


def main():
    options = arguments()
    counts = LONG if options.long else COUNTS
    wanted = {}
    for word in options.rounds or counts:
        name, _, count = word.partition("=")
        if name not in ROUNDS or count and not count.isdigit():
            sys.exit(__doc__)
        wanted[name] = int(count or counts[name])
    programs = options.programs
    if programs is None:
        build = [ROOT / "data/build.sh", "tokentry", "tokentry-window", "demo-server"]
        programs = subprocess.run(build, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[-1]
    programs = pathlib.Path(programs).resolve()
    adopt()
    # SIGTERM has to end the started programs, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    failed = False
    for name, count in wanted.items():
        start = time.monotonic()
        watch, uses, faults, new = soak(name, count, programs, options.minutes, options.shared)
        if new and not options.shared:
            faults.append(f"new files: {', '.join(new)}")
        report(name, count, watch, uses, faults, new, time.monotonic() - start)
        print("\n".join(f"{name}: {fault}" for fault in faults) or f"{name}: no growth", flush=True)
        failed = failed or bool(faults)
    print(f"kept in {RESULTS.relative_to(ROOT)}/soak.md")
    sys.exit(failed)


if __name__ == "__main__":
    main()
