#!/usr/bin/python3
"""Measures `tokentry --version` against a C program that loads the same libraries and only prints.

usage: version.py EXECUTABLE DIRECTORY    (the C program is built in DIRECTORY)
"""

import os
import pathlib
import re
import statistics
import subprocess
import sys

from timing import Figure, run, tell

LIMIT = 1.4
PAIRS = (300, 900)
WARM_UP = 20

# The compiler driver links these by itself.
ALWAYS_THERE = ("libc.so", "ld-linux")


def needed(executable):
    """The libraries that the dynamic linker loads for an executable, without those that these need."""
    listing = subprocess.run(
        ["readelf", "--dynamic", "--wide", executable], check=True, capture_output=True, text=True
    ).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", listing)


def build_baseline(executable, directory):
    """Builds the C program so that it needs exactly what the executable needs."""
    baseline = os.path.join(directory, "version-baseline")
    libraries = [name for name in needed(executable) if not name.startswith(ALWAYS_THERE)]
    source = pathlib.Path(__file__).parent / "version" / "version.c"
    subprocess.run(
        ["gcc", "-O2", source, "-o", baseline, "-Wl,--no-as-needed"] + [f"-l:{name}" for name in libraries],
        check=True,
    )
    missing = set(libraries) - set(needed(baseline))
    if missing:
        sys.exit(f"the C program was linked without {', '.join(sorted(missing))}")
    print("both load", ", ".join(libraries))
    return baseline


def compare(command, baseline, pairs):
    """Runs both in turn, prints the times, returns the larger of the two ratios."""
    for _ in range(WARM_UP):
        run(command), run(baseline)
    ours, theirs = [], []
    for index in range(pairs):
        # Each goes first as often as the other.
        if index % 2:
            ours.append(run(command))
            theirs.append(run(baseline))
        else:
            theirs.append(run(baseline))
            ours.append(run(command))
    of_medians = statistics.median(ours) / statistics.median(theirs)
    of_pairs = statistics.median(our / their for our, their in zip(ours, theirs))
    print(f"{pairs} pairs")
    print(f"  tokentry --version   {statistics.median(ours):6.2f} ms  (least {min(ours):.2f})")
    print(f"  C program            {statistics.median(theirs):6.2f} ms  (least {min(theirs):.2f})")
    print(f"  ratio of medians {of_medians:.3f}, median of ratios {of_pairs:.3f}")
    return max(of_medians, of_pairs)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    executable, directory = sys.argv[1:]
    os.makedirs(directory, exist_ok=True)
    baseline = [build_baseline(executable, directory)]
    command = [executable, "--version"]
    name = "tokentry --version / C with the same libraries"
    tell(lambda pairs: [Figure(name, compare(command, baseline, pairs), LIMIT)], *PAIRS)


if __name__ == "__main__":
    main()
