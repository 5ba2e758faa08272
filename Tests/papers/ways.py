"""The ways to check a block of code. Each is a function of a desk and the text of the block, which fails or returns the
output."""

import base64
import configparser
import contextlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import tomllib
import urllib.request

from desk import ROOT

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


def runs(prints="", status=0, account=None, **environment):
    """A trial of commands whose output matches a pattern."""

    def trial(desk, text):
        if account:
            desk.sign_in(account)
        output, _ = desk.run(desk.local(text), status, **environment)
        expect(prints, output)
        return output

    return trial


def session(prints="", **environment):
    """A trial of commands after a prompt, each followed by its output and messages."""

    def trial(desk, text):
        for part in re.split(r"(?m)^\$ ", text)[1:]:
            command, _, expected = desk.local(part).partition("\n")
            output, messages = desk.run(command, **environment)
            expect(prints, output)
            for line in expected.splitlines():
                if not (is_like(output, line) if line.startswith("{") else line in messages.splitlines()):
                    raise AssertionError(f"{command} does not print {line!r} but:\n{output}{messages}")

    return trial


def practice(desk, text):
    """A provider that stays, and a login there. It may have another port than in the documentation."""
    serve, login = (part.partition("\n") for part in re.split(r"(?m)^\$ ", text)[1:])
    command = shlex.split(serve[0].removesuffix(" &"))
    with subprocess.Popen(command, env=desk.environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True) as provider:
        try:
            answer = provider.stdout.readline()
            issuer, named = json.loads(answer)["issuer"], json.loads(serve[2])["issuer"]
            form = "username=ada\npassword=demo\ndecision=allow"
            output, _ = desk.run(login[0].replace(named, issuer), TOKENTRY_FORM=form)
        finally:
            provider.terminate()
    if not (is_like(answer, serve[2]) and is_like(output, login[2]) and provider.returncode == 0):
        raise AssertionError(f"the answers differ, or it ended with status {provider.returncode}:\n{answer}{output}")


def granted_and_denied(run, granted, denied):
    """A trial of a program that distinguishes a token from an error."""

    def trial(desk, text):
        for desk.provider.denies, pattern in ((False, granted), (True, denied)):
            output, messages = run(desk, desk.local(text))
            expect(pattern, output + messages)
        desk.provider.denies = False

    return trial


def alternatives(desk, text):
    """Two commands, of which the second runs if the first fails. Both have to work."""
    first, second = text.split(" ||\n")
    expect('"access_token"', desk.run(first)[0])
    expect('"access_token".*\n.*"session":"mail"', desk.run(f"false ||\n{second}")[0])


def with_account_and_without(desk, text):
    """A script that asks for the token of an account."""
    expect("^it did not work$", desk.run(text)[0].strip())
    desk.sign_in("work")
    expect("^Bearer token, good until 2", desk.run(text)[0])


def python(desk, text):
    return desk.run(["/usr/bin/python3", "-c", text])


def c(desk, text):
    (desk.folder / "work/example.c").write_text(text)
    desk.run(["gcc", "-Wall", "-Wextra", "-Werror", "example.c", "-o", "example"])
    return desk.run(["./example"])


def unreachable(desk, text):
    """Commands of VPN users. No gateway answers, so this checks only that the options are understood."""
    (desk.folder / "work/request.txt").write_text("SAMLRequest=a\n")
    for command in re.sub(r"https://|(vpn|sso)\.example", lambda found: {"https://": "http://"}.get(found[0], "127.0.0.1:61"),
                          text).splitlines():
        start = command.split(" | sudo ")[0]
        # The helpers complete addresses, and a session needs https.
        expect("127.0.0.1 cannot be reached", desk.run(start, status=5)[1])


def demonstration(desk, text):
    """Three commands. The first runs with a fake compiler, because everything is built already; of the second, which would
    run this script again, only the usage is checked; the third installs."""
    first, second, third = (line.split("#")[0].strip() for line in text.splitlines())
    compiler = desk.folder / "bin/swift"
    compiler.write_text("#!/bin/sh\ncase $* in *--show-bin-path*) echo '%s' ;; *--version*) echo 'Swift 6.3' ;; esac\n"
                        % desk.tokentry.parent)
    compiler.chmod(0o755)
    expect('(?s)"access_token":.*ends with status 0', desk.run([ROOT / first], DISPLAY=None)[0])
    expect(r"usage: Tests/run\.sh", desk.run([ROOT / second, "--help"])[0])
    installation(desk, third)


def installation(desk, text):
    """The commands with another prefix. The installed program has to work by itself."""
    prefix = desk.folder / "usr"
    settings = f"PREFIX='{prefix}' BUILT='{desk.tokentry.parent}' "
    for place, other in (("sudo ", settings), ("/usr/local", str(prefix)), (".build/release", str(desk.tokentry.parent))):
        text = text.replace(place, other)
    desk.run(f"cd '{ROOT}' && {text}")
    tokentry = prefix / "bin/tokentry"
    for preset in desk.presets.iterdir():
        preset.unlink()
    expect('"name":"gitlab"|"provider":"gitlab"|"gitlab"', desk.run([tokentry, "providers"])[0])
    expect('"access_token"', desk.run([tokentry, "--headless-test"])[0])
    for page in ("man1/tokentry.1", "man1/tokentry-helper.1", "man1/tokentry-window.1", "man5/tokentry-provider.5"):
        expect("(?m)^.Nm|^.Sh", (prefix / "share/man" / page).read_text())


