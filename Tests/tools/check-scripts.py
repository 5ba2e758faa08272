#!/usr/bin/python3
"""Checks the shell scripts: that they find their tree, what an uninstallation removes, the runner of
stories, and the report of Tests/run.sh.

People and CI rely on the report, for which fake commands pass and fail: all parts run even if one fails; the summary names the failures; the last line is "N passed, N
failed", and the exit status agrees; and without a terminal there are no control characters. A store of the developer does not reach a part.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SWIFT = """#!/bin/sh
. "${0%/*}/outcomes"
[ -z "${TOKENTRY_STORE-}" ] || exit 9
case "$1" in
  format) exit "$FORMAT" ;;
  build) echo 'x.swift:1:1: error: broken' && exit "$BUILD" ;;
esac
printf '%s\\n' '✔ Test "one" passed after 0.1 seconds.' '✔ Test "two" passed after 0.1 seconds.'
[ "$TEST" -eq 0 ] || echo '✘ Test "three" failed after 0.1 seconds with 1 issue.'
[ "$LEFT" -eq 0 ] || : >"$TMPDIR/left"
echo '✔ Test run with 3 tests in 1 suite passed after 0.1 seconds.'
exit "$TEST"
"""
WITH_SUCCESS = {"FORMAT": 0, "BUILD": 0, "TEST": 0, "LEFT": 0}
# The number of parts behind each word. Each run of the tests has three.
PARTS = {"core": 6, "program": 16, "windows": 5, "": 19}
# The word, the failures, texts in the summary, and the last line.
ROWS = [
    ("core", {}, ["everything passed"], "8 passed, 0 failed"),
    ("core", {"FORMAT": 1, "TEST": 1}, ["failed: format, see Tests/results/format.log", '  "three" failed'],
     "6 passed, 2 failed"),
    ("core", {"BUILD": 1}, ["failed: core build,", "not run: tests of the core"], "4 passed, 2 failed"),
    ("core", {"LEFT": 1}, ["failed: temporary files,"], "7 passed, 1 failed"),
    ("program", {}, ["everything passed"], "24 passed, 0 failed"),
    ("program", {"BUILD": 1}, ["failed: debug build,", "not run: stories and documents", "not run: programs with LoginKit"],
     "7 passed, 9 failed"),
    ("windows", {}, ["everything passed"], "7 passed, 0 failed"),
    ("", {}, ["everything passed"], "29 passed, 0 failed"),
]


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def prepare(folder):
    for name in ("Tests/run.sh", "Tests/Environment/kept.h", "data/parts.sh"):
        write(folder / name, (ROOT / name).read_text(encoding="utf-8"))
    for path in ROOT.glob("Tests/tools/check-*.py"):
        write(folder / "Tests/tools" / path.name, "#!/bin/sh\n" if path.name == "check-callers.py" else "")
    for name in ("data/dependencies.sh", "bin/shellcheck"):
        write(folder / name, "#!/bin/sh\n")
    write(folder / ".ci/XCTMain.swift", "")
    write(folder / "bin/swift", SWIFT)
    write(folder / ".build/debug/tokentryPackageTests.xctest", f"#!/bin/sh\nexec {folder}/bin/swift test\n")


def check(folder, word, outcomes, words, last):
    write(folder / "bin/outcomes", "".join(f"{name}={value}\n" for name, value in (WITH_SUCCESS | outcomes).items()))
    environment = {**os.environ, "PATH": f"{folder}/bin:/usr/bin:/bin", "TOKENTRY_STORE": "file:/nonexistent"}
    # It counts the programs that its session has left. Those of the tests beside this check are in another one.
    run = subprocess.run([folder / "Tests/run.sh", *word.split()], env=environment, capture_output=True, text=True, check=False,
                         start_new_session=True)
    summary = run.stdout.partition("== Summary ==\n")[2]
    faults = [f"the summary lacks {text!r}" for text in words if text not in summary]
    if run.stdout.splitlines()[-1:] != [last]:
        faults.append(f"the last line is not {last!r}")
    if run.returncode != (0 if last.endswith(" 0 failed") else 1):
        faults.append(f"the status is {run.returncode}")
    count = PARTS[word]
    faults += [f"part {number} is missing" for number in range(1, count + 1) if f"[{number}/{count}] " not in run.stdout]
    if f"[{count + 1}/" in run.stdout:
        faults.append("there are more parts")
    if any(ord(character) < 32 and character != "\n" for character in run.stdout):
        faults.append("there are control characters")
    if faults:
        sys.exit(f"{word} with {outcomes}: {'; '.join(faults)}\n{run.stdout}{run.stderr}")


def check_trees(folder):
    """A CDPATH in the environment does not lead a script into another tree."""
    (folder / "decoy/data/po").mkdir(parents=True)
    (folder / "decoy/Tests").mkdir()
    environment = {**os.environ, "CDPATH": str(folder / "decoy"), "HOME": str(folder)}
    count = 0
    for path in sorted(ROOT.glob("data/**/*.sh")) + sorted(ROOT.glob("Tests/**/*.sh")):
        name, text = path.relative_to(ROOT), path.read_text(encoding="utf-8")
        start = re.search(r"(?ms)\A.*?^cd .*?$", text)
        if not start:
            continue
        write(folder / "tree" / name, start[0] + "\npwd -P\nexit\n")
        run = subprocess.run([name, *(["."] if name.parent.name == "po" else [])], cwd=folder / "tree", env=environment,
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if not (run.stdout.splitlines() or [""])[-1].startswith(str((folder / "tree").resolve())):
            sys.exit(f"{name} follows CDPATH: {run.stdout}{run.stderr}")
        count += 1
    if count < 8:
        sys.exit(f"only {count} scripts look for their tree")


def check_uninstallation(folder):
    """A manifest that leads out of the prefix is refused as a whole."""
    prefix = folder / "prefix"
    for name in ("../victim", "share/../../victim", "share/..", "/etc/victim"):
        write(prefix / "share/tokentry/manifest", f"bin/kept\n{name}\n")
        write(prefix / "bin/kept", "")
        write(folder / "victim", "")
        run = subprocess.run([ROOT / "data/install.sh", "--uninstall"], env={**os.environ, "PREFIX": str(prefix)},
                             capture_output=True, text=True, check=False)
        if run.returncode != 1 or name not in run.stderr:
            sys.exit(f"{name} is not refused: {run.stdout}{run.stderr}")
        if not (folder / "victim").exists() or not (prefix / "bin/kept").exists():
            sys.exit(f"{name}: something was removed")


# Stories, and true for those that agree with what a shell does.
STORIES = [
    ("  $ echo one; echo oh >&2; exit 3\n  one\n  ! oh\n  [3]\n", True),
    ("Prose.\n  $ cat <<END\n  > t[o?\n  > END\n  t[o*? (glob)\n", True),
    ("  $ printf 'a\\033b'; ls -A; pwd >&2\n  a\\u{1b}b (no-eol)\n  ! */home (glob)\n", True),
    ("  $ sed -nE 's/^Sig(Ign|Blk):.*(.{7})$/\\2/p' /proc/self/status; echo /proc/self/fd/*\n  0000000\n  0000000\n"
     "  /proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 /proc/self/fd/3\n", True),
    ("  $ echo one\n", False), ("  $ echo one\n  one\n  two\n", False), ("  $ echo one\n  One\n", False),
    ("  $ exit 1\n", False), ("  $ kill $$\n", False), ("  $ printf one\n  one\n", False), ("  $ echo oh >&2\n  oh\n", False),
    ("\t$ true\n", False), (" $ true\n", False), ("  output\n", False), ("  $ echo a\n  a\n  > b\n", False),
    ("  $ false\n  [1]\n  a\n", False),
]


def check_stories(folder):
    """Tests/tools/check-stories.py reports every difference, and refuses a line that fits nowhere."""
    for number, (text, agrees) in enumerate(STORIES):
        write(folder / f"{number}.story", text)
        run = subprocess.run(["/usr/bin/python3", ROOT / "Tests/tools/check-stories.py", "/bin/true", folder / f"{number}.story"],
                             capture_output=True, text=True, check=False)
        if (run.returncode == 0) != agrees or not agrees and f"{number}.story:" not in run.stderr:
            sys.exit(f"the runner of stories judges this wrong:\n{text}{run.stdout}{run.stderr}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_stories(pathlib.Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        check_trees(pathlib.Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        check_uninstallation(pathlib.Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        prepare(pathlib.Path(folder))
        for row in ROWS:
            check(pathlib.Path(folder), *row)
    print(f"{len(ROWS)} runs of Tests/run.sh report their results correctly")


if __name__ == "__main__":
    main()
