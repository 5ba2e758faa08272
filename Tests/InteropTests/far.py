#!/usr/bin/python3
"""A server that is reached by ssh, set up as data/doc/agent.md says, services there that take a token, and a provider.

usage: far.py FOLDER TOKENTRY CERTIFICATE KEY
                                              prints {"services": HOST, "cluster": HOST, "issuer": URL, "packages": FOLDER},
                                              and ends with its standard input, on which the lines "clear" and "set" make
                                              the provider's page wait and go on
       far.py docker run OPTION... COMMAND    runs a command as docker would, without a display or a keyring
       far.py machine FOLDER PORT...          is the server, and ends with its standard input

In FOLDER, home has the settings of ssh, which calls the server build.example, and a browser, which keeps its pages in the
file pages; there is the home on the server; page has examples of the page; repositories/demo.git is empty. The services take
the token in the file good. Programs on the server reach the agent through there/.ssh/tokentry.sock. The file sent gets all
that the agent says to them, and the file asked all that they say.

The server and each container have ports of their own, so the server is reached through a socket, and its programs reach
those at home through others. There the provider is called accounts.example.
"""

import contextlib
import http.server
import json
import os
import pathlib
import pwd
import socket
import ssl
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests/tools/support"))

import markdown
import packages
import provider

# The server has no folder for the sockets of a user. Root's sshd needs a folder of its own.
INSIDE = ["/usr/bin/bwrap", "--dev-bind", "/", "/", "--tmpfs", "/run", "--dir", "/run/sshd", "--unshare-net",
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
  ProxyCommand nc -U {folder}/wire/ssh
  User {user}
  IdentityFile {folder}/home/key
  IdentitiesOnly yes
  BatchMode yes
  LogLevel ERROR
  UserKnownHostsFile {folder}/home/known
  GlobalKnownHostsFile /dev/null
  StrictHostKeyChecking accept-new
"""
# Opens a page as a browser does: with its redirects, and with a form that sends itself.
BROWSER = """#!/usr/bin/python3 -IS
import html, re, socket, sys, urllib.parse, urllib.request
found = socket.getaddrinfo
socket.getaddrinfo = lambda host, port, *more: (
    found(host, port, *more) if host in ("localhost", "127.0.0.1", "::1")
    else found("127.0.0.1", {port} if port == 443 else port, *more))
page = urllib.request.urlopen(sys.argv[1]).read().decode()
if "submit()" in page:
    address = html.unescape(re.search('action="([^"]*)"', page)[1])
    fields = [(name, html.unescape(value)) for name, value in re.findall('name="([^"]*)" value="([^"]*)"', page)]
    page = urllib.request.urlopen(address, urllib.parse.urlencode(fields).encode()).read().decode()
with open("{folder}/pages", "a") as pages:
    pages.write(page + "\\n")
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
    browser = page["Sign-ins of other programs"][0]
    (folder / "sshd_config").write_text(SERVER.format(folder=folder) + server)
    (folder / "there/.profile").write_text(f"PATH={folder}/there/bin:/usr/bin:/bin\n{profile}{browser}")
    user = pwd.getpwuid(os.getuid()).pw_name
    (folder / "home/config").write_text(
        home.replace("/home/me", f"{folder}/wire") + CLIENT.format(folder=folder, user=user))
    # Between the socket of sshd and the programs, all that passes is recorded.
    asked, sent = (open(folder / name, "ab", buffering=0) for name in ("asked", "sent"))
    listening(f"{folder}/there/.ssh/tokentry.sock",
              lambda connection: join(connection, f"{folder}/wire/.ssh/tokentry.sock", asked, sent))
    (folder / "page/command").write_text(
        command.replace("ssh ", f"ssh -F {folder}/home/config ").replace("/home/me", f"{folder}/there"))
    python, shell = page["Without Tokentry over there"]
    (folder / "page/python").write_text(python)
    (folder / "page/shell").write_text(shell)
    (folder / "page/docker").write_text(page["In a container"][0])


def cluster(folder, certificate):
    """Starts an API of Kubernetes, and returns its port. Its clients use no helper without TLS."""
    class API(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_GET(self):
            is_known = self.headers.get("Authorization") == "Bearer " + (folder / "good").read_text()
            self.send_response(200 if is_known else 401)
            self.end_headers()
            self.wfile.write(b"pods\n")

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), API)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


