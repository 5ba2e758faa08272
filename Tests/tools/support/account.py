"""A user account for examples: a home, the programs in the path, and presets that lead to a test provider."""

import json
import pathlib
import re
import shutil
import subprocess
import tempfile

from provider import Provider

ROOT = pathlib.Path(__file__).resolve().parents[3]
# The servers that the documentation names. The test provider replaces them.
SERVERS = ["gitlab.com", "github.com", "sso.example", "sso.acme.example", "mcp.example", "gateway.example", "{tenant}.acme.example"]
# The members of a preset that are addresses of servers.
NAMED = re.compile(r".*_endpoint|jwks_uri")


class UserAccount:
    """Runs blocks of code, unchanged except for the names of servers."""

    def __init__(self, tokentry):
        self.folder = folder = pathlib.Path(tempfile.mkdtemp(prefix="account-"))
        self.tokentry = tokentry
        self.provider = Provider(folder)
        for name in ("home", "work", "bin", "run"):
            (folder / name).mkdir(mode=0o700)
        (folder / "bin" / "tokentry").symlink_to(tokentry)
        self.presets = folder / "home/.local/share/tokentry/providers"
        self.presets.mkdir(parents=True)
        for preset in (ROOT / "data/providers").glob("*.json"):
            (self.presets / preset.name).write_text(json.dumps(self.led_astray(json.loads(preset.read_text()))))
        for name, text in (("secret.txt", "s3cret"), ("password.txt", "demo"), ("photo.png", "PNG")):
            (folder / "work" / name).write_text(text + "\n")
            (folder / "work" / name).chmod(0o600)

    def led_astray(self, preset):
        """The preset with the test provider's endpoints. Redirect URIs can stay, since no connection is made to them."""
        base = self.provider.base
        changed = {name: f"{base}/{name}" for name in preset if NAMED.fullmatch(name)}
        if "issuer" in preset:
            changed["issuer"] = base
        if "api_origins" in preset:
            changed["api_origins"] = [base]
        return {name: value for name, value in preset.items() if name != "id_token_issuer"} | changed

    def local(self, text):
        """The text with the test provider in place of the servers that it names."""
        for server in SERVERS:
            text = text.replace(f"https://{server}/", f"{self.provider.base}/")
            text = re.sub(rf"https://{re.escape(server)}(?![\w.:])", self.provider.base, text)
        return text

    def environment(self, **changes):
        """The environment of commands. A headless test signs in, and accounts are in a folder."""
        values = {"HOME": f"{self.folder}/home", "PATH": f"{self.folder}/bin:/usr/bin:/bin", "LANG": "C.UTF-8",
                  "XDG_RUNTIME_DIR": f"{self.folder}/run", "TOKENTRY_STORE": f"file:{self.folder}/accounts",
                  "TOKENTRY_HEADLESS_TEST": "1"} | changes
        return {name: value for name, value in values.items() if value is not None}

    def run(self, command, status=0, **changes):
        """Runs a command, which must end with `status`. Returns its standard output and standard error."""
        if isinstance(command, str):
            command = ["bash", "-e", "-o", "pipefail", "-c", command]
        # A new session has no terminal on which the command could ask.
        done = subprocess.run(command, cwd=self.folder / "work", env=self.environment(**changes), timeout=120,
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False,
                              start_new_session=True)
        if done.returncode != status:
            raise AssertionError(f"status {done.returncode} instead of {status}:\n{done.stdout}{done.stderr}")
        return done.stdout, done.stderr

    def sign_in(self, account, *options):
        """Makes an account, for blocks that need one."""
        options = options or ("--provider", "gitlab", "--client-id", "ID", "--scope", "read_api")
        self.run(["tokentry", "login", "--account", account, *options])

    def close(self):
        self.provider.shutdown()
        self.provider.server_close()
        shutil.rmtree(self.folder, ignore_errors=True)
