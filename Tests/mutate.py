#!/usr/bin/python3
"""Puts mistakes into the program, one at a time, and sees whether the tests notice.

  Tests/mutate.py                   tries every mistake of Tests/mutations and writes Tests/results/mutations.md
  Tests/mutate.py --only ID|AREA    tries these alone (an AREA is a file's name without .txt), and writes no table
  Tests/mutate.py --jobs N          so many at once, else two
  Tests/mutate.py --continue        without those that have been tried with the same sources before, so that a run can
                                    be interrupted
  Tests/mutate.py --list            names the areas and how many mistakes each has
  Tests/mutate.py --check           sees that each text to be changed is there exactly once; takes less than a second

All mistakes are built at once, into a copy of the tree in .build/mutations, each behind a switch that is on in none of
the programs until a file beside them says its number. So a run costs one build and then only the tests.

A file of Tests/mutations has a title, lines `file` and `tests` that hold for what follows, and mistakes:

  id: what the mistake is
  - the text as it stands in the file, with ⟦ ⟧ around the part that is replaced if it is not all of it
  + what stands in its place
  = where nobody could notice the mistake, the reason

Of several lines each begins with its sign. What stands in the place of an expression is an expression. `{ }` around it
makes it statements in the place of statements. Where neither will do, it is the text with the switch in it: MUTATED is
the switch and ORIGINAL the text that was there.

A mistake is found if a test fails, crashes, or does not end in time. The status is 1 if one is found by no test and has
no reason, or has a reason and is found.
"""

import argparse
import collections
import ctypes
import hashlib
import json
import multiprocessing
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLES = ROOT / "Tests/mutations"
RESULT = ROOT / "Tests/results/mutations.md"
# What has been found so far: which sources, then a line for each mistake.
JOURNAL = ROOT / "Tests/results/mutations.jsonl"
COPY = ROOT / ".build/mutations"
PRODUCTS = COPY / ".build/debug"
BUNDLE = "tokentryPackageTests.xctest"
OPEN, CLOSE = "⟦", "⟧"

# Nobody waits for more than a minute in a test, so that what takes longer has come to no end.
LIMIT = 240
# Tests that take seconds each: they are asked only where the others see nothing.
SLOW = (
    r"(NavigationPolicyTests/huge|CallbackTests/longRedirectURI|AccountTests/(changedBytes|cutOff)|JWSTests/long"
    r"|DisplayTextTests/huge|RedactionTests/fuzz|CompletenessTests/|PresetFilesTests/verified)")
# Windows and their pages take turns at the processor.
WIDTHS = {"WindowTests": "4"}

MANIFEST = """
package.targets.append(.target(name: "Mutation", path: "Sources/Mutation"))
for target in package.targets
where [.regular, .executable, .test].contains(target.type) && target.name != "Mutation" {
  target.dependencies.append("Mutation")
  // What a mistake leaves without use is worth no warning.
  target.swiftSettings = target.swiftSettings.map { _ in
    [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility")]
  }
}
"""
HEADER = """#include <stdbool.h>
/// Whether the mistake of this number is made.
bool mutated(unsigned number);
"""
# Tests clear the environment of what they start, and programs their own, so that a file says it: it is beside the
# program, and each of several runs at once has its own copies of the programs. A test that makes a copy makes it in the
# folder for temporary files, where the file is as well: it is looked for in the folders above.
SWITCH = r"""#include "Mutation.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static unsigned active;

__attribute__((constructor)) static void look(void) {
  char path[PATH_MAX + 16];
  ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
  if (length <= 0) return;
  path[length] = 0;
  FILE *file = NULL;
  for (char *slash; !file && (slash = strrchr(path, '/')); *slash = 0) {
    strcpy(slash, "/mutation");
    file = fopen(path, "re");
  }
  if (!file) return;
  if (fscanf(file, "%u", &active) != 1) active = 0;
  fclose(file);
}

bool mutated(unsigned number) { return number == active; }
"""

Mutation = collections.namedtuple("Mutation", "id area title file tests old new reason")
Area = collections.namedtuple("Area", "name title mutations")
Outcome = collections.namedtuple("Outcome", "mutation verdict evidence seconds")


class Fault(Exception):
    """Something is wrong with a table, or with the tests themselves."""


# --- Tables ---


