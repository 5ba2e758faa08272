#!/usr/bin/python3
"""Connects FreeRDP's own client to a remote desktop in the cloud, until the host has accepted the token.

Run it as root in a new system without a network, with a display, Debian's `xfreerdp` and our packages. This program plays
Entra, the gateway of Azure Virtual Desktop, and the host behind it. Entra has its real name, the others example names. The
user signs in once, the client gets one token for the gateway and one for the host, and the host accepts its token. A real
host would then send its screen.
"""

import base64
import fcntl
import hashlib
import http.server
import json
import pathlib
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time
import urllib.parse

ENTRA, GATEWAY, HOST = "login.microsoftonline.com", "gateway.example", "desk.example"
SCOPES = ["https://www.wvd.microsoft.com/.default openid profile offline_access",
          "ms-device-service://termsrv.wvd.microsoft.com/name/desk/user_impersonation"]
# The page presses its button itself.
LOGIN_PAGE = b"""<form method="post"><button>Sign in</button></form>
<script>setTimeout(() => document.forms[0].submit(), 300)</script>"""
WEBSOCKET = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455 section 1.3
# An X.224 connection confirm that selects Entra's tokens (MS-RDPBCGR sections 2.2.1.2 and 2.2.1.2.1, PROTOCOL_RDSAAD).
CONFIRM = bytes.fromhex("03000013 0ed00000123400 0200080010000000")
CONNECT_INITIAL = b"\x02\xf0\x80\x7f\x65"  # the client's next step, after the length field


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def decoded(part):
    return json.loads(base64.urlsafe_b64decode(part + "==="))


class Handler(http.server.BaseHTTPRequestHandler):
    """Entra's pages and endpoints, and the gateway."""

    protocol_version = "HTTP/1.1"
    requests = {}  # authorization requests by code
    tokens = []  # the scopes of the issued tokens
    signed_in = 0  # how often the user signed in
    arrived = []  # the servers that the client has reached

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", **fields):
        self.send_response(status)
        for name, value in {**fields, "Content_Length": len(body)}.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(body)

    def answer_object(self, members):
        self.answer(200, json.dumps(members).encode(), Content_Type="application/json")

    @property
    def place(self):
        url = urllib.parse.urlsplit(self.path)
        return url.path, dict(urllib.parse.parse_qsl(url.query))

    def do_GET(self):
        path, query = self.place
        if path == "/common/v2.0/.well-known/openid-configuration":
            base = f"https://{ENTRA}/common/oauth2/v2.0"
            self.answer_object({"authorization_endpoint": f"{base}/authorize", "token_endpoint": f"{base}/token"})
        elif path == "/common/oauth2/v2.0/authorize":
            if "ESTSAUTH=ann" in self.headers.get("Cookie", ""):
                self.redirect(query)
            else:
                self.answer(200, LOGIN_PAGE, Content_Type="text/html")
        elif path == "/tunnel" and "Sec-WebSocket-Key" in self.headers:
            self.tunnel()
        elif path == "/tunnel":
            # The client repeats the request with the cookie, to reach the same machine.
            self.answer(403, Set_Cookie="ARRAffinity=a; Path=/")
        else:
            self.answer(404)

    def do_POST(self):
        path, query = self.place
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        if path == "/common/oauth2/v2.0/authorize":
            Handler.signed_in += 1
            # Like Entra's cookie, it has no lifetime.
            self.redirect(query, Set_Cookie="ESTSAUTH=ann; Path=/; Secure; HttpOnly; SameSite=None")
        elif path == "/common/oauth2/v2.0/token":
            self.answer_object(self.token(dict(urllib.parse.parse_qsl(body))))
        elif path == "/api/arm/v2/connections":
            expect(self.headers["Authorization"] == "Bearer token-0", "the gateway gets another token")
            Handler.arrived.append("gateway")
            der = ssl.PEM_cert_to_DER_cert(pathlib.Path("certificate").read_text(encoding="ascii"))
            element = base64.b64encode(struct.pack("<III", 32, 1, len(der)) + der).decode()
            self.answer_object({"gatewayLocation": f"https://{GATEWAY}/tunnel", "redirectedServerName": HOST,
                                "redirectedServerCert": base64.b64encode(element.encode("utf-16-le")).decode()})
        else:
            self.answer(404)

    def redirect(self, query, **fields):
        code = f"code-{len(self.requests)}"
        self.requests[code] = query
        answer = urllib.parse.urlencode({"code": code, "state": query["state"], "session_state": "x"})
        self.answer(302, Location=f"{query['redirect_uri']}?{answer}", **fields)

    def token(self, form):
        if form["grant_type"] == "srv_challenge":
            return {"Nonce": "entra-nonce"}
        request = self.requests.pop(form["code"])
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        expect(challenge == request["code_challenge"], "the code went to another request")
        self.tokens.append(form["scope"])
        return {"access_token": f"token-{len(self.tokens) - 1}", "token_type": "Bearer", "expires_in": 3600}

    def tunnel(self):
        key = self.headers["Sec-WebSocket-Key"] + WEBSOCKET
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        self.end_headers()
        self.close_connection = True
        desk = Desk(self.rfile, self.wfile, self.server.context)
        desk.connect()
        Handler.arrived.append("host")


