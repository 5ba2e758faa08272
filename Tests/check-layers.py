#!/usr/bin/python3
"""Checks how the sources are laid out: which folder may name which, which target may import which, where sentences for
people may stand, and that tests lie where their sources do. An argument is the root of another package to check."""

import collections
import pathlib
import re
import sys

from swift_source import Source

# The folders of LoginCore, lowest first: a folder names its own types and those of folders before it.
LAYERS = [
    "Text", "JSON", "URL", "Failure", "HTTP", "JOSE", "IDToken", "Callback", "Provider", "Exchange", "Account", "Session",
]

# What comes with the toolchain, and is no target of the package. The core and what it shares use none of it.
TOOLCHAIN = {"Glibc", "Synchronization"}
PURE = {"LoginCore", "LoginWays"}

# Targets that give reasons; Wording and the programs make sentences of them.
WORDLESS = [
    "LoginCore", "LoginWays", "GLibSupport", "PrivateFiles", "SoupNetwork", "SecretStore", "GnuTLSCrypto", "HTMLForms",
    "QRCode", "Desktop", "UserAgents", "LoginWindow",
]

# Texts with words in them that nobody reads as a sentence: what the text has, and why it may stand there.
NO_SENTENCES = [
    (r"^-----(BEGIN|END) [A-Z ]+-----\s*$", "the header of a PEM block"),
    (r"^[^{}]*\{[^{}]*:[^{}]*[;}]", "a style sheet"),
    (r"\bfunction\b.*\{|=>|\b(const|let|return)\b[^\n]*[;({]", "a script for a page"),
    (r"^[\w.+-]+/[\w.+-]+;", "a media type with parameters"),
    (r"\b(default|style)-src '", "a policy of HTTP for a page"),
    (r"^\s*\[(Desktop Entry|Default Applications)\]", "the file of a desktop entry"),
    (r"^error page$", "the name of a decision in a trace"),
]
# What stands before such a text, and why it may.
NO_SENTENCES_AFTER = [
    (r"\b(precondition|preconditionFailure)\([^\n]*$", "the program ends there, and the system keeps the text"),
    (r"\bdgettext\([ ,]*$", "the words of a library, which are to be recognised"),
]

# Targets whose tests need another target to be tested with, and whose folders they mirror as well.
TESTED_WITH = {"GnuTLSCrypto": "LoginCore"}
# Tests of whole programs and of what spans several sources: what stands behind them.
NO_SOURCE = {
    "ProgramTests": "the command line, from its arguments to its answer",
    "WindowTests": "the window's program on a display of its own",
    "StoryTests": "the stories in Tests/Stories",
    "PackageTests": "the package and its data files",
    "InteropTests": "other people's servers",
    "HTTPServerTests": "the server of SoupNetwork, apart from the tests of its client",
    "GnuTLSCryptoTests/JOSE/VectorTests.swift": "published vectors",
    "LoginWaysTests/Window/WindowManPageTests.swift": "the manual page of what the window reads and writes",
    "SecretStoreTests/CrashTests.swift": "a program that is killed while it saves",
    "WordingTests/CompletenessTests.swift": "all faults there are",
    "WordingTests/PageWordsTests.swift": "the folder Pages",
    "WordingTests/WayReasonTests.swift": "the words of a way, in Words/WayFault+Words.swift",
    "tokentryTests/Providers/PresetFilesTests.swift": "the presets in data/",
}

Offence = collections.namedtuple("Offence", "path line what")


def declared(code):
    """The names of the types that are declared outside of any braces."""
    depth, names, last = 0, set(), 0
    pattern = re.compile(r"[{}]|\b(?:struct|class|enum|actor|protocol|typealias)\s+(\w+)")
    for found in pattern.finditer(code):
        if found[0] in "{}":
            depth += 1 if found[0] == "{" else -1
        elif depth == 0:
            names.add(found[1])
    return names


def nested(code):
    """The names of all types that are declared, also inside of others."""
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
        # After a dot it is a member, or a type inside of another one.
        for found in re.finditer(r"(?<![.\w])[A-Z]\w*", code):
            if home.get(found[0], 0) > layer and found[0] not in own:
                what = f"{LAYERS[layer]} names {found[0]}, which is of {LAYERS[home[found[0]]]}"
                yield Offence(source.path, source.line(found.start()), what)


