#!/usr/bin/python3
"""Checks the schemas in data/schema. The schema of presets must accept every preset and valid example, and refuse each
invalid example because of the invalid member. The schemas of requests and results must accept exactly the valid
examples, and that of results what each command really prints.

usage: check-schema.py TOKENTRY
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/tools/support"))

from account import UserAccount

DATA = ROOT / "data"

# Each value below is added to this preset.
PLAIN = {
    "name": "Example",
    "variables": {"tenant": "the part before .example"},
    "authorization_endpoint": "https://as.example/authorize",
    "redirect_uri": "https://app.example/done",
}

# Values that the schema accepts, by member.
SOUND = {
    "$schema": ["../schema/provider.schema.json"], "tested": ["stand-in", "2026-11"],
    "authorization_endpoint": ["https://{tenant}.as.example/authorize?audience=api", "https://{tenant}/{client_id}/authorize"],
    "token_endpoint": ["http://127.0.0.1:8080/token", "http://[::1]:8080/token", "http://localhost/token", "http://127.0.0.1:{tenant}/token"],
    "redirect_uri": ["{client_id}:/done", "vk{client_id}://vk.ru/blank.html", "com.example.App:/done?from=login", "urn:ietf:wg:oauth:2.0:oob"],
    "redirect_aliases": [[]], "error_pages": [["https://as.example/error"]], "issuer": ["https://as.example/tenants/{tenant}"],
    "api_origins": [["https://api.example", "https://{tenant}.example:8443/"]], "variable_defaults": [{"tenant": "acme"}],
    "authorization_parameters": [{"display": "page"}], "headers": [{"Accept": "application/json"}],
    "response_type": ["code id_token token"], "response_mode": ["fragment"], "grant": ["code"], "pkce": ["plain"],
    "userinfo_request": [{"method": "POST", "members": ["client_id"]}], "logout_request": [{}, {"method": "DELETE"}],
    "id_token_issuer": ["https://as.example/{tid}/v2.0"], "authorization_scheme": ["OAuth"], "id_token": ["opaque"],
    "device_grant": [{"grant_type": "device_code", "parameter": "code"}, {"protocol": "login-flow-v2"}],
    "revocation_parameters": [["access_token"]], "refresh_refusals": [["invalid_request"]], "bearer_token_types": [["user"]],
    "ways": [["browser", "window"]], "token_state": ["echoed"], "token_request": ["json"],
}

# Values that it refuses: unknown names, the wrong kind of value, names that a request sets itself, unknown words, addresses.
BROKEN = {
    "redirect_url": ["https://app.example/done"], "Issuer": ["https://as.example"], "client_id": ["1"], "client_secret": ["s"],
    "name": [None], "tested": [True, "yes", "2026"], "scope": [["a", "b"]], "required_token_members": [["access_token", 1]],
    "authorization_parameters": [{"v": 5.52}, {"state": "S"}], "token_parameters": [{"client_secret": "S"}],
    "headers": [["Accept: application/json"], {"authorization": "Bearer x"}, {"two words": "x"}, {"Accept": "a\r\nb: c"}],
    "userinfo_request": [{"method": "PUT"}, {"path": "/me"}], "api_origins": [["https://api.example/v1"]],
    "response_type": ["implicit", "code code", ""], "response_mode": ["jwt"], "grant": ["client_credentials"],
    "client_authentication": ["client_secret_basic"], "pkce": ["s256"], "token_request": ["xml"], "token_state": [True],
    "id_token": ["skip"], "ways": [["auto"]], "authorization_scheme": ["Bearer\n"], "device_grant": [{"code": "code"}],
    "revocation_parameters": [["password"]], "id_token_issuer": ["https://{tid}.example/v2.0", "https://as.example/v2.0"],
    "variables": [{"client_id": "always there"}, {"the-tenant": "a hyphen"}, {"": "no name"}, {"tenant": 1}],
    "authorization_endpoint": [
        "https://{the-tenant}.example/authorize", "https://{tenant.example/authorize", "as.example/authorize",
        "http://as.example/authorize", "http://127.0.0.1.evil.example/authorize", "http://localhost@evil.example/authorize",
        "https://user:password@as.example/authorize", "https://as.example/authorize#top", "https://as.example/authorize\n",
        "https://as.example/a b", "https://as.example\\evil.example/authorize", "https://\u0430s.example/authorize",
        "https://as.example/x/../authorize", "https://as.example/%2E%2e", "https:///authorize", "myapp://as.example/authorize"],
    "jwks_uri": ["http://as.example/keys"], "issuer": ["https://as.example?tenant=1"],
    "redirect_uri": ["/done", "http://app.example/done", "https://app.example/done#here", "javascript:alert(1)", "file:///done"],
    "redirect_aliases": ["https://app.example/done", ["https://app.example/done", "data:text/html,done"]],
    "error_pages": [["http://as.example/error"]],
}

# Valid and invalid examples for the two other schemas.
SPOKEN = {
    "options": (
        [{}, {"provider": "vk", "client_id": "753197", "param": {"v": 5.52}, "timeout": 60, "silent": True},
         {"redirect_uris": ["https://app.example/done"], "client_secret": "s3cret", "keychain": True},
         {"authorize_uri": "https://as.example/a", "token_uri": "https://as.example/t", "secret_in_body": True},
         {"client_secret": None, "token": None, "secret_in_body": None, "silent": None, "way": None, "timeout": None},
         {"scope": "", "client_secret": "", "timeout": "60"}],
        [[], {"client-id": "ID"}, {"silent": "yes"}, {"way": "popup"}, {"param": ["a=b"]}, {"client_secret": 1},
         {"options": "file.json"}, {"unknown": 1}, {"timeout": 1.5}, {"timeout": -1}, {"timeout": "5m"}, {"client_id": ""},
         {"resource": []}, {"resource": [""]}, {"password": ""}, {"param": {"a": None}}]),
    "result": (
        [{"access_token": "T", "token_type": "Bearer", "checks": {}},
         {"access_token": "T", "token_type": "bearer", "expires_in": 0.5, "expires_at": "2026-11-21T07:14:00Z",
          "scope": "a b", "checks": {"redirect": "exact", "state": "verified", "pkce": "S256"}, "more": [None]},
         {"error": "cancelled", "error_description": "The user.", "origin": "user", "retryable": True},
         {"error": "bad_provider_response", "error_description": "No.", "origin": "network", "retryable": False,
          "details": {"missing": ["access_token"]}}],
        [{}, "T", {"access_token": "T", "token_type": "Bearer"}, {"access_token": "", "token_type": "B", "checks": {}},
         {"access_token": "T", "token_type": "B", "checks": {"state": True}}, {"error": "x", "error_description": "y"},
         {"error": "x", "error_description": "y", "origin": "nobody", "retryable": True},
         {"error": "x", "error_description": "y", "origin": "user", "retryable": True, "access_token": "T"}]),
}


GITLAB = "--provider gitlab --client-id ID"
# The commands, their statuses, and what they print besides an error. SERVER is the address of a provider.
ANSWERED = [
    ("login", 0, "login --provider vk --client-id 1 --grant implicit"),
    ("login", 0, f"login {GITLAB} --scope openid --account work"),
    ("error", 2, "login --provider nobody"),
    ("token", 0, "token --account work --silent"),
    ("error", 8, "token --account other --silent"),
    ("accounts", 0, "accounts"),
    ("keep", 0, "keep --account work --file kept.token --once"),
    ("userinfo", 0, "userinfo --account work"),
    ("userinfo", 0, "userinfo --account work --endpoint introspection=SERVER/introspection_endpoint"),
    ("explain", 0, f"explain {GITLAB}"),
    ("explain", 0, f"explain {GITLAB} --grant device"),
    ("explain", 0, "explain --resource SERVER/mcp"),
    ("login", 0, "login --issuer SERVER --headless-test --account registered"),
    ("logout", 0, "logout --issuer SERVER"),
    ("providers", 0, "providers"),
    ("navigate", 0, "navigate --url SERVER/authorize?response_type=code&redirect_uri=app.example:/ --redirect-uri app.example:/"),
    ("logout", 0, "logout --account work"),
    ("logout", 0, "logout --session mail"),
    ("demo", 0, "demo --headless-test"),
    ("doctor", 0, "doctor --silent"),
    ("error", 7, "doctor"),
    ("version", 0, "--version --output json"),
]


def answer_faults(tokentry):
    """Runs each command, and checks its answer against the schema as a whole and the part that has its name."""
    schema = json.loads((DATA / "schema/result.schema.json").read_text(encoding="utf-8"))
    desk = UserAccount(tokentry)
    for name, status, words in ANSWERED:
        try:
            printed, _ = desk.run(["tokentry", *words.replace("SERVER", desk.provider.base).split()], status)
            for part in (schema, {"$defs": schema["$defs"], "$ref": f"#/$defs/{name}"}):
                jsonschema.Draft202012Validator(part).validate(json.loads(printed))
        except (AssertionError, ValueError, jsonschema.ValidationError, subprocess.SubprocessError) as error:
            yield f"tokentry {words}: {error}"
    desk.close()


def pairs(examples):
    """Each member with each of its values."""
    return [(name, value) for name, values in examples.items() for value in values]


def unique(members):
    names = [name for name, _ in members]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ValueError(f"repeated: {', '.join(repeated)}")
    return dict(members)


def is_about(error, name):
    """True if an error is about this member."""
    if error.absolute_path:
        return error.absolute_path[0] == name
    return error.validator == "additionalProperties" and repr(name) in error.message


def faults(validator):
    for file in sorted((DATA / "providers").glob("*.json")):
        preset = json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=unique)
        for error in validator.iter_errors(preset):
            yield f"{file.name}: {error.json_path}: {error.message}"
    for name, value in pairs(SOUND):
        for error in validator.iter_errors(PLAIN | {name: value}):
            yield f"refused although it is valid: {name}: {value!r}: {error.message}"
    for name, value in pairs(BROKEN):
        errors = list(validator.iter_errors(PLAIN | {name: value}))
        if not errors:
            yield f"accepted although it is invalid: {name}: {value!r}"
        for error in errors:
            if not is_about(error, name):
                yield f"refused for another reason: {name}: {value!r}: {error.message}"


def spoken_faults(name):
    validator = validator_of(name)
    sound, broken = SPOKEN[name]
    yield from (f"{name}: refused although it is valid: {example}" for example in sound if not validator.is_valid(example))
    yield from (f"{name}: accepted although it is invalid: {example}" for example in broken if validator.is_valid(example))


def validator_of(name):
    schema = json.loads((DATA / "schema" / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def main():
    found = list(faults(validator_of("provider")))
    found += answer_faults(pathlib.Path(sys.argv[1]).resolve())
    for name in SPOKEN:
        found += spoken_faults(name)
    presets = len(list((DATA / "providers").glob("*.json")))
    if found or not presets:
        sys.exit("\n".join(found) or "there is no preset")
    print(f"{presets} presets and {len(ANSWERED)} answers are valid, and {len(pairs(BROKEN))} invalid examples are refused")


if __name__ == "__main__":
    main()