class Desk:
    """The host. It talks TLS inside the messages of the gateway's web socket."""

    def __init__(self, reading, writing, context):
        self.reading, self.writing = reading, writing
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_side=True)

    def receive(self):
        _, length = self.reading.read(2)
        length &= 127
        if length == 126:
            length = int.from_bytes(self.reading.read(2))
        mask = self.reading.read(4)
        return bytes(byte ^ mask[index % 4] for index, byte in enumerate(self.reading.read(length)))

    def send(self, data):
        length = bytes([len(data)]) if len(data) < 126 else b"\x7e" + struct.pack(">H", len(data))
        self.writing.write(b"\x82" + length + data)

    def encrypted(self, step, *arguments):
        """Performs a TLS operation, and sends and receives the bytes that it needs."""
        while True:
            try:
                return step(*arguments)
            except ssl.SSLWantReadError:
                self.flush()
                self.incoming.write(self.receive())
            finally:
                self.flush()

    def flush(self):
        if data := self.outgoing.read():
            self.send(data)

    def say(self, members):
        self.encrypted(self.tls.write, json.dumps(members).encode() + b"\0")

    def connect(self):
        self.receive()
        self.send(CONFIRM)
        self.encrypted(self.tls.do_handshake)
        # MS-RDPBCGR section 5.4.5.4: the client proves that the token belongs to its key and to this connection.
        self.say({"ts_nonce": "host-nonce"})
        said = b""
        while not said.endswith(b"\0"):
            said += self.encrypted(self.tls.read, 65_536)
        claims = decoded(json.loads(said[:-1])["rdp_assertion"].split(".")[1])
        expect((claims["at"], claims["nonce"]) == ("token-1", "host-nonce"), f"the host gets {claims}")
        self.say({"authentication_result": 0})
        message = self.encrypted(self.tls.read, 65_536)
        expect(message[4:].startswith(CONNECT_INITIAL), f"the client goes on with {message[:20]}")


def serve():
    """Starts the server, and makes this system use it and trust its certificate."""
    with socket.socket() as any_socket:  # a new network's loopback interface is down
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", 1))  # SIOCSIFFLAGS, IFF_UP
    names = ",".join(f"DNS:{name}" for name in (ENTRA, GATEWAY, HOST))
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key", "-out", "certificate",
                    "-subj", "/CN=stand-in", "-addext", f"subjectAltName={names}"], check=True, stderr=subprocess.DEVNULL)
    trusted = pathlib.Path("/usr/local/share/ca-certificates/stand-in.crt")
    trusted.write_bytes(pathlib.Path("certificate").read_bytes())
    subprocess.run("update-ca-certificates", check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    pathlib.Path("/etc/hosts").write_text(f"127.0.0.1 localhost {ENTRA} {GATEWAY} {HOST}\n", encoding="ascii")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 443), Handler)
    server.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.context.load_cert_chain("certificate", "key")
    server.socket = server.context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()


def main(runtime_folder):
    serve()
    version = subprocess.run(["xfreerdp", "/version"], stdout=subprocess.PIPE, text=True, check=False).stdout.strip()
    # The command names no helper, so the client looks for one.
    command = ["xfreerdp", f"/v:{HOST}", "/sec:aad", f"/gateway:g:{GATEWAY},type:arm", "/app:program:||desk",
               "/load-balance-info:x"]
    with open("log", "wb") as log, subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log) as client:
        while client.poll() is None and "host" not in Handler.arrived:
            time.sleep(0.1)
        client.terminate()
    said = pathlib.Path("log").read_text(encoding="utf-8", errors="replace")
    expect(Handler.arrived == ["gateway", "host"], f"it has come to {Handler.arrived}: {said[-3000:]}")
    expect(Handler.tokens == SCOPES, f"the tokens are for {Handler.tokens}")
    expect(Handler.signed_in == 1, f"the user signs in {Handler.signed_in} times")
    sessions = pathlib.Path(runtime_folder, "tokentry/sessions")
    for _ in range(200):
        if not (left := list(sessions.iterdir())):
            break
        time.sleep(0.1)
    expect(not left, f"cookies are left behind: {left}")
    print(f"{version}: finds the helper, signs in once for the gateway and the host, and the host accepts the token")


if __name__ == "__main__":
    main(*sys.argv[1:])
