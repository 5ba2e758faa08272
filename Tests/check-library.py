#!/usr/bin/python3
"""Checks the public API of LoginCore: each public symbol has a doc comment and is in the API list, and the program in
Tests/Stranger, a separate package, signs in with few of them.

--record writes a new list and fails, so that a run cannot both record and pass.
"""

import json
import pathlib
import platform
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
STRANGER = ROOT / "Tests" / "Stranger"
LIST = ROOT / "Tests" / "LoginCoreTests" / "Snapshots" / "api.txt"
# The most symbols that a first login may need: as many as fit one page.
MOST_USED = 60
# The start of each line that the program prints if both of its logins work.
SIGNED_IN = ["signed in until 20", "by hand as stranger-1"]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def build():
    """Builds the program in Tests/Stranger and the library, and returns the build folder."""
    swift = ["swift", "build", "--package-path", STRANGER, "--scratch-path", ROOT / ".build" / "stranger"]
    # Whole-module compilation without index and debug information is fastest.
    swift += ["--disable-index-store", "-debug-info-format", "none"]
    for option in "-wmo", "-num-threads", "1", "-disable-batch-mode", "-no-emit-module-separately-wmo":
        swift += ["-Xswiftc", option]
    run(*swift)
    return pathlib.Path(run(*swift, "--show-bin-path").strip())


def symbols(modules):
    """The public symbols by identifier, without those that the compiler synthesizes."""
    target = f"{platform.machine()}-unknown-linux-gnu"
    with tempfile.TemporaryDirectory() as folder:
        run("swift", "symbolgraph-extract", "-module-name", "LoginCore", "-I", modules, "-target", target,
            "-minimum-access-level", "public", "-output-dir", folder)
        graphs = [json.loads(file.read_text(encoding="utf-8")) for file in pathlib.Path(folder).glob("*.symbols.json")]
    found = {symbol["identifier"]["precise"]: symbol for graph in graphs for symbol in graph["symbols"]}
    return {name: symbol for name, symbol in found.items() if "::SYNTHESIZED::" not in name}


def path(symbol):
    return ".".join(symbol["pathComponents"])


def line(symbol):
    declaration = "".join(part["spelling"] for part in symbol["declarationFragments"])
    return f"{path(symbol)}: {' '.join(declaration.split())}"


def differences(public):
    """The differences between the list and the library."""
    now = sorted(line(symbol) for symbol in public.values())
    if "--record" in sys.argv:
        LIST.parent.mkdir(exist_ok=True)
        LIST.write_text("\n".join(now) + "\n", encoding="utf-8")
        yield f"recorded {len(now)} symbols: look at the difference and run again"
        return
    kept = LIST.read_text(encoding="utf-8").splitlines()
    yield from (f"public, but not in {LIST.name}: {text}" for text in sorted(set(now) - set(kept)))
    yield from (f"in {LIST.name}, but not public: {text}" for text in sorted(set(kept) - set(now)))
    if not set(now) ^ set(kept) and now != kept:
        yield f"{LIST.name} lists a symbol too often or not often enough"


def used(public, modules):
    """The symbols that the program in Tests/Stranger uses, including the types of values."""
    tree = run("swiftc", "-frontend", "-typecheck", "-swift-version", "6", "-module-name", "stranger", "-I", modules,
               "-dump-ast", "-dump-ast-format", "json", *sorted((STRANGER / "Sources" / "stranger").glob("*.swift")))
    return [path(symbol) for name, symbol in public.items() if name.removeprefix("s:") in tree]


def main():
    binaries = build()
    public = symbols(binaries / "Modules")
    faults = [f"no doc comment: {line(symbol)}" for symbol in public.values() if "docComment" not in symbol]
    faults += differences(public)
    printed = run(binaries / "stranger").splitlines()
    if len(printed) != len(SIGNED_IN) or not all(map(str.startswith, printed, SIGNED_IN)):
        faults.append(f"Tests/Stranger prints {printed}")
    page = used(public, binaries / "Modules")
    if not 0 < len(page) <= MOST_USED:
        faults.append(f"Tests/Stranger uses {len(page)} symbols, {MOST_USED} at most: {', '.join(sorted(page))}")
    if faults:
        sys.exit("\n".join(faults))
    print(f"{len(public)} public symbols are documented and listed; Tests/Stranger signs in with {len(page)} of them")


if __name__ == "__main__":
    main()
