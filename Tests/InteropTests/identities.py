#!/usr/bin/python3
"""Runs servers that want to know below HTTP who the user is, until its standard input ends.

Prints a JSON object: `certificate` (of the servers), `alice`, `alice_key`, `alice_p12` (passphrase "secret"), `bob`, `home`
(the home of a user whose SoftHSM token has Alice's certificate, PIN 1234), `mutual` (the port of a server that insists on a
certificate), `ticket` (that of one that insists on a Kerberos ticket), `log` (a file with a line for each request: the host
and the user) and `tickets` and `krb5` (Alice's tickets, and the configuration that finds the KDC).

Both servers are a provider: /auth redirects with a token that is the name of the user, and /token answers with it.
"""

import base64
import http.server
import json
import os
import pathlib
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import urllib.parse

MODULE = "/usr/lib/softhsm/libsofthsm2.so"


def run(*words, text=None, **variables):
    subprocess.run(
        words, check=True, input=text, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        env=os.environ | variables)


def make_certificates(folder):
    new = ["openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    run(*new, "-x509", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
        "-keyout", folder / "server.key", "-out", folder / "server.pem")
    run(*new, "-x509", "-subj", "/CN=authority", "-keyout", folder / "ca.key", "-out", folder / "ca.pem")
    for name in ("alice", "bob"):
        key, pem = folder / f"{name}.key", folder / f"{name}.pem"
        run(*new[:-2], "-subj", f"/CN={name}", "-keyout", key, "-out", folder / "request")
        run("openssl", "x509", "-req", "-in", folder / "request", "-CA", folder / "ca.pem", "-CAkey", folder / "ca.key",
            "-CAcreateserial", "-days", "2", "-out", pem)
        (folder / f"{name}-both.pem").write_text(pem.read_text() + key.read_text())
        (folder / f"{name}-both.pem").chmod(0o600)
    run("openssl", "pkcs12", "-export", "-in", folder / "alice.pem", "-inkey", folder / "alice.key", "-passout",
        "pass:secret", "-out", folder / "alice.p12")


def make_token(folder, home):
    settings = home / ".config/softhsm2/softhsm2.conf"
    settings.parent.mkdir(parents=True)
    (home / "tokens").mkdir()
    settings.write_text(f"directories.tokendir = {home}/tokens\nobjectstore.backend = file\n")
    run("softhsm2-util", "--init-token", "--free", "--label", "card", "--pin", "1234", "--so-pin", "5678", HOME=str(home))
    run("openssl", "pkcs8", "-topk8", "-nocrypt", "-in", folder / "alice.key", "-out", folder / "alice.p8")
    run("softhsm2-util", "--import", folder / "alice.p8", "--token", "card", "--label", "key", "--id", "01", "--pin",
        "1234", HOME=str(home))
    run("p11tool", "--provider", MODULE, "--login", "--set-pin", "1234", "--write", "--load-certificate",
        folder / "alice.pem", "--label", "Login", "--id", "01", "pkcs11:token=card", HOME=str(home))


