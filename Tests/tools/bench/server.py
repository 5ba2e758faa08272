"""The authorization server of the benchmarks."""

import http.server
import json
import threading
import time
import urllib.parse

REDIRECT = "https://app.example/done"
LATE = 0.1  # seconds after which /late names its endpoints


class Server(http.server.ThreadingHTTPServer):
    """A server that redirects at once or shows a page, records the times, and gives a token that is valid for a day."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server_address[1]}"
        self.requested = self.redirected = None
        self.shown = threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        if address.path.endswith("/.well-known/openid-configuration"):
            self.metadata(address.path.split("/")[1])
        elif address.path == "/authorize":
            self.server.requested = time.perf_counter()
            state = urllib.parse.parse_qs(address.query).get("state", [""])[0]
            self.answer("text/plain", "", 302, Location=f"{REDIRECT}?code=C&state={state}")
            self.server.redirected = time.perf_counter()
        else:
            self.answer("text/html", "<!doctype html><title>Sign in</title><form><input name=user></form>")
            self.server.shown.set()

    def metadata(self, kind):
        """The metadata of the issuer /KIND. The last three members are for oidc-agent."""
        time.sleep(LATE if kind == "late" else 0)
        base = "http://" + self.headers["Host"]
        page = base + ("/page" if kind == "page" else "/authorize")
        self.answer("application/json", json.dumps({
            "issuer": f"{base}/{kind}", "authorization_endpoint": page, "token_endpoint": base + "/token",
            "jwks_uri": base + "/keys", "response_types_supported": ["code"], "subject_types_supported": ["public"],
            "grant_types_supported": ["authorization_code", "refresh_token"], "scopes_supported": ["openid"]}))  # fmt: skip

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        token = {"access_token": "T", "token_type": "Bearer", "expires_in": 86_400, "refresh_token": "R"}
        self.answer("application/json", json.dumps(token))

    def answer(self, kind, text, status=200, **fields):
        self.send_response(status)
        for name, value in ({"Content-Type": kind, "Content-Length": str(len(text))} | fields).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass
