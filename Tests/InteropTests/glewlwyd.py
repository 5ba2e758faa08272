#!/usr/bin/python3
"""Runs Debian's glewlwyd on a free port of 127.0.0.1, with a new database and new keys.

usage: glewlwyd.py [tls]

Prints one line of JSON: "base", its public address; "front" and "hasty", the addresses of these fronts; with tls also
"certificate", the file of its certificate, and "other", the file of another certificate. Ends with its standard input
and removes all its files.
"""

import json
import pathlib
import shutil
import socket
import sqlite3
import string
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import fronts
import issuers

SHARED = pathlib.Path("/usr/share/glewlwyd")
SCHEMA = pathlib.Path("/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3")


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def make_keys(folder):
    openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", folder / "rsa.key")
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", folder / "ec.key")
    for name in ("rsa", "ec"):
        openssl("pkey", "-in", folder / f"{name}.key", "-pubout", "-out", folder / f"{name}.pub")


def make_certificate(path):
    """Makes a self-signed certificate and its key, in a file next to it."""
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", path.with_suffix(".key"),
            "-out", path)


def make_database(path):
    script = SCHEMA.read_text(encoding="utf-8")
    database = sqlite3.connect(path)
    database.executescript("PRAGMA synchronous=OFF; BEGIN;" + script + "COMMIT;")
    database.close()


def make_pages(folder):
    """Copies the pages. In Debian's package, config.json is a link to a folder, so that the login page would have no
    configuration."""
    shutil.copytree(SHARED / "webapp", folder, ignore=lambda *_: ["config.json"])
    shutil.copy(SHARED / "templates/config.json", folder)


def make_configuration(folder, port, external):
    template = string.Template(pathlib.Path(__file__).with_suffix(".conf").read_text(encoding="utf-8"))
    secure = int(external.startswith("https:"))
    path = folder / "glewlwyd.conf"
    path.write_text(template.substitute(port=port, external=external, secure=secure, folder=folder), encoding="utf-8")
    return path


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(server, port):
    """Waits until the server answers: it opens its port before it is ready."""
    while server.poll() is None:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/config", timeout=5).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.02)
    sys.exit(f"glewlwyd ended with status {server.returncode}")


def make_certificates(folder):
    """Makes the certificate of the fronts, in one file with its key, and another one that they do not use."""
    for name in ("certificate", "other"):
        make_certificate(folder / f"{name}.pem")
    both = folder / "both.pem"
    both.write_text((folder / "certificate.pem").read_text() + (folder / "certificate.key").read_text(), encoding="utf-8")
    return both


def run(folder, tls):
    make_keys(folder)
    make_database(folder / "database")
    make_pages(folder / "pages")
    certificate = make_certificates(folder) if tls else None
    port = free_port()
    base = fronts.start(fronts.PassingOn, port, certificate=certificate) if tls else f"http://127.0.0.1:{port}"
    command = ["/usr/bin/glewlwyd", "-c", make_configuration(folder, port, base), "-m", "console"]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=sys.stderr) as server:
        try:
            wait_for(server, port)
            issuers.configure(f"http://127.0.0.1:{port}/api", base, folder)
            where = {"base": base, "front": fronts.start(fronts.SigningIn, port, base, certificate)}
            if not tls:
                where["hasty"] = fronts.start(fronts.Hasty, port)
            else:
                where |= {name: str(folder / f"{name}.pem") for name in ("certificate", "other")}
            print(json.dumps(where), flush=True)
            sys.stdin.read()
        finally:
            server.kill()


def main():
    with tempfile.TemporaryDirectory(prefix="glewlwyd-") as folder:
        run(pathlib.Path(folder), sys.argv[1:] == ["tls"])


if __name__ == "__main__":
    main()
