#!/usr/bin/python3
"""Checks the face of the library LoginCore: everything public is explained and is on the list that is kept of it,
and somebody else's program in Tests/Stranger signs in with it, with no more of it than fits one page.

--record writes the list anew, and fails, so that no run both records and passes.
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
# What a page holds.
MOST_USED = 60
# What the stranger says when both of its ways to a token work.
SIGNED_IN = ["signed in until 20", "by hand as stranger-1"]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def build():
    """Builds the stranger, and the library as the stranger gets it; the folder of what was built."""
    swift = ["swift", "build", "--package-path", STRANGER, "--scratch-path", ROOT / ".build" / "stranger"]
    # As one module, which is quickest where all of it is built, and without what only debuggers and editors read.
    swift += ["--disable-index-store", "-debug-info-format", "none"]
    for option in "-wmo", "-num-threads", "1", "-disable-batch-mode", "-no-emit-module-separately-wmo":
        swift += ["-Xswiftc", option]
    run(*swift)
    return pathlib.Path(run(*swift, "--show-bin-path").strip())


def symbols(modules):
    """The public symbols by their identifiers, without those that the compiler makes for a conformance."""
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
    """What the list has and the library has not, and the other way round."""
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
        yield f"{LIST.name} has other numbers of the same symbols"


def used(public, modules):
    """The symbols of which the compiler says that the stranger's source means them, types of values included."""
    tree = run("swiftc", "-frontend", "-typecheck", "-swift-version", "6", "-module-name", "stranger", "-I", modules,
               "-dump-ast", "-dump-ast-format", "json", *sorted((STRANGER / "Sources" / "stranger").glob("*.swift")))
    return [path(symbol) for name, symbol in public.items() if name.removeprefix("s:") in tree]


def main():
    binaries = build()
    public = symbols(binaries / "Modules")
    faults = [f"not explained: {line(symbol)}" for symbol in public.values() if "docComment" not in symbol]
    faults += differences(public)
    printed = run(binaries / "stranger").splitlines()
    if len(printed) != len(SIGNED_IN) or not all(map(str.startswith, printed, SIGNED_IN)):
        faults.append(f"the stranger says {printed}")
    page = used(public, binaries / "Modules")
    if not 0 < len(page) <= MOST_USED:
        faults.append(f"the stranger uses {len(page)} symbols, and {MOST_USED} fit one page: {', '.join(sorted(page))}")
    if faults:
        sys.exit("\n".join(faults))
    print(f"{len(public)} public symbols explained and listed; a stranger signs in with {len(page)} of them")


if __name__ == "__main__":
    main()