def read_area(path):
    """A table. A mistake ends where the next one begins."""
    title, entries, settings, entry = "", [], {}, None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        sign, text = line[:2], line[2:]
        if not line.strip():
            continue
        if line.startswith("# "):
            title = title or text
        elif match := re.fullmatch(r"(file|tests) (\S+)", line):
            settings[match[1]] = match[2]
        elif match := re.fullmatch(r"([a-z0-9-]+): (.+)", line):
            entry = {"id": match[1], "title": match[2], "-": [], "+": [], "=": [], **settings}
            entries.append(entry)
        elif entry and sign.strip() in ("-", "+", "="):
            entry[sign.strip()].append(text)
        else:
            raise Fault(f"{path.name}:{number}: not understood: {line}")
    return Area(path.stem, title, [mutation(path, entry) for entry in entries])


def mutation(path, entry):
    if not entry["-"] or not entry["+"] or "file" not in entry or "tests" not in entry:
        raise Fault(f"{path.name}: {entry['id']} lacks a file, tests, a text, or what stands in its place")
    return Mutation(
        entry["id"], path.stem, entry["title"], "Sources/" + entry["file"], entry["tests"], "\n".join(entry["-"]),
        "\n".join(entry["+"]), " ".join(entry["="]))


def read_tables():
    areas = [read_area(path) for path in sorted(TABLES.glob("*.txt"))]
    everything = [mutation for area in areas for mutation in area.mutations]
    for what, values in (("id", [m.id for m in everything]), ("number", [number(m) for m in everything])):
        twice = [value for value, count in collections.Counter(values).items() if count > 1]
        if twice:
            raise Fault(f"an {what} is there twice: {twice}")
    return areas


def number(mutation):
    """One that stays when others come and go, so that little has to be built anew."""
    return zlib.crc32(mutation.id.encode()) >> 1 or 1


def place(mutation, source):
    """Where the replaced part begins and ends."""
    old = mutation.old
    inner = (old.index(OPEN), old.index(CLOSE) - len(OPEN)) if OPEN in old else (0, len(old))
    plain = old.replace(OPEN, "").replace(CLOSE, "")
    count = source.count(plain)
    if count != 1:
        raise Fault(f"{mutation.id}: its text is {count} times in {mutation.file}")
    start = source.index(plain)
    return start + inner[0], start + inner[1]


def places(mutations, source):
    """The outer ones before those within them."""
    found = [(*place(mutation, source), mutation) for mutation in mutations]
    return sorted(found, key=lambda entry: (entry[0], -entry[1]))


def replacement(mutation, original):
    switch, new = f"mutated({number(mutation)})", mutation.new
    if "MUTATED" in new:
        return new.replace("MUTATED", switch).replace("ORIGINAL", original)
    if new.startswith("{") and new.endswith("}"):
        return f"if {switch} {new} else {{ {original} }}"
    return f"({switch} ? {new} : {original})"


def rewritten(source, start, end, entries):
    """The text between two places with all that is to be changed there."""
    text, position = "", start
    while entries:
        (first, last, mutation), *entries = entries
        within = [entry for entry in entries if entry[0] < last]
        entries = entries[len(within):]
        if any(entry[1] > last for entry in within):
            raise Fault(f"{mutation.id} and {within[0][2].id} change parts of the same text")
        if within and "MUTATED" in mutation.new and "ORIGINAL" not in mutation.new:
            raise Fault(f"{mutation.id} does not leave {within[0][2].id} in its text")
        text += source[position:first] + replacement(mutation, rewritten(source, first, last, within))
        position = last
    return text + source[position:end]


def by_file(areas):
    files = collections.defaultdict(list)
    for area in areas:
        for mutation in area.mutations:
            files[mutation.file].append(mutation)
    return files


def mutated(source, mutations):
    return "internal import Mutation\n" + rewritten(source, 0, len(source), places(mutations, source))


def check(areas):
    """Every fault, not only the first: a change may move several texts."""
    faults = []
    for name, mutations in sorted(by_file(areas).items()):
        path = ROOT / name
        if not path.is_file():
            faults.append(f"there is no {name}")
            continue
        source, good = path.read_text(encoding="utf-8"), []
        for mutation in mutations:
            try:
                place(mutation, source)
                good.append(mutation)
            except Fault as fault:
                faults.append(str(fault))
        try:
            mutated(source, good)
        except Fault as fault:
            faults.append(str(fault))
    if faults:
        raise Fault("\n".join(faults))


# --- The build ---


