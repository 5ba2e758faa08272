#!/usr/bin/python3
"""Checks the libraries from another package.

usage: check-library.py [--record]
       check-library.py --programs TOKENTRY

The first form builds the examples in data/callers/swift and the programs in Tests/programs/Stranger, as a package that depends on a
version of this one. It checks that the build does not warn, that each public symbol has a doc comment and is in the list of the API, that a login with LoginCore needs
few symbols and no header of a C library, and that the documentation builds. --record writes a new list, and fails if it
differs, so that a run cannot both record and pass.

The second form runs these programs: at a command line, on GTK's main loop, and in a process without a main loop. They sign
in at TOKENTRY's demo provider and at a server that is not ours.
"""

import contextlib
import json
import os
import pathlib
import platform
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/tools/support"))

from commands import run
from session import display, keyring

EXAMPLES = ROOT / "data" / "callers" / "swift"
STRANGER = ROOT / "Tests/programs/Stranger"
BUILD = ROOT / ".build" / "stranger"
LIST = ROOT / "Tests" / "LoginCoreTests" / "Snapshots" / "api.txt"
# A first login may need at most this many symbols: they fit on one page.
MOST_USED = 60
# The start of the line that the program `stranger` prints if its login works.
SIGNED_IN = "signed in until 20"
# The programs in Tests/programs/Stranger with LoginKit, which somebody wrote from the documentation alone, with a part of what they print.
# The three without one need a user, or a provider that registers clients.
STRANGERS = {"accounts": 'signed out everywhere: there is no account "work"', "cancel": "cancelled", "device": None,
             "dpop": "api 200 api 200 api 200 api 200 api 200", "fake": "404", "gtkapp": "status 200",
             "kept": "same token: true refresh: true", "logout": "unknown_account", "many": str([200] * 20),
             "model": "signedIn(\"20", "register": None, "sqlite": "work Token(type: Bearer",
             "stepup": "after a newer sign-in: 200", "transport": "POST http://127.0.0.1", "window": None}
# The C libraries that they use besides, with the package of each.
STRANGERS_LIBRARIES = {"gtkapp": ("CGTK3", "gtk+-3.0"), "sqlite": ("CSQLite", "sqlite3")}


def version():
    """Copies this package as it is now to a git repository with a version tag, and returns its path."""
    folder = ROOT / ".build" / "version" / "tokentry"
    shutil.rmtree(folder, ignore_errors=True)
    files = run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "Sources", "Tests",
                 "Package.swift"])
    for name in filter(None, files.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    git = ["git", "-C", folder, "-c", "user.name=nobody", "-c", "user.email=nobody@localhost"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "a version"], ["tag", "0.1.0"]):
        run([*git, *words])
    return folder


def build():
    """Builds the examples and the programs in Tests/programs/Stranger, and returns the folder of the binaries."""
    with tempfile.TemporaryDirectory(prefix="stranger-") as folder:
        package = pathlib.Path(folder, "stranger")
        shutil.copytree(EXAMPLES, package, ignore=shutil.ignore_patterns(".build"))
        shutil.copytree(STRANGER, package / "Sources", dirs_exist_ok=True)
        manifest = package / "Package.swift"
        text = manifest.read_text(encoding="utf-8")
        text = text.replace('.package(name: "tokentry", path: "../../..")', f'.package(url: "{version()}", from: "0.1.0")')
        targets = [f'.systemLibrary(name: "{name}", pkgConfig: "{package}")' for name, package in STRANGERS_LIBRARIES.values()]
        for name in STRANGERS:
            more = f', "{STRANGERS_LIBRARIES[name][0]}"' if name in STRANGERS_LIBRARIES else ""
            # A view model without annotations needs this.
            settings = ", swiftSettings: [.defaultIsolation(MainActor.self)]" if name == "model" else ""
            targets.append(f'.executableTarget(name: "{name}", dependencies: [kit{more}]{settings})')
        targets.append('.executableTarget(name: "stranger", dependencies: [.product(name: "LoginCore", package: "tokentry")])')
        manifest.write_text(f"{text}package.targets += [{', '.join(targets)}]\n", encoding="utf-8")
        # A stranger's first build has the usual flags. A second one can hide a fault of the first.
        shutil.rmtree(BUILD, ignore_errors=True)
        swift = ["swift", "build", "--package-path", package, "--scratch-path", BUILD, "--disable-dependency-cache"]
        done = subprocess.run(swift, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=1200, check=False)
        if done.returncode:
            sys.exit(done.stdout)
        # Each program with GTK itself causes two warnings: the package manager does not know one of GTK's flags.
        warnings = [line for line in done.stdout.splitlines() if line.startswith("warning:")]
        if len(warnings) > 4:
            sys.exit("a package that depends on this one is warned:\n" + "\n".join(warnings))
        check_programs()
        return pathlib.Path(run([*swift, "--show-bin-path"]).splitlines()[-1])


