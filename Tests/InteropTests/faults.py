"""Runs clients of others, and Tokentry, at a provider with faults, and prints the table of data/doc/faults.md.

usage: faults.py TOKENTRY [CLIENT...]    (all clients if none is named)

It needs the packages google-auth-oauthlib, Authlib, msal and requests-oauthlib, and in the path the programs of Debian's
packages rclone and oidc-agent-cli. The clients are unmodified, and used as their own documentation does. Each attempt has a
provider of its own, and a browser that follows redirects.
"""

import contextlib
import http.server
import importlib.metadata
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

import requests

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
    """The redirect URI of clients that leave it to the application, and an API that answers with an empty object."""

    def do_GET(self):
        self.server.callback = f"http://127.0.0.1:{self.server.server_port}{self.path}"
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def landing():
    with http.server.HTTPServer(("127.0.0.1", 0), Landing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


class Client:
    """A client of the provider, with the folder of a user. What it starts ends with `stack`."""

    version = ""
    has_secret = False
    only_refreshes = False

    def __init__(self, demo, folder, stack):
        self.demo, self.folder, self.stack = demo, folder, stack


def program(*words, **variables):
    """Runs a program of Debian or Tokentry. Its failure is that of the attempt."""
    done = subprocess.run(words, env={"PATH": os.environ["PATH"]} | variables, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return done.stdout


def installed(*words):
    """The version that a program in the path prints, or an empty text without the program."""
    if not shutil.which(words[0]):
        return ""
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    return re.search(r"\d+(\.\d+)+", said)[0]


class Library(Client):
    """A client in this process that has no browser of its own."""

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


class GoogleAuth(Client):
    name, version = "google-auth-oauthlib", importlib.metadata.version("google-auth-oauthlib")
    has_secret = True

    def login(self):
        from google_auth_oauthlib.flow import InstalledAppFlow
        settings = {"client_id": self.demo.client_id, "client_secret": self.demo.client_secret,
                    "auth_uri": self.demo.issuer + "/authorize", "token_uri": self.demo.issuer + "/token"}
        flow = InstalledAppFlow.from_client_config({"installed": settings}, SCOPE.split())
        self.token = flow.run_local_server(port=0, authorization_prompt_message="", timeout_seconds=20)

    def refresh(self):
        from google.auth.transport.requests import Request
        self.token.refresh(Request())


class MSAL(Library):
    name, version = "msal", importlib.metadata.version("msal")

    def session(self, redirect):
        import msal
        # It takes only an https address with a path, which its `http_client` brings to the provider.
        far = "https://provider.example/tenant"
        self.app = msal.PublicClientApplication(
            self.demo.client_id, authority=far, instance_discovery=False, exclude_scopes=["offline_access"],
            http_client=Bridge(far, self.demo.issuer))
        return self.app.initiate_auth_code_flow([], redirect_uri=redirect)

    def begin(self):
        return self.client["auth_uri"], None

    def finish(self, callback, _):
        answer = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(callback).query))
        self.checked(self.app.acquire_token_by_auth_code_flow(self.client, answer))

    def refresh(self):
        account, = self.app.get_accounts()
        self.checked(self.app.acquire_token_silent_with_error([], account, force_refresh=True))

    @staticmethod
    def checked(answer):
        if "access_token" not in answer:
            raise RuntimeError(answer)


class Bridge(requests.Session):
    """Sends requests for one address to another, and names the first as the token endpoint in the metadata."""

    def __init__(self, far, near):
        super().__init__()
        self.far, self.near = far, near

    def request(self, method, url, *arguments, **options):
        place = url.removeprefix(self.far).removeprefix("/v2.0")
        answer = super().request(method, self.near + place, *arguments, **options)
        if place.startswith("/.well-known"):
            answer._content = json.dumps(answer.json() | {"token_endpoint": self.far + "/token"}).encode()
        return answer


class Rclone(Client):
    """Only refreshes, with the tokens of another client: it has no PKCE, which the provider demands."""

    name, version = "rclone", installed("rclone", "version")
    has_secret = only_refreshes = True

    def login(self):
        self.api = self.stack.enter_context(landing()).server_port
        other = GoogleAuth(self.demo, self.folder, self.stack)
        other.login()
        self.token = {"access_token": other.token.token, "token_type": "Bearer", "refresh_token": other.token.refresh_token}

    def refresh(self):
        file = pathlib.Path(self.folder, "rclone.conf")
        if file.exists():
            self.token = json.loads(re.search("(?m)^token = (.*)$", file.read_text())[1])
        expired = self.token | {"expiry": "2026-01-01T00:00:00Z"}
        file.write_text(f"[there]\ntype = google cloud storage\nproject_number = 1\nendpoint = http://127.0.0.1:{self.api}/\n"
                        f"client_id = {self.demo.client_id}\nclient_secret = {self.demo.client_secret}\n"
                        f"token_url = {self.demo.issuer}/token\ntoken = {json.dumps(expired)}\n")
        program("rclone", f"--config={file}", "lsd", "there:", HOME=self.folder)


