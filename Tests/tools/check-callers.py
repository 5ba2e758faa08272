#!/usr/bin/python3
"""Runs the unchanged examples in data/callers against a provider on this machine.

usage: check-callers.py [--all] TOKENTRY

Each example signs in, is denied, and is cancelled during a login. Examples with a window run on a display of their own,
where a key presses their button, and go on after a login that was killed. Without --all, examples are left out whose language takes long to install. The packages
for Python and Node are made, installed and used.
"""

import concurrent.futures
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/tools/support"))

from account import UserAccount
from session import display

CALLERS = ROOT / "data/callers"
OPTIONS = ["--provider", "gitlab", "--client-id", "ID", "--scope", "read_api"]
C = "-Wall -Wextra -Werror -o program {source}"
# The required program, the command that builds the example, and the command that runs it.
CONSOLE = {
    "login.sh": ("sh", "true", ["{source}"]),
    "asyncio_login.py": ("/usr/bin/python3", "true", ["/usr/bin/python3", "{source}"]),
    "node_login.mjs": ("node", "true", ["node", "{source}"]),
    "login.go": ("go", "GOCACHE=$PWD/cache go build -o program {source}", ["./program"]),
    "login.swift": ("swiftc", "swiftc -swift-version 6 -o program {source}", ["./program"]),
    "login.rs": ("rustc", "rustc --edition 2021 -D warnings -o program {source}", ["./program"]),
}
WINDOWS = {
    "gtk3.c": ("pkg-config json-glib-1.0", f"gcc {C} $(pkg-config --cflags --libs gtk+-3.0 json-glib-1.0)", ["./program"]),
    "gtk4.c": ("pkg-config gtk4", f"gcc {C} $(pkg-config --cflags --libs gtk4 json-glib-1.0)", ["./program"]),
    "gtk3.py": ("python3 Gtk 3.0", "true", ["/usr/bin/python3", "{source}"]),
    "gtk4.py": ("python3 Gtk 4.0", "true", ["/usr/bin/python3", "{source}"]),
    "qt6.py": ("python3 PyQt6", "true", ["/usr/bin/python3", "{source}"]),
}
KEEPING = {"gtk4.py"}  # those that keep an account
LONG = {"login.go", "login.rs", "login.swift", "qt6.py"}
PATIENCE = 180


