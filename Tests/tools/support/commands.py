"""Runs commands for the checks."""

import subprocess


def run(command, **options):
    """Runs a command, or a script for a shell, and returns its output. It must succeed."""
    done = subprocess.run(command, shell=isinstance(command, str), capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          timeout=options.pop("timeout", 1200), check=False, **options)
    if done.returncode:
        raise AssertionError(f"{command} ends with {done.returncode}:\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


def expect(condition, what):
    if not condition:
        raise AssertionError(what)
