#!/usr/bin/python3
"""The lists in the papers that have to be complete: the presets, the packages to install, the errors, and the ways of
the data.

usage: lists.py    prints the list of presets as data/doc/providers.md has to show it
"""

import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BEGIN, END = "<!-- presets -->", "<!-- end of presets -->"
ABILITIES = {
    "jwks_uri": "id_token", "userinfo_endpoint": "userinfo", "revocation_endpoint": "revoke",
    "introspection_endpoint": "introspect", "registration_endpoint": "register", "end_session_endpoint": "end session",
    "device_authorization_endpoint": "device codes", "api_origins": "request", "git_hosts": "git",
}
SECRETS = {"none": "none", "post": "in the body", "basic": "Basic"}


def grant(preset):
    if preset.get("response_type") == "token":
        return "implicit"
    return "code" if preset.get("pkce") == "none" else "code, PKCE"


def row(name, preset):
    """What a preset can, from what its file says."""
    secret = SECRETS[preset["client_authentication"]] if "client_authentication" in preset else "optional"
    cells = [
        f"[{name}](../providers/{name}.json)", f"[{preset['name']}]({preset['source']})", grant(preset),
        "none" if grant(preset) == "implicit" else secret, ", ".join(preset["agents"]),
        ", ".join(f"`{variable}`" for variable in preset.get("variables", {})),
        ", ".join(words for member, words in ABILITIES.items() if member in preset),
    ]
    return "| " + " | ".join(cells) + " |"


def presets():
    """The table of all presets, and what their authors have to say."""
    files = {path.stem: json.loads(path.read_text()) for path in sorted((ROOT / "data/providers").glob("*.json"))}
    lines = ["| preset | provider | grant | client secret | ways | variables | also |", "|---|---|---|---|---|---|---|"]
    lines += [row(name, preset) for name, preset in files.items()] + [""]
    for name, preset in files.items():
        notes = [preset["notes"]] if "notes" in preset else []
        if not preset.get("verified"):
            notes.append("No test stands behind this preset.")
        if notes:
            lines.append(f"- **{name}**: {' '.join(notes)}")
    return "\n".join(lines)


def errors_of_manual():
    """Each error with its exit status, as tokentry(1) lists them."""
    manual = (ROOT / "data/man/tokentry.1").read_text(encoding="utf-8")
    items = re.findall(r"(?m)^\.It Cm (\w+(?: , \w+)*) No \((\d+)\)$", manual)
    return {(error, status) for errors, status in items for error in errors.split(" , ")}


def errors_of_table(page):
    """The same as a table shows them."""
    rows = re.findall(r"(?m)^\| (\d+) \| .* \| (.*) \|$", page)
    return {(error, status) for status, errors in rows for error in re.findall(r"`(\w+)`", errors)}


def wrong_ways(design):
    """Files on the ways that the design describes that are not there, or that one way passes twice."""
    for way in re.findall(r"(?ms)^### (The way of .*?)(?=^##)", design):
        files = re.findall(r"`(\w+/[\w/+]+\.swift)`", way)
        heading = way.partition("\n")[0]
        yield from (f"{heading}: there is no {file}" for file in files if not (ROOT / "Sources" / file).is_file())
        yield from (f"{heading} passes {file} twice" for file in sorted(set(files)) if files.count(file) > 1)


def incomplete(pages):
    """What is missing from the lists, or differs."""
    for error, status in sorted(errors_of_table(pages["README.md"]) ^ errors_of_manual()):
        yield f"{error} with status {status} is only in one of README.md and tokentry(1)"
    _, _, shown = pages["data/doc/providers.md"].partition(f"{BEGIN}\n")
    if shown.partition(f"\n{END}")[0] != presets():
        yield "data/doc/providers.md does not list the presets as they are: Tests/papers/lists.py prints the list"
    yield from wrong_ways(pages["data/doc/design.md"])
    command = [ROOT / "data/dependencies.sh", "--list", "test"]
    needed = set(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())
    named = set(re.findall(r"[\w.+-]+", pages[".github/CONTRIBUTING.md"]))
    for package in sorted(needed - named):
        yield f".github/CONTRIBUTING.md does not name the package {package}"


if __name__ == "__main__":
    print(presets())
