#!/usr/bin/python3
"""Checks how the sources are laid out: which folder may name which, which target may import which, and that tests lie
where their sources do. An argument is the root of another package to check."""

import collections
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support"))

from swift_source import Source

# The folders of LoginCore, lowest first: a folder names its own types and those of the folders before it.
LAYERS = [
    "Text", "JSON", "URL", "Failure", "HTTP", "JOSE", "IDToken", "Callback", "Provider", "Login", "Token",
    "Authorization", "Flows", "Accounts", "Resource",
]

# Modules of the toolchain, which are not targets of the package. The pure targets import none of them.
TOOLCHAIN = {"Glibc", "Synchronization"}
PURE = {"LoginCore", "WindowProtocol"}
# The only target that knows the command line's options.
COMMAND_LINE = "tokentry"

# Targets whose tests also test another target with the real implementation, and mirror its folders as well.
TESTED_WITH = {"GnuTLSCrypto": "LoginCore"}
# Tests that have no source file of the same name, with their subject.
NO_SOURCE = {
    "ProgramTests": "the command line, from its arguments to its answer",
    "WindowTests": "the window's program on a display of its own",
    "PackageTests": "the package and its data files",
    "InteropTests": "other people's servers",
    "HTTPServerTests": "the server of SoupNetwork, apart from the tests of its client",
    "WindowProtocolTests/WindowManPageTests.swift": "the manual page of what the window reads and writes",
    "LanguageTests/PageWordsTests.swift": "the folder Pages",
    "tokentryTests/DataFilesTests.swift": "the files in data/",
    "LoginKitTests/InsteadOfP2Tests.swift": "a table in data/doc/instead-of.md",
}

Offence = collections.namedtuple("Offence", "path line what")


def declared(code):
    """The names of top-level types."""
    depth, names, last = 0, set(), 0
    pattern = re.compile(r"[{}]|\b(?:struct|class|enum|actor|protocol|typealias)\s+(\w+)")
    for found in pattern.finditer(code):
        if found[0] in "{}":
            depth += 1 if found[0] == "{" else -1
        elif depth == 0:
            names.add(found[1])
    return names


def nested(code):
    """The names of all types, including nested ones."""
    return set(re.findall(r"\b(?:struct|class|enum|actor|protocol|typealias)\s+(\w+)", code))


def layers(sources, core):
    """(a) No folder of LoginCore names a type of a later one."""
    home, known = {}, []
    for source in sources:
        folder = source.path.relative_to(core).parts[0]
        if folder not in LAYERS:
            yield Offence(source.path, 1, f"{folder} is no layer of LoginCore")
            continue
        known.append((source, LAYERS.index(folder), "".join(source.code)))
        home.update(dict.fromkeys(declared(known[-1][2]), LAYERS.index(folder)))
    for source, layer, code in known:
        own = nested(code)
        # A name after a dot is a member or a nested type.
        for found in re.finditer(r"(?<![.\w])[A-Z]\w*", code):
            if home.get(found[0], 0) > layer and found[0] not in own:
                what = f"{LAYERS[layer]} names {found[0]}, which is of {LAYERS[home[found[0]]]}"
                yield Offence(source.path, source.line(found.start()), what)


def targets(manifest):
    """The targets in Package.swift: their names and dependencies."""
    code = re.sub(r"//[^\n]*", "", manifest.read_text())
    for found in re.finditer(r"\.(?:executableT|t)arget\(", code):
        depth, end = 1, found.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(code[end], 0)
            end += 1
        text = code[found.end():end]
        dependencies = re.search(r"dependencies:\s*\[([^\]]*)\]", text)
        yield re.search(r'name:\s*"([^"]+)"', text)[1], set(
            re.findall(r'"([^"]+)"', dependencies[1] if dependencies else ""))


def imports(sources, name, dependencies):
    """(b) A target imports only its dependencies."""
    allowed = dependencies | (set() if name in PURE else TOOLCHAIN)
    pattern = re.compile(r"^[ \t]*(?:@\w+ +|(?:public|package|internal|private|fileprivate) +)*import +(?:\w+ +)?(\w+)", re.M)
    for source in sources:
        code = "".join(source.code)
        for found in pattern.finditer(code):
            if found[1] not in allowed:
                yield Offence(source.path, source.line(found.start(1)), f"{name} must not import {found[1]}")


