#!/usr/bin/python3
"""Measures `tokentry token` with a token that is good: in the keyring against `secret-tool lookup` of the same item, in
a folder against `tokentry --version`; and in both `tokentry helper headers` for the address of an API against
`tokentry token --output header`. Bus and keyring are private ones, and end with this program.

usage: token.py EXECUTABLE
"""

import contextlib
import itertools
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from timing import Figure, run, tell

OF_SECRET_TOOL = 1.3
OF_VERSION = 1.5
OF_HEADER = 1.3
PAIRS = (150, 600)
WARM_UP = 10

API = "https://mcp.example/mcp"
LOGIN = ["login", "--provider", "vk", "--client-id", "1", "--state", "S", "--headless-test", "--navigations", "-"]
CALLBACK = "https://oauth.vk.com/blank.html#access_token=T&expires_in=86400&user_id=1&state=S\n"
BUS = """<busconfig><type>session</type><listen>unix:path={}</listen><policy context="default">
<allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>"""


@contextlib.contextmanager
def keyring(root):
    """The environment of a session with an unlocked keyring."""
    for name in ("home", "run"):
        os.makedirs(root / name, mode=0o700)
    bus = root / "run" / "bus"
    (root / "bus.conf").write_text(BUS.format(bus))
    environment = {
        "HOME": str(root / "home"),
        "XDG_RUNTIME_DIR": str(root / "run"),
        "PATH": "/usr/bin:/bin",
        "DBUS_SESSION_BUS_ADDRESS": f"unix:path={bus}",
    }
    quiet = {"env": environment, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    daemons = [subprocess.Popen(["dbus-daemon", "--nofork", f"--config-file={root}/bus.conf"], **quiet)]
    try:
        wait_for(bus.exists)
        daemon = ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"]
        daemons.append(subprocess.Popen(daemon, stdin=subprocess.PIPE, **quiet))
        daemons[-1].stdin.write(b"password")
        daemons[-1].stdin.close()
        owner = ["gdbus", "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/"]
        owner += ["--method", "org.freedesktop.DBus.GetNameOwner", "org.freedesktop.secrets"]
        wait_for(lambda: subprocess.run(owner, **quiet).returncode == 0)
        yield environment
    finally:
        for daemon in reversed(daemons):
            daemon.send_signal(signal.SIGKILL)
            daemon.wait()


def wait_for(condition):
    for _ in range(400):
        if condition():
            return
        time.sleep(0.025)
    sys.exit("the bus or the keyring did not start")


def compare(ours, theirs, environment, pairs):
    """Runs both in turn, prints the times, returns the larger of the two ratios."""
    for _ in range(WARM_UP):
        run(ours, environment), run(theirs, environment)
    times = ([], [])
    for index in range(pairs):
        # Each goes first as often as the other.
        for which in (0, 1) if index % 2 else (1, 0):
            times[which].append(run((ours, theirs)[which], environment))
    of_medians = statistics.median(times[0]) / statistics.median(times[1])
    of_pairs = statistics.median(our / their for our, their in zip(*times))
    print(f"{pairs} pairs")
    for command, measured in zip((ours, theirs), times):
        name = " ".join([os.path.basename(command[0])] + command[1:2])
        print(f"  {name:20} {statistics.median(measured):6.2f} ms  (least {min(measured):.2f})")
    print(f"  ratio of medians {of_medians:.3f}, median of ratios {of_pairs:.3f}")
    return max(of_medians, of_pairs)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tokentry = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder, keyring(pathlib.Path(folder)) as environment:
        token = [tokentry, "token", "--account", "work"]
        in_folder = ["--store", f"file:{folder}/store"]
        accounts = (["--account", "work"], ["--account", API, "--resource", API])
        for store, account in itertools.product(([], in_folder), accounts):
            command = [tokentry] + LOGIN + account + store
            subprocess.run(
                command, input=CALLBACK, text=True, env=environment, check=True, stdout=subprocess.DEVNULL
            )
        header = [tokentry, "token", "--resource", API, "--output", "header"]
        headers = [tokentry, "helper", "headers", API]
        lookup = ["/usr/bin/secret-tool", "lookup", "account", "work"]
        for name, ours, theirs, limit in (
            ("kept token in the keyring / secret-tool lookup", token, lookup, OF_SECRET_TOOL),
            ("kept token in a folder / --version", token + in_folder, [tokentry, "--version"], OF_VERSION),
            ("headers from the keyring / token --output header", headers, header, OF_HEADER),
            ("headers from a folder / token --output header", headers + in_folder, header + in_folder, OF_HEADER),
        ):
            print(name)
            tell(lambda pairs: [Figure(name, compare(ours, theirs, environment, pairs), limit)], *PAIRS)


if __name__ == "__main__":
    main()
