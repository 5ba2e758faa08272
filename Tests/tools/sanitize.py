#!/usr/bin/python3
"""Runs the tests in builds that notice wrong uses of memory, leaks and races.

usage: sanitize.py [--skip-build] [--continue] [--filter PATTERN] [address|thread|window]...

  address   tests without a window, with AddressSanitizer and, at the end of each program, LeakSanitizer
  thread    tests without a window, with ThreadSanitizer
  window    tests with a window, with AddressSanitizer
  --skip-build       use the previous builds
  --continue         skip the bundles of tests that have passed since the build, to continue an interrupted run
  --filter PATTERN   run only matching tests, without the table

Without a name, all three run. There are two complete builds, in .build/address and .build/thread, each of which takes
about ten minutes with two processors.

The programs that the tests start are of the same builds and write reports, too. Prints a table, which is kept in
Tests/results/sanitizers.md; the logs and reports are in Tests/results/sanitize. Exits with status 1 if a test fails, or if there
is a finding that is not in Tests/tools/sanitize/leaks.txt or Tests/tools/sanitize/races.txt, which list those of other libraries.
"""

import argparse
import collections
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "Tests/results/sanitize"
# The sanitizer of each part, and its bundles of tests with the number of tests that run at once. Fewer than in Tests/run.sh,
# because each takes several times as long.
PARTS = {"address": "address", "thread": "thread", "window": "address"}
WITH_WINDOW = {"WindowTests", "InteropTests"}
# Tests that only compute would take ten times as long with unwinding tables; our own code has frame pointers.
COMPUTING = {"LoginCoreTests", "WindowProtocolTests", "LanguageTests"}

# Tests that cannot pass with a sanitizer: the parts, a pattern, and the reason.
UNFIT = [
    ("address thread", r"^ProgramTests\.CanaryTests/", "search all memory of a program, of which a sanitizer maps terabytes"),
    ("window", r"^WindowTests\.WindowTests/ExposureTests/", "search all memory of a program, of which a sanitizer maps terabytes"),
    ("window", r"^WindowTests\.WindowTests/DoctorTests/blank",
     "need two windows within the doctor's nine seconds, which is too short with a sanitizer"),
    ("address thread", r"^ProgramTests\.PoorEnvironmentTests/poor", "limit the address space, of which a sanitizer needs terabytes"),
    ("address", r"^ProgramTests\.(KeyringPromptTests/|KeyringTests/lockedCopy)",
     "leak in libsecret 0.20, which takes a prompt's answer twice in secret_service_real_prompt_finish"),
    ("address", r"^ProgramTests\.SandboxedKeyringTests/portal",
     "leak in libsecret 0.20, which loses the tag of its own file whenever it writes it"),
    ("address", r"^ProgramTests\.AgentProtocolTests/many", "measures memory, which a sanitizer holds back"),
    ("address", r"^ProgramTests\.NoCommandLineTests/refused", "hide /proc, which the search for leaks needs"),
    ("address thread", r"^ProgramTests\.EndPageTests/deadline",
     "end a login within its page's five seconds, which is too short with a sanitizer"),
    ("address thread", r"^PackageTests\.LinkageTests/coreLinksRuntimeOnly", "link the build's objects without the sanitizer's runtime"),
    ("thread", r"^ProgramTests\.DiskFaultTests/limited", "limit the size of files, and ThreadSanitizer writes a large one"),
    ("thread", r"^SecretStoreTests\.CrashTests/fullDisk", "limit the size of files, and ThreadSanitizer writes a large one"),
]
# Stories that limit the address space.
UNFIT_STORIES = {"little-memory.story"}

# The start of a report. The kind of finding ends before the address or process.
BEGIN = re.compile(r"(?:ERROR: AddressSanitizer|WARNING: ThreadSanitizer|ERROR: ThreadSanitizer): (.+?)(?: on | \(|:|$)")
LEAK = re.compile(r"(Direct|Indirect) leak of \d+ byte\(s\) in \d+ object")
FRAME = re.compile(r"\s+#\d+ 0x[0-9a-f]+ (?:in )?(.*)|\s+#\d+ (.*)")
ALLOCATOR = re.compile(r"malloc|calloc|realloc|posix_memalign|g_(try_)?(malloc|realloc|slice)|swift_(slowAlloc|allocObject)")
# LeakSanitizer's warning about a thread that ends while it stops all threads. It may cause false findings, but hides none.
UNSTOPPED = re.compile(r"==.+==Running thread \d+ was not suspended\. False leaks are possible\.")
SUPPRESSED = re.compile(r"\s*(\d+)\s+(?:\d+\s+)?(\S.*)")


