"""The blocks of code in the documents, each with the trial that checks it: a function of a user account and the text of the
block, which fails or returns the output."""

import base64
import contextlib
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import tomllib
import urllib.request

from account import ROOT

TOKEN = r"access-\d+\n"


def shape(value):
    """The structure of an answer without its values: names in order, and types."""
    if isinstance(value, dict):
        return [(name, member if name in ("checks", "error") else shape(member)) for name, member in value.items()]
    return type(value)


def is_like(printed, expected):
    """True if an answer has the structure of the one in the documentation."""
    return shape(json.loads(printed)) == shape(json.loads(expected))


def expect(pattern, printed):
    if not re.search(pattern, printed):
        raise AssertionError(f"this does not match {pattern!r}:\n{printed}")


def runs(prints="", status=0, kept=None, password=None, **environment):
    """A trial of commands whose output matches a pattern, with a kept account, or with a login page that asks for a password."""

    def trial(account, text):
        if kept:
            account.sign_in(kept)
        account.provider.password = password
        output, _ = account.run(account.local(text), status, **environment)
        expect(prints, output)
        return output

    return trial


def session(prints="", **environment):
    """A trial of commands after a prompt, each followed by its output and messages."""

    def trial(account, text):
        for part in re.split(r"(?m)^\$ ", text)[1:]:
            command, _, expected = account.local(part).partition("\n")
            output, messages = account.run(command, **environment)
            expect(prints, output)
            for line in expected.splitlines():
                if not (is_like(output, line) if line.startswith("{") else line in messages.splitlines()):
                    raise AssertionError(f"{command} does not print {line!r} but:\n{output}{messages}")

    return trial


def granted_and_denied(run, granted, denied):
    """A trial of a program that distinguishes a token from an error."""

    def trial(account, text):
        for account.provider.denies, pattern in ((False, granted), (True, denied)):
            output, messages = run(account, account.local(text))
            expect(pattern, output + messages)
        account.provider.denies = False

    return trial


def alternatives(account, text):
    """Two commands, of which the second runs if the first fails. Both have to work."""
    first, second = text.split(" ||\n")
    expect('"access_token"', account.run(first)[0])
    expect('"access_token".*\n.*"session":"mail"', account.run(f"false ||\n{second}")[0])


def with_account_and_without(account, text):
    """A script that asks for the token of an account."""
    expect("^it did not work$", account.run(text)[0].strip())
    account.sign_in("work")
    expect("^Bearer token, good until 2", account.run(text)[0])


def python(account, text):
    """A program with the module for callers."""
    return account.run(["/usr/bin/python3", "-c", text], PYTHONPATH=str(ROOT / "data/callers"))


def c(account, text):
    (account.folder / "work/example.c").write_text(text)
    account.run(["gcc", "-Wall", "-Wextra", "-Werror", "example.c", "-o", "example"])
    return account.run(["./example"])


def unreachable(account, text):
    """Commands of VPN users. No gateway answers, so this checks only that the options are understood."""
    (account.folder / "work/request.txt").write_text("SAMLRequest=a\n")
    for command in re.sub(r"https://|(vpn|sso)\.example", lambda found: {"https://": "http://"}.get(found[0], "127.0.0.1:61"),
                          text).splitlines():
        start = command.split(" | sudo ")[0]
        # The helpers complete addresses, and a session needs https.
        expect("127.0.0.1 cannot be reached", account.run(start, status=5)[1])


def library(account, text):
    """A piece of the program that check-library.py builds and runs."""
    program = ROOT / "data/callers/swift/Sources/console/main.swift"
    if f"// sample begin\n{text}// sample end\n" not in program.read_text(encoding="utf-8"):
        raise AssertionError(f"this differs from the sample in {program.relative_to(ROOT)}")


def claude_code(account, text):
    """Claude Code runs the helper's command in a shell, with the server in the environment, and waits ten seconds."""
    for name, server in json.loads(account.local(text))["mcpServers"].items():
        changes = {"CLAUDE_CODE_MCP_SERVER_NAME": name, "CLAUDE_CODE_MCP_SERVER_URL": server["url"]}
        expect_headers(account, server["url"], ["sh", "-c", server["headersHelper"]], account.environment(**changes))


