"""Installs Python packages for tests into a cache, in the versions of a requirements file."""

import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys


def installed(requirements):
    """Returns the folder with the packages. Each requirements file has its own folder."""
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "tokentry-tests"
    folder = cache / ("packages-" + hashlib.sha256(requirements.read_bytes()).hexdigest()[:16])
    cache.mkdir(parents=True, exist_ok=True)
    with open(cache / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.is_dir():
            install(requirements, folder)
    return folder


def install(requirements, folder):
    """Installs under another name first, so that the folder is complete once it exists."""
    unfinished = folder.with_suffix(".part")
    shutil.rmtree(unfinished, ignore_errors=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary=:all:"]
    pip += ["--target", unfinished, "--requirement", requirements]
    run = subprocess.run(pip, capture_output=True, text=True, check=False)
    if run.returncode:
        shutil.rmtree(unfinished, ignore_errors=True)
        sys.exit(f"pip cannot install the packages of {requirements}, which the first run needs:\n{run.stderr}")
    unfinished.rename(folder)