def check_programs():
    """Checks that only a build of this package itself has its programs, whatever the name of its folder is."""
    if "tokentry-window" in (BUILD / "debug.yaml").read_text(encoding="utf-8"):
        sys.exit("a package that depends on this one builds its programs")
    clone = BUILD / "checkouts" / "tokentry"
    package = json.loads(run(["swift", "package", "--package-path", clone, "describe", "--type", "json"]))
    if "tokentry-window" not in [product["name"] for product in package["products"]]:
        sys.exit(f"a clone in the folder {clone.parent.name} has no programs")


def headers(*packages):
    """The options with which Swift finds the C libraries, our own and those of further packages."""
    words = run(["pkg-config", "--cflags-only-I", "glib-2.0", "libxml-2.0", *packages]).split()
    for clibrary in (ROOT / "Sources/CLibraries").iterdir():
        words += ["-I", clibrary]
    return words


def isolated(modules):
    """The strangers' programs that do not compile as Xcode and new packages compile a program: all on the main actor."""
    for name in STRANGERS:
        library, package = STRANGERS_LIBRARIES.get(name, (".", "glib-2.0"))
        options = ["-swift-version", "6", "-default-isolation", "MainActor", "-enable-upcoming-feature",
                   "NonisolatedNonsendingByDefault", "-I", modules, "-I", STRANGER / library]
        done = subprocess.run(["swiftc", "-typecheck", *options, *headers(package), STRANGER / name / "main.swift"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600, check=False)
        if done.returncode:
            yield f"{name} does not compile on the main actor:\n{done.stdout}"


def extract(module, modules, folder):
    """Writes the public symbols of a module to the folder."""
    target = f"{platform.machine()}-unknown-linux-gnu"
    run(["swift", "symbolgraph-extract", "-module-name", module, "-I", modules, "-target", target, *headers(),
        "-minimum-access-level", "public", "-output-dir", folder])


def symbols(module, modules):
    """The public symbols of a module by identifier, without synthesized ones."""
    with tempfile.TemporaryDirectory() as folder:
        extract(module, modules, folder)
        graphs = [json.loads(file.read_text(encoding="utf-8")) for file in pathlib.Path(folder).glob("*.symbols.json")]
    found = {symbol["identifier"]["precise"]: symbol for graph in graphs for symbol in graph["symbols"]}
    return {name: symbol for name, symbol in found.items() if "::SYNTHESIZED::" not in name}


def documentation(modules):
    """Builds the documentation of each module alone, as other packages do, and returns docc's complaints."""
    docc = pathlib.Path(shutil.which("swift")).resolve().parent / "docc"
    names = ["--fallback-display-name", "LoginCore", "--fallback-bundle-identifier", "LoginCore"]
    faults = []
    for module, catalog in [("LoginKit", [ROOT / "Sources/LoginKit/LoginKit.docc"]), ("LoginCore", names)]:
        with tempfile.TemporaryDirectory() as folder:
            extract(module, modules, folder)
            done = subprocess.run([docc, "convert", *catalog, "--additional-symbol-graph-dir", folder,
                                   "--output-dir", pathlib.Path(folder, "site"), "--warnings-as-errors"],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600, check=False)
        faults += [done.stdout] if done.returncode else []
    return faults


def alone():
    """Builds LoginCore as on a machine without the header of any C library, not even libc, and returns what a login with it prints."""
    with tempfile.TemporaryDirectory() as folder:
        run(["swiftc", "-swift-version", "6", "-package-name", "tokentry", "-module-name", "LoginCore", "-parse-as-library",
             "-wmo", "-emit-module", "-emit-library", "-static", "-o", "libLoginCore.a", "-Xcc", "-nostdinc",
             *sorted((ROOT / "Sources/LoginCore").rglob("*.swift"))], cwd=folder)
        run(["swiftc", "-swift-version", "6", "-I", ".", "-L", ".", "-lLoginCore", "-o", "login",
             *sorted((STRANGER / "stranger").glob("*.swift"))], cwd=folder)
        return run([pathlib.Path(folder, "login")])


def path(symbol):
    return ".".join(symbol["pathComponents"])


def line(symbol):
    declaration = "".join(part["spelling"] for part in symbol["declarationFragments"])
    return f"{path(symbol)}: {' '.join(declaration.split())}"


def differences(public):
    """The differences between the list of the API and the library."""
    now = sorted(line(symbol) for symbol in public.values())
    if "--record" in sys.argv:
        LIST.parent.mkdir(exist_ok=True)
        text = "\n".join(now) + "\n"
        if LIST.exists() and LIST.read_text(encoding="utf-8") == text:
            return
        LIST.write_text(text, encoding="utf-8")
        yield f"recorded {len(now)} symbols: look at the difference and run again"
        return
    kept = LIST.read_text(encoding="utf-8").splitlines()
    hint = "Tests/run.sh --record records it"
    yield from (f"public, but not in {LIST.name}: {text} ({hint})" for text in sorted(set(now) - set(kept)))
    yield from (f"in {LIST.name}, but not public: {text} ({hint})" for text in sorted(set(kept) - set(now)))
    if not set(now) ^ set(kept) and now != kept:
        yield f"{LIST.name} lists a symbol too often or not often enough"


def used(public, modules):
    """The symbols that the program `stranger` uses, including the types of its values."""
    tree = run(["swiftc", "-frontend", "-typecheck", "-swift-version", "6", "-module-name", "stranger", "-I", modules,
               "-dump-ast", "-dump-ast-format", "json", *sorted((STRANGER / "stranger").glob("*.swift"))])
    return [path(symbol) for name, symbol in public.items() if name.removeprefix("s:") in tree]


@contextlib.contextmanager
def running(*command, **more):
    with subprocess.Popen(command, stdin=subprocess.PIPE, text=True, **more) as process:
        try:
            yield process
        finally:
            process.kill()


def address(process):
    """The address in the first line that a server prints."""
    line = json.loads(process.stdout.readline())
    return line.get("issuer") or line["base"]


def browser(tokentry, folder):
    """A program that acts as the browser and its user: it fills in forms with the values in TOKENTRY_FORM, until a page has none."""
    path = folder / "browser"
    path.write_text(f"#!/bin/sh\nTOKENTRY_HEADLESS_TEST=1 {tokentry} navigate --redirect-uri app:/none --url \"$1\" >&2 || :\n")
    path.chmod(0o755)
    return str(path)


def programs(tokentry):
    """Runs the programs, in a home folder of their own."""
    binaries = BUILD / "debug"
    mock = ["/usr/bin/python3", ROOT / "Tests/InteropTests/mock.py"]
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="programs-")))
        session = stack.enter_context(keyring(folder))
        demo = stack.enter_context(running(tokentry, "demo", "--serve", stdout=subprocess.PIPE))
        other = stack.enter_context(running(*mock, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL))
        own, foreign = address(demo), address(other)
        variables = {"HOME": str(folder), "XDG_RUNTIME_DIR": session["XDG_RUNTIME_DIR"], "PATH": os.environ["PATH"],
                     "BROWSER": browser(tokentry, folder), "TOKENTRY_FORM": "username=ada\npassword=demo\ndecision=allow\nsub=anna\n"}
        printed = run([binaries / "console", own], env=variables | session | {"PATH": os.environ["PATH"]})
        if '"name":"ada"' not in printed:
            sys.exit(f"the program at the command line printed {printed}")
        service(binaries / "service", own, variables)
        web_server(binaries / "server", tokentry, own, variables)
        with display() as name:
            variables["DISPLAY"] = name
            for stranger, part in STRANGERS.items():
                # A path for `accounts`, `kept` and `sqlite`; the others do not read it.
                words = ["device", "1"] if stranger == "cancel" else [f"{folder}/{stranger}"]
                if part and part not in (printed := run([binaries / stranger, own, *words], env=variables)):
                    sys.exit(f"the stranger's program {stranger} printed {printed}")
            for words in [own], [foreign, "a-secret"]:
                desktop([binaries / "desktop", words[0], tempfile.mkdtemp(dir=folder), *words[1:]], variables)
            window(binaries / "desktop", tokentry, own, folder, variables)
    print("three programs signed in with LoginKit, one of them at another server, too")


