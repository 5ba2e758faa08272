#!/usr/bin/python3
"""Services that take a token, on two free ports of 127.0.0.1: an API, a git server, a mail server, registries of
containers and of Rust, Python, npm and Composer packages, Google's token exchange, a calendar, WebDAV files, and
language models.

Usage: services.py FOLDER

Prints one line "HTTP-PORT SMTP-PORT", and ends when its standard input ends. FOLDER/good contains the only valid token,
which a test may change at any time. FOLDER/log gets a line for every request, with the scheme of its credentials. The
git repositories are in FOLDER/repositories. If there is a FOLDER/cert.pem, the mail server offers STARTTLS.
"""

import base64
import http.server
import io
import json
import os
import socketserver
import ssl
import subprocess
import sys
import threading
import urllib.parse
import zipfile

FOLDER = sys.argv[1]


def good():
    with open(f"{FOLDER}/good", encoding="ascii") as file:
        return file.read().strip()


def log(line):
    with open(f"{FOLDER}/log", "a", encoding="utf-8") as file:
        file.write(line + "\n")


class Web(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def body(self):
        """Yields the parts of the body as they arrive."""
        if self.headers.get("Transfer-Encoding") == "chunked":
            while size := int(self.rfile.readline(), 16):
                yield self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return
        rest = int(self.headers.get("Content-Length", 0))
        while rest:
            part = self.rfile.read(min(rest, 1 << 16))
            rest -= len(part)
            yield part

    def answer(self, status, body=b"", **fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def is_allowed(self, challenge):
        scheme, _, value = self.headers.get("Authorization", "").partition(" ")
        if scheme == "Basic":
            user, _, value = base64.b64decode(value).decode().partition(":")
            scheme = f"Basic {user}"
        log(f"{self.command} {self.path.partition('?')[0]} {scheme}".strip())
        if value == good():
            return True
        for _ in self.body():
            pass
        self.answer(401, b"no\n", WWW_Authenticate=challenge)
        return False

    def api(self):
        if not self.is_allowed('Bearer error="invalid_token", error_description="too old"'):
            return
        name, _, size = self.path.partition("?")
        received = sum(len(part) for part in self.body())
        match name:
            case "/api/bytes":
                self.send_response(200)
                self.send_header("Content-Length", size)
                self.end_headers()
                block = bytes(1 << 16)
                for _ in range(int(size) // len(block)):
                    self.wfile.write(block)
            case "/api/away":
                self.answer(302, Location=size)
            case "/api/map.asc":
                self.answer(200, b"ncols 1\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n1\n" + b"\n" * 100)
            case "/api/status":
                self.answer(int(size), b"as you like\n")
            case _:
                kind = self.headers.get("Content-Type", "-")
                mark = self.headers.get("X-Mark", "-")
                self.answer(200, f"{self.command} {received} {kind} {mark}\n".encode())

    def git(self):
        if not self.is_allowed('Basic realm="git"'):
            return
        path, _, query = self.path.partition("?")
        environment = {
            "PATH": os.environ["PATH"], "GIT_PROJECT_ROOT": f"{FOLDER}/repositories", "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path.removeprefix("/git"), "QUERY_STRING": query, "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""), "REMOTE_USER": "ann", "HOME": FOLDER,
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
        }
        run = subprocess.run(
            ["git", "http-backend"], input=b"".join(self.body()), stdout=subprocess.PIPE, env=environment, check=True)
        head, _, body = run.stdout.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        status = int(fields.pop("Status", "200").split()[0])
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def containers(self):
        """A container registry, which exchanges an identity token for a token of its own (distribution/distribution)."""
        if self.path == "/v2/token":
            form = urllib.parse.parse_qs(b"".join(self.body()).decode())
            if form.get("refresh_token") != [good()]:
                return self.answer(401, b"no\n")
            return self.json({"access_token": "registry-" + good()})
        if self.headers.get("Authorization") != "Bearer registry-" + good():
            return self.answer(401, WWW_Authenticate=f'Bearer realm="{self.base()}/v2/token",service="here"')
        log(f"GET {self.path}")
        if self.path == "/v2/":
            return self.json({})
        kind = "application/vnd.docker.distribution.manifest.v2+json"
        blob = {"mediaType": "application/vnd.docker.container.image.v1+json", "size": 2, "digest": "sha256:" + "0" * 64}
        self.json({"schemaVersion": 2, "mediaType": kind, "config": blob, "layers": []}, kind)

    def crates(self):
        """A registry of Rust crates (The Cargo Book, "Registry Index")."""
        if self.is_allowed("Bearer"):
            if self.path == "/crates/config.json":
                return self.json({"dl": self.base() + "/crates", "api": self.base(), "auth-required": True})
            crate = {"name": "demo", "vers": "1.0.0", "deps": [], "cksum": "0" * 64, "features": {}, "yanked": False}
            self.json(crate)

    def packages(self):
        """A registry of Python packages (PEP 503), which accepts passwords only."""
        if not self.is_allowed('Basic realm="packages"'):
            return
        if not self.path.endswith(".whl"):
            return self.answer(200, b'<a href="demo-1.0-py3-none-any.whl">demo</a>', Content_Type="text/html")
        wheel = io.BytesIO()
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr("demo.py", "")
            archive.writestr("demo-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: demo\nVersion: 1.0\n")
            archive.writestr("demo-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            archive.writestr("demo-1.0.dist-info/RECORD", "")
        self.answer(200, wheel.getvalue())

    def scripts(self):
        """A registry of npm's and Composer's packages."""
        if self.is_allowed("Bearer"):
            place = self.base() + "/npm/demo.zip"
            version = {"name": "acme/demo", "version": "1.0.0", "dist": {"type": "zip", "url": place, "tarball": place}}
            self.json({"name": "demo", "dist-tags": {"latest": "1.0.0"}, "versions": {"1.0.0": version},
                       "packages": {"acme/demo": {"1.0.0": version}}})

    def calendar(self):
        """A calendar with one event (RFC 5545)."""
        if self.is_allowed('Basic realm="calendar"'):
            event = ["UID:1", "DTSTAMP:20261121T071400Z", "DTSTART:20261121T071400Z", "SUMMARY:hello"]
            lines = ["VERSION:2.0", "PRODID:here", "BEGIN:VEVENT", *event, "END:VEVENT"]
            self.answer(200, "\r\n".join(["BEGIN:VCALENDAR", *lines, "END:VCALENDAR", ""]).encode())

    def exchange(self):
        """Google's endpoint that exchanges an id_token for an access token (RFC 8693)."""
        form = urllib.parse.parse_qs(b"".join(self.body()).decode())
        if form.get("subject_token") != ["I" + good()]:
            return self.answer(400, b'{"error":"invalid_grant"}')
        log("POST /exchange")
        kind = "urn:ietf:params:oauth:token-type:access_token"
        self.json({"access_token": "google", "issued_token_type": kind, "token_type": "Bearer", "expires_in": 60})

    def files(self):
        """Enough of WebDAV (RFC 4918) to list a folder."""
        if self.is_allowed("Bearer"):
            entry = "<d:response><d:href>/files/{}</d:href><d:propstat><d:prop>{}</d:prop>" \
                "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
            folder = entry.format("", "<d:resourcetype><d:collection/></d:resourcetype>")
            file = entry.format("a.txt", "<d:getcontentlength>3</d:getcontentlength><d:resourcetype/>")
            self.answer(207, f'<d:multistatus xmlns:d="DAV:">{folder}{file}</d:multistatus>'.encode())

    def models(self):
        """Says one word as a language model does, to Claude Code (Messages API) or Codex (Responses API)."""
        if not self.is_allowed("Bearer"):
            return
        for _ in self.body():
            pass
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        if self.path.startswith("/v1/messages"):
            message = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": usage}
            text = {"type": "text", "text": ""}
            events = [
                {"type": "message_start", "message": message},
                {"type": "content_block_start", "index": 0, "content_block": text},
                {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "bonjour"}},
                {"type": "content_block_stop", "index": 0},
                {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage},
                {"type": "message_stop"},
            ]
        elif self.path.startswith("/v1/responses"):
            content = [{"type": "output_text", "text": "bonjour"}]
            item = {"type": "message", "role": "assistant", "id": "i", "content": content}
            events = [
                {"type": "response.output_item.done", "item": item},
                {"type": "response.completed", "response": {"id": "r", "usage": usage}},
            ]
        else:
            return self.answer(404)
        text = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
        self.answer(200, text.encode(), Content_Type="text/event-stream")

    def base(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def json(self, value, kind="application/json"):
        self.answer(200, json.dumps(value).encode() + b"\n", Content_Type=kind)

    def do_GET(self):
        services = {
            "git": self.git, "v2": self.containers, "crates": self.crates, "simple": self.packages,
            "exchange": self.exchange, "files": self.files, "calendar.ics": self.calendar, "npm": self.scripts,
            "v1": self.models,
        }
        services.get(self.path.split("/")[1], self.api)()

    do_POST = do_PUT = do_DELETE = do_HEAD = do_PROPFIND = do_GET


class Mail(socketserver.StreamRequestHandler):
    """Enough of SMTP (RFC 5321) to send a mail after AUTH XOAUTH2 or OAUTHBEARER."""

    def say(self, text):
        self.wfile.write(text.encode() + b"\r\n")

    def handle(self):
        self.say("220 mail.test ESMTP")
        is_known = False
        while line := self.rfile.readline().decode().strip():
            word = line.split()[0].upper()
            match word:
                case "EHLO":
                    self.say("250-mail.test")
                    if os.path.exists(f"{FOLDER}/cert.pem"):
                        self.say("250-STARTTLS")
                    self.say("250 AUTH XOAUTH2 OAUTHBEARER")
                case "STARTTLS":
                    self.say("220 go on")
                    self.encrypt()
                case "AUTH":
                    response = line.split()[2] if len(line.split()) > 2 else self.challenge()
                    fields = base64.b64decode(response).decode().split("\x01")
                    is_known = fields[-3:] == [f"auth=Bearer {good()}", "", ""]
                    log(f"SMTP {line.split()[1]} {fields[0]} {'good' if is_known else 'bad'}")
                    self.say("235 welcome" if is_known else "535 no")
                case "DATA" if is_known:
                    self.say("354 go on")
                    while self.rfile.readline() != b".\r\n":
                        pass
                    log("SMTP mail")
                    self.say("250 taken")
                case "QUIT":
                    self.say("221 bye")
                    return
                case _:
                    self.say("250 ok" if is_known or word in ("HELO", "RSET") else "530 who are you")

    def encrypt(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{FOLDER}/cert.pem")
        self.connection = context.wrap_socket(self.connection, server_side=True)
        self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb", 0)

    def challenge(self):
        self.say("334 ")
        return self.rfile.readline().decode().strip()


class MailServer(socketserver.ThreadingTCPServer):
    daemon_threads = True


http.server.ThreadingHTTPServer.request_queue_size = 64
web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Web)
mail = MailServer(("127.0.0.1", 0), Mail)
for server in (web, mail):
    threading.Thread(target=server.serve_forever, daemon=True).start()
print(web.server_address[1], mail.server_address[1], flush=True)
sys.stdin.read()
