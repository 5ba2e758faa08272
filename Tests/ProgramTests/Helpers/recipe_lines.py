#!/usr/bin/python3
"""Runs lines of the table of programs in data/doc/recipes.md, as they stand, in a network of their own. There,
packages.example is a server that compares the token.

usage: recipe_lines.py FOLDER TOKENTRY

FOLDER is new. Prints a line for each program: the request with the token, or "not here". The status is 1 if a program
sent no such request.
"""

import base64
import http.server
import json
import os
import pathlib
import re
import shutil
import ssl
import subprocess
import sys
import threading
import zipfile

PAGE = pathlib.Path(__file__).resolve().parents[3] / "data/doc/recipes.md"
HOSTS = ["packages.example", "api.github.com", "huggingface.co"]
BUNDLE = "/etc/ssl/certs/ca-certificates.crt"
CLUSTER = ("kubectl config set-cluster a --server=https://packages.example; kubectl config set-context a --cluster=a; "
           "kubectl config use-context a")
FILES = b"""<d:multistatus xmlns:d="DAV:"><d:response><d:href>/files/</d:href><d:propstat><d:prop><d:resourcetype>
<d:collection/></d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>"""

# The name in the table; the program, what has to be set up before, and the request with the token.
ROWS = {
    "aria2": ("aria2c", "", "GET /api Bearer"),
    "curl": ("curl", "", "GET /api Bearer"),
    "Davix": ("davix-get", "", "GET /api Bearer"),
    "gh (GitHub)": ("gh", "", "GET /user token"),
    "Hugging Face": ("hf", "", "GET /api/whoami-v2 Bearer"),
    "kubectl": ("kubectl", CLUSTER, "GET /api/v1 Bearer"),
    "MLflow": ("mlflow", "export MLFLOW_TRACKING_URI=https://packages.example",
               "POST /api/2.0/mlflow/experiments/search Bearer"),
    "ORAS": ("oras", "", "GET /v2/ Basic oauth2"),
    "rclone": ("rclone", "", "PROPFIND /files/ Bearer"),
    "skopeo": ("skopeo", "", "GET /v2/demo/manifests/latest Bearer"),
    "Twine": ("twine", "export TWINE_REPOSITORY_URL=https://packages.example/legacy/", "POST /legacy/ Basic oauth2"),
    "uv, to publish": ("uv", "export UV_PUBLISH_URL=https://packages.example/legacy/", "POST /legacy/ Basic __token__"),
    "wget": ("wget", "", "GET /api Bearer"),
    "xh": ("xh", "", "GET /api Bearer"),
}


class Server(http.server.ThreadingHTTPServer):
    """packages.example, and the requests that had the token."""

    daemon_threads = True

    def __init__(self, folder, token):
        super().__init__(("127.0.0.1", 443), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
        self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        self.token = token
        self.log = []
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, status, body, **fields):
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body)), **fields}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = self.path.partition("?")[0]
        scheme, _, value = self.headers.get("Authorization", "").partition(" ")
        if scheme == "Basic":
            user, _, value = base64.b64decode(value).decode().partition(":")
            scheme = f"Basic {user}"
        if value != self.server.token:
            # A registry of containers asks skopeo for a token, and ORAS for a password.
            kind = "Bearer" if "skopeo" in self.headers.get("User-Agent", "") else "Basic"
            return self.answer(401, b"no", WWW_Authenticate=f'{kind} realm="https://packages.example/token"')
        self.server.log.append(f"{self.command} {path} {scheme}")
        if self.command == "PROPFIND":
            return self.answer(207, FILES, Content_Type="text/xml")
        if path == "/api" and "kubectl" in self.headers.get("User-Agent", ""):
            return self.answer(200, b'{"kind":"APIVersions","versions":["v1"]}')
        self.answer(200, b"{}")

    do_POST = do_HEAD = do_PROPFIND = do_GET


def prepare(folder):
    """Makes a certificate, which everybody trusts, and a package to upload."""
    (folder / "home/dist").mkdir(parents=True)
    names = ",".join(f"DNS:{host}" for host in HOSTS)
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=packages.example", "-addext", f"subjectAltName={names}",
         "-addext", "basicConstraints=critical,CA:FALSE",  # uv refuses the certificate of an authority
         "-keyout", folder / "key.pem", "-out", folder / "cert.pem"], check=True, stderr=subprocess.DEVNULL)
    (folder / "bundle.pem").write_text(pathlib.Path(BUNDLE).read_text() + (folder / "cert.pem").read_text())
    (folder / "hosts").write_text(f"127.0.0.1 localhost {' '.join(HOSTS)}\n")
    with zipfile.ZipFile(folder / "home/dist/demo-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr("demo.py", "")
        archive.writestr("demo-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: demo\nVersion: 1.0\n")
        archive.writestr("demo-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr("demo-1.0.dist-info/RECORD", "")


def inside(folder, tokentry):
    """Runs the lines. True if every program sent the token."""
    bundle = str(folder / "bundle.pem")
    environment = {"HOME": str(folder / "home"), "PATH": os.environ["PATH"], "TOKENTRY_STORE": f"file:{folder}/accounts",
                   "SSL_CERT_FILE": bundle, "REQUESTS_CA_BUNDLE": bundle}
    demo = subprocess.Popen([tokentry, "demo", "--serve", "--port", "0", "--user", "ada"], env=environment,
                            stdout=subprocess.PIPE, text=True)
    login = [tokentry, "login", "--options", "-", "--headless-test", "--account", "work"]
    answer = subprocess.run(login, input=demo.stdout.readline(), env=environment, capture_output=True, text=True, check=True)
    server = Server(folder, json.loads(answer.stdout)["access_token"])
    page = PAGE.read_text(encoding="utf-8")
    before = re.search(r"```sh\n(T=.*\nH=.*\n)```", page)[1].replace("$(tokentry", f"$({tokentry}")
    is_right = True
    for name, (program, setup, request) in ROWS.items():
        if not shutil.which(program):
            print(f"{name}: not here")
            continue
        line = re.search(rf"(?m)^\| {re.escape(name)} \| `(.*)` \| \S.* \|$", page)[1]
        server.log.clear()
        run = subprocess.run(
            ["timeout", "60", "bash", "-c", f"{setup}\n{before}{line}"], cwd=folder / "home", env=environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        is_here = request in server.log
        is_right &= is_here
        print(f"{name}: {request}" if is_here else f"{name}: wrong: {server.log} {run.stdout}")
    demo.terminate()
    demo.wait()
    return is_right


def main():
    folder, tokentry = pathlib.Path(sys.argv[1]), sys.argv[2]
    if len(sys.argv) > 3:
        sys.exit(0 if inside(folder, tokentry) else 1)
    prepare(folder)
    os.execv("/usr/bin/bwrap", [
        "bwrap", "--dev-bind", "/", "/", "--unshare-user", "--uid", "0", "--gid", "0", "--unshare-net", "--die-with-parent",
        "--cap-add", "CAP_NET_BIND_SERVICE", "--ro-bind", str(folder / "hosts"), "/etc/hosts",
        "--ro-bind", str(folder / "bundle.pem"), BUNDLE, sys.executable, "-B", __file__, *sys.argv[1:], "inside"])


if __name__ == "__main__":
    main()