def service(program, server, variables):
    """Runs the program whose ten tasks share one sign-in on another device."""
    # It has neither a browser nor a terminal, so only a code is left.
    alone = {name: value for name, value in variables.items() if name != "BROWSER"}
    with running(program, server, env=alone, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        *_, page, _, _, _, _, code = process.stderr.readline().split()
        check_signals(process.pid)
        answers = variables["TOKENTRY_FORM"] + f"user_code={code}\n"
        run([variables["BROWSER"], page], env=variables | {"TOKENTRY_FORM": answers})
        statuses = process.stdout.read().split()
        if statuses != ["200"] * 10 or process.stderr.read():
            sys.exit(f"the program without a main loop printed {statuses}")


def web_server(program, tokentry, provider, variables):
    """Runs the web server, and signs in there. Only a browser that has signed in comes to its first page."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with running(program, provider, str(port), env=variables):
        for _ in range(600):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.1)
        home = f"http://127.0.0.1:{port}/"
        run([tokentry, "navigate", "--redirect-uri", home, "--url", home + "login"],
            env=variables | {"TOKENTRY_HEADLESS_TEST": "1"})


def check_signals(process):
    """Checks that the program's handler of SIGPIPE is in place, and that a crash of our thread would be reported."""
    def mask(task, name):
        fields = dict(line.split(":\t") for line in (task / "status").read_text(encoding="ascii").splitlines())
        return int(fields[name], 16)

    tasks = list(pathlib.Path(f"/proc/{process}/task").iterdir())
    ours = [task for task in tasks if (task / "comm").read_text(encoding="utf-8").strip() == "tokentry"]
    blocked = mask(ours[0], "SigBlk")
    if not mask(tasks[0], "SigCgt") >> signal.SIGPIPE - 1 & 1:
        sys.exit("the program's handler of SIGPIPE is gone")
    if blocked >> signal.SIGSEGV - 1 & 1 or not blocked >> signal.SIGTERM - 1 & 1:
        sys.exit(f"the library's thread blocks the signals {blocked:x}")


def desktop(command, variables):
    """Runs the program with a window, and waits until the window's title is the API's answer."""
    script = ("for _ in $(seq 600); do titles=$(xdotool search --name . getwindowname %@ 2>/dev/null); "
              "[[ $titles == *'\"sub\"'* ]] && break; sleep 0.1; done; echo \"$titles\"")
    with running(*command, env=variables, stderr=subprocess.DEVNULL):
        titles = run(["bash", "-c", script], env=variables)
    if '"sub"' not in titles:
        sys.exit(f"the program with a window shows {titles}")


def window(program, tokentry, server, folder, variables):
    """Runs the program with a window where there is no browser: tokentry-window, next to it, shows the page."""
    copy = pathlib.Path(shutil.copy(program, folder))
    (copy.parent / "tokentry-window").symlink_to(tokentry.parent / "tokentry-window")
    urllib.request.urlopen(server, b"access=allow", timeout=60).close()
    desktop(["env", "-u", "BROWSER", "PATH=/nowhere", copy, server, tempfile.mkdtemp(dir=folder)], variables)


def main():
    if sys.argv[1:2] == ["--programs"]:
        return programs(pathlib.Path(sys.argv[2]).resolve())
    modules = build() / "Modules"
    core, kit = symbols("LoginCore", modules), symbols("LoginKit", modules)
    public = core | kit
    faults = [f"no doc comment: {line(symbol)}" for symbol in public.values() if "docComment" not in symbol]
    faults += [*differences(public), *documentation(modules), *isolated(modules)]
    for printed in run([modules.parent / "stranger"]), alone():
        if not printed.startswith(SIGNED_IN):
            faults.append(f"Tests/programs/Stranger prints {printed}")
    article = ROOT / "Sources/LoginKit/LoginKit.docc/KeepingAndRefreshing.md"
    store = (EXAMPLES / "Sources/service/Accounts.swift").read_text(encoding="utf-8")
    if store.partition("\n\n")[2] not in article.read_text(encoding="utf-8"):
        faults.append(f"{article.relative_to(ROOT)} shows another store than {EXAMPLES.relative_to(ROOT)}")
    page = used(core, modules)
    if not 0 < len(page) <= MOST_USED:
        faults.append(f"Tests/programs/Stranger uses {len(page)} symbols, {MOST_USED} at most: {', '.join(sorted(page))}")
    if faults:
        sys.exit("\n".join(faults))
    print(f"{len(core)} public symbols of LoginCore and {len(public) - len(core)} of LoginKit are documented and listed; "
          f"Tests/programs/Stranger signs in with {len(page)} of LoginCore's")
    return None


if __name__ == "__main__":
    try:
        main()
    except AssertionError as error:
        sys.exit(str(error))