class OidcAgent(Client):
    name, version = "oidc-agent", installed("oidc-agent", "--version")
    has_secret = True

    def __init__(self, demo, folder, stack):
        super().__init__(demo, folder, stack)
        self.environment = {"HOME": folder, "OIDC_SOCK": f"{folder}/socket", "OIDC_ENCRYPTION_PW": "password"}
        self.environment |= {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
        os.mkdir(f"{folder}/.config")
        agent = subprocess.Popen(["oidc-agent", "--console", f"--socket-path={folder}/socket"], env=self.environment,
                                 stdout=subprocess.DEVNULL, start_new_session=True)
        # It may have a child.
        stack.callback(lambda: (os.killpg(agent.pid, signal.SIGKILL), agent.wait()))
        while not os.path.exists(f"{folder}/socket"):
            time.sleep(0.05)

    def login(self):
        # Of all plain addresses, it takes only those of localhost.
        issuer = self.demo.issuer.replace("127.0.0.1", "localhost")
        free = [socket.create_server(("127.0.0.1", 0)) for _ in range(4)]
        ports = [f"--port={one.getsockname()[1]}" for one in free]
        for one in free:
            one.close()
        words = ["oidc-gen", "me", f"--issuer={issuer}", f"--client-id={self.demo.client_id}",
                 f"--client-secret={self.demo.client_secret}", f"--scope={SCOPE}", *ports, "--flow=code", "--pw-env",
                 "--prompt=none", "--confirm-default", "--no-url-call"]
        with subprocess.Popen(words, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True) as made:
            try:
                said = ""
                for line in made.stdout:
                    said += line
                    if "/authorize?" in line:
                        subprocess.run(["curl", "-sL", "-o", "/dev/null", line.strip()], check=False)
            finally:
                made.kill()
        if "Everything setup correctly" not in said:
            raise RuntimeError(said)

    def refresh(self):
        program("oidc-token", "me", "--time=4000", **self.environment)


class Tokentry(Client):
    name = "Tokentry"

    def run(self, *words):
        program(tokentry_demo.PROGRAM, *words, HOME=self.folder, TOKENTRY_STORE=f"file:{self.folder}/store")

    def login(self):
        self.run("login", "--issuer", self.demo.issuer, "--client-id", self.demo.client_id, "--scope", SCOPE,
                 "--headless-test", "--account", "me")

    def refresh(self):
        self.run("token", "me", "--silent", "--min-valid", "4000")


CLIENTS = [RequestsOAuthlib, Authlib, GoogleAuth, MSAL, OidcAgent, Rclone, Tokentry]


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
    if fault in LOGIN and client.only_refreshes:
        return "", None
    secret = ["--client", "app:secret"] if client.has_secret else []
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        demo = stack.enter_context(tokentry_demo.Demo("--user", "ada", *secret))
        return tried(client(demo, folder, stack), demo, fault)


def tried(one, demo, fault):
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
    if not said:
        return "keeps it", None
    later = attempt(one.refresh)
    log = demo.log()
    if log["reuses"] or log["sign_ins"] > 1:
        return "loses the login", said
    if later:
        # Some clients ask no more for a minute.
        time.sleep(65)
        return ("loses the login" if attempt(one.refresh) else "keeps it, after a minute"), said
    return "keeps it, at the second try", said


def main():
    signal.signal(signal.SIGALRM, late)
    tokentry_demo.PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
    clients = [client for client in CLIENTS if client.name in (sys.argv[2:] or [client.name])]
    if missing := [client.name for client in clients if not client.version and client is not Tokentry]:
        sys.exit(f"missing: {', '.join(missing)}")
    print("| fault | " + " | ".join(f"{client.name} {client.version}".strip() for client in clients) + " |")
    print("|---|" + "---|" * len(clients))
    for fault in LOGIN + REFRESH:
        cells = []
        for client in clients:
            cell, said = trial(client, fault)
            print(f"{fault}, {client.name}: {cell} ({said})"[:300], file=sys.stderr)
            cells.append(cell)
        print(f"| `{fault or 'none'}` | " + " | ".join(cells) + " |", flush=True)


main()