def library(desk, text):
    """A piece of the program that check-library.py builds and runs."""
    program = ROOT / "Tests/Stranger/Sources/console/main.swift"
    if f"// sample begin\n{text}// sample end\n" not in program.read_text(encoding="utf-8"):
        raise AssertionError(f"this differs from the sample in {program.relative_to(ROOT)}")


def claude_code(desk, text):
    """Claude Code runs the helper's command in a shell, with the server in the environment, and waits ten seconds."""
    for name, server in json.loads(desk.local(text))["mcpServers"].items():
        changes = {"CLAUDE_CODE_MCP_SERVER_NAME": name, "CLAUDE_CODE_MCP_SERVER_URL": server["url"]}
        expect_headers(desk, server["url"], ["sh", "-c", server["headersHelper"]], desk.environment(**changes))


def codex(desk, text):
    """Codex removes most of the environment, so the command has to name the store."""
    for server in tomllib.loads(desk.local(text))["mcp_servers"].values():
        command = shlex.split(server["http_headers_helper"]) + ["--store", f"file:{desk.folder}/accounts"]
        environment = {name: desk.environment()[name] for name in ("HOME", "PATH", "LANG")} | {"USER": "ann"}
        expect_headers(desk, server["url"], command, environment)


def codex_gateway(desk, text):
    """Codex runs the command without a shell, and takes the token from its output."""
    desk.sign_in("gateway")
    for provider in tomllib.loads(text)["model_providers"].values():
        expect(f"^{TOKEN}$", desk.run([provider["auth"]["command"], *provider["auth"]["args"]])[0])


def expect_headers(desk, url, command, environment):
    """Expects header fields within ten seconds with which the API answers."""
    done = subprocess.run(command, env=environment, timeout=10, capture_output=True, text=True, check=True,
                          stdin=subprocess.DEVNULL, start_new_session=True)
    headers = json.loads(done.stdout)
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=10) as answer:
        expect('"path": "mcp"', answer.read().decode())


def git(desk, text):
    """git asks the helper that it is configured to use, and not for another host."""
    desk.run(text, TOKENTRY_HEADLESS_TEST=None)
    for host, expected in (("gitlab.com", "username=oauth2\npassword=access-"), ("other.example", None)):
        command = f"printf 'protocol=https\\nhost={host}\\n\\n' | git credential fill"
        if expected:
            expect(expected, desk.run(command)[0])
        else:
            desk.run(command, status=128)
    expect('"git:gitlab.com"', desk.run(["tokentry", "accounts"])[0])


def helper(link, setting, arguments, prints, said="", **environment):
    """A setting of another program, and the helper that it names, called as that program would do it. `{}` stands for the
    value of the setting."""

    def trial(desk, text):
        found = re.search(setting, text)
        if not found:
            raise AssertionError(f"this does not match {setting!r}")
        program = desk.folder / "bin" / link
        if not program.exists():
            program.symlink_to(desk.tokentry)
        said_here = said.format(found[1]).replace("'", "")
        variables = {name: value.format(found[1]) for name, value in environment.items()}
        expect(prints, desk.run(f"printf %s '{said_here}' | {link} {arguments.format()}", **variables)[0])

    return trial


def units(_desk, text):
    """Names only units that are installed."""
    for name in re.findall(r"\S+\.(?:socket|service)", text):
        if not (ROOT / "data/systemd" / name).exists():
            raise AssertionError(f"there is no unit {name}")
    return ""


@contextlib.contextmanager
def agent(desk, command):
    """Runs an agent as long as the context. Its value is the path of the socket."""
    process = subprocess.Popen(["bash", "-c", f"exec {command}"], cwd=desk.folder / "work", env=desk.environment(),
                               stdout=subprocess.PIPE, text=True)
    try:
        yield json.loads(process.stdout.readline())["socket"]
    finally:
        process.terminate()
        process.wait()


def with_agent(prints):
    """A trial of commands for which an agent runs that does not ask."""

    def trial(desk, text):
        desk.sign_in("work")
        with agent(desk, "tokentry agent --ask never"):
            output, _ = desk.run(text, TOKENTRY_STORE="file:none")
        expect(prints, output)
        return output

    return trial


def agents(desk, text):
    """The commands are agents, which can use fewer accounts than there are."""
    desk.sign_in("work")
    desk.sign_in("build")
    (desk.folder / "home/.ssh").mkdir(mode=0o700)
    for command in text.splitlines():
        with agent(desk, command) as socket:
            output, _ = desk.run(["tokentry", "accounts"], TOKENTRY_AGENT=socket)
        expect(r'^\{"accounts":\[\{"account":"build"[^{]*\]\}$', output)
    return ""


