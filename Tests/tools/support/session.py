"""A private session: a bus, an unlocked keyring and a display."""

import contextlib
import os
import signal
import subprocess
import sys
import time

BUS = """<busconfig><type>session</type><listen>unix:path={}</listen><policy context="default">
<allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>"""


@contextlib.contextmanager
def keyring(root):
    """Runs a bus and a keyring. The value is the environment of programs that use them."""
    for name in ("home", "run"):
        os.makedirs(root / name, mode=0o700)
    bus = root / "run" / "bus"
    (root / "bus.conf").write_text(BUS.format(bus))
    environment = {
        "HOME": str(root / "home"),
        "XDG_RUNTIME_DIR": str(root / "run"),
        "PATH": "/usr/bin:/bin",
        "DBUS_SESSION_BUS_ADDRESS": f"unix:path={bus}",
        # GTK would load an input method of the desktop.
        "GTK_IM_MODULE": "gtk-im-context-simple",
    }
    quiet = {"env": environment, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    # The daemon prints the address once it listens there; the file of the socket exists earlier.
    command = ["dbus-daemon", "--nofork", "--print-address", f"--config-file={root}/bus.conf"]
    daemons = [subprocess.Popen(command, **quiet | {"stdout": subprocess.PIPE})]
    try:
        daemons[0].stdout.readline()
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


@contextlib.contextmanager
def display():
    """Runs a display. The value is its name."""
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "800x760x24", "-nolisten", "tcp", "-noreset"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            yield ":" + server.stdout.readline().strip()
        finally:
            server.terminate()


def wait_for(condition):
    for _ in range(400):
        if condition():
            return
        time.sleep(0.025)
    sys.exit("the session did not start")