def targets(manifest):
    """The targets in Package.swift: their names, and what they depend on."""
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
    """(b) A target imports what it depends on."""
    allowed = dependencies | (set() if name in PURE else TOOLCHAIN)
    pattern = re.compile(r"^[ \t]*(?:@\w+ +|(?:public|package|internal|private|fileprivate) +)*import +(?:\w+ +)?(\w+)", re.M)
    for source in sources:
        code = "".join(source.code)
        for found in pattern.finditer(code):
            if found[1] not in allowed:
                yield Offence(source.path, source.line(found.start(1)), f"{name} must not import {found[1]}")


SENTENCE = re.compile(r"[^\W\d_]{2,}[,;:.!?'\")]*\s+['\"(]*[^\W\d_]{2,}")
OPTION = re.compile(r"(?<!-)--[A-Za-z]")


def is_sentence(source, literal):
    """Whether a literal has two words, and no reason to have them."""
    before = "".join(source.code[source.text.rfind("\n", 0, literal.start) + 1:literal.start])
    return (
        SENTENCE.search(re.sub(r"<[^<>]*>", "\0", literal.text))  # in markup what stands between the tags
        and not any(re.search(pattern, literal.text, re.S) for pattern, _ in NO_SENTENCES)
        and not any(re.search(pattern, before) for pattern, _ in NO_SENTENCES_AFTER))


def sentences(sources, name):
    """(c) No sentences for people, and (d) no options in the core."""
    for source in sources:
        for literal in source.literals:
            quoted = " ".join(literal.text.replace("\0", "…").split())[:60]
            line = source.line(literal.start)
            if is_sentence(source, literal):
                yield Offence(source.path, line, f'words for people: "{quoted}"')
            if name == "LoginCore" and OPTION.search(literal.text):
                yield Offence(source.path, line, f'an option of a program: "{quoted}"')


# What would need threads of libdispatch's, in whose place a release has dispatch.c: Task.sleep, and Swift's main actor.
ELSEWHERE = re.compile(r"\bMainActor\b|\bTask\s*(?:<[^>]*>)?\s*\.\s*sleep\b|\.\s*sleep\s*\(\s*(?:for|until)\b")


def elsewhere(sources):
    """(g) All tasks run on GLib's main loop, and wait there."""
    for source in sources:
        for found in ELSEWHERE.finditer("".join(source.code)):
            yield Offence(source.path, source.line(found.start()), f"{found[0]} is nothing of the main loop's")


def mirrors(root):
    """(e) Tests lie in the folder of their source and are named after it."""
    for name in NO_SOURCE:
        if not (root / "Tests" / name).exists():
            yield Offence(root / "Tests" / name, 1, "an exception for what is not there")
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
    """(f) Small files of which no other file sees anything."""
    for source in sources:
        code = "".join(source.code)
        seen = re.findall(r"^(?:  )?(?:\w+ )*?(?:struct|class|enum|protocol|typealias|func|var|let|init)\b.*", code, re.M)
        if source.text.count("\n") < 20 and all("private" in line for line in seen):
            yield Offence(source.path, 1, "a file for a detail that nobody else sees")


def offences(root):
    """Everything that is wrong, and what is merely odd."""
    found, odd = [], []
    known = dict(targets(root / "Package.swift"))
    for name in set(WORDLESS) - set(known):
        found.append(Offence(root / "Package.swift", 1, f"there is no target {name}, whose sentences are looked for"))
    for name, dependencies in known.items():
        folder = root / "Sources" / name
        sources = [Source(path, path.read_text()) for path in sorted(folder.rglob("*.swift"))]
        found += imports(sources, name, dependencies)
        found += elsewhere(sources)
        if name == "LoginCore":
            found += layers(sources, folder)
            odd += hidden(sources)
        if name in WORDLESS:
            found += sentences(sources, name)
    return found + list(mirrors(root)), odd


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__ + "/../..").resolve()
    found, odd = offences(root)
    for kind, list_ in (("", found), ("warning: ", odd)):
        for path, line, what in list_:
            print(f"{path.relative_to(root)}:{line}: {kind}{what}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
