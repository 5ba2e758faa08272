#!/usr/bin/python3
"""Measures every helper that hands out a token against `tokentry token`, for one of several accounts with a valid token,
in a folder and in the keyring. Bus and keyring are private and end with this program.

usage: helpers.py EXECUTABLE
"""

import contextlib
import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

from session import keyring
from timing import Figure, Run, compare, tell

OF_TOKEN = 1.2
PAIRS = (60, 300)
# The requested account, `work`, and other accounts.
ACCOUNTS = {"work": "h.example", "home": "home.example", "mail": "mail.example"}
HOST = "https://" + ACCOUNTS["work"]

CLUSTER = {
    "apiVersion": "client.authentication.k8s.io/v1",
    "kind": "ExecCredential",
    "spec": {"interactive": False, "cluster": {"server": HOST}},
}
CRATE = {
    "v": 1,
    "registry": {"index-url": f"sparse+{HOST}/index/", "headers": []},
    "kind": "get",
    "operation": "read",
    "args": [],
}
GOOGLE = "GOOGLE_EXTERNAL_ACCOUNT_"

# Arguments, standard input and environment of each helper.
HELPERS = {
    "git": (["get"], f"protocol=https\nhost={ACCOUNTS['work']}\n\n", {}),
    "docker": (["get"], HOST + "\n", {}),
    "cargo": ([], json.dumps(CRATE) + "\n", {}),
    "bazel": (["get"], json.dumps({"uri": HOST + "/a"}), {}),
    "terraform": (["get", ACCOUNTS["work"]], "", {}),
    "kubernetes": ([], "", {"KUBERNETES_EXEC_INFO": json.dumps(CLUSTER)}),
    "keyring": (["get", HOST + "/simple/", "ann"], "", {}),
    "google": (
        [],
        "",
        {
            GOOGLE + "AUDIENCE": f"//{ACCOUNTS['work']}/pools/p",
            GOOGLE + "TOKEN_TYPE": "urn:ietf:params:oauth:token-type:id_token",
        },
    ),
    "headers": ([HOST + "/mcp"], "", {}),
}


class Provider(http.server.BaseHTTPRequestHandler):
    """Returns a token for any code."""

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = b'{"access_token":"T","token_type":"Bearer","expires_in":86400,"refresh_token":"R","id_token":"I"}'
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextlib.contextmanager
def provider():
    """Runs a provider. The value is its address."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Provider) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def sign_in(tokentry, base, environment):
    """Signs in, so that the accounts are in the store of the environment."""
    preset = pathlib.Path(environment["HOME"], "provider.json")
    members = {"authorization_endpoint": base + "/a", "token_endpoint": base + "/t", "id_token": "opaque"}
    preset.write_text(json.dumps({"name": "Here", "redirect_uri": "https://app.example/done"} | members))
    for account, host in ACCOUNTS.items():
        command = [tokentry, "login", "--provider", preset, "--client-id", "me", "--state", "S", "--headless-test"]
        command += ["--navigations", "-", "--account", account, "--for", host]
        callback = "https://app.example/done?code=C&state=S\n"
        subprocess.run(
            command, input=callback, text=True, env=environment, check=True, stdout=subprocess.DEVNULL
        )


def figures(tokentry, environment, place, pairs):
    token = Run([tokentry, "token", "--account", "work"], environment)
    for name, (arguments, told, more) in HELPERS.items():
        helper = Run([tokentry, "helper", name] + arguments, environment | more, told)
        figure = f"helper {name} / token, {place}"
        print(figure)
        yield Figure(figure, compare(helper, token, pairs), OF_TOKEN)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tokentry = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder, keyring(pathlib.Path(folder)) as session, provider() as base:
        for place, store in (("in the keyring", "keyring"), ("in a folder", f"file:{folder}/store")):
            environment = session | {"TOKENTRY_STORE": store}
            sign_in(tokentry, base, environment)
            tell(lambda pairs: figures(tokentry, environment, place, pairs), *PAIRS)


if __name__ == "__main__":
    main()