def build(kind):
    """Builds the tests with a sanitizer, whose options are compiled into all programs: see Tests/tools/sanitize/options.c."""
    folder = ROOT / ".build" / kind
    folder.mkdir(parents=True, exist_ok=True)
    suppressions = "races.txt" if kind == "thread" else "leaks.txt"
    # The toolchain's symbolizer understands the compiler's debug information.
    symbolizer = pathlib.Path(shutil.which("swiftc")).resolve().with_name("llvm-symbolizer")
    sources = ["options.c"] if kind == "thread" else ["options.c", "held.c"]
    macros = ["-DOF_THREADS"] if kind == "thread" else []
    object_file = folder / "options.o"
    subprocess.run(["gcc", "-r", "-O", "-Wall", "-Wextra", "-Werror", "-fPIC", *macros, f'-DREPORTS="{folder}/reports/report"',
                    f'-DSYMBOLIZER="{symbolizer}"', f'-DSUPPRESSIONS="Tests/tools/sanitize/{suppressions}"', "-o", object_file,
                    *(f"Tests/tools/sanitize/{name}" for name in sources)], cwd=ROOT, check=True)
    # Named after its content, so that a change makes SwiftPM link again.
    named = folder / f"options-{zlib.crc32(object_file.read_bytes()):x}.o"
    object_file.rename(named)
    # Whole-module compilation is a quarter less work for a complete build.
    subprocess.run(["swift", "build", "--build-tests", "--scratch-path", folder, f"--sanitize={kind}", "-Xswiftc", "-wmo",
                    "-Xswiftc", "-num-threads", "-Xswiftc", "1", "-Xswiftc", "-disable-batch-mode", "-Xlinker", named],
                   cwd=ROOT, check=True)


def bundles(part):
    """The bundles of tests, how many tests run at once, and further options of the sanitizer."""
    for path in sorted(ROOT.glob("Tests/*Tests")):
        if (path.name in WITH_WINDOW) == (part == "window"):
            yield path.name, 8 if path.name in COMPUTING else 3, "fast_unwind_on_malloc=1" if path.name in COMPUTING else ""


def place(frames):
    """The line in our sources, or else the function and library."""
    for frame in frames:
        if own := re.search(rf"{re.escape(str(ROOT))}/((?:Sources|Tests)/[^ :]+:\d+)", frame):
            return own[1]
    others = [frame for frame in frames if not ALLOCATOR.match(frame)] or frames or ["an unknown place"]
    return re.sub(r" \(BuildId.*", "", others[0])


def findings(reports):
    """The findings in the reports of a folder, and those that were suppressed."""
    found, suppressed = collections.Counter(), collections.Counter()
    for path in sorted(reports.iterdir()):
        text = path.read_text(encoding="utf-8", errors="replace")
        lines, count = text.splitlines(), found.total() + suppressed.total()
        for number, line in enumerate(lines):
            leak, begin = LEAK.match(line), BEGIN.search(line)
            if leak or begin and "LeakSanitizer" not in line:
                frames = stack(lines[number + 1:])
                found[f"{leak[1].lower()} leak" if leak else begin[1], place(frames)] += 1
        for part in re.findall(r"(?:Suppressions used:|Matched \d+ suppressions)[^\n]*\n(.*?)(?:\n----|\Z)", text, re.S):
            for entry in filter(None, map(SUPPRESSED.fullmatch, part.splitlines())):
                suppressed[entry[2]] += int(entry[1])
        # Other output, for example that a sanitizer could not work, is a finding, too.
        if found.total() + suppressed.total() == count:
            others = [line for line in lines if line.strip("=- ") and not UNSTOPPED.fullmatch(line)]
            if others or not lines:
                found[f"other: {(others or ['empty'])[0]}", path.name] += 1
    return found, suppressed


def stack(lines):
    """The first stack in the lines of a report."""
    frames = []
    for line in lines:
        frame = FRAME.match(line)
        if frame:
            frames.append(frame[1] or frame[2])
        elif frames or LEAK.match(line) or "SUMMARY:" in line:
            break
    return frames


