#!/usr/bin/python3
"""Prints the folder of the programs in requirements.txt. The first run installs them into a cache."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from packages import installed  # pylint: disable=wrong-import-position

print(installed(pathlib.Path(__file__).with_name("requirements.txt")))
