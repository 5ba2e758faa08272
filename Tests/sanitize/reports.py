#!/usr/bin/python3
"""Reads the reports of sanitizers.

  reports.py FOLDER                  prints the findings; status 1 if there are any
  reports.py --table PART=LOG...     prints the table for Tests/sanitize.sh; reports are below Tests/results/sanitize/PART
"""

import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RESULTS = ROOT / "Tests/results/sanitize"
SANITIZERS = {"address": "AddressSanitizer, LeakSanitizer", "thread": "ThreadSanitizer", "window": "AddressSanitizer"}

# The start of a report. The kind of finding ends before the address or process.
BEGIN = re.compile(r"(?:ERROR: AddressSanitizer|WARNING: ThreadSanitizer|ERROR: ThreadSanitizer): (.+?)(?: on | \(|:|$)")
LEAK = re.compile(r"(Direct|Indirect) leak of (\d+) byte\(s\) in (\d+) object")
FRAME = re.compile(r"\s+#\d+ 0x[0-9a-f]+ (?:in )?(.*)|\s+#\d+ (.*)")
ALLOCATOR = re.compile(r"malloc|calloc|realloc|posix_memalign|g_(try_)?(malloc|realloc|slice)|swift_(slowAlloc|allocObject)")
# LeakSanitizer's warning about a thread that ends while it stops all threads. It may cause false findings, but hides none.
UNSTOPPED = re.compile(r"==.+==Running thread \d+ was not suspended\. False leaks are possible\.")
SUPPRESSED = re.compile(r"\s*(\d+)\s+(?:(\d+)\s+)?(\S.*)")


def place(frames):
    """The line in our sources, or else the function and library."""
    for frame in frames:
        if own := re.search(rf"{re.escape(str(ROOT))}/((?:Sources|Tests)/[^ :]+:\d+)", frame):
            return own.group(1)
    for frame in frames:
        if not ALLOCATOR.match(frame):
            return re.sub(r" \(BuildId.*", "", frame)
    return frames[0] if frames else "an unknown place"


class Found:
    """The findings in the reports of a folder."""

    def __init__(self, folder):
        self.findings = collections.Counter()
        self.examples = {}
        self.suppressed = collections.Counter()
        for path in sorted(folder.glob("**/reports/*")):
            self.read(path)

    def add(self, kind, frames, path):
        finding = (kind, place(frames))
        self.findings[finding] += 1
        self.examples.setdefault(finding, path)

    def read(self, path):
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        count = sum(self.findings.values()) + sum(self.suppressed.values())
        number = 0
        while number < len(lines):
            line = lines[number]
            number += 1
            if re.search(r"Suppressions used:|Matched \d+ suppressions", line):
                number = self.read_suppressions(lines, number)
            elif (leak := LEAK.match(line)) or ((begin := BEGIN.search(line)) and "LeakSanitizer" not in line):
                frames, number = self.frames(lines, number)
                kind = f"{leak.group(1).lower()} leak" if leak else begin.group(1)
                self.add(kind, frames, path)
        # Other output, for example that a sanitizer could not work, is a finding, too.
        if sum(self.findings.values()) + sum(self.suppressed.values()) == count:
            texts = [line for line in lines if line.strip("=- ")] or ["empty"]
            if others := [line for line in texts if not UNSTOPPED.fullmatch(line)]:
                self.add(f"other: {others[0]}", [], path)

    @staticmethod
    def frames(lines, number):
        """The first stack after a line, and the number of the line after it."""
        while number < len(lines) and not FRAME.match(lines[number]):
            if LEAK.match(lines[number]) or "SUMMARY:" in lines[number]:
                return [], number
            number += 1
        frames = []
        while number < len(lines) and (frame := FRAME.match(lines[number])):
            frames.append(frame.group(1) or frame.group(2))
            number += 1
        return frames, number

    def read_suppressions(self, lines, number):
        while number < len(lines) and not lines[number].startswith("----"):
            if entry := SUPPRESSED.fullmatch(lines[number]):
                self.suppressed[entry.group(3)] += int(entry.group(1))
            number += 1
        return number


def show(folder):
    found = Found(folder)
    for (kind, where), count in found.findings.most_common():
        print(f"{count} × {kind}: {where}, such as in {found.examples[kind, where].relative_to(ROOT)}")
    for line, count in found.suppressed.most_common():
        print(f"{count} × suppressed: {line}")
    return 1 if found.findings else 0


def tests(log):
    """The number of tests, the minutes that they took, the failed tests, and the tests that were not run."""
    text = log.read_text(encoding="utf-8", errors="replace")
    runs = re.findall(r"Test run with (\d+) tests?.* after ([\d.]+) seconds", text)
    failed = set(re.findall(r"^. Test (?!run with)(.+?)(?: with \d+ test cases?)? failed after ", text, re.M))
    left_out = re.findall(r"^note: (not run: .*)", text, re.M)
    minutes = sum(float(seconds) for _, seconds in runs) / 60
    return sum(int(count) for count, _ in runs), minutes, sorted(failed), left_out


def output(*words):
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


def table(parts):
    found = {part: Found(RESULTS / part) for part, _ in parts}
    ran = {part: tests(ROOT / log) for part, log in parts}
    compiler = output("swift", "--version").splitlines()[0]
    commit = output("git", "rev-parse", "--short", "HEAD") or "these sources"
    print(f"Run on {output('date', '-u', '+%Y-%m-%d')} with {commit}; {output('uname', '-srm')}, "
          f"{output('nproc')} processors, {compiler}.\n")
    print("| part | sanitizer | tests | minutes | passed | failed | findings | suppressed |")
    print("|---|---|---|---|---|---|---|---|")
    for part, (total, minutes, failed, _) in ran.items():
        print(f"| {part} | {SANITIZERS[part]} | {total} | {minutes:.0f} | {total - len(failed)} | {len(failed)} | "
              f"{sum(found[part].findings.values())} | {sum(found[part].suppressed.values())} |")
    rows = [(part, kind, where, count) for part in found for (kind, where), count in found[part].findings.most_common()]
    section("Found", "part | kind | where | times", rows)
    rows = [(part, line, count) for part in found for line, count in found[part].suppressed.most_common()]
    section("Suppressed findings of other libraries", "part | line | times", rows)
    section("Failed", "part | test", [(part, test) for part in ran for test in ran[part][2]])
    section("Not run", "part | tests and reason", [(part, text) for part in ran for text in ran[part][3]])


def section(title, head, rows):
    if rows:
        print(f"\n{title}:\n\n| {head} |\n|{'---|' * (head.count('|') + 1)}")
        for row in rows:
            print("|", " | ".join(str(cell).replace("|", "\\|") for cell in row), "|")


if __name__ == "__main__":
    if sys.argv[1] == "--table":
        table([argument.split("=", 1) for argument in sys.argv[2:]])
    else:
        sys.exit(show(pathlib.Path(sys.argv[1])))
