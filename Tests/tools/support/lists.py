#!/usr/bin/python3
"""The lists in the documentation that have to be complete: presets, and errors.

usage: lists.py    prints the list of presets for data/doc/providers.md
"""

import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]
BEGIN, END = "<!-- presets -->", "<!-- end of presets -->"
ABILITIES = {
    "jwks_uri": "id_token", "userinfo_endpoint": "userinfo", "revocation_endpoint": "revoke",
    "introspection_endpoint": "introspect", "registration_endpoint": "register", "end_session_endpoint": "end session",
    "device_authorization_endpoint": "device codes", "api_origins": "request", "git_hosts": "git",
}
SECRETS = {"none": "none", "post": "in the body", "basic": "Basic"}


def grant(preset):
    if "protocol" in preset.get("device_grant", {}):
        return "Login Flow v2"
    if preset.get("response_type") == "token":
        return "implicit"
    return "code" if preset.get("pkce") == "none" else "code, PKCE"


def row(name, preset):
    """The table row of a preset."""
    secret = SECRETS[preset["client_authentication"]] if "client_authentication" in preset else "optional"
    cells = [
        f"[{name}](../providers/{name}.json)", f"[{preset['name']}]({preset['source'].split(' and ')[0]})", grant(preset),
        "none" if grant(preset) == "implicit" else secret, ", ".join(preset.get("ways", [])),
        ", ".join(f"`{variable}`" for variable in preset.get("variables", {})),
        ", ".join(words for member, words in ABILITIES.items() if member in preset),
    ]
    return "| " + " | ".join(cells) + " |"


def presets():
    """The table of all presets, and their notes."""
    files = {path.stem: json.loads(path.read_text()) for path in sorted((ROOT / "data/providers").glob("*.json"))}
    lines = ["| preset | provider | grant | client secret | ways | variables | also |", "|---|---|---|---|---|---|---|"]
    lines += [row(name, preset) for name, preset in files.items()] + [""]
    for name, preset in files.items():
        notes = [preset["notes"]] if "notes" in preset else []
        if "tested" not in preset:
            notes.append("No test stands behind this preset.")
        if notes:
            lines.append(f"- **{name}**: {' '.join(notes)}")
    return "\n".join(lines)


def errors_of_manual():
    """Each error with its exit status, from tokentry-token(5)."""
    manual = (ROOT / "data/man/tokentry-token.5").read_text(encoding="utf-8")
    items = re.findall(r"(?m)^\.It Cm (\w+(?: , \w+)*) No \((\d+)\)$", manual)
    return {error: status for errors, status in items for error in errors.split(" , ")}


def errors_of_source():
    """The errors of the program, and the one that stands for a provider's page."""
    source = (ROOT / "Sources/LoginCore/Failure/Failure.swift").read_text(encoding="utf-8")
    return {*re.findall(r"static let \w+ = Self\(\"(\w+)\", \.", source), "server_error"}


def incomplete(pages):
    """The differences between the lists and the files that they describe."""
    errors = errors_of_manual()
    for error in sorted(errors_of_source() ^ set(errors)):
        yield f"{error} is in only one of Failure.swift and tokentry-token(5)"
    statuses = set(re.findall(r"(?m)^\| (\d+) \|", pages["README.md"])) - {"0"}
    for status in sorted(statuses ^ set(errors.values())):
        yield f"the exit status {status} is in only one of README.md and tokentry-token(5)"
    _, _, shown = pages["data/doc/providers.md"].partition(f"{BEGIN}\n")
    if shown.partition(f"\n{END}")[0] != presets():
        yield "the list of presets in data/doc/providers.md is out of date: Tests/run.sh --record writes the new one"


def record():
    """Writes the list of presets into the document."""
    page = ROOT / "data/doc/providers.md"
    before, _, rest = page.read_text(encoding="utf-8").partition(f"{BEGIN}\n")
    page.write_text(f"{before}{BEGIN}\n{presets()}\n{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    record()
