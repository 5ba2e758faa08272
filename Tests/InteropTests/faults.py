"""Runs clients of others, and Tokentry, at a provider with faults, and prints the table of data/doc/faults.md.

usage: faults.py TOKENTRY

It needs the packages google-auth-oauthlib, Authlib and requests-oauthlib. The clients are unmodified, and used as their own
documentation does. Each attempt has a provider of its own, and a browser that follows redirects.
"""

import contextlib
import http.server
import importlib.metadata
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "data/callers"))
import tokentry_demo

# The browser is that of Python's webbrowser.
os.environ |= {"BROWSER": "curl -sL --max-time 10 -o /dev/null %s &", "OAUTHLIB_INSECURE_TRANSPORT": "1",
               "AUTHLIB_INSECURE_TRANSPORT": "1"}
LOGIN = ["", "wrong-state", "no-state", "wrong-iss", "id-token-signature", "id-token-audience", "wrong-nonce", "scope-reduced",
         "expires-in-text", "token-html", "big-answer"]
REFRESH = ["refresh-lost=1", "connection-reset=1", "token-500=1", "other-user", "refresh-dead"]
SCOPE = "openid profile"


class Landing(http.server.BaseHTTPRequestHandler):
    """The redirect URI of clients that leave it to the application."""

    def do_GET(self):
        self.server.callback = f"http://127.0.0.1:{self.server.server_port}{self.path}"
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def landing():
    with http.server.HTTPServer(("127.0.0.1", 0), Landing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


class Library:
    """A client in this process that has no browser of its own."""

    def __init__(self, demo, folder):
        self.demo = demo

    def session(self, redirect):
        raise NotImplementedError

    def login(self):
        with landing() as server:
            self.client = self.session(f"http://127.0.0.1:{server.server_port}/")
            page, checks = self.begin()
            urllib.request.urlopen(page).read()
            self.finish(server.callback, checks)


class RequestsOAuthlib(Library):
    name, version = "requests-oauthlib", importlib.metadata.version("requests-oauthlib")

    def session(self, redirect):
        from requests_oauthlib import OAuth2Session
        return OAuth2Session(self.demo.client_id, redirect_uri=redirect, scope=SCOPE.split(), pkce="S256")

    def begin(self):
        return self.client.authorization_url(self.demo.issuer + "/authorize")[0], None

    def finish(self, callback, _):
        self.client.fetch_token(self.demo.issuer + "/token", authorization_response=callback, include_client_id=True)

    def refresh(self):
        self.client.refresh_token(self.demo.issuer + "/token", client_id=self.demo.client_id)


class Authlib(Library):
    name, version = "Authlib", importlib.metadata.version("Authlib")

    def session(self, redirect):
        from authlib.integrations.requests_client import OAuth2Session
        return OAuth2Session(self.demo.client_id, redirect_uri=redirect, scope=SCOPE, code_challenge_method="S256",
                             token_endpoint_auth_method="none")

    def begin(self):
        verifier = "v" * 48
        page, state = self.client.create_authorization_url(self.demo.issuer + "/authorize", code_verifier=verifier)
        return page, (verifier, state)

    def finish(self, callback, checks):
        self.client.fetch_token(self.demo.issuer + "/token", authorization_response=callback, code_verifier=checks[0],
                                state=checks[1])

    def refresh(self):
        self.client.refresh_token(self.demo.issuer + "/token")


class GoogleAuth:
    name, version = "google-auth-oauthlib", importlib.metadata.version("google-auth-oauthlib")

    def __init__(self, demo, folder):
        self.demo = demo

    def login(self):
        from google_auth_oauthlib.flow import InstalledAppFlow
        settings = {"client_id": self.demo.client_id, "client_secret": self.demo.client_secret,
                    "auth_uri": self.demo.issuer + "/authorize", "token_uri": self.demo.issuer + "/token"}
        flow = InstalledAppFlow.from_client_config({"installed": settings}, SCOPE.split())
        self.token = flow.run_local_server(port=0, authorization_prompt_message="", timeout_seconds=20)

    def refresh(self):
        from google.auth.transport.requests import Request
        self.token.refresh(Request())


class Tokentry:
    name, version = "Tokentry", ""

    def __init__(self, demo, folder):
        self.demo = demo
        self.environment = {"HOME": folder, "PATH": "/usr/bin:/bin", "TOKENTRY_STORE": f"file:{folder}/store"}

    def run(self, *words):
        done = subprocess.run([tokentry_demo.PROGRAM, *words], env=self.environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=60, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)

    def login(self):
        self.run("login", "--issuer", self.demo.issuer, "--client-id", self.demo.client_id, "--scope", SCOPE,
                 "--headless-test", "--account", "me")

    def refresh(self):
        self.run("token", "me", "--silent", "--min-valid", "4000")


CLIENTS = [RequestsOAuthlib, Authlib, GoogleAuth, Tokentry]


def attempt(step):
    """Returns the failure of a step, or None. A client that waits for half a minute has failed, too."""
    signal.alarm(30)
    try:
        step()
    except Exception as error:  # whatever a client raises, it has noticed
        return f"{type(error).__name__}: {error}"
    finally:
        signal.alarm(0)
    return None


def late(*_):
    raise TimeoutError("no end")


def trial(client, fault):
    """Returns what a client does under a fault, and what it said."""
    secret = ["--client", "app:secret"] if client is GoogleAuth else []
    with tempfile.TemporaryDirectory() as folder, tokentry_demo.Demo("--user", "ada", *secret) as demo:
        one = client(demo, folder)
        if fault in LOGIN:
            demo.faults(*fault.split())
            said = attempt(one.login)
            return ("notices" if said else "takes it"), said
        said = attempt(one.login)
        if said:
            return "?", said
        demo.faults(fault)
        said = attempt(one.refresh)
        demo.faults()
        if fault in ("other-user", "refresh-dead"):
            return ("notices" if said else "takes it"), said
        # Programs ask again after a passing failure.
        later = attempt(one.refresh) if said else None
        return ("loses the login" if later else "keeps it, at the second try" if said else "keeps it"), said or later


def main():
    signal.signal(signal.SIGALRM, late)
    tokentry_demo.PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
    print("| fault | " + " | ".join(f"{client.name} {client.version}".strip() for client in CLIENTS) + " |")
    print("|---|" + "---|" * len(CLIENTS))
    for fault in LOGIN + REFRESH:
        cells = []
        for client in CLIENTS:
            cell, said = trial(client, fault)
            print(f"{fault}, {client.name}: {cell} ({said})"[:300], file=sys.stderr)
            cells.append(cell)
        print(f"| `{fault or 'none'}` | " + " | ".join(cells) + " |", flush=True)


main()
