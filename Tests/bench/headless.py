#!/usr/bin/python3
"""Compares a headless login with curl and with the same login written with Authlib in Python.

usage: headless.py TOKENTRY DEMO-SERVER

Four commands run in turn, each from the start of its process to the end:

  tokentry --headless-test     with the provider inside: key, server, login, verification
  tokentry login               the same login at a demo provider that is already running
  curl                         the seven requests of that login at the same provider, in one process. It gets the form,
                               the cookie and the code beforehand, and does not verify the answers.
  Python with Authlib          the complete login at the same provider, with verification of the id_token

The first may take 1.5 times as long as curl plus 10 ms, and a tenth of Authlib. It does more than the others, in one
process; the second does the same work as they do and is shown for comparison. Most of Authlib's time is the start of
Python and its modules.
"""

import base64
import hashlib
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import packages
from timing import Figure, run, tell

OF_CURL = 1.5
BEYOND_CURL = 10  # milliseconds for the verification and the start of the provider, which curl does not have
OF_AUTHLIB = 0.1
ROUNDS = (40, 120, 200)
# One run of Authlib takes as long as a dozen of the others.
ROUNDS_FOR_AUTHLIB = 2
WARM_UP = 3

CLIENT = "tokentry-demo"
REDIRECT = "https://demo.example/callback"
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"  # RFC 7636 appendix B


class Provider:
    """The demo provider in its own process."""

    def __init__(self, executable):
        self.process = subprocess.Popen(
            [executable], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.issuer = self.process.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(timeout=10)


class Login:
    """A login that has been started, so that curl can continue it."""

    def __init__(self, issuer):
        self.issuer = issuer
        opener = urllib.request.build_opener(NoRedirect)
        with opener.open(self.url) as page:
            self.cookie = page.headers["Set-Cookie"].partition(";")[0]
            self.interaction = re.search(rb'name="interaction" value="([^"]+)"', page.read()).group(1).decode()

    @property
    def url(self):
        """The address of the authorization request."""
        digest = hashlib.sha256(VERIFIER.encode()).digest()
        parameters = {
            "response_type": "code",
            "client_id": CLIENT,
            "redirect_uri": REDIRECT,
            "scope": "openid profile",
            "state": "S",
            "nonce": "N",
            "code_challenge": base64.urlsafe_b64encode(digest).decode().rstrip("="),
            "code_challenge_method": "S256",
        }
        return f"{self.issuer}/authorize?{urllib.parse.urlencode(parameters)}"

    def code(self):
        """Completes the login and returns its code."""
        _, cookie = self.post("/login", {"username": "ada", "password": "demo"}, self.cookie)
        location, _ = self.post("/consent", {"decision": "allow"}, cookie)
        return urllib.parse.parse_qs(urllib.parse.urlsplit(location).query)["code"][0]

    def post(self, path, form, cookie):
        """Sends a form and returns the target of the redirect and its cookie."""
        body = urllib.parse.urlencode({"interaction": self.interaction} | form).encode()
        request = urllib.request.Request(self.issuer + path, body, {"Cookie": cookie})
        try:
            urllib.request.build_opener(NoRedirect).open(request)
        except urllib.error.HTTPError as answer:
            return answer.headers["Location"], (answer.headers["Set-Cookie"] or "").partition(";")[0]
        sys.exit(f"{path} does not redirect")


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Does not follow redirects."""

    def redirect_request(self, *_):
        return None


def curl(issuer, jar):
    """The command that makes the seven requests, all of which succeed."""
    login, code = Login(issuer), Login(issuer).code()
    name, _, value = login.cookie.partition("=")
    pathlib.Path(jar).write_text(f"127.0.0.1\tFALSE\t/\tFALSE\t0\t{name}\t{value}\n")
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": REDIRECT,
        "code_verifier": VERIFIER,
        "client_id": CLIENT,
    }
    interaction = f"interaction={login.interaction}"
    requests = [
        [f"{issuer}/.well-known/openid-configuration"],
        ["--cookie", jar, login.url],
        ["--location", "--cookie", "", "--data", f"{interaction}&username=ada&password=demo", f"{issuer}/login"],
        ["--cookie", "", "--data", f"{interaction}&decision=allow", f"{issuer}/consent"],
        ["--data", urllib.parse.urlencode(form), f"{issuer}/token"],
        [f"{issuer}/jwks"],
    ]
    command = ["/usr/bin/curl"]
    for index, request in enumerate(requests):
        command += (["--next"] if index else []) + COMMON + request
    return command


COMMON = ["--disable", "--silent", "--show-error", "--fail", "--fail-early", "--output", "/dev/null", "--noproxy", "*"]


def measure(contestants, rounds):
    """The times of each contestant. The order changes with each round."""
    times = {name: [] for name in contestants}
    names = list(contestants)
    for index in range(rounds):
        first = index % len(names)
        order = names[first:] + names[:first]
        # Reversing the order changes who runs after the contestant that leaves the caches cold.
        for name in order if index // len(names) % 2 else reversed(order):
            if name != AUTHLIB or index % ROUNDS_FOR_AUTHLIB == 0:
                times[name].append(contestants[name]())
    return times


EMBEDDED, EXTERNAL, CURL, AUTHLIB = "tokentry --headless-test", "tokentry login", "curl", "Python with Authlib"


def figures(contestants, rounds):
    """Prints the times and returns the figures for the first contestant."""
    times = measure(contestants, rounds)
    median = {name: statistics.median(values) for name, values in times.items()}
    print(f"{rounds} rounds, medians")
    for name, values in times.items():
        print(f"  {name:26} {median[name]:8.2f} ms  (least {min(values):.2f}, {len(values)} runs)")
    for name in (EMBEDDED, EXTERNAL):
        print(f"  {name}: {median[name] / median[CURL]:.2f} of curl, {median[name] / median[AUTHLIB]:.3f} of Authlib")
    pairs = zip(times[EMBEDDED], times[CURL])
    of_curl = max(
        median[EMBEDDED] / (OF_CURL * median[CURL] + BEYOND_CURL),
        statistics.median(ours / (OF_CURL * theirs + BEYOND_CURL) for ours, theirs in pairs),
    )
    return [
        Figure(f"headless login / ({OF_CURL} x curl + {BEYOND_CURL} ms)", of_curl, 1),
        Figure("headless login / Authlib", median[EMBEDDED] / median[AUTHLIB], OF_AUTHLIB),
    ]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    tokentry, server = sys.argv[1:]
    folder = packages.installed(HERE / "headless" / "requirements.txt")
    python = os.environ | {"PYTHONPATH": str(folder)}
    with Provider(server) as provider, tempfile.TemporaryDirectory() as temporary:
        issuer, jar = provider.issuer, os.path.join(temporary, "jar")
        login = [tokentry, "login", "--issuer", issuer, "--client-id", CLIENT, "--redirect-uri", REDIRECT]
        login += ["--scope", "openid profile", "--headless-test"]
        for value in ("username=ada", "password=demo", "decision=allow"):
            login += ["--form", value]
        contestants = {
            EMBEDDED: lambda: run([tokentry, "--headless-test"]),
            EXTERNAL: lambda: run(login),
            CURL: lambda: run(curl(issuer, jar)),
            AUTHLIB: lambda: run([sys.executable, str(HERE / "headless" / "authlib_login.py"), issuer], python),
        }
        for _ in range(WARM_UP):
            for contestant in contestants.values():
                contestant()
        tell(lambda rounds: figures(contestants, rounds), *ROUNDS)


if __name__ == "__main__":
    main()
