"""A provider on 127.0.0.1 whose page signs in by itself. It supports refreshes, and every token is a new one."""

import http.server
import itertools
import json
import threading
import urllib.parse

REDIRECT = "https://soak.example/done"
PAGE = """<!doctype html><title>Sign in</title><h1>Sign in</h1>
<form method="post" action="/login"><input name="user" value="ada"><input type="hidden" name="state" value="{}"></form>
<script>addEventListener("load", () => document.forms[0].submit())</script>"""


class Provider(http.server.ThreadingHTTPServer):
    """The server, its tokens, and the errors that it noticed."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server_address[1]}"
        self.life = 86_400
        self.numbers = itertools.count(1)
        self.lock = threading.Lock()
        # The valid refresh tokens.
        self.good = set()
        self.refreshes = 0
        self.faults = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        """Ignores clients that have disconnected."""

    def token(self, form):
        """The answer to a code or a refresh token. A refresh token is valid once."""
        with self.lock:
            if form["grant_type"] == "refresh_token":
                self.refreshes += 1
                if form["refresh_token"] not in self.good:
                    self.faults.append("a refresh token was used twice")
                    return 400, {"error": "invalid_grant"}
                self.good.remove(form["refresh_token"])
            number = next(self.numbers)
            self.good.add(f"refresh-{number}")
            return 200, {"access_token": f"access-{number}", "token_type": "Bearer", "expires_in": self.life,
                         "refresh_token": f"refresh-{number}"}  # fmt: skip


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, kind, text, **fields):
        data = text.encode()
        self.send_response(status)
        for name, value in ({"Content-Type": kind, "Content-Length": str(len(data))} | fields).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        state = dict(urllib.parse.parse_qsl(url.query)).get("state", "")
        self.answer(200 if url.path == "/authorize" else 404, "text/html", PAGE.format(state))

    def do_POST(self):
        form = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        if self.path == "/login":
            self.answer(302, "text/plain", "", Location=f"{REDIRECT}?code=C&state={form['state']}")
        else:
            status, answer = self.server.token(form)
            self.answer(status, "application/json", json.dumps(answer))