def codex(account, text):
    """Codex removes most of the environment, so the command has to name the store."""
    for server in tomllib.loads(account.local(text))["mcp_servers"].values():
        command = shlex.split(server["http_headers_helper"]) + ["--store", f"file:{account.folder}/accounts"]
        environment = {name: account.environment()[name] for name in ("HOME", "PATH", "LANG")} | {"USER": "ann"}
        expect_headers(account, server["url"], command, environment)


def expect_headers(account, url, command, environment):
    """Expects header fields within ten seconds with which the API answers."""
    done = subprocess.run(command, env=environment, timeout=10, capture_output=True, text=True, check=True,
                          stdin=subprocess.DEVNULL, start_new_session=True)
    headers = json.loads(done.stdout)
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=10) as answer:
        expect('"path": "mcp"', answer.read().decode())


def git(account, text):
    """git asks the helper that it is configured to use, and not for another host."""
    folder = account.folder / "home/.config/tokentry"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / "github-secret").touch(mode=0o600)
    (folder / "github-secret").write_text("secret\n", encoding="ascii")
    account.run(text, TOKENTRY_HEADLESS_TEST=None)
    for host, expected in (("gitlab.com", "username=oauth2\npassword=access-"), ("other.example", None)):
        command = f"printf 'protocol=https\\nhost={host}\\n\\n' | git credential fill"
        if expected:
            expect(expected, account.run(command)[0])
        else:
            account.run(command, status=128)
    expect('"git:gitlab.com"', account.run(["tokentry", "accounts"])[0])


def kept_for_git(account, text):
    """A token from the provider's page, which git then gets for its host."""
    account.run(f"printf 'glpat-1\\n' | {text.strip()}")
    account.run("git config --global credential.https://gitlab.com.helper '!tokentry helper git --client-id ID'")
    expect("password=glpat-1", account.run("printf 'protocol=https\\nhost=gitlab.com\\n\\n' | git credential fill")[0])


def helper(link, setting, arguments, prints, said="", **environment):
    """A setting of another program, and the helper that it names, called as that program would do it. `{}` stands for the
    value of the setting."""

    def trial(account, text):
        found = re.search(setting, text)
        if not found:
            raise AssertionError(f"this does not match {setting!r}")
        program = account.folder / "bin" / link
        if not program.exists():
            program.symlink_to(account.tokentry)
        said_here = said.format(found[1]).replace("'", "")
        variables = {name: value.format(found[1]) for name, value in environment.items()}
        expect(prints, account.run(f"printf %s '{said_here}' | {link} {arguments.format()}", **variables)[0])

    return trial


