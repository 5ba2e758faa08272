#!/usr/bin/python3
"""A server that is reached by ssh, set up as data/doc/agent.md says, and services there that take a token.

usage: far.py FOLDER TOKENTRY                 prints {"services": HOST, "cluster": HOST}, and ends with its standard input
       far.py docker run OPTION... COMMAND    runs a command as docker would, without a display or a keyring

In FOLDER, home has the settings of ssh, which calls the server build.example; there is the home on the server; page has
examples of the page; repositories/demo.git is empty. The services take the token in the file good. Programs on the server
reach the agent through there/.ssh/tokentry.sock, and the file sent gets all that the agent says to them.
"""

import contextlib
import http.server
import json
import os
import pathlib
import pwd
import re
import socket
import ssl
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests/support"))

import markdown

# The server has no folder for the sockets of a user. Root's sshd needs a folder of its own.
INSIDE = ["/usr/bin/bwrap", "--dev-bind", "/", "/", "--tmpfs", "/run", "--dir", "/run/sshd",
          *(["--cap-add", "ALL"] if os.getuid() == 0 else [])]
SERVER = """HostKey {folder}/server
AuthorizedKeysFile {folder}/home/key.pub
StrictModes no
UsePAM no
PidFile none
PrintMotd no
PrintLastLog no
SetEnv HOME={folder}/there PATH={folder}/there/bin:/usr/bin:/bin
"""
CLIENT = """Host *
  HostName 127.0.0.1
  Port {port}
  User {user}
  IdentityFile {folder}/home/key
  IdentitiesOnly yes
  BatchMode yes
  LogLevel ERROR
  UserKnownHostsFile {folder}/home/known
  GlobalKnownHostsFile /dev/null
  StrictHostKeyChecking accept-new
"""


def examples():
    """The examples of the page, by heading."""
    page = "data/doc/agent.md"
    found = {}
    for block in markdown.blocks(page, (ROOT / page).read_text(encoding="utf-8")):
        found.setdefault(block.heading, []).append(block.text)
    return found


def listening(address, serve):
    """Serves each connection in a thread of its own."""
    server = socket.socket(socket.AF_UNIX if isinstance(address, str) else socket.AF_INET)
    server.bind(address)
    server.listen()

    def accept():
        while True:
            threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return server.getsockname()


def prepare(folder, tokentry):
    for name in ("home/run", "home/bin", "there/.ssh", "there/bin", "wire/.ssh", "page"):
        (folder / name).mkdir(mode=0o700, parents=True)
    for name in ("there/bin/tokentry", "there/bin/docker-credential-tokentry", "home/bin/tokentry"):
        (folder / name).symlink_to(tokentry)
    (folder / "home/bin/docker").write_text(f'#!/bin/sh\nexec /usr/bin/python3 -B {__file__} docker "$@"\n')
    (folder / "home/bin/docker").chmod(0o755)
    subprocess.run(["git", "init", "-q", "--bare", folder / "repositories/demo.git"], check=True)
    for key in ("server", "home/key"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / key], check=True)
    page = examples()
    home, server, profile, command = page["On a server, over ssh"]
    (folder / "sshd_config").write_text(SERVER.format(folder=folder) + server)
    (folder / "there/.profile").write_text(f"PATH={folder}/there/bin:/usr/bin:/bin\n{profile}")
    port = listening(("127.0.0.1", 0), lambda connection: login(folder, connection))[1]
    user = pwd.getpwuid(os.getuid()).pw_name
    # Between the socket of sshd and the programs, all that they get to see is recorded.
    (folder / "home/config").write_text(
        home.replace("/home/me", f"{folder}/wire") + CLIENT.format(port=port, folder=folder, user=user))
    listening(f"{folder}/there/.ssh/tokentry.sock", lambda connection: record(folder, connection))
    (folder / "page/command").write_text(
        command.replace("ssh ", f"ssh -F {folder}/home/config ").replace("/home/me", f"{folder}/there"))
    python, shell = page["Without Tokentry over there"]
    (folder / "page/python").write_text(python)
    (folder / "page/shell").write_text(shell)
    (folder / "page/docker").write_text(page["In a container"][0])


def cluster(folder):
    """Starts an API of Kubernetes, and returns its port. Its clients use no helper without TLS."""
    class API(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_GET(self):
            is_known = self.headers.get("Authorization") == "Bearer " + (folder / "good").read_text()
            self.send_response(200 if is_known else 401)
            self.end_headers()
            self.wfile.write(b"pods\n")

    certificate, key = folder / "server.pem", folder / "server-key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out",
         certificate, "-days", "2", "-subj", "/CN=here", "-addext", "subjectAltName=IP:127.0.0.1"],
        stderr=subprocess.DEVNULL, check=True)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), API)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


def login(folder, connection):
    """Gives a connection to sshd, as inetd does."""
    with connection:
        subprocess.run([*INSIDE, "/usr/sbin/sshd", "-i", "-f", f"{folder}/sshd_config"], stdin=connection, stdout=connection,
                       stderr=subprocess.DEVNULL, check=False)


def record(folder, connection):
    """Connects a program with the forwarded socket, and keeps what comes from there."""
    agent = socket.socket(socket.AF_UNIX)
    with connection, agent:
        try:
            agent.connect(f"{folder}/wire/.ssh/tokentry.sock")
        except OSError:
            return

        def ask():
            with contextlib.suppress(OSError):  # the other direction has ended
                while part := connection.recv(1 << 16):
                    agent.sendall(part)
                agent.shutdown(socket.SHUT_WR)

        threading.Thread(target=ask, daemon=True).start()
        with open(folder / "sent", "ab", buffering=0) as sent:
            while part := agent.recv(1 << 16):
                sent.write(part)
                connection.sendall(part)
        # The other thread still reads from there, which keeps it open.
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)


def contained(words):
    """Runs a command in a container that has these options of docker."""
    inside = [*INSIDE, "--clearenv", "--setenv", "PATH", os.environ["PATH"], "--setenv", "HOME", "/nonexistent"]
    while words[0].startswith("-"):
        option = words.pop(0)
        if option == "-v":
            source, target, mode = words.pop(0).split(":")
            assert mode == "ro"
            inside += ["--ro-bind", source, target]
        elif option == "-e":
            inside += ["--setenv", *words.pop(0).split("=", 1)]
        elif option == "--user":
            assert int(words.pop(0)) == os.getuid()
    os.execv(inside[0], [*inside, *words[1:]])


def main():
    if sys.argv[1] == "docker":
        contained(sys.argv[3:])
    folder = pathlib.Path(sys.argv[1])
    prepare(folder, sys.argv[2])
    services = subprocess.Popen([sys.executable, "-B", ROOT / "Tests/ProgramTests/services.py", folder],
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    port = re.match(r"\d+", services.stdout.readline())[0]
    print(json.dumps({"services": f"127.0.0.1:{port}", "cluster": f"127.0.0.1:{cluster(folder)}"}), flush=True)
    sys.stdin.read()
    services.stdin.close()
    services.wait()


if __name__ == "__main__":
    main()