def start_kdc(folder):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "krb5.conf").write_text(
        "[libdefaults]\n default_realm = TEST\n dns_lookup_kdc = false\n dns_canonicalize_hostname = false\n rdns = false\n"
        f"[realms]\n TEST = {{\n  kdc = 127.0.0.1:{port}\n }}\n[domain_realm]\n localhost = TEST\n 127.0.0.1 = TEST\n")
    (folder / "kdc.conf").write_text(
        f"[kdcdefaults]\n kdc_listen = 127.0.0.1:{port}\n kdc_tcp_listen = 127.0.0.1:{port}\n[realms]\n TEST = {{\n"
        f"  database_name = {folder}/principal\n  key_stash_file = {folder}/stash\n  supported_enctypes = aes256-cts:normal\n }}\n")
    os.environ.update(
        KRB5_CONFIG=f"{folder}/krb5.conf", KRB5_KDC_PROFILE=f"{folder}/kdc.conf", KRB5CCNAME=f"FILE:{folder}/tickets",
        KRB5_KTNAME=f"{folder}/keytab", KRB5RCACHENAME="none:", PATH=os.environ["PATH"] + ":/usr/sbin:/sbin")
    run("kdb5_util", "create", "-s", "-P", "master")
    for query in ("addprinc -pw secret alice", "addprinc -randkey HTTP/localhost", "addprinc -randkey HTTP/127.0.0.1",
                  f"ktadd -k {folder}/keytab HTTP/localhost HTTP/127.0.0.1"):
        run("kadmin.local", "-q", query)
    kdc = subprocess.Popen(["krb5kdc", "-n"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(100):
        try:
            run("kinit", "alice", text="secret\n")
            break
        except subprocess.CalledProcessError:
            pass
    return kdc


class Provider(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def user(self):
        """The user, or None, and the answer to a Kerberos ticket."""
        if not self.server.wants_ticket:
            return dict(pair[0] for pair in self.connection.getpeercert()["subject"])["commonName"], ""
        scheme, _, token = (self.headers["Authorization"] or "").partition(" ")
        if scheme != "Negotiate":
            return None, ""
        import gssapi  # pylint: disable=import-outside-toplevel
        context = gssapi.SecurityContext(usage="accept")
        answer = context.step(base64.b64decode(token)) or b""
        return str(context.initiator_name), base64.b64encode(answer).decode()

    def handle_any(self):
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        user, answer = self.user()
        with open(self.server.log, "a", encoding="utf-8") as log:
            log.write(f"{self.headers['Host'].split(':')[0]} {user}\n")
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        token = urllib.parse.quote(user or "")
        if user is None:
            status, fields, body = 401, {}, "<title>401</title>no ticket"
        elif url.path == "/auth":
            fields = {"Location": f"{query['redirect_uri']}#access_token={token}&token_type=Bearer&state={query['state']}"}
            status, body = 302, ""
        elif url.path == "/frame":
            target = f"/auth?{url.query}"
            status, fields = 200, {"Content-Type": "text/html"}
            body = f"<img src='{query['other']}' onerror='location = {json.dumps(target)}'>"
        else:
            status, fields, body = 200, {}, json.dumps({"access_token": user, "token_type": "Bearer"})
        self.send_response(status)
        if self.server.wants_ticket:
            self.send_header("WWW-Authenticate", f"Negotiate {answer}".strip())
        for name, value in ({"Content-Type": "application/json"} | fields).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    do_GET = do_POST = handle_any


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, folder, wants_ticket):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(folder / "server.pem", folder / "server.key")
        self.wants_ticket, self.log = wants_ticket, folder / "log"
        if not wants_ticket:
            self.context.verify_mode = ssl.CERT_REQUIRED
            self.context.load_verify_locations(folder / "ca.pem")
        super().__init__(("127.0.0.1", 0), Provider)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def get_request(self):
        connection, address = super().get_request()
        return self.context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False), address

    def handle_error(self, request, client_address):
        with open(self.log, "a", encoding="utf-8") as log:
            log.write(f"refused {type(sys.exc_info()[1]).__name__}\n")


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="identities-"))
    kdc = None
    try:
        home = folder / "home"
        make_certificates(folder)
        make_token(folder, home)
        kdc = start_kdc(folder)
        (folder / "log").touch()
        mutual, ticket = (Server(folder, wants).server_address[1] for wants in (False, True))
        facts = {
            "certificate": folder / "server.pem", "alice": folder / "alice-both.pem", "alice_pem": folder / "alice.pem",
            "alice_key": folder / "alice.key", "alice_p12": folder / "alice.p12", "bob": folder / "bob-both.pem",
            "home": home, "mutual": mutual, "ticket": ticket, "log": folder / "log", "tickets": f"FILE:{folder}/tickets",
            "krb5": folder / "krb5.conf"}
        print(json.dumps({name: str(fact) for name, fact in facts.items()}), flush=True)
        sys.stdin.read()
    finally:
        if kdc:
            kdc.terminate()
            kdc.wait()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