@contextlib.contextmanager
def running(account, command):
    """Runs a server as long as the context. Its value is the server's first answer."""
    process = subprocess.Popen(["bash", "-c", f"exec {command}"], cwd=account.folder / "work", env=account.environment(),
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield json.loads(process.stdout.readline())
    finally:
        process.terminate()
        process.wait()
    if process.returncode != 0:
        raise AssertionError(f"{command} ended with status {process.returncode}")


def with_agent(prints):
    """A trial of commands for which an agent runs that does not ask."""

    def trial(account, text):
        account.sign_in("work")
        with running(account, "tokentry agent --ask never"):
            output, _ = account.run(text, TOKENTRY_STORE="file:none")
        expect(prints, output)
        return output

    return trial


def gates(account, text):
    """A command that runs a gate, at any port, and its first answer."""
    account.sign_in("work")
    command, answer = account.local(text.removeprefix("$ ")).replace("--port 8080", "--port 0").splitlines()
    with running(account, command) as printed:
        if not is_like(json.dumps(printed), answer):
            raise AssertionError(f"{command} does not print {answer!r} but {printed}")


def through_gate(account, text):
    """A coding agent, in whose place a script asks with the variables that the agent reads."""
    account.sign_in("gateway")
    program = account.folder / "bin/claude"
    program.write_text('#!/bin/sh\ncurl -sS "$ANTHROPIC_BASE_URL/v1/messages" -H "Authorization: Bearer $ANTHROPIC_AUTH_TOKEN"\n')
    program.chmod(0o755)
    expect('"path": "v1/messages"', account.run(account.local(text))[0])
    account.run(["tokentry", "logout", "gateway"])


def service(account, text):
    """The unit of systemd, started by a command or with the settings of a file. Its own command has to write the token."""
    unit = (ROOT / "data/systemd/tokentry-keep@.service").read_text(encoding="utf-8")
    instance, folder = "cloud", account.folder / "run"
    for name, value in (("%i", instance), ("%I", instance), ("%t", str(folder)), ("%h", str(account.folder / "home"))):
        unit = unit.replace(name, value)
    settings = dict(re.findall(r"(FILE|OUTPUT|MIN_VALID)=(\S+)", unit))
    if not text.startswith("systemctl"):
        settings |= dict(line.split("=") for line in text.replace("/run/user/1000", str(folder)).splitlines())
    (folder / "tokentry").mkdir(mode=0o700, exist_ok=True)
    command = re.search(r"(?m)^ExecStart=\"@PREFIX@/bin/tokentry\" (.*)$", unit)[1]
    for name, value in settings.items():
        command = command.replace("${%s}" % name, value)
    account.run(f"tokentry {command} --once")
    expect("^ey" if settings["OUTPUT"] == "id_token" else "^access-", pathlib.Path(settings["FILE"]).read_text("ascii"))


def elsewhere(account, text):
    """A command that RecipeTests runs with the real program."""
    tests = (ROOT / "Tests/ProgramTests/Helpers/RecipeTests.swift").read_text(encoding="utf-8")
    if text.strip() not in tests:
        raise AssertionError("RecipeTests does not run this")


def linked(name, pattern):
    """The link of the installed package is in a folder of this account."""
    def run(account, text):
        folder = account.folder / name
        folder.mkdir()
        (folder / name).symlink_to(account.tokentry)
        expect(pattern, account.run(text.replace(f"/usr/libexec/tokentry/{name}", str(folder)))[0])
    return run


def browser(account, text):
    """The link opens pages by an agent, of which there is none."""
    expect("there is no agent that could open the page", account.run(text + '"$BROWSER" https://a.example/ 2>&1 || true')[0])


def sasl(account, text):
    options = {"provider": "microsoft-common", "client-id": "ID", "login-hint": "ann", "scope": "mail"}
    account.sign_in("mail", *(word for name, value in options.items() for word in (f"--{name}", value)))
    printed = base64.b64decode(account.run(text)[0], validate=False).decode()
    expect(r"^user=ann\x01auth=Bearer access-\d+\x01\x01$", printed)


def secrets_file(account, text):
    account.run(text)
    expect("^https://.* ann app-password$", (account.folder / "home/.davfs2/secrets").read_text())


def denial(account, text):
    """The answer to a login that the user denies."""
    account.provider.denies = True
    output, _ = account.run(["tokentry", "login", "--provider", "gitlab", "--client-id", "ID"], status=1)
    if not is_like(output, text):
        raise AssertionError(f"the answer differs:\n{output}")


def practice(account, text):
    """A provider that stays, and a login there. It may have another port than in the documentation."""
    command, provider, token = text.removeprefix("$ ").splitlines()
    environment = account.environment(TOKENTRY_FORM="username=ada\npassword=demo\ndecision=allow")
    process = subprocess.Popen(["bash", "-c", command], cwd=account.folder / "work", env=environment, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    try:
        output = process.stdout.readline()
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        _, messages = process.communicate()
    answer = next((line for line in messages.splitlines() if line.startswith("{")), "{}")
    if not (is_like(answer, provider) and is_like(output, token)):
        raise AssertionError(f"the answers differ:\n{answer}\n{output}{messages}")


def with_demo(account, text):
    """A test that has a provider of its own. The program under test is Tokentry."""
    (account.folder / "work/my_program.py").write_text("""
import subprocess
def sign_in(issuer, client):
    subprocess.run(["tokentry", "login", "--issuer", issuer, "--client-id", client, "--account", "me"], check=True)
    return "me"
def refresh(name):
    subprocess.run(["tokentry", "token", name, "--min-valid", "4000"])
""")
    name = text.split("(")[0].removeprefix("def ")
    (account.folder / "work/trial.py").write_text(
        f"import my_program\nfrom tokentry_demo import Demo\n{text}with Demo('--user', 'ada') as demo: {name}(demo)\nprint('passed')\n")
    path = f"{ROOT / 'data/callers'}:{account.folder}/work"
    output, _ = account.run(["/usr/bin/python3", "-B", "trial.py"], PYTHONPATH=path)
    expect("passed", output)


def demonstration(account, text):
    """Three commands. The first runs with a fake compiler, because everything is built already; of the second, which would
    run this script again, only the usage is checked; the third installs to another prefix."""
    first, second, third = (line.split("#")[0].strip() for line in text.splitlines())
    built, prefix = account.tokentry.parent, account.folder / "usr"
    compiler = account.folder / "bin/swift"
    compiler.write_text("#!/bin/sh\ncase $* in *--show-bin-path*) echo '%s' ;; *--version*) echo 'Swift 6.3' ;; esac\n" % built)
    compiler.chmod(0o755)
    expect('(?s)"access_token":.*ends with status 0', account.run([ROOT / first], DISPLAY=None)[0])
    expect(r"usage: Tests/run\.sh", account.run([ROOT / second, "--help"])[0])
    for place, other in (("sudo ", f"PREFIX='{prefix}' BUILT='{built}' "), ("/usr/local", str(prefix)),
                         (".build/release", str(built))):
        third = third.replace(place, other)
    account.run(f"cd '{ROOT}' && {third}")
    expect('"access_token"', account.run([prefix / "bin/tokentry", "--headless-test"])[0])


def agents(account, text):
    """The commands are agents, which can use fewer accounts than there are."""
    account.sign_in("work")
    account.sign_in("build")
    (account.folder / "home/.ssh").mkdir(mode=0o700)
    for command in text.splitlines():
        with running(account, command) as answer:
            output, _ = account.run(["tokentry", "accounts"], TOKENTRY_AGENT=answer["socket"])
        expect(r'^\{"accounts":\[\{"account":"build"[^{]*\]\}$', output)
    return ""


def holds(condition):
    """A trial of a configuration that names what another block or a file of ours has."""

    def trial(_account, text):
        if not condition(text):
            raise AssertionError("this does not name the right thing")
        return ""

    return trial


def socket_is_mounted(text):
    """The variable of a dev container names the agent's socket in the folder that is mounted."""
    settings = json.loads(text)
    mount = dict(part.partition("=")[::2] for part in settings["mounts"][0].split(","))
    return settings["remoteEnv"] == {"TOKENTRY_AGENT": f"{mount['target']}/agent.sock"}


def asks(name, prints=r"\S{8}", signs_in=True):
    """A trial of another program's settings. Each command in them that asks for the token of the account prints it. RecipeTests
    tries some of them with the real program."""

    def trial(account, text):
        if signs_in:
            account.sign_in(name, "--provider", "gitlab", "--client-id", "ID", "--login-hint", "ann")
        commands = re.findall(rf"tokentry\W+(?:args = \[\W+)?token\W+--account\W+{name}\W+--output\W+\w+", text)
        if not commands:
            raise AssertionError(f"no command asks for a token of {name}")
        for command in commands:
            expect(prints, account.run(re.sub(r"args =|[\[\]\",\s]+", " ", command))[0])

    return trial


ANSWER = "the output of the previous block"
RECIPES = "data/doc/recipes.md"
AGENT = "data/doc/agent.md"
PROVIDERS = "data/doc/providers.md"


def in_far_side_tests(_account, _text):
    """Tests/InteropTests/FarSideTests.swift runs the block, with a real sshd."""
    return ""


def untested(_account, _text):
    """The block needs a program that tests do not install."""
    return ""


# The trials of the blocks below each heading, in order.
TRIALS = {
    ("README.md", "Install and try"): [demonstration],
    ("README.md", "From a shell and from Python"): [
        granted_and_denied(lambda account, text: account.run(text), r'"path": "api/v4/user"', r"not signed in \(status 1\)"),
        granted_and_denied(python, "signed in until 2", "not signed in: access_denied No."),
    ],
    ("README.md", "Test your application"): [practice],
    ("README.md", "Keep a token"): [
        runs(rf'(?s)"access_token".*\n{TOKEN}.*"revoked":\["refresh_token","access_token"\]'),
    ],
    ("README.md", "What comes back"): [denial],
    ("README.md", "The library"): [library],
    (RECIPES, "A token for many programs"): [
        runs(rf'(?s)"access_token".*\n{TOKEN}Authorization: Bearer {TOKEN}.*"account":"work"'),
        runs('"sub":"ann"', kept="work"),
        runs('"forgotten":true', kept="work"),
        with_account_and_without,
    ],
    (RECIPES, "Requests to an API"): [
        runs(r'(?s)"path": "api/v4/user", "method": "GET".*"method": "PUT", "type": "image/png", "bytes": 4',
             kept="work"),
        runs('"path": "api/v4/user"', kept="work"),
    ],
    (RECIPES, "APIs and MCP clients"): [
        runs(rf'(?s)"access_token".*\nAuthorization: Bearer {TOKEN}.*"path": "mcp/status".*"path": "mcp/status"'),
        runs(r'"resource":\{"address":"http.*"client_from":"kept"'), claude_code, codex,
    ],
    (RECIPES, "Models behind a gateway"): [
        runs('"access_token"'),
        asks("gateway"), asks("gateway"),
    ],
    (RECIPES, "Programs that know only an address"): [
        gates, runs('"path": "api/v4/user"', kept="work"), through_gate, gates,
    ],
    (RECIPES, "git"): [git, kept_for_git],
    (RECIPES, "Helpers of other programs"): [
        runs(r'(?s)"access_token".*docker: docker, podman'),
        helper("docker-credential-tokentry", r'"credHelpers": \{"(.*)": "tokentry"\}', "get", '"Secret":"access-',
               said="{}"),
        helper("tokentry", r'index = "(.*)"\ncredential-provider = \["tokentry"', "--cargo-plugin",
               '"token":"Bearer access-',
               said='{{"v":1,"kind":"get","args":["--account","work"],"registry":{{"index-url":"{}"}}}}\n'),
        helper("bazel-credential-tokentry", r"common --credential_helper=(.*)=bazel-credential-tokentry", "get",
               '"Bearer access-', said='{{"uri":"https://{}/"}}'),
        helper("terraform-credentials-tokentry", r'credentials_helper "tokentry" (\{\})', "get app.example",
               '"token":"access-'),
        helper("tokentry", r"apiVersion: (.*)\n +command: tokentry\n +args: \[helper, kubernetes\]", "helper kubernetes",
               '"token":"ey', KUBERNETES_EXEC_INFO='{{"apiVersion":"{}","kind":"ExecCredential","spec":'
               '{{"cluster":{{"server":"https://cluster.example:6443"}}}}}}'),
        linked("keyring", f"^{TOKEN}$"),
        helper("tokentry", r'"audience": "(.*)",(?s:.*)"command": "tokentry helper google --account work"',
               "helper google --account work", '"success":true', GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE="{}",
               GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE="urn:ietf:params:oauth:token-type:id_token"),
        helper("tokentry", r"GOAUTH='tokentry (helper go)' GOPROXY=https://modules.example",
               "helper go https://app.example/demo/@v/list", "^https://app.example\n\nAuthorization: Bearer access-"),
        linked("azd", '"token":"access-.*"expiresOn":"2'),
        runs('"access_token":"access-.*"token_type":"Bearer","expiry":"2'),
        helper("freerdp-webview-aad-helper", r"/azure:auth-helper:.*/(freerdp-webview-aad-helper)",
               "--cmdInFd=P3 --cmdOutFd=P4 3<<<'{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hello\"}}' 4>&1",
               '"protocol_version":1'),
    ],
    (RECIPES, "Tokens in files"): [
        runs(r'(?s)"access_token".*\n\{"file":'), service, service, runs(),
        holds(lambda text: "credential_process = tokentry helper aws arn:" in text),
        *[holds(lambda text: "/run/user/1000/cloud.token" in text)] * 2, runs(r'\{"file":.*\n\{"file":'),
    ],
    (RECIPES, "VPN gateways, and logins that end in a cookie"): [unreachable, unreachable, unreachable],
    (RECIPES, "Mail"): [
        runs('"scope":"offline_access '),
        *[asks("mail")] * 9, sasl,
    ],
    (RECIPES, "Files and calendars"): [runs('"access_token"'), asks("files"), elsewhere, asks("files")],
    (RECIPES, "Nextcloud's files, calendars and contacts"): [
        runs('"user_id":"ann"'),
        *[asks("cloud", "^app-password$", signs_in=False)] * 2, secrets_file,
    ],
    (RECIPES, "Programs that take a token"): [runs(kept="work"), *[asks("work")] * 6],
    (RECIPES, "Clients that redirect to https://localhost"): [runs('"access_token"')],
    (RECIPES, "ssh and servers"): [
        session('"access_token"', TOKENTRY_HEADLESS_TEST=None),
        runs(rf'"access_token".*\n{TOKEN}', TOKENTRY_HEADLESS_TEST=None),
        runs('"access_token"', TOKENTRY_HEADLESS_TEST=None),
    ],
    (RECIPES, "Tests of your application"): [
        runs(TOKENTRY_HEADLESS_TEST=None), ANSWER, runs(status=1, TOKENTRY_HEADLESS_TEST=None), ANSWER,
        with_demo, holds(lambda text: "pytest -p tokentry_demo" in text),
        runs('"id_token":"verified"', password="demo", TOKENTRY_HEADLESS_TEST=None),
        runs('"id_token":"verified"', TOKENTRY_HEADLESS_TEST=None),
    ],
    (RECIPES, "A program in C"): [granted_and_denied(c, 'a token: .*"access-', "an error: .*access_denied")],
    (RECIPES, "Cookies, and a window in front of yours"): [runs('"access_token"'), alternatives],
    (RECIPES, "Providers that register clients"): [
        runs(r'"access_token".*\n.*"forgotten":true'),
    ],
    (RECIPES, "Your own OAuth library"): [runs(), ANSWER],
    (AGENT, "At home"): [
        holds(lambda text: all((ROOT / "data/systemd" / name).exists()
                               for name in re.findall(r"\S+\.(?:socket|service)", text))),
        with_agent(rf'(?s)"account":"work".*\nAuthorization: Bearer {TOKEN}')],
    (AGENT, "On a server, over ssh"): [in_far_side_tests] * 4,
    (AGENT, "In a container"): [in_far_side_tests],
    (AGENT, "In a dev container"): [holds(socket_is_mounted)],
    (AGENT, "In a Flatpak"): [untested],
    (AGENT, "Sign-ins of other programs"): [browser],
    (AGENT, "Without Tokentry over there"): [in_far_side_tests] * 2,
    (AGENT, "Less than everything"): [agents],
    (PROVIDERS, "Without a preset"): [runs('"access_token"')],
    (PROVIDERS, "Write a preset"): [
        runs(r'(?s)"name":"Acme".*"url":"http.*client_id=ID'),
        runs(r'(?s)"access_denied".*status 1\n.*"state_mismatch".*status 6\n.*"server_error".*status 1\n'),
        runs('"access_token"'),
    ],
}
