#!/usr/bin/python3
"""Checks the shell scripts: that they find their tree, what an uninstallation removes, and the report of
Tests/run.sh.

People and CI rely on the report, for which fake commands pass and fail: all parts run even if one fails; the summary names the failures; the last line is "N passed, N
failed", and the exit status agrees; and without a terminal there are no control characters.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SWIFT = """#!/bin/sh
case "$1" in
  format) exit "$FORMAT" ;;
  build) echo 'x.swift:1:1: error: broken' && exit "$BUILD" ;;
esac
"""
TESTS = """#!/bin/sh
printf '%s\\n' '✔ Test "one" passed after 0.1 seconds.' '✔ Test "two" passed after 0.1 seconds.'
[ "$TEST" -eq 0 ] || echo '✘ Test "three" failed after 0.1 seconds with 1 issue.'
[ "$LEFT" -eq 0 ] || : >"$TMPDIR/left"
echo '✔ Test run with 3 tests in 1 suite passed after 0.1 seconds.'
exit "$TEST"
"""
WITH_SUCCESS = {"FORMAT": "0", "BUILD": "0", "TEST": "0", "LEFT": "0"}
# The failures, texts in the summary, and the last line. There are twelve parts, one of which has three tests.
ROWS = [
    ({}, ["everything passed"], "14 passed, 0 failed"),
    ({"FORMAT": "1", "TEST": "1"}, ["failed: format, see Tests/results/format.log", '  "three" failed'], "12 passed, 2 failed"),
    ({"BUILD": "1"}, ["failed: debug build,", "not run: papers", "not run: unit tests"], "8 passed, 4 failed"),
    ({"LEFT": "1"}, ["failed: temporary files,"], "13 passed, 1 failed"),
]


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def prepare(folder):
    for name in ("Tests/run.sh", "data/parts.sh"):
        write(folder / name, (ROOT / name).read_text(encoding="utf-8"))
    for name in ("data/dependencies.sh", "bin/shellcheck"):
        write(folder / name, "#!/bin/sh\n")
    for name in ("schema", "translations", "layers", "papers", "scripts"):
        write(folder / f"Tests/check-{name}.py", "")
    write(folder / ".ci/XCTMain.swift", "")
    write(folder / "bin/swift", SWIFT)
    write(folder / ".build/debug/tokentryPackageTests.xctest", TESTS)


def check(folder, variables, words, last):
    environment = {**os.environ, "PATH": f"{folder}/bin:/usr/bin:/bin", **WITH_SUCCESS, **variables}
    run = subprocess.run(
        [folder / "Tests/run.sh", "--quick"], env=environment, capture_output=True, text=True, check=False
    )
    summary = run.stdout.partition("== Summary ==\n")[2]
    faults = [f"the summary lacks {text!r}" for text in words if text not in summary]
    if run.stdout.splitlines()[-1:] != [last]:
        faults.append(f"the last line is not {last!r}")
    if run.returncode != (0 if last.endswith(" 0 failed") else 1):
        faults.append(f"the status is {run.returncode}")
    faults += [f"part {number} of 12 is missing" for number in range(1, 13) if f"[{number}/12] " not in run.stdout]
    if any(ord(character) < 32 and character != "\n" for character in run.stdout):
        faults.append("there are control characters")
    if faults:
        sys.exit(f"with {variables}: {'; '.join(faults)}\n{run.stdout}{run.stderr}")


def check_trees(folder):
    """A CDPATH in the environment does not lead a script into another tree."""
    (folder / "decoy/data/po").mkdir(parents=True)
    (folder / "decoy/Tests").mkdir()
    environment = {**os.environ, "CDPATH": str(folder / "decoy"), "HOME": str(folder)}
    count = 0
    for path in sorted(ROOT.glob("data/**/*.sh")) + sorted(ROOT.glob("Tests/*.sh")):
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


def main():
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
