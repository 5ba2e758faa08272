#!/usr/bin/python3
"""Measures `tokentry token` with a valid kept token: from the keyring against `secret-tool lookup` of the same item, from
a folder against `oidc-token`, which asks a resident agent, and against `tokentry --version`; from `tokentry agent`
against `oidc-token`, and with 1,000 accounts against two; and from both stores `tokentry helper headers` for the address
of an API against `tokentry token --output header`. Bus, keyring and agents are private and end with this program.

usage: token.py EXECUTABLE
"""

import contextlib
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile

from agent import ACCOUNT, agent
from session import keyring
from timing import Figure, Run, compare, tell

OF_SECRET_TOOL = 1.35
# Without an agent, the kept token has to be found and read each time.
OF_AGENT = 2.4
# Two programs that ask an agent each. Starting ours alone takes 1.8 times as long as oidc-token.
AGENT_OF_AGENT = 2.5
OF_TWO_ACCOUNTS = 1.1
OF_VERSION = 1.5
OF_HEADER = 1.3
PAIRS = (150, 600)

API = "https://mcp.example/mcp"
LOGIN = ["login", "--provider", "vk", "--client-id", "1", "--state", "S", "--headless-test", "--navigations", "-"]
CALLBACK = "https://oauth.vk.com/blank.html#access_token=T&expires_in=86400&user_id=1&state=S\n"


@contextlib.contextmanager
def home(tokentry, folder, name, environment):
    """Runs `tokentry agent` with the accounts in a folder. The value is the option for those who ask it."""
    path = f"{folder}/{name}.sock"
    command = [tokentry, "agent", "--ask", "never", "--socket", path, "--store", f"file:{folder}/{name}"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        try:
            yield ["--store", f"agent:{path}"]
        finally:
            process.terminate()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tokentry = os.path.abspath(sys.argv[1])
    with (
        tempfile.TemporaryDirectory() as folder,
        keyring(pathlib.Path(folder)) as session,
        agent(pathlib.Path(folder), session) as environment,
        contextlib.ExitStack() as ends,
    ):
        token = [tokentry, "token", "--account", "work"]
        in_folder = ["--store", f"file:{folder}/store"]
        accounts = (["--account", "work"], ["--account", API, "--resource", API])
        for store, account in itertools.product(([], in_folder), accounts):
            command = [tokentry] + LOGIN + account + store
            subprocess.run(
                command, input=CALLBACK, text=True, env=environment, check=True, stdout=subprocess.DEVNULL
            )
        for number in range(1000):
            command = [tokentry] + LOGIN + ["--account", "work" if number == 0 else f"other-{number}"]
            subprocess.run(
                command + ["--store", f"file:{folder}/many"], input=CALLBACK, text=True, env=environment, check=True,
                stdout=subprocess.DEVNULL,
            )
        over_agent, over_full_agent = (
            ends.enter_context(home(tokentry, folder, name, environment)) for name in ("store", "many")
        )
        header = [tokentry, "token", "--resource", API, "--output", "header"]
        headers = [tokentry, "helper", "headers", API]
        lookup = ["/usr/bin/secret-tool", "lookup", "account", "work"]
        asking = ["/usr/bin/oidc-token", ACCOUNT]
        for name, ours, theirs, limit in (
            ("kept token in the keyring / secret-tool lookup", token, lookup, OF_SECRET_TOOL),
            ("kept token in a folder / oidc-token", token + in_folder, asking, OF_AGENT),
            ("kept token over an agent / oidc-token", token + over_agent, asking, AGENT_OF_AGENT),
            (
                "kept token over an agent of 1,000 accounts / of 2", token + over_full_agent, token + over_agent,
                OF_TWO_ACCOUNTS,
            ),
            ("kept token in a folder / --version", token + in_folder, [tokentry, "--version"], OF_VERSION),
            ("headers from the keyring / token --output header", headers, header, OF_HEADER),
            ("headers from a folder / token --output header", headers + in_folder, header + in_folder, OF_HEADER),
        ):
            print(name)
            tell(lambda pairs: [Figure(name, compare(Run(ours, environment), Run(theirs, environment), pairs), limit)], *PAIRS)


if __name__ == "__main__":
    main()
