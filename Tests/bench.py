#!/usr/bin/python3
"""Measures how long the two most frequent tasks take, in a release build: printing a kept token, and a login in the window.

usage: bench.py [token] [window]    (default: both)

Prints a table of figures and limits, which is kept in Tests/results/bench.txt. Exits with status 1 if a limit is missed. The
machine should not be busy. A time that depends on the machine has no limit; a limit belongs to a ratio or to a size.
"""

import contextlib
import http.server
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests/support"))

from session import display, keyring

# A login without a page: the token comes from standard input.
LOGIN = ["login", "--provider", "vk", "--client-id", "1", "--state", "S", "--headless-test", "--navigations", "-"]
CALLBACK = "https://oauth.vk.com/blank.html#access_token=T&expires_in=86400&user_id=1&state=S\n"
REDIRECT = "https://app.example/done"
LATE = 0.1  # seconds after which the provider names its endpoints
NO_OUTPUT = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]


def milliseconds(command, environment):
    """The time that a process takes. It must succeed."""
    start = time.perf_counter_ns()
    process = os.posix_spawn(command[0], command, environment, file_actions=NO_OUTPUT)
    _, status = os.waitpid(process, 0)
    if status:
        sys.exit(f"{' '.join(command)} ended with status {os.waitstatus_to_exitcode(status)}")
    return (time.perf_counter_ns() - start) / 1e6


def medians(commands, measure, rounds, warm_up):
    """The median of each command. They run in turn, so that other work of the machine affects all of them alike."""
    names, times = list(commands), {name: [] for name in commands}
    for turn in range(-warm_up, rounds):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            value = measure(commands[name])
            if turn >= 0:
                times[name].append(value)
    return {name: statistics.median(values) for name, values in times.items()}


@contextlib.contextmanager
def agent(tokentry, folder, store, environment):
    """Runs the agent with the accounts in a folder. The value is the option for those who ask it."""
    path = f"{folder}/{store}.sock"
    command = [tokentry, "agent", "--ask", "never", "--socket", path, "--store", f"file:{folder}/{store}"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        try:
            yield ["--store", f"agent:{path}"]
        finally:
            process.terminate()


def token(tokentry):
    """`tokentry token` with a valid token, in the keyring, in a folder, and over an agent with 1 account and with 1,000."""
    with (
        tempfile.TemporaryDirectory() as folder,
        keyring(pathlib.Path(folder)) as environment,
        contextlib.ExitStack() as agents,
    ):
        def keep(account, *store):
            subprocess.run([tokentry, *LOGIN, "--account", account, *store], input=CALLBACK, text=True, env=environment,
                           check=True, stdout=subprocess.DEVNULL)  # fmt: skip

        keep("work")
        keep("work", "--store", f"file:{folder}/few")
        for number in range(1000):
            keep(f"other-{number}" if number else "work", "--store", f"file:{folder}/many")
        few, many = (agents.enter_context(agent(tokentry, folder, name, environment)) for name in ("few", "many"))
        ask = [tokentry, "token", "--account", "work"]
        commands = {
            "version": [tokentry, "--version"], "keyring": ask, "folder": [*ask, "--store", f"file:{folder}/few"],
            "agent": ask + few, "full agent": ask + many,
        }  # fmt: skip
        times = medians(commands, lambda command: milliseconds(command, environment), rounds=300, warm_up=10)
    yield from ((f"{name}, ms", value, None) for name, value in times.items())
    yield "a kept token in a folder / --version", times["folder"] / times["version"], 1.5
    yield "an agent with 1,000 accounts / with 1", times["full agent"] / times["agent"], 1.1


class Provider(http.server.ThreadingHTTPServer):
    """An authorization server that redirects at once or shows a page, and records the times."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server_address[1]}"
        self.requested = self.redirected = None
        self.shown = threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        base = self.server.base
        if address.path.endswith("/.well-known/openid-configuration"):
            kind = address.path.split("/")[1]
            time.sleep(LATE if kind == "late" else 0)
            page = base + ("/page" if kind == "page" else "/authorize")
            self.answer("application/json", json.dumps({
                "issuer": f"{base}/{kind}", "authorization_endpoint": page, "token_endpoint": base + "/token",
                "jwks_uri": base + "/keys"}))  # fmt: skip
        elif address.path == "/authorize":
            self.server.requested = time.perf_counter()
            state = urllib.parse.parse_qs(address.query)["state"][0]
            self.answer("text/plain", "", 302, Location=f"{REDIRECT}?code=C&state={state}")
            self.server.redirected = time.perf_counter()
        else:
            self.answer("text/html", "<!doctype html><title>Sign in</title><form><input name=user></form>")
            self.server.shown.set()

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer("application/json", '{"access_token":"T","token_type":"Bearer"}')

    def answer(self, kind, text, status=200, **fields):
        self.send_response(status)
        for name, value in ({"Content-Type": kind, "Content-Length": str(len(text))} | fields).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


def window(tokentry):
    """A login in a window: from the start to the authorization request, and from the redirect to the printed token."""
    with tempfile.TemporaryDirectory() as folder, keyring(pathlib.Path(folder)) as session, display() as name:
        environment = session | {"DISPLAY": name}
        provider = Provider()

        def login(path):
            return [tokentry, "login", "--issuer", provider.base + path, "--client-id", "1", "--redirect-uri", REDIRECT,
                    "--way", "window"]  # fmt: skip

        ends = []

        def request(command):
            started = time.perf_counter()
            done = subprocess.run(command, env=environment, capture_output=True, timeout=30, check=True)
            ends.append((time.perf_counter() - provider.redirected) * 1e3)
            if b'"access_token"' not in done.stdout:
                sys.exit(f"the login printed {done.stdout!r}")
            return (provider.requested - started) * 1e3

        times = medians({"early": login("/early"), "late": login("/late")}, request, rounds=30, warm_up=2)
        kilobytes = min(resident_kb(login("/page"), environment, provider) for _ in range(3))
    yield "from the start to the authorization request, ms", times["early"], None
    yield "from the redirect to the end, ms", statistics.median(ends), None
    yield f"request, with endpoints known {LATE * 1e3:.0f} ms later / at once", times["late"] / times["early"], 1.05
    yield "resident kB of tokentry while the window is shown", kilobytes, 25 * 1024


def resident_kb(command, environment, provider):
    """The memory of a program that has shown its page for some time."""
    provider.shown.clear()
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            if not provider.shown.wait(30):
                sys.exit("the window does not load its page")
            time.sleep(2)
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
            return int(re.search(r"^VmRSS:\s+(\d+)", status, re.M)[1])
        finally:
            process.terminate()


BENCHMARKS = {"token": token, "window": window}


def main():
    names = sys.argv[1:] or list(BENCHMARKS)
    if not set(names) <= BENCHMARKS.keys():
        sys.exit(__doc__)
    build = [ROOT / "data/build.sh", "tokentry", "tokentry-window"]
    printed = subprocess.run(build, check=True, stdout=subprocess.PIPE, text=True).stdout
    tokentry = os.path.join(printed.splitlines()[-1], "tokentry")
    lines, missed = [f"{'figure':68} {'value':>9} {'at most':>9}"], []
    for name in names:
        for figure, value, limit in BENCHMARKS[name](tokentry):
            kept = limit is None or value <= limit
            missed += [] if kept else [name]
            lines.append(f"{name + ': ' + figure:68} {value:9.6g} {limit or '-':>9}{'' if kept else '  MISSED'}")
    results = ROOT / "Tests/results/bench.txt"
    results.parent.mkdir(exist_ok=True)
    results.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(results.read_text(encoding="utf-8"), end="")
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
