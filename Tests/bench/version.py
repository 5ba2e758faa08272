#!/usr/bin/python3
"""Measures `tokentry --version` against a C program that loads the same libraries and only prints.

usage: version.py EXECUTABLE DIRECTORY    (the C program is built in DIRECTORY)
"""

import os
import pathlib
import re
import subprocess
import sys

from timing import Figure, Run, compare, tell

LIMIT = 1.4
PAIRS = (300, 900)

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


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    executable, directory = sys.argv[1:]
    os.makedirs(directory, exist_ok=True)
    baseline = [build_baseline(executable, directory)]
    command = [executable, "--version"]
    name = "tokentry --version / C with the same libraries"
    tell(lambda pairs: [Figure(name, compare(Run(command, os.environ), Run(baseline, os.environ), pairs), LIMIT)], *PAIRS)


if __name__ == "__main__":
    main()
