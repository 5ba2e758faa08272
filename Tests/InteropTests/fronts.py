"""Web servers that stand before glewlwyd: one speaks TLS, one signs in for a user agent without JavaScript."""

import http.client
import http.server
import json
import ssl
import threading
import urllib.parse

HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length"}


class Front(http.server.BaseHTTPRequestHandler):
    """A handler that knows the port of the server behind it, and where that is for its users."""

    protocol_version = "HTTP/1.1"
    port = 0
    base = ""

    def log_message(self, *arguments):
        pass

    def ask(self, method, path, body=None, headers=None):
        """The answer of the server behind: status, header fields, body."""
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
    """Passes everything on as it is."""

    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP}
        self.answer(*self.ask(self.command, self.path, body, headers))

    do_POST = do_PUT = do_DELETE = do_OPTIONS = do_GET


class Hasty(PassingOn):
    """Passes everything on, but tells a device to ask every second, which is more often than the server likes."""

    def answer(self, status, headers, body=b""):
        if b'"device_code"' in body:
            body = json.dumps({**json.loads(body), "interval": 1}).encode()
        super().answer(status, headers, body)


class SigningIn(Front):
    """GET /USER/PASSWORD/ISSUER?QUERY does what glewlwyd's page does: it signs the user in, grants what is asked for
    and goes back to the authorization endpoint, in the session that it has opened; with /device behind the issuer, to
    the page for the codes of devices."""

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        _, user, password, issuer, page = (url.path + "/auth").split("/")[:5]
        query = dict(urllib.parse.parse_qsl(url.query))
        status, headers, body = self.send("POST", "/api/auth/", {"username": user, "password": password})
        if status != 200:
            self.answer(status, [], body)
            return
        session = next(value.split(";")[0] for name, value in headers if name.lower() == "set-cookie")
        grant = {"scope": query.get("scope", "openid profile")}  # what was pushed is not in the query
        self.send("PUT", "/api/auth/grant/" + query["client_id"], grant, {"Cookie": session})
        there = f"{self.base}/api/{issuer}/{page}?{url.query}&g_continue"
        # A cookie is sent to all ports of its host.
        self.answer(302, [("Location", there), ("Set-Cookie", session + "; Path=/; HttpOnly")])

    def send(self, method, path, value, headers=None):
        kind = {"Content-Type": "application/json"}
        return self.ask(method, path, json.dumps(value), {**kind, **(headers or {})})


def start(handler, port, base="", certificate=None):
    """Starts a front of the server on that port; with the file of a certificate and its key it speaks TLS."""
    bound = type("Bound", (handler,), {"port": port, "base": base})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), bound)
    server.daemon_threads = True
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        # Shaking hands is left to the thread of the connection, so that one that says nothing delays no other.
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"https://localhost:{server.server_port}" if certificate else f"http://127.0.0.1:{server.server_port}"