def run(kind, folder, command, variables):
    """Runs tests, with their log and reports in a folder. Returns true if they passed without a finding."""
    reports = ROOT / ".build" / kind / "reports"
    shutil.rmtree(reports, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)
    reports.mkdir()
    # Some tests start a program as another user.
    reports.chmod(0o1777)
    folder.mkdir(parents=True)
    # The factor by which the tests extend their time limits.
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "TOKENTRY_SLOWNESS": "30"} | variables
    with open(folder / "log", "w", encoding="utf-8") as log:
        # Tests that hang are ended, so that the log shows which.
        status = subprocess.run(["timeout", "--kill-after", "10", "5400", "env", "--default-signal", *command], cwd=ROOT,
                                env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False).returncode
    reports.rename(folder / "reports")
    found, _ = findings(folder / "reports")
    passed = status == 0 and not found and "Test run with 0 tests" not in (folder / "log").read_text(encoding="utf-8")
    if passed:
        (folder / "passed").touch()
    print(f"{folder.parent.name} {folder.name}: {'passed' if passed else f'FAILED, see {folder.relative_to(ROOT)}/log'}", flush=True)
    for (what, where), count in found.most_common():
        print(f"  {count} × {what}: {where}", flush=True)
    return passed


def part(name, options):
    """Runs the tests of a part. Returns true if all passed."""
    kind = PARTS[name]
    tests = ROOT / ".build" / kind / "debug/tokentryPackageTests.xctest"
    skips = [word for parts, pattern, _ in UNFIT if name in parts.split() for word in ("--skip", pattern)]
    rows = {"TOKENTRY_ALL_ROWS": "1"} if name == "window" else {}
    jobs = {}
    if options.filter:
        jobs["some"] = ([tests, "--testing-library", "swift-testing", "--filter", options.filter, *skips],
                        rows | {"SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": "4"})
    else:
        for bundle, width, more in bundles(name):
            jobs[bundle] = ([tests, "--testing-library", "swift-testing", "--filter", rf"^{bundle}\.", *skips],
                            rows | {"SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": str(width), "ASAN_OPTIONS": more})
        if name != "window":
            stories = [path for path in sorted(ROOT.glob("Tests/Stories/*.story")) if path.name not in UNFIT_STORIES]
            jobs["stories"] = ["/usr/bin/python3", "Tests/tools/check-stories.py", tests.with_name("tokentry"), *stories], {}
    passed = True
    for job, (command, variables) in jobs.items():
        done = RESULTS / name / job / "passed"
        if not (options.goes_on and done.exists() and done.stat().st_mtime > tests.stat().st_mtime):
            passed = run(kind, RESULTS / name / job, command, variables) and passed
    return passed


def table(parts):
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    yield f"Run with {commit.strip() or 'these sources'}.\n"
    yield "| part | tests | failed | findings | suppressed |\n|---|---|---|---|---|"
    details = []
    for name in parts:
        tests, failed, found, suppressed = 0, set(), collections.Counter(), collections.Counter()
        for folder in (RESULTS / name).iterdir():
            log = (folder / "log").read_text(encoding="utf-8", errors="replace")
            tests += sum(map(int, re.findall(r"Test run with (\d+) tests?", log)))
            failed |= set(re.findall(r"^. Test (?!run with)(.+?)(?: with \d+ test cases?)? failed after ", log, re.M))
            more, others = findings(folder / "reports")
            found, suppressed = found + more, suppressed + others
        yield f"| {name} | {tests} | {len(failed)} | {found.total()} | {suppressed.total()} |"
        details += [f"- {name}: failed: {test}" for test in sorted(failed)]
        details += [f"- {name}: {count} × {what}: {where}" for (what, where), count in found.most_common()]
        details += [f"- {name}: {count} × suppressed: {line}" for line, count in suppressed.most_common()]
        details += [f"- {name}: not run: {pattern}: {reason}" for parts, pattern, reason in UNFIT if name in parts.split()]
    yield "\n" + "\n".join(details)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2], add_help=False)
    parser.add_argument("--skip-build", action="store_true")
    parser.add_argument("--continue", action="store_true", dest="goes_on")
    parser.add_argument("--filter")
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []])
    options = parser.parse_args()
    parts = options.parts or list(PARTS)
    # SIGTERM has to end the started programs, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if not options.skip_build:
        for kind in dict.fromkeys(PARTS[name] for name in parts):
            build(kind)
    passed = all([part(name, options) for name in parts])
    if not options.filter:
        text = "\n".join(table(parts))
        print("\n" + text)
        (ROOT / "Tests/results/sanitizers.md").write_text(text + "\n", encoding="utf-8")
    sys.exit(not passed)


if __name__ == "__main__":
    main()
