#!/usr/bin/python3
"""Has users sign in, and programs ask for tokens, for a day or so, and looks for what grows.

usage: soak.py [--long] [--shared] [--minutes NUMBER] [--programs FOLDER] [ROUND[=COUNT]...]

  logins     headless logins at the demo provider, kept in the keyring and in a folder in turn
  windows    logins in a window, on a page that signs in by itself
  together   a hundred at a time: half of them sign in, the others ask for the token of one account
  tokens     silent tokens, from the keyring and from a folder in turn; every fiftieth is refreshed

All rounds without one, for two minutes or so; --long takes an hour or two. The release is built unless a folder of
programs is named. Each round has a session of its own, and its part of Tests/results/soak.md; it ends after so many
minutes, and what was done until then counts. What is new in /tmp and /dev/shm is held against it, and so is time, unless
the machine is --shared with somebody who works there.
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
sys.path[:0] = [str(ROOT / "Tests/soak"), str(ROOT / "Tests/bench")]

from provider import REDIRECT
from session import keyring
from user import KEYRING, Fault, Session
from watch import Uses, Watch, adopt, machine

RESULTS = ROOT / "Tests/results"
COUNTS = {"logins": 300, "windows": 20, "together": 100, "tokens": 2_000}
LONG = {"logins": 10_000, "windows": 500, "together": 1_000, "tokens": 100_000}
AT_ONCE = 100
REFRESH_EVERY = 50
# By how much more the keyring's daemon may grow for a program of ours than for another.
MORE_FOR_OURS = 1.5
# The demo provider keeps the grant of each token for an hour, of 10,000 tokens at most, and libsoup 3.2 a third of a kB of
# each of the seven connections of a login.
KEPT_KB_PER_LOGIN = 3
DEMO = ["--client-id", "tokentry-demo", "--redirect-uri", "https://demo.example/callback", "--scope", "openid profile",
        "--headless-test", "--form", "username=ada", "--form", "password=demo", "--form", "decision=allow"]  # fmt: skip


# Each round is a generator of what one run, or several at a time, have used.


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
        token, *used = session.token(*session.login("--agent", "window", *kept))
        session.intact("work", {index: token})
        yield [used]


def sign_in(session, account, index):
    """A login that nobody sees, as a first one."""
    answer = session.folder / "navigations"
    answer.write_text(f"{REDIRECT}?code=C&state=S\n")
    return session.token(
        *session.login("--headless-test", "--navigations", answer, "--state", "S", "--account", account),
        *session.store(index),
    )


def together(session, count):
    """Many at a time."""
    issuer = session.demo_server()
    shared = ["token", "--account", "shared", "--silent", "--store", "keyring"]
    sign_in(session, "shared", 0)
    yield None
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for _ in session.runs(count // AT_ONCE):
            # A token that does not last, so that the first of many has to refresh.
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
                raise Fault("a kept token is another one")
        yield [used]
    session.intact("work", last)


ROUNDS = {"logins": logins, "windows": windows, "together": together, "tokens": tokens}


def soak(name, count, programs, minutes, is_shared):
    """Runs one round; returns what was seen, and what is wrong."""
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
    """Markdown's."""
    head, *body = rows
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *body])


def report(name, count, watch, uses, faults, new, seconds):
    """Keeps the part of one round, and puts all parts together."""
    parts = RESULTS / "soak"
    parts.mkdir(parents=True, exist_ok=True)
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    kept = " and ".join(f"{name} {kb:.0f} kB" for name, kb in watch.kept_kb.items() if name in watch.residents and kb >= 1)
    known = f" beyond what others are known to keep of each program: {kept} at most" if kept else ""
    verdict = "\n".join(f"- {fault}" for fault in faults) or f"Nothing grew{known}."
    shown = ", ".join(new[:12]) + (f" and {len(new) - 12} more" if len(new) > 12 else "") or "nothing"
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
    # Whoever ends this ends what it has started, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    failed = False
    for name, count in wanted.items():
        start = time.monotonic()
        watch, uses, faults, new = soak(name, count, programs, options.minutes, options.shared)
        if new and not options.shared:
            faults.append(f"new in folders of the machine: {', '.join(new)}")
        report(name, count, watch, uses, faults, new, time.monotonic() - start)
        print("\n".join(f"{name}: {fault}" for fault in faults) or f"{name}: nothing grew", flush=True)
        failed = failed or bool(faults)
    print(f"kept in {RESULTS.relative_to(ROOT)}/soak.md")
    sys.exit(failed)


if __name__ == "__main__":
    main()
