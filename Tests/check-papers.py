#!/usr/bin/python3
"""Checks the documentation: runs every block of code in it, and checks that links work, lists are complete, and commands in
the text exist.

usage: check-papers.py [TOKENTRY]    (default: the debug build)

The code runs unchanged in a user account of its own. A headless test signs in, and a server on this machine replaces the
servers that the code names. A block without a trial is an error.
"""

import collections
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests/papers"))

import markdown
from desk import Desk
from lists import incomplete
from trials import ANSWER, TRIALS
from ways import is_like

PAPERS = ["README.md", "CHANGELOG.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md", "data/doc/design.md",
          "data/doc/agent.md", "data/doc/instead-of.md", "data/doc/packaging.md", "data/doc/providers.md",
          "data/doc/recipes.md"]
# The language of blocks that are drawings, not code.
PICTURE = "text"
LONGEST_README = 150
# Options of every command, which are not in its own help.
GENERAL = {"--version", "--output"}


def broken_links(pages):
    """The links to missing files and headings."""
    for page, text in pages.items():
        for link in markdown.links(text):
            address, _, anchor = urllib.parse.unquote(link).partition("#")
            if "://" in address:
                continue
            target = (ROOT / page).parent / address if address else ROOT / page
            if not target.exists():
                yield f"{page}: the file of {link} does not exist"
            elif anchor and anchor not in markdown.anchors(target.read_text(encoding="utf-8")):
                yield f"{page}: the heading of {link} does not exist"


def unknown_commands(pages, tokentry):
    """The commands in running text and tables that this build does not have, or not with these options."""
    helps = {}
    for page, text in pages.items():
        for found in re.findall(r"`[^`\n]*?\b(tokentry [^`\n]+)`", text):
            words = re.split(r"[ '\"]+", re.split(r"[|;&]", found)[0].strip())
            command = words[1] if re.fullmatch(r"[a-z]+", words[1]) else "login"
            if command not in helps:
                done = subprocess.run([tokentry, command, "--help"], capture_output=True, text=True, check=False)
                helps[command] = set(re.findall(r"--?[\w-]+", done.stdout)) if done.returncode == 0 else None
            if helps[command] is None:
                yield f"{page}: `{found}` names no command"
            elif unknown := {word for word in words[1:] if re.fullmatch(r"--?[\w-]+", word)} - helps[command] - GENERAL:
                yield f"{page}: `{found}` has unknown options: {', '.join(sorted(unknown))}"


def by_heading(pages):
    """The blocks below each heading."""
    found = collections.defaultdict(list)
    for page, text in pages.items():
        for block in markdown.blocks(page, text):
            if block.language != PICTURE:
                found[page, block.heading].append(block)
    return found


def tried(blocks, trials, tokentry):
    """Runs the trials of one heading in a new account, and yields the errors."""
    output = ""
    desk = Desk(pathlib.Path(tempfile.mkdtemp(prefix="papers-")), tokentry)
    for block, trial in zip(blocks, trials):
        try:
            if trial is not ANSWER:
                output = ""
                output = trial(desk, block.text)
            elif not is_like(output, block.text):
                yield f"{block.place}: the output differs:\n{output}"
        except (AssertionError, LookupError, OSError, ValueError, subprocess.SubprocessError) as error:
            yield f"{block.place}: {error}"
    desk.close()


def untried(found):
    """The blocks without a trial and the trials without a block."""
    for place in found.keys() | TRIALS.keys():
        blocks, trials = found.get(place, []), TRIALS.get(place, [])
        if len(blocks) != len(trials):
            yield f"{place[0]}, “{place[1]}”: {len(blocks)} blocks of code, but {len(trials)} trials"


def main():
    build = ["swift", "build", "--show-bin-path"]
    if len(sys.argv) > 1:
        tokentry = pathlib.Path(sys.argv[1]).resolve()
    else:
        shown = subprocess.run(build, cwd=ROOT, check=True, capture_output=True, text=True).stdout
        tokentry = pathlib.Path(shown.strip()) / "tokentry"
    pages = {name: (ROOT / name).read_text(encoding="utf-8") for name in PAPERS}
    found = by_heading(pages)
    faults = [*broken_links(pages), *untried(found), *incomplete(pages),
              *unknown_commands(pages, tokentry)]
    if (length := pages["README.md"].count("\n")) > LONGEST_README:
        faults.append(f"README.md has {length} lines, {LONGEST_README} at most")
    for place, blocks in found.items():
        faults += tried(blocks, TRIALS.get(place, []), tokentry)
    if faults:
        sys.exit("\n".join(faults))
    count = sum(map(len, found.values()))
    print(f"{count} examples in the documentation work, and so do all links")


if __name__ == "__main__":
    main()
