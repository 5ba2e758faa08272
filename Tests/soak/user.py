"""A user's session with its servers, and the programs that run in it."""

import itertools
import json
import os
import pathlib
import subprocess
import tempfile
import time

from provider import REDIRECT, Provider
from session import wait_for
from watch import processes, resident_kb

# The name of the keyring's daemon, and the number of requests of another program for comparison.
KEYRING, CONTROLS = "gnome-keyring-d", 200
HERE = pathlib.Path(__file__).resolve().parent


class Fault(Exception):
    """A wrong answer."""


class Session:
    """The session of one round, which takes some minutes at most."""

    def __init__(self, folder, environment, programs, stack, minutes):
        self.folder, self.programs, self.stack = folder, programs, stack
        self.end = time.monotonic() + 60 * minutes
        (folder / "tmp").mkdir()
        self.environment = environment | {"TMPDIR": str(folder / "tmp"), "LANG": "C.UTF-8"}
        self.provider = Provider()
        self.seen = set()
        # The number of runs that used the keyring.
        self.asked_keyring = 0
        self.measured = folder / "measured"
        subprocess.run(["gcc", "-O2", HERE / "measured.c", "-o", self.measured], check=True)

    def stays(self, command, **options):
        """Starts a program that runs until the end of the session."""
        process = subprocess.Popen(command, env=self.environment, stderr=subprocess.DEVNULL, **options)

        def end():
            process.terminate()
            process.wait()

        self.stack.callback(end)
        return process

    def demo_server(self):
        """Starts the demo provider and returns its issuer."""
        server = self.stays([self.programs / "demo-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return server.stdout.readline().strip()

    def screen(self):
        """Starts a display with a window manager."""
        read, write = os.pipe()
        command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "800x700x24", "-nolisten", "tcp", "-noreset"]
        self.stays(command, pass_fds=[write])
        os.close(write)
        with os.fdopen(read) as number:
            self.environment["DISPLAY"] = ":" + number.readline().strip()
        self.stays(["openbox", "--sm-disable"])
        root = ["xprop", "-root", "_NET_SUPPORTING_WM_CHECK"]
        wait_for(lambda: b"window id" in subprocess.run(root, env=self.environment, capture_output=True).stdout)

    def runs(self, count):
        """The numbers of the runs, until the time is over."""
        return itertools.takewhile(lambda _: time.monotonic() < self.end, range(count))

    @property
    def residents(self):
        """The programs that run until the end of the session, by name."""
        children = processes().items()
        return {name: number for number, (parent, name, _) in children if parent == os.getpid()}

    def run(self, *arguments):
        """Runs tokentry. Returns its answer, its peak memory and its microseconds."""
        read, write = os.pipe()
        command = [self.measured, self.programs / "tokentry", *arguments]
        # `measured` writes its figures to descriptor 3.
        files = [(os.POSIX_SPAWN_DUP2, write, 3)]
        output, output_end = os.pipe()
        errors = tempfile.TemporaryFile(dir=self.folder)
        null = os.open(os.devnull, os.O_RDONLY)
        files = [(os.POSIX_SPAWN_DUP2, null, 0), (os.POSIX_SPAWN_DUP2, output_end, 1),
                 (os.POSIX_SPAWN_DUP2, errors.fileno(), 2)] + files  # fmt: skip
        process = os.posix_spawn(command[0], command, self.environment, file_actions=files)
        for descriptor in (write, output_end, null):
            os.close(descriptor)
        with os.fdopen(output, "rb") as answers, os.fdopen(read) as figures, errors:
            answer = answers.read()
            figure = figures.read()
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
        token = answer["access_token"]
        if token in self.seen:
            raise Fault(f"{' '.join(map(str, arguments))}: an old token")
        self.seen.add(token)
        return token, *used

    def login(self, *arguments):
        """The command line of a login at the provider that refreshes."""
        base = self.provider.base
        return ["login", "--endpoint", f"authorization={base}/authorize", "--endpoint", f"token={base}/token",
                "--client-id", "soak", "--redirect-uri", REDIRECT, *arguments]  # fmt: skip

    def store(self, index):
        """The keyring and a folder in turn."""
        return ["--store", f"file:{self.folder}/home/accounts" if index % 2 else "keyring"]

    def keyring_kb(self):
        """The growth of the keyring's daemon for each program that uses it: gnome-keyring 42 keeps a few kB for each. Measure
        this first, because the daemon uses freed memory again."""
        item = {"env": self.environment, "stdout": subprocess.DEVNULL, "check": True}
        subprocess.run(["secret-tool", "store", "--label=control", "soak", "control"], input=b"control", **item)
        before = resident_kb(self.residents[KEYRING])
        for _ in range(CONTROLS):
            subprocess.run(["secret-tool", "lookup", "soak", "control"], **item)
        return (resident_kb(self.residents[KEYRING]) - before) / CONTROLS

    def intact(self, account, tokens):
        """Checks that the account in each store still has its last token."""
        for index, token in tokens.items():
            answer, *_ = self.run("token", "--account", account, "--silent", *self.store(index))
            if answer["access_token"] != token:
                raise Fault(f"the account {account} has lost its token")
