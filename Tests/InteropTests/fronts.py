"""Web servers in front of glewlwyd: one speaks TLS, one signs in for user agents without JavaScript."""

import http.client
import http.server
import json
import ssl
import threading
import urllib.parse

HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length"}


class Front(http.server.BaseHTTPRequestHandler):
    """A handler that knows the port of the server behind it and that server's public address."""

    protocol_version = "HTTP/1.1"
    port = 0
    base = ""

    def log_message(self, *arguments):
        pass

    def ask(self, method, path, body=None, headers=None):
        """Asks the server behind. Returns status, header fields and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        data = response.read()
        connection.close()
        return response.status, response.getheaders(), data

    def answer(self, status, headers, body=b""):
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in HOP_BY_HOP:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class PassingOn(Front):
    """Forwards every request unchanged."""

    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP}
        self.answer(*self.ask(self.command, self.path, body, headers))

    do_POST = do_PUT = do_DELETE = do_OPTIONS = do_GET


class Hasty(PassingOn):
    """Forwards every request, but tells devices to poll every second, which is too often for the server."""

    def answer(self, status, headers, body=b""):
        if b'"device_code"' in body:
            body = json.dumps({**json.loads(body), "interval": 1}).encode()
        super().answer(status, headers, body)


class SigningIn(Front):
    """GET /USER/PASSWORD/ISSUER?QUERY does what glewlwyd's page does: it signs the user in, grants the scopes and goes
    back to the authorization endpoint in the new session. With /device after the issuer, it goes to the page for
    device codes."""

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        _, user, password, issuer, page = (url.path + "/auth").split("/")[:5]
        query = dict(urllib.parse.parse_qsl(url.query))
        status, headers, body = self.send("POST", "/api/auth/", {"username": user, "password": password})
        if status != 200:
            self.answer(status, [], body)
            return
        session = next(value.split(";")[0] for name, value in headers if name.lower() == "set-cookie")
        grant = {"scope": query.get("scope", "openid profile")}  # the query of a pushed request has no scope
        self.send("PUT", "/api/auth/grant/" + query["client_id"], grant, {"Cookie": session})
        there = f"{self.base}/api/{issuer}/{page}?{url.query}&g_continue"
        # A cookie is sent to all ports of its host.
        self.answer(302, [("Location", there), ("Set-Cookie", session + "; Path=/; HttpOnly")])

    def send(self, method, path, value, headers=None):
        kind = {"Content-Type": "application/json"}
        return self.ask(method, path, json.dumps(value), {**kind, **(headers or {})})


def start(handler, port, base="", certificate=None):
    """Starts a front for the server on `port`. With a file of a certificate and its key, it speaks TLS."""
    bound = type("Bound", (handler,), {"port": port, "base": base})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), bound)
    server.daemon_threads = True
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        # Each connection's own thread performs the handshake, so that a silent client does not block the others.
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"https://localhost:{server.server_port}" if certificate else f"http://127.0.0.1:{server.server_port}"
