#!/usr/bin/python3
"""Measures the window against a minimal C program with WebKitGTK and against the same program in Python.

usage: window.py TOKENTRY DIRECTORY    (the C program is built in DIRECTORY; tokentry-window is next to TOKENTRY)

All run in turn on one display and one bus, with their output in a pipe:

  request   from the start of the process to the authorization request at the server
  end       from the server's redirect to the end of file on the pipe. Tokentry also exchanges the code in between.

Memory is measured while a page is shown: the proportional set size of tokentry-window and of the C program, and the
resident size of tokentry.
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
import threading
import time
import urllib.parse

from timing import Figure, tell

HERE = pathlib.Path(__file__).resolve().parent / "window"

OF_C = {"request": 1.0, "end": 0.45}
OF_PYTHON = {"request": 0.85, "end": 0.70}
# The limit for the time until the request if the address of the page is known LATE seconds later.
OF_EARLY = 1.05
LATE = 0.1
OF_C_MEMORY = 1.2
RESIDENT_LIMIT = 25 * 1024  # kB

ROUNDS = (20, 60)
WARM_UP = 2
PATIENCE = 30  # seconds until a run is ended

REDIRECT = "https://app.example/done"


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
        if address.path == "/late/.well-known/openid-configuration":
            time.sleep(LATE)
            names = {"authorization_endpoint": "/authorize", "token_endpoint": "/token", "jwks_uri": "/keys"}
            self.answer({"issuer": base + "/late"} | {name: base + path for name, path in names.items()})
        elif address.path == "/authorize":
            self.server.requested = time.perf_counter()
            state = urllib.parse.parse_qs(address.query).get("state", [""])[0]
            self.send_response(302)
            self.send_header("Location", f"{REDIRECT}?code=C&state={state}")
            self.send_header("Content-Length", "0")
            self.server.redirected = time.perf_counter()
            self.end_headers()
        elif address.path == "/page":
            self.page()
        else:
            self.send_error(404)

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer({"access_token": "T", "token_type": "Bearer"})

    def answer(self, members):
        self.body("application/json", json.dumps(members).encode())

    def page(self):
        self.body("text/html", b"<!doctype html><title>Sign in</title><form><input name=user></form>")
        self.server.shown.set()

    def body(self, kind, text):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def tokentry(executable, provider, page="/authorize"):
    """A login whose endpoints are known from the start."""
    return [
        executable, "login", "--endpoint", f"authorization={provider.base}{page}",
        "--endpoint", f"token={provider.base}/token", "--client-id", "1", "--redirect-uri", REDIRECT,
        "--way", "window",
    ]  # fmt: skip


def late(executable, provider):
    """A login whose endpoints the provider tells LATE seconds after the request for its metadata."""
    return [
        executable, "login", "--issuer", provider.base + "/late", "--client-id", "1",
        "--redirect-uri", REDIRECT, "--way", "window",
    ]  # fmt: skip


def run(command, provider):
    """Runs a command. Returns the milliseconds until the request, and from the redirect to the end of file."""
    provider.requested = None
    started = time.perf_counter()
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        timer = threading.Timer(PATIENCE, process.kill)
        timer.start()
        output = process.stdout.read()
        ended = time.perf_counter()
        process.wait()
        timer.cancel()
    if process.returncode or provider.requested is None or not output.startswith(b"{"):
        sys.exit(f"{command[0]} ended with status {process.returncode}: {output!r}")
    return {
        "request": (provider.requested - started) * 1e3,
        "end": (ended - provider.redirected) * 1e3,
    }


def measure(commands, provider, rounds):
    """The medians of each command. The order changes with each round."""
    names = list(commands)
    figures = {name: [] for name in names}
    for turn in range(-WARM_UP, rounds):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            figure = run(commands[name], provider)
            if turn >= 0:
                figures[name].append(figure)
    return {
        name: {key: statistics.median(figure[key] for figure in list_) for key in ("request", "end")}
        for name, list_ in figures.items()
    }


def figures(medians):
    """Prints the times and returns the figures."""
    for name, figure in medians.items():
        print(f"  {name:24} request {figure['request']:7.1f} ms   end {figure['end']:7.1f} ms")
    ours, late_request = medians["tokentry"], medians["tokentry, told late"]["request"]
    return [
        Figure(f"window, {key} / bare {other} program", ours[key] / medians[other][key], limit)
        for other, limits in (("C", OF_C), ("Python", OF_PYTHON))
        for key, limit in limits.items()
    ] + [Figure(f"window, request told {LATE * 1e3:.0f} ms late / early", late_request / ours["request"], OF_EARLY)]


def proportional_size(pid):
    """The memory of a process in kB, with its share of shared memory."""
    text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    return int(re.search(r"^Pss: +(\d+)", text, re.M).group(1))


def resident_size(pid):
    text = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(re.search(r"^VmRSS:\s+(\d+)", text, re.M).group(1))


def child(pid, name):
    """The child process with this name."""
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            words = path.read_text(encoding="ascii").replace(")", "(").split("(")
            if words[1] == name and words[2].split()[1] == str(pid):
                return int(path.parent.name)
    return None


@contextlib.contextmanager
def showing(command, provider):
    """Runs a program until it has shown the page for some time. The value is its process."""
    provider.shown.clear()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        if not provider.shown.wait(PATIENCE):
            sys.exit(f"{command[0]} does not load the page")
        time.sleep(2)
        yield process.pid
    finally:
        process.terminate()
        process.wait()


def memory(executable, bare, provider):
    """The figures for memory. Each is the smallest of a few runs."""
    theirs, ours, resident = [], [], []
    for _ in range(3):
        with showing([bare, provider.base + "/page", REDIRECT], provider) as pid:
            theirs.append(proportional_size(pid))
        with showing(tokentry(executable, provider, "/page"), provider) as pid:
            ours.append(proportional_size(child(pid, "tokentry-window"[:15])))
            resident.append(resident_size(pid))
    print(f"  memory of tokentry-window {min(ours)} kB, of the C program {min(theirs)} kB")
    return [
        Figure("window, memory / bare C program", min(ours) / min(theirs), OF_C_MEMORY),
        Figure("window, resident kB of tokentry", min(resident), RESIDENT_LIMIT),
    ]


def build(directory):
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "webkit2gtk-4.1"], check=True, capture_output=True, text=True
    ).stdout.split()
    bare = os.path.join(directory, "window-bare")
    subprocess.run(["gcc", "-O2", HERE / "bare.c", "-o", bare] + flags, check=True)
    return bare


@contextlib.contextmanager
def display():
    """Runs a private display and bus."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x900x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write)
    bus = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        with os.fdopen(read) as number:
            os.environ["DISPLAY"] = ":" + number.readline().strip()
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()
        yield
    finally:
        for process in (server, bus):
            process.terminate()
            process.wait()


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    executable, directory = sys.argv[1:]
    os.makedirs(directory, exist_ok=True)
    bare = build(directory)
    for name in ("WAYLAND_DISPLAY", "WEBKIT_DISABLE_DMABUF_RENDERER", "WEBKIT_DISABLE_COMPOSITING_MODE"):
        os.environ.pop(name, None)
    with display():
        provider = Provider()
        url = provider.base + "/authorize"
        commands = {
            "C": [bare, url, REDIRECT],
            "Python": ["/usr/bin/python3", str(HERE / "bare.py"), url, REDIRECT],
            "tokentry": tokentry(executable, provider),
            "tokentry, told late": late(executable, provider),
        }
        def measured(rounds):
            print(f"medians of {rounds} rounds")
            return figures(measure(commands, provider, rounds))

        tell(measured, *ROUNDS)
        tell(lambda _: memory(executable, bare, provider), 1)


if __name__ == "__main__":
    main()
