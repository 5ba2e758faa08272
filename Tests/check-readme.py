#!/usr/bin/python3
"""Runs the programs in the README's section "In sixty seconds", for a login that succeeds and one that does not.

They call `tokentry` as they stand there; the one that they find adds a list of navigations, since nobody is there
to sign in. `curl` is a script that prints what it reads, so that nothing leaves this machine.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
GRANTED = "access_token=T&expires_in=86400&user_id=1&state=S"
DENIED = "error=access_denied&error_description=No.&state=S"


def examples():
    """The blocks of code between the section's heading and the next one, by language."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = re.search(r"\n## In sixty seconds\n(.*?)\n###? ", text, re.S).group(1)
    return re.findall(r"\n```(\w+)\n(.*?)\n```", section, re.S)


def script(path, text):
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)


def prepare(folder, tokentry, answer):
    (folder / "urls").write_text(f"https://oauth.vk.com/authorize\nhttps://oauth.vk.com/blank.html#{answer}\n")
    script(folder / "tokentry", f"exec '{tokentry}' \"$@\" --state S --headless-test --navigations '{folder}/urls'\n")
    script(folder / "curl", "cat\n")


def run(language, code, folder):
    """What an example prints, on both streams."""
    source = folder / f"example.{language}"
    source.write_text(code)
    commands = {"sh": ["sh", source], "python": ["/usr/bin/python3", source], "c": [folder / "example"]}
    if language == "c":
        flags = ["-Wall", "-Wextra", "-Werror"]
        subprocess.run(["gcc", *flags, source, "-o", folder / "example"], check=True)
    environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}
    done = subprocess.run(commands[language], env=environment, capture_output=True, text=True, timeout=60)
    return done.stdout + done.stderr


def main():
    build = subprocess.run(["swift", "build", "--show-bin-path"], cwd=ROOT, check=True, capture_output=True, text=True)
    tokentry = sys.argv[1] if len(sys.argv) > 1 else build.stdout.strip() + "/tokentry"
    found = examples()
    if [language for language, _ in found] != ["sh", "sh", "python", "c"]:
        sys.exit(f"the README has other examples than this script knows: {[name for name, _ in found]}")
    # What a reader would expect to see: of a token the user or the token itself, of a denial its name.
    expected = {GRANTED: [r"^1\n$", r"^Authorization: Bearer T\n$", r"signed in as 1 until", r'a token: .*"T"'],
                DENIED: [r"no token \(status 1\)", r"access_denied", r"not signed in: access_denied", r"an error: .*denied"]}
    for answer, patterns in expected.items():
        for (language, code), pattern in zip(found, patterns):
            with tempfile.TemporaryDirectory() as folder:
                prepare(pathlib.Path(folder), tokentry, answer)
                printed = run(language, code, pathlib.Path(folder))
            if not re.search(pattern, printed, re.S):
                sys.exit(f"the example in {language} does not print {pattern!r} but:\n{printed}")
    print(f"{len(found)} examples of the README work, each with a token and with an error")


if __name__ == "__main__":
    main()