OPTION = re.compile(r"(?<!-)--[A-Za-z]|`tokentry ")
# A command line of another program in a sentence, and the variables of a style sheet.
NO_OPTION = re.compile(r"`(?!tokentry )[^`]*`|var\(--[\w-]+\)|--[\w-]+: [#0]")
# Files with the arguments of other programs.
OTHERS_ARGUMENTS = {
    "Platform/Requester/RequestingProgram.swift": "interpreters",
    "tokentry-window/Process/Sandbox.swift": "bubblewrap",
}


def options(sources, folder):
    """(c) Below the command line, no sentence names one of its options or commands."""
    for source in sources:
        named = [found for found in source.literals if OPTION.search(NO_OPTION.sub("", found.text))]
        if str(source.path.relative_to(folder.parent)) in OTHERS_ARGUMENTS:
            arguments = [found for found in named if re.fullmatch(r"--[a-z-]+", found.text)]
            if not arguments:
                yield Offence(source.path, 1, "this exception in Tests/tools/check-layers.py is not needed")
            named = [found for found in named if found not in arguments]
        for found in named:
            yield Offence(source.path, source.line(found.start), f"an option of a program: {found.text!r}")


# The folders of the command line, and of helpers with options of their own. The other parts of the program speak in types; Composition and Tokentry join the two.
READERS = {"CommandLine", "Commands", "Helpers", "VPN", "Composition.swift", "Tokentry.swift"}
OPTIONS = re.compile(r"\b(?:Option|Invocation)\b")


def readers(sources, program):
    """(g) Only the command line knows its options."""
    for source in sources:
        if source.path.relative_to(program).parts[0] in READERS:
            continue
        for found in OPTIONS.finditer("".join(source.code)):
            yield Offence(source.path, source.line(found.start()), f"{found[0]} belongs to the command line")


# Under GLib's main loop neither the main actor nor a sleeping task ever goes on.
OTHER_LOOPS = re.compile(r"\bMainActor\b|\bTask\s*(?:<[^>]*>)?\s*\.\s*sleep\b|\.\s*sleep\s*\(\s*(?:for|until)\b")


def other_loops(sources):
    """(d) All tasks run on GLib's main loop, and wait there."""
    for source in sources:
        for found in OTHER_LOOPS.finditer("".join(source.code)):
            yield Offence(source.path, source.line(found.start()), f"{found[0]} does not run on GLib's main loop")


def mirrors(root):
    """(e) Tests lie in the folder of their source and are named after it."""
    for name in NO_SOURCE:
        if not (root / "Tests" / name).exists():
            yield Offence(root / "Tests" / name, 1, "this exception in Tests/tools/check-layers.py names a missing file")
    for path in sorted((root / "Tests").glob("*Tests/**/*Tests.swift")):
        place = path.relative_to(root / "Tests")
        if place.parts[0] in NO_SOURCE or str(place) in NO_SOURCE:
            continue
        target = place.parts[0].removesuffix("Tests")
        folders = [
            root.joinpath("Sources", name, *place.parts[1:-1])
            for name in (target, TESTED_WITH.get(target)) if name]
        name = path.stem.removesuffix("Tests").split("+")[0]
        if not any(found for folder in folders for found in folder.glob(f"{name}*.swift")):
            yield Offence(path, 1, f"{folders[0].relative_to(root)} has no {name}")


def hidden(sources):
    """(f) Small files without any symbol that another file could use."""
    for source in sources:
        code = "".join(source.code)
        seen = re.findall(r"^(?:  )?(?:\w+ )*?(?:struct|class|enum|protocol|typealias|func|var|let|init)\b.*", code, re.M)
        if source.text.count("\n") < 20 and all("private" in line for line in seen):
            yield Offence(source.path, 1, "a file of private symbols only")


def offences(root):
    """The errors and the warnings."""
    found, odd = [], []
    known = dict(targets(root / "Package.swift"))
    for name, dependencies in known.items():
        folder = root / "Sources" / name
        sources = [Source(path, path.read_text()) for path in sorted(folder.rglob("*.swift"))]
        found += imports(sources, name, dependencies)
        found += other_loops(sources)
        if name != COMMAND_LINE:
            found += options(sources, folder)
        if name == "tokentry":
            found += readers(sources, folder)
        if name == "LoginCore":
            found += layers(sources, folder)
            odd += hidden(sources)
    return found + list(mirrors(root)), odd


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__ + "/../../..").resolve()
    found, odd = offences(root)
    for kind, list_ in (("", found), ("warning: ", odd)):
        for path, line, what in list_:
            print(f"{path.relative_to(root)}:{line}: {kind}{what}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