def dev_container(_desk, text):
    """The variable names the agent's socket in the folder that is mounted."""
    settings = json.loads(text)
    mount = dict(part.partition("=")[::2] for part in settings["mounts"][0].split(","))
    if settings["remoteEnv"] != {"TOKENTRY_AGENT": f"{mount['target']}/agent.sock"}:
        raise AssertionError("the variable names something else")
    return ""


def configuration(account, line, command):
    """A configuration file of another program: each line is valid, and its commands print the token."""

    def trial(desk, text):
        desk.sign_in(account)
        for number, found in enumerate(text.splitlines(), 1):
            if not re.fullmatch(line, found):
                raise AssertionError(f"line {number} is not valid for that program: {found}")
        commands = re.findall(command, text)
        if not commands:
            raise AssertionError("no command asks for a token")
        for found in commands:
            expect(f"^{TOKEN}$", desk.run(found)[0])

    return trial


def asks(account):
    """A trial of settings that RecipeTests tries with the real program. Here each command in them prints a token."""

    def trial(desk, text):
        desk.sign_in(account, "--provider", "gitlab", "--client-id", "ID", "--login-hint", "ann")
        commands = re.findall(r'tokentry\W+token\W+--account\W+\w+\W+--output\W+\w+', text)
        if not commands:
            raise AssertionError("no command asks for a token")
        for found in commands:
            expect("\\S{8}", desk.run(re.sub('[", ]+', " ", found))[0])

    return trial


def service(desk, text):
    """The unit of systemd, started by a command or with the settings of a file. Its own command has to write the token."""
    unit = (ROOT / "data/systemd/tokentry-keep@.service").read_text(encoding="utf-8")
    instance, folder = "cloud", desk.folder / "run"
    for name, value in (("%i", instance), ("%I", instance), ("%t", str(folder)), ("%h", str(desk.folder / "home"))):
        unit = unit.replace(name, value)
    settings = dict(re.findall(r"(FILE|OUTPUT|MIN_VALID)=(\S+)", unit))
    if not text.startswith("systemctl"):
        settings |= dict(line.split("=") for line in text.replace("/run/user/1000", str(folder)).splitlines())
    (folder / "tokentry").mkdir(mode=0o700, exist_ok=True)
    command = re.search(r"(?m)^ExecStart=\"@PREFIX@/bin/tokentry\" (.*)$", unit)[1]
    for name, value in settings.items():
        command = command.replace("${%s}" % name, value)
    desk.run(f"tokentry {command} --once")
    expect("^ey" if settings["OUTPUT"] == "id_token" else "^access-", pathlib.Path(settings["FILE"]).read_text("ascii"))


def names_file(find):
    """A trial of a configuration that names the file in which the block before keeps a token."""

    def trial(_, text):
        if find(text) != "/run/user/1000/cloud.token":
            raise AssertionError("this does not name the file")

    return trial


def elsewhere(desk, text):
    """A command that RecipeTests runs with the real program."""
    tests = (ROOT / "Tests/ProgramTests/Helpers/RecipeTests.swift").read_text(encoding="utf-8")
    if text.strip() not in tests:
        raise AssertionError("RecipeTests does not run this")


def keyring(desk, text):
    """The link of the installed package is in a folder of this desk."""
    folder = desk.folder / "keyring"
    folder.mkdir()
    (folder / "keyring").symlink_to(desk.tokentry)
    expect(f"^{TOKEN}$", desk.run(text.replace("/usr/libexec/tokentry/keyring", str(folder)))[0])


def sasl(desk, text):
    options = {"provider": "microsoft-common", "client-id": "ID", "login-hint": "ann", "scope": "mail"}
    desk.sign_in("mail", *(word for name, value in options.items() for word in (f"--{name}", value)))
    printed = base64.b64decode(desk.run(text)[0], validate=False).decode()
    expect(r"^user=ann\x01auth=Bearer access-\d+\x01\x01$", printed)


def prints_token(pattern, token):
    """A trial of a configuration with one command, perhaps as a list of strings, for an account of an earlier block."""

    def trial(desk, text):
        command = " ".join(shlex.split(re.search(pattern, text)[1].replace(",", " ")))
        expect(f"^{token}$", desk.run(command)[0])

    return trial


def secrets_file(desk, text):
    desk.run(text)
    expect("^https://.* ann app-password$", (desk.folder / "home/.davfs2/secrets").read_text())


def rclone(desk, text):
    parser = configparser.ConfigParser()
    parser.read_string(text)
    desk.sign_in("files")
    expect(f"^{TOKEN}$", desk.run(parser["files"]["bearer_token_command"])[0])


def explained(desk, text):
    expect('"url":"http', desk.run(text)[0])


def filled_in(desk, text):
    """A login page asks for the password in the file."""
    desk.provider.password = "demo"
    output, _ = desk.run(desk.local(text), TOKENTRY_HEADLESS_TEST=None)
    expect('"id_token":"verified"', output)
    return output


def denial(desk, text):
    """The answer to a login that the user denies."""
    desk.provider.denies = True
    output, _ = desk.run(["tokentry", "login", "--provider", "gitlab", "--client-id", "ID"], status=1)
    if not is_like(output, text):
        raise AssertionError(f"the answer differs:\n{output}")