def write(path, data):
    """Only what has changed, so that nothing else is built anew."""
    if path.is_file() and not path.is_symlink() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def copy_tree(areas):
    """Copies it all with the mistakes in it; a digest of what that is but for the papers, which change nothing."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    changed, wanted, digest = by_file(areas), set(), hashlib.sha256()
    for name in listed:
        source, target = ROOT / name, COPY / name
        if not name or not source.is_file():
            continue
        data = source.read_bytes()
        if name in changed:
            data = mutated(data.decode(), changed[name]).encode()
        elif name == "Package.swift":
            data += MANIFEST.encode()
        if not name.endswith(".md"):
            digest.update(f"{name} {len(data)}\n".encode() + data)
        write(target, data)
        target.chmod(source.stat().st_mode & 0o777)
        wanted.add(target)
    for name, text in (("include/Mutation.h", HEADER), ("Mutation.c", SWITCH)):
        write(COPY / "Sources/Mutation" / name, text.encode())
        wanted.add(COPY / "Sources/Mutation" / name)
    for folder in ("Sources", "Tests"):
        for path in (COPY / folder).rglob("*"):
            if path.is_file() and path not in wanted and "__pycache__" not in path.parts:
                path.unlink()
    return digest.hexdigest()


def build(areas):
    digest = copy_tree(areas)
    run = subprocess.run(
        ["swift", "build", "--build-tests", "--package-path", COPY, "--scratch-path", COPY / ".build"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if run.returncode != 0:
        raise Fault("the mutations cannot be built:\n" + "\n".join(blamed(run.stdout, areas)))
    return digest


def blamed(output, areas):
    """The compiler's errors with the mutation in whose line each is."""
    names = {str(number(m)): m.id for area in areas for m in area.mutations}
    for path, line, column, text in sorted(set(re.findall(r"(?m)^(/\S+):(\d+):(\d+): error: (.*)$", output))):
        lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
        near = "\n".join(lines[max(0, int(line) - 3):int(line) + 1])
        ids = [names.get(found, "?") for found in re.findall(r"mutated\((\d+)\)", near)]
        yield f"{pathlib.Path(path).name}:{line}:{column}: {text} [{', '.join(ids)}]"
    if "error: " in output and not re.search(r"(?m)^/\S+: error: ", output):
        yield output[-2000:]


# --- Runs ---


def prepare_job(index):
    """A folder with the programs under names of their own, so that what says which mistake is made is theirs alone."""
    folder = COPY / ".build/jobs" / str(index)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for path in PRODUCTS.iterdir():
        if path.is_file() and os.access(path, os.X_OK):
            os.link(path.resolve(), folder / path.name)
        else:
            (folder / path.name).symlink_to(path)
    return folder


def descendants(process):
    """Of this one, whoever has started them: those whose parent has ended have become its children."""
    parents = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                fields = pathlib.Path(entry.path, "stat").read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue
            parents[int(entry.name)] = int(fields.rpartition(")")[2].split()[1])
    found, new = [], {process}
    while new := {child for child, parent in parents.items() if parent in new}:
        found += new
    return found


def end_descendants():
    """Gives them a moment to take away what they have put into shared folders, such as the locks of displays."""
    for patience, what in ((3, signal.SIGTERM), (3, signal.SIGKILL)):
        end = time.monotonic() + patience
        for process in descendants(os.getpid()):
            try:
                os.kill(process, what)
            except ProcessLookupError:
                pass
        while descendants(os.getpid()) and time.monotonic() < end:
            try:
                os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                pass
            time.sleep(0.05)