def issuer(folder, certificate):
    """Starts the provider, and makes the user's browser, which knows where it is."""
    server = provider.Provider(folder, certificate)
    server.base = f"https://accounts.example:{server.server_port}"
    browser = folder / "home/bin/browse"
    browser.write_text(BROWSER.format(port=server.server_port, folder=folder))
    browser.chmod(0o755)
    return server


def start(folder, ports):
    """Starts the server, whose programs reach these ports at home."""
    for port in ports:
        listening(f"{folder}/wire/{port}", lambda connection, port=port: join(connection, ("127.0.0.1", port)))
    (folder / "hosts").write_text("127.0.0.1 localhost accounts.example auth.openai.com\n::1 localhost\n")
    machine = subprocess.Popen(
        [*INSIDE, "--unshare-pid", "--proc", "/proc", "--die-with-parent", "--ro-bind", folder / "hosts", "/etc/hosts",
         sys.executable, "-B", __file__, "machine", folder, *map(str, ports)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert machine.stdout.readline(), "the server did not start"
    return machine


def be_machine(folder, ports):
    for port in ports:
        listening(("127.0.0.1", int(port)), lambda connection, port=port: join(connection, f"{folder}/wire/{port}"))
    # codex knows only the address of its own provider. Its test has the rights of root.
    if os.getuid() == 0:
        listening(("127.0.0.1", 443), lambda connection: join(connection, f"{folder}/wire/{ports[-1]}"))
    listening(f"{folder}/wire/ssh", lambda connection: login(folder, connection))
    print("ready", flush=True)
    sys.stdin.read()


def login(folder, connection):
    """Gives a connection to sshd, as inetd does."""
    with connection:
        subprocess.run(["/usr/sbin/sshd", "-i", "-f", f"{folder}/sshd_config"], stdin=connection, stdout=connection,
                       stderr=subprocess.DEVNULL, check=False)


def join(connection, address, asked=None, sent=None):
    """Connects a program with a socket, and keeps what it asks and what it is sent."""
    other = socket.socket(socket.AF_UNIX if isinstance(address, str) else socket.AF_INET)
    with connection, other:
        try:
            other.connect(address)
        except OSError:
            return
        asking = threading.Thread(target=copy, args=(connection, other, asked), daemon=True)
        asking.start()
        copy(other, connection, sent)
        # The other thread still reads from there, which keeps it open.
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
        asking.join()


def copy(source, target, file):
    with contextlib.suppress(OSError):  # the other direction has ended
        while part := source.recv(1 << 16):
            if file:
                file.write(part)
            target.sendall(part)
        target.shutdown(socket.SHUT_WR)


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
    folder = pathlib.Path(sys.argv[2 if sys.argv[1] == "machine" else 1])
    if sys.argv[1] == "machine":
        return be_machine(folder, sys.argv[3:])
    prepare(folder, sys.argv[2])
    services = subprocess.Popen([sys.executable, "-B", ROOT / "Tests/ProgramTests/services.py", folder],
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    certificate = sys.argv[3:5]
    accounts = issuer(folder, certificate)
    ports = [int(services.stdout.readline().split()[0]), cluster(folder, certificate), accounts.server_port]
    machine = start(folder, ports)
    facts = {"services": f"127.0.0.1:{ports[0]}", "cluster": f"127.0.0.1:{ports[1]}", "issuer": accounts.base,
             "packages": str(packages.installed(pathlib.Path(__file__).with_name("requirements.txt")))}
    print(json.dumps(facts), flush=True)
    for line in sys.stdin:
        getattr(accounts.gate, line.strip())()
    for program in (machine, services):
        program.stdin.close()
        program.wait()


if __name__ == "__main__":
    main()
