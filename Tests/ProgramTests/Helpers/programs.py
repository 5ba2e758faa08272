#!/usr/bin/python3
"""Prints the folder of the programs in requirements.txt, or in the file whose name is given. The first run installs
them into a cache."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/support"))

from packages import installed  # pylint: disable=wrong-import-position

name = sys.argv[1] if len(sys.argv) > 1 else "requirements.txt"
print(installed(pathlib.Path(__file__).with_name(name)))