def run_tests(folder, filters, chosen, limit, skipped=None):
    """Whether all of these tests pass, and else what was seen; it ends with the first that fails."""
    width = next((width for name, width in WIDTHS.items() if any(name in each for each in filters)), "8")
    with tempfile.TemporaryDirectory(prefix="mutate-", ignore_cleanup_errors=True) as temporary:
        for place in (folder, pathlib.Path(temporary)):
            (place / "mutation").write_text(f"{chosen}\n", encoding="utf-8")
        environment = {
            **os.environ, "TMPDIR": temporary, "NO_COLOR": "1", "LC_ALL": "C.UTF-8",
            "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": width}
        if any("WindowTests" in each for each in filters):
            # What a window's mistake breaks may be seen in a single row.
            environment["TOKENTRY_ALL_ROWS"] = "1"
        words = [word for each in filters for word in ("--filter", each)] + (["--skip", skipped] if skipped else [])
        command = ["timeout", str(limit), folder / BUNDLE, "--testing-library", "swift-testing", *words]
        run = subprocess.Popen(
            command, cwd=COPY, env=environment, text=True, errors="replace", stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            return judge(run, stops=chosen != 0)
        finally:
            run.kill()
            run.wait()
            end_descendants()


def judge(run, stops):
    ended, failed = "", []
    for line in run.stdout:
        if match := re.match(r"✘ Test (.*?) recorded an issue(.*)", line):
            failed.append(match[1])
            if stops:
                return False, match[1]
            print(line.rstrip(), file=sys.stderr)
        if "Test run with " in line:
            ended = line
            break
    if "Test run with 0 tests" in ended:
        return None, "no test has such a name"
    if ended and not failed and " passed " in ended:
        return True, ""
    if failed:
        return False, failed[0]
    status = run.wait()
    return False, "no end within the limit" if status == 124 else f"a crash (status {status})"


def nearest_tests(mutation):
    """Suites that are called as the file is, and those of the folder that mirrors its own: most mistakes are found among
    them, in a tenth of the time."""
    _, module, *folders, name = mutation.file.split("/")
    near = [rf"^{module}Tests\.{re.split('[.+]', name)[0]}"]
    folder = ROOT / "Tests" / f"{module}Tests" / "/".join(folders)
    texts = [path.read_text(encoding="utf-8") for path in folder.glob("*.swift")] if folders else []
    if suites := sorted({suite for text in texts for suite in re.findall(r"\bstruct (\w+Tests)\b", text)}):
        near.append(rf"^{module}Tests\.({'|'.join(suites)})/")
    return near


def run_in_turn(folder, mutation):
    """The nearest tests first, and of the others the slow ones last."""
    rounds = [([mutation.tests], SLOW), ([mutation.tests], None)]
    if "/" not in mutation.tests:
        rounds = [([near], SLOW) for near in nearest_tests(mutation)] + rounds
    for filters, skipped in rounds:
        holds, evidence = run_tests(folder, filters, number(mutation), LIMIT, skipped)
        if holds is False:
            return False, evidence
    if holds is None:
        raise Fault(evidence)
    return True, ""


def work(index, waiting, outcomes):
    """Takes one mistake after the other."""
    ctypes.CDLL(None).prctl(36, 1)  # PR_SET_CHILD_SUBREAPER: what loses its parent becomes a child of this process
    folder = prepare_job(index)
    while mutation := waiting.get():
        start = time.monotonic()
        try:
            holds, evidence = run_in_turn(folder, mutation)
        except Fault as fault:
            outcomes.put(Outcome(mutation, "fault", str(fault), 0))
            continue
        verdict = "survived" if holds else "killed"
        outcomes.put(Outcome(mutation, verdict, evidence, time.monotonic() - start))


def run_without(mutations, outcomes):
    """All tests that are going to be run, with no mistake."""
    ctypes.CDLL(None).prctl(36, 1)
    outcomes.put(run_tests(prepare_job(0), sorted({m.tests for m in mutations}), 0, 3600))


def try_all(mutations, jobs):
    outcomes = multiprocessing.Queue()
    first = multiprocessing.Process(target=run_without, args=(mutations, outcomes))
    first.start()
    holds, evidence = outcomes.get()
    first.join()
    if not holds:
        raise Fault(f"without any mistake there is a failure: {evidence}")
    waiting = multiprocessing.Queue()
    for entry in [*mutations, *[None] * jobs]:  # at the end, each is told that nothing is left
        waiting.put(entry)
    workers = [multiprocessing.Process(target=work, args=(index + 1, waiting, outcomes)) for index in range(jobs)]
    for worker in workers:
        worker.start()
    for count in range(len(mutations)):
        outcome = outcomes.get()
        expected = "survived" if outcome.mutation.reason else "killed"
        mark = " " if outcome.verdict == expected else "!"
        print(
            f"{mark} [{count + 1}/{len(mutations)}] {outcome.verdict} {outcome.mutation.id} ({outcome.seconds:.0f} s)"
            f" {outcome.evidence}", flush=True)
        yield outcome
    for worker in workers:
        worker.join()


# --- What came of it ---


def earlier(mutations, digest):
    """What an earlier run has found of them, if the sources were the same; else nothing, and the journal begins anew."""
    try:
        tree, *lines = JOURNAL.read_text(encoding="utf-8").splitlines()
    except (FileNotFoundError, ValueError):
        tree, lines = "", []
    if tree != digest:
        JOURNAL.parent.mkdir(parents=True, exist_ok=True)
        JOURNAL.write_text(digest + "\n", encoding="utf-8")
        return []
    found = {identifier: rest for identifier, *rest in map(json.loads, lines)}
    return [Outcome(mutation, *found[mutation.id]) for mutation in mutations if mutation.id in found]


def note(outcome):
    if outcome.verdict != "fault":
        with JOURNAL.open("a", encoding="utf-8") as journal:
            journal.write(json.dumps([outcome.mutation.id, *outcome[1:]]) + "\n")


def table(areas, outcomes):
    seconds = sum(outcome.seconds for outcome in outcomes)
    of = {outcome.mutation.id: outcome for outcome in outcomes}
    rows, totals = [], [0, 0, 0, 0]
    for area in areas:
        found = [of[mutation.id] for mutation in area.mutations]
        counts = [
            len(found), sum(o.verdict == "killed" for o in found),
            sum(o.verdict == "survived" and bool(o.mutation.reason) for o in found),
            sum(o.verdict == "survived" and not o.mutation.reason for o in found)]
        totals = [total + count for total, count in zip(totals, counts)]
        rows.append(f"| {area.title} | " + " | ".join(map(str, counts)) + " |")
    text = [
        "# Mutations", "", f"Made by `Tests/mutate.py`, whose tests took {seconds / 60:.0f} minutes.", "",
        "| area | mutations | killed | equivalent | survived |", "|---|---|---|---|---|", *rows,
        "| all | " + " | ".join(map(str, totals)) + " |"]
    sections = [
        ("Survived", lambda o: o.verdict == "survived" and not o.mutation.reason, lambda o: o.mutation.title),
        ("Equivalent", lambda o: bool(o.mutation.reason), lambda o: f"{o.mutation.title}: {o.mutation.reason}"),
        ("No end within the limit", lambda o: "no end" in o.evidence, lambda o: o.mutation.title),
        ("Crashed", lambda o: "a crash" in o.evidence, lambda o: o.mutation.title),
        ("Killed", lambda o: o.verdict == "killed", lambda o: f"{o.mutation.title}: {o.evidence}")]
    for title, belongs, words in sections:
        entries = [f"- `{o.mutation.id}` {words(o)}" for m in areas for o in (of[x.id] for x in m.mutations) if belongs(o)]
        if entries:
            text += ["", f"## {title}", "", *entries]
    return "\n".join(text) + "\n"


def chosen(areas, only):
    names = {area.name for area in areas} | {m.id for area in areas for m in area.mutations}
    if unknown := [name for name in only if name not in names]:
        raise Fault(f"there is no {', '.join(unknown)}")
    return [m for area in areas for m in area.mutations if not only or m.id in only or area.name in only]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", default=[], metavar="ID|AREA", help="this alone; may be repeated")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="so many at once")
    parser.add_argument("--continue", action="store_true", dest="continues", help="where an earlier run has ended")
    parser.add_argument("--list", action="store_true", help="name the areas")
    parser.add_argument("--check", action="store_true", help="see only that the tables fit the sources")
    options = parser.parse_args()
    start = time.monotonic()
    areas = read_tables()
    mutations = chosen(areas, options.only)
    check(areas)
    if options.check or options.list:
        for area in areas if options.list else ():
            print(f"{area.name}: {area.title}: {len(area.mutations)}")
        print(f"{len(mutations)} mutations in {len(areas)} areas fit the sources")
        return
    digest = build(areas)
    print(f"built after {time.monotonic() - start:.0f} s", flush=True)
    outcomes = earlier(mutations, digest)
    if not options.continues:
        outcomes = []
    tried = {outcome.mutation.id for outcome in outcomes}
    if rest := [mutation for mutation in mutations if mutation.id not in tried]:
        for outcome in try_all(rest, max(1, options.jobs)):
            note(outcome)
            outcomes.append(outcome)
    wrong = [o for o in outcomes if (o.verdict == "survived") != bool(o.mutation.reason) or o.verdict == "fault"]
    if not options.only and all(o.verdict != "fault" for o in outcomes):
        RESULT.parent.mkdir(parents=True, exist_ok=True)
        RESULT.write_text(table(areas, outcomes), encoding="utf-8")
    for outcome in wrong:
        reason = f" although it is listed as one that nobody notices: {outcome.mutation.reason}" * bool(outcome.mutation.reason)
        print(f"{outcome.verdict}: {outcome.mutation.id} ({outcome.mutation.title}){reason} {outcome.evidence}")
    killed = sum(o.verdict == "killed" for o in outcomes)
    print(f"{killed} of {len(outcomes)} killed in {time.monotonic() - start:.0f} s")
    if wrong:
        sys.exit(1)


if __name__ == "__main__":
    try:
        main()
    except Fault as fault:
        sys.exit(str(fault))