def is_installed(needed):
    name, _, rest = needed.partition(" ")
    if not rest:
        return shutil.which(name) is not None
    if name == "pkg-config":
        command = ["pkg-config", "--exists", rest]
    elif rest.startswith("Gtk"):
        command = ["/usr/bin/python3", "-c", "import gi,sys; gi.require_version(*sys.argv[1:])", *rest.split()]
    else:
        command = ["/usr/bin/python3", "-c", f"import {rest}"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def until(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"timed out while waiting for {what}")
        time.sleep(0.05)


def child_of(program):
    """The login that an example has started."""
    for task in pathlib.Path(f"/proc/{program.pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            return int(child)
    raise AssertionError("there is no login")


class Example:
    """An example, built, with its own user account and provider."""

    def __init__(self, name, build, command, tokentry):
        self.account = UserAccount(tokentry)
        self.folder = self.account.folder / "work"
        self.keeps = name in KEEPING
        source = CALLERS / name
        self.command = [word.format(source=source) for word in command] + OPTIONS
        self.environment = self.account.environment(PATH=f"{self.account.folder}/bin:/usr/local/bin:/usr/bin:/bin")
        # Compilers may be anywhere in the path of this script.
        subprocess.run(["sh", "-ec", build.format(source=source)], cwd=self.folder, check=True,
                       env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
        self.environment["PATH"] += ":" + os.environ["PATH"]
        self.environment["PYTHONDONTWRITEBYTECODE"] = "1"

    def start(self, **variables):
        return subprocess.Popen(self.command, cwd=self.folder, env={**self.environment, **variables},
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)

    def asked(self):
        """The number of logins that have reached the provider."""
        return sum(path == "/authorization_endpoint" for _, path, _ in self.account.provider.requests)

    def during_login(self, begin):
        """Begins a login, and waits until it is under way."""
        before = self.asked()
        begun = begin()
        until(lambda: self.asked() > before, "a login under way")
        return begun

    def on_console(self):
        """Checks the output and exit status of a program without a window."""
        provider = self.account.provider
        for provider.denies, word, status in ((False, "signed in", 0), (True, "not signed in", 1)):
            program = self.start()
            output = program.communicate(timeout=PATIENCE)[0]
            if not any(line.startswith(word) for line in output.splitlines()) or program.returncode != status:
                raise AssertionError(f"{word!r} and {status} are not in {output!r} and {program.returncode}")
        provider.denies = False
        provider.gate.clear()
        program = self.during_login(self.start)
        # Like a terminal, signal the program and its children.
        os.killpg(program.pid, signal.SIGINT)
        program.communicate(timeout=PATIENCE)
        provider.gate.set()
        if program.returncode == 0:
            raise AssertionError("it succeeds although it was cancelled")

    def in_window(self):
        """Presses the button of a window and checks the title."""
        provider = self.account.provider
        with display() as name:
            screen = Screen(name)
            variables = {"DISPLAY": name, "GDK_BACKEND": "x11", "QT_QPA_PLATFORM": "xcb", "GTK_A11Y": "none"}
            # Without a password on the provider's page, a test signs in even at the start.
            provider.password = "demo" if self.keeps else None
            program = self.start(**variables)
            try:
                screen.wait("not signed in", program)
                provider.password = None
                screen.press()
                screen.wait("signed in")
                provider.denies = True
                screen.press()
                screen.wait("(.*: )?No[.]?$")
                provider.denies = False
                provider.gate.clear()
                self.during_login(screen.press)
                screen.press()  # cancels the login instead of starting another one
                screen.wait("cancelled")
                self.during_login(screen.press)
                os.kill(child_of(program), signal.SIGKILL)
                screen.wait("Tokentry was ended")
                provider.gate.set()
                screen.press()
                screen.wait("signed in")
                if self.keeps:
                    before = self.asked()
                    program.kill()
                    program.communicate()
                    program = self.start(**variables)
                    screen.wait("signed in", program)
                    if self.asked() > before:
                        raise AssertionError("it does not keep the account")
            finally:
                provider.gate.set()
                program.kill()
                program.communicate()


class Screen:
    """The display of one program, which has one button."""

    def __init__(self, name):
        self.name = name

    def run(self, *words):
        return subprocess.run(["xdotool", *words], env={"DISPLAY": self.name, "PATH": "/usr/bin:/bin"},
                              capture_output=True, text=True, check=False).stdout.split()

    def wait(self, state, program=None):
        """Waits until the window's title shows a state."""
        def is_shown():
            if program and program.poll() is not None:
                raise AssertionError(f"it ended with status {program.returncode}: {program.stdout.read()}")
            return self.run("search", "--onlyvisible", "--name", f"^Mail: {state}")

        until(is_shown, f"“Mail: {state}”")

    def press(self):
        # Without a window manager, the window has to be given the keyboard focus.
        window = self.run("search", "--onlyvisible", "--name", "^Mail: ")[0]
        self.run("windowfocus", "--sync", window, "key", "--clearmodifiers", "space")


def tried(name, tokentry):
    kind = Example.on_console if name in CONSOLE else Example.in_window
    _, build, command = (CONSOLE | WINDOWS)[name]
    example = None
    try:
        example = Example(name, build, command, tokentry)
        kind(example)
    except (AssertionError, OSError, subprocess.SubprocessError, IndexError) as error:
        return f"{name}: {error}"
    finally:
        if example:
            example.account.close()
    return None


def packaged(tokentry):
    """Makes the packages for Python and Node without the network, installs them, and uses them."""
    account = UserAccount(tokentry)
    try:
        shutil.copytree(CALLERS, account.folder / "work/callers", ignore=shutil.ignore_patterns("__pycache__"))
        npm = "npm install --silent --offline \"$(npm pack --silent ./callers)\""
        install = npm if shutil.which("npm") else "mkdir node_modules; ln -s ../callers node_modules/tokentry"
        output, _ = account.run(f"""
            pip() {{ /usr/bin/python3 -m pip --isolated --quiet --disable-pip-version-check "$@"; }}
            pip wheel --no-index --no-deps --no-build-isolation --wheel-dir . ./callers
            pip install --no-index --no-deps --target python tokentry-*.whl
            PYTHONPATH=python /usr/bin/python3 -c 'import tokentry; print(tokentry.run("accounts"))'
            {install}
            echo 'import {{ tokentry }} from "tokentry"; console.log(JSON.stringify(await tokentry("accounts", [])));' >try.mjs
            node try.mjs""")
        if output != "{'accounts': []}\n{\"accounts\":[]}\n":
            return f"the packages: {output}"
        (account.folder / "work/test_demo.py").write_text(IN_PYTEST)
        (account.folder / "work/demo.test.mjs").write_text(IN_NODE)
        account.run("/usr/bin/python3 -B -W error -m pytest -p no:cacheprovider test_demo.py",
                    PYTHONPATH="python", TOKENTRY_HEADLESS_TEST=None, TOKENTRY_STORE=None)
        account.run("node --test demo.test.mjs")
    except AssertionError as error:
        return f"the packages: {error}"
    finally:
        account.close()
    return None


# A client that retries a refresh without an answer, and what the provider saw of it: pytest and Node start the provider.
IN_PYTEST = """
import json, pytest, subprocess, urllib.error, urllib.request

@pytest.mark.parametrize("time", ["first", "second"])
def test_program_with_tokentry(tokentry_demo, time):
    login = ["tokentry", "login", "--issuer", tokentry_demo.issuer, "--client-id", tokentry_demo.client_id]
    subprocess.run([*login, "--account", "me"], check=True)
    assert tokentry_demo.log()["sign_ins"] == 1

@pytest.mark.tokentry_demo("--user", "ada", "--client", "app:secret", "--fault", "token-500=1")
def test_options(tokentry_demo):
    assert (tokentry_demo.client_id, tokentry_demo.client_secret) == ("app", "secret")
    for status in (500, 401):
        with pytest.raises(urllib.error.HTTPError) as raised:
            urllib.request.urlopen(tokentry_demo.issuer + "/token", b"grant_type=refresh_token")
        assert raised.value.code == status
    assert tokentry_demo.log()["requests"][0]["faults"] == ["token-500"]
    tokentry_demo.reset()
    assert tokentry_demo.log()["requests"] == []

def test_ends_at_once():
    import tokentry_demo
    for _ in range(5):
        tokentry_demo.Demo().close()
    with tokentry_demo.Demo() as demo:
        request = urllib.request.Request(demo.issuer + "/reset", method="POST")
        assert urllib.request.urlopen(request).status == 200

def test_defaults(tokentry_demo):
    tokentry_demo.faults("denied", "token-500=2")
    tokentry_demo.change(token_life=10)
    faults = json.load(urllib.request.urlopen(tokentry_demo.issuer + "/faults"))["faults"]
    assert {fault["fault"]: fault["on"] for fault in faults if "on" in fault} == {"denied": True, "token-500": 2}
    with pytest.raises(urllib.error.HTTPError):
        tokentry_demo.faults("deniet")
"""
IN_NODE = """
import assert from "node:assert";
import { test } from "node:test";
import { startDemo } from "tokentry/demo";

test("the demo provider", async (t) => {
  const demo = await startDemo(t);
  await demo.faults("token-500=1");
  const ask = () => fetch(demo.issuer + "/token", { method: "POST", body: new URLSearchParams({ a: "b" }) });
  assert.equal((await ask()).status, 500);
  assert.equal((await ask()).status, 401);
  assert.deepEqual((await demo.log()).requests[0].faults, ["token-500"]);
  await demo.reset();
  assert.deepEqual((await demo.log()).requests, []);
  await assert.rejects(demo.faults("deniet"), /did you mean denied/);
});
"""


def main():
    arguments = [word for word in sys.argv[1:] if word != "--all"]
    tokentry = pathlib.Path(arguments[0]).resolve()
    names = [name for name in CONSOLE | WINDOWS if "--all" in sys.argv or name not in LONG]
    missing = [name for name in names if not is_installed((CONSOLE | WINDOWS)[name][0])]
    if missing:
        sys.exit(f"programs are missing for {', '.join(missing)}")
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        packages = pool.submit(packaged, tokentry)
        faults = [fault for fault in [*pool.map(lambda name: tried(name, tokentry), names), packages.result()] if fault]
    if faults:
        sys.exit("\n".join(faults))
    print(f"{len(names)} examples sign in, show a denial and can be cancelled")
    if "--all" not in sys.argv:
        print(f"note: Tests/run.sh --all also runs {', '.join(sorted(LONG))}")


if __name__ == "__main__":
    main()
