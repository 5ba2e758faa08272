#!/usr/bin/python3
"""Runs the stories in Tests/Stories and every block of code in the documents, and checks the documents: links work, lists are
complete, and commands in the text exist.

usage: check-stories.py [TOKENTRY [STORY...]]    (default: the debug build, all stories and the documents)

A story is a transcript of shell commands and what they print. Two spaces of indentation make a line part of a step. After them,
`$ ` begins a command, `> ` continues it, `! ` is a line of standard error, `[N]` is the exit status, and anything else is a
line of standard output. In a line that ends in ` (glob)`, `*` stands for any text and `?` for one character. Lines that are not
indented are prose. Each step runs in a shell of its own, in the story's home, which is empty at first.

A block of code in a document runs unchanged in a user account of its own. A headless test signs in, and a server on this machine
replaces the servers that the code names. A block without a trial in Tests/tools/support/blocks.py is an error.
"""

import collections
import concurrent.futures
import contextlib
import dataclasses
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unicodedata
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/tools/support"))

import markdown
from account import UserAccount
from blocks import ANSWER, TRIALS, is_like
from lists import incomplete

DOCUMENTS = ["README.md", "CHANGELOG.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md", "data/doc/design.md",
             "data/doc/agent.md", "data/doc/faults.md", "data/doc/instead-of.md", "data/doc/packaging.md", "data/doc/providers.md",
             "data/doc/recipes.md"]
# The language of blocks that are drawings, not code.
PICTURE = "text"
LONGEST_README = 154
# Options of every command, which are not in its own help.
GENERAL = {"--version", "--output", "--help"}
# The seconds that a step may take. Sanitizers make programs slower.
PATIENCE = 20 * int(os.environ.get("TOKENTRY_SLOWNESS", "1"))
AT_ONCE = 5

# --- Stories ---


@dataclasses.dataclass
class Step:
    """A command with what it should print, and its line in the story."""

    line: int
    command: str
    output: list = dataclasses.field(default_factory=list)
    messages: list = dataclasses.field(default_factory=list)
    status: int | None = None


def steps(path):
    """The steps of a story. A line that is no part of one is an error."""
    step = None
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        text, kind = line[2:], line[2:4]
        if not line.startswith("  "):
            if line[:1] in (" ", "\t"):
                raise ValueError(f"{path.name}:{number}: indent by two spaces, or not at all")
            if step:
                yield step
            step = None
        elif kind == "$ ":
            if step:
                yield step
            step = Step(number, text[2:])
        elif not step or step.status is not None or kind in ("> ", ">") and (step.output or step.messages):
            raise ValueError(f"{path.name}:{number}: this is no part of a command")
        elif kind in ("> ", ">"):
            step.command += "\n" + text[2:]
        elif re.fullmatch(r"\[\d+\]", text):
            step.status = int(text[1:-1])
        else:
            (step.messages if kind in ("! ", "!") else step.output).append(text[2:] if kind in ("! ", "!") else text)
    if step:
        yield step


def printed_lines(data):
    """The lines of an output, with control characters spelt out and a mark if the last line has no line feed."""
    *lines, last = data.decode(errors="replace").split("\n")
    lines += [last + " (no-eol)"] if last else []
    return ["".join(rf"\u{{{ord(letter):x}}}" if unicodedata.category(letter) in ("Cc", "Cf") else letter for letter in line)
            for line in lines]


def agrees(expected, line):
    if not expected.endswith(" (glob)"):
        return expected == line
    pattern = re.escape(expected.removesuffix(" (glob)")).replace(r"\*", ".*").replace(r"\?", ".")
    return bool(re.fullmatch(pattern, line)) and expected.endswith("(no-eol) (glob)") == line.endswith("(no-eol)")


def differences(step, status, output, messages):
    """The differences between what a step should do and what it did."""
    if status != (step.status or 0):
        yield f"exit status: expected {step.status or 0}, was {status}"
    for stream, expected, data in (("output", step.output, output), ("error", step.messages, messages)):
        lines = printed_lines(data)
        if len(expected) != len(lines) or not all(map(agrees, expected, lines)):
            yield f"standard {stream} (- expected, + printed):"
            yield from [f"  - {line}" for line in expected] + [f"  + {line}" for line in lines]


def run_step(command, folder, environment):
    """Runs a command and ends the programs that it has left running. Returns its status and what it printed."""
    start = 'cd -- "$0" && unset OLDPWD && exec /bin/sh -c "$1" </dev/null'
    with tempfile.TemporaryFile(dir=folder) as messages:
        shell = subprocess.Popen(["env", "--default-signal", "/bin/sh", "-c", start, f"{folder}/home", command],
                                 env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=messages,
                                 start_new_session=True)
        try:
            output, _ = shell.communicate(timeout=PATIENCE)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(shell.pid, signal.SIGKILL)
            shell.wait()
        messages.seek(0)
        return shell.returncode, output, messages.read()


