#!/usr/bin/python3
"""Measures `tokentry --version` against two C programs that only print: one is linked with all libraries that tokentry
uses, the other only with those that tokentry loads at its start, as if C loaded the others on demand, too.

usage: version.py EXECUTABLE DIRECTORY    (the C programs are built in DIRECTORY)
"""

import os
import pathlib
import re
import subprocess
import sys

from timing import Figure, Run, compare, tell

LIMIT = 2
PAIRS = (300, 900)

# The compiler links these by itself.
ALWAYS_THERE = ("libc.so", "ld-linux")


def needed(executable):
    """The libraries that an executable is linked with, without their own dependencies."""
    listing = subprocess.run(
        ["readelf", "--dynamic", "--wide", executable], check=True, capture_output=True, text=True
    ).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", listing)


def loaded_late(executable):
    """The libraries that the executable loads on demand, from its notes for packagers."""
    notes = subprocess.run(
        ["readelf", "--string-dump=.note.dlopen", executable], check=True, capture_output=True, text=True
    ).stdout
    return re.findall(r'"soname":\["([^"]*)"', notes)


def build_baseline(name, libraries, directory):
    """Builds a C program that is linked with exactly these libraries."""
    baseline = os.path.join(directory, name)
    source = pathlib.Path(__file__).parent / "version" / "version.c"
    subprocess.run(
        ["gcc", "-O2", source, "-o", baseline, "-Wl,--no-as-needed"] + [f"-l:{name}" for name in libraries],
        check=True,
    )
    missing = set(libraries) - set(needed(baseline))
    if missing:
        sys.exit(f"the C program was linked without {', '.join(sorted(missing))}")
    print(name, "loads", ", ".join(libraries))
    return baseline


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    executable, directory = sys.argv[1:]
    os.makedirs(directory, exist_ok=True)
    early = [name for name in needed(executable) if not name.startswith(ALWAYS_THERE)]
    late = loaded_late(executable)
    if not late:
        sys.exit(f"{executable} has no note about the libraries that it loads on demand")
    baselines = {
        "C with the same libraries": [build_baseline("version-all", early + late, directory)],
        "C that loads them late": [build_baseline("version-early", early, directory)],
    }
    ours = Run([executable, "--version"], os.environ)

    def measure(pairs):
        return [
            Figure(f"tokentry --version / {name}", compare(ours, Run(baseline, os.environ), pairs), LIMIT)
            for name, baseline in baselines.items()
        ]

    tell(measure, *PAIRS)


if __name__ == "__main__":
    main()