def told(path, tokentry):
    """Runs a story in an empty home, and returns what differs."""
    found = []
    with tempfile.TemporaryDirectory(prefix="story-") as folder:
        home = f"{folder}/home"
        for name in ("home", "bin"):
            os.mkdir(f"{folder}/{name}", 0o700)
        os.symlink(tokentry, f"{folder}/bin/tokentry")
        # The usual XDG_DATA_DIRS would lead to the presets of an installed tokentry.
        environment = {"PATH": f"{folder}/bin:/usr/bin:/bin", "HOME": home, "TMPDIR": home, "LC_ALL": "C.UTF-8",
                       "XDG_CONFIG_HOME": f"{home}/config", "XDG_DATA_HOME": f"{home}/data",
                       "XDG_DATA_DIRS": f"{home}/share", "XDG_CACHE_HOME": f"{home}/cache"}
        environment |= {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}
        for step in steps(path):
            try:
                wrong = list(differences(step, *run_step(step.command, folder, environment)))
            except subprocess.TimeoutExpired:
                wrong = [f"not ended after {PATIENCE} s"]
            if wrong:
                command = step.command.replace("\n", "\n> ")
                found.append("\n".join([f"{path.name}:{step.line}:", f"$ {command}", *wrong]))
    return found


# --- Documents ---


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
        for path in re.findall(r"`((?:Sources|Tests|data|\.ci|\.github)/[\w./+-]+)`", text):
            if not path.startswith("Tests/results") and not (ROOT / path).exists():
                yield f"{page}: {path} does not exist"


def unknown_commands(pages, tokentry):
    """The commands in running text and tables that this build does not have, or not with these options."""
    helps = {}
    for page, text in pages.items():
        for found in re.findall(r"`[^`\n]*?\b(tokentry [^`\n]+)`", text):
            words = re.split(r"[ '\"]+", re.split(r"[|;&]", found)[0].strip())
            command = words[1] if re.fullmatch(r"[a-z]+", words[1]) else "login"
            if command == "help":
                continue
            if command == "helper":  # each helper has arguments of its own
                command = " ".join(word for word in words[1:3] if word.isalpha())
            if command not in helps:
                asked = [tokentry, *command.split(), "--help"]
                done = subprocess.run(asked, capture_output=True, text=True, check=False)
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
    """Runs the trials of one heading in a new account, and returns the errors."""
    if len(blocks) != len(trials):
        return [f"{blocks[0].page}, “{blocks[0].heading}”: {len(blocks)} blocks of code, but {len(trials)} trials"]
    output, errors = "", []
    with contextlib.closing(UserAccount(tokentry)) as account:
        for block, trial in zip(blocks, trials):
            try:
                if trial is not ANSWER:
                    output = ""
                    output = trial(account, block.text)
                elif not is_like(output, block.text):
                    errors.append(f"{block.place}: the output differs:\n{output}")
            except (AssertionError, LookupError, OSError, ValueError, subprocess.SubprocessError) as error:
                errors.append(f"{block.place}: {error}")
    return errors


def check(tokentry, wanted):
    pages = {name: (ROOT / name).read_text(encoding="utf-8") for name in DOCUMENTS}
    found = {} if wanted else by_heading(pages)
    stories = list(map(pathlib.Path, wanted)) or sorted(ROOT.glob("Tests/Stories/*.story"))
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        running = [pool.submit(told, path, tokentry) for path in stories]
        running += [pool.submit(tried, blocks, TRIALS.get(place, []), tokentry) for place, blocks in found.items()]
    faults = [fault for run in running for fault in run.result()]
    if not wanted:
        faults += [*broken_links(pages), *incomplete(pages), *unknown_commands(pages, tokentry)]
        faults += [f"{place[0]} has no block below “{place[1]}”" for place in TRIALS.keys() - found.keys()]
        if (length := pages["README.md"].count("\n")) > LONGEST_README:
            faults.append(f"README.md has {length} lines, {LONGEST_README} at most")
    if faults:
        sys.exit("\n".join(faults))
    print(f"{len(stories)} stories and {sum(map(len, found.values()))} examples in the documents agree with the program")


def main():
    if len(sys.argv) > 1:
        tokentry = pathlib.Path(sys.argv[1]).resolve()
    else:
        build = ["swift", "build", "--show-bin-path"]
        shown = subprocess.run(build, cwd=ROOT, check=True, capture_output=True, text=True).stdout
        tokentry = pathlib.Path(shown.strip()) / "tokentry"
    # SIGTERM has to end the started programs, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    check(tokentry, sys.argv[2:])


if __name__ == "__main__":
    main()
