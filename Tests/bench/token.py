#!/usr/bin/python3
"""Measures `tokentry token` with a valid kept token: from the keyring against `secret-tool lookup` of the same item, from
a folder against `oidc-token`, which asks a resident agent, and against `tokentry --version`; and from both
`tokentry helper headers` for the address of an API against `tokentry token --output header`. Bus, keyring and agent are
private and end with this program.

usage: token.py EXECUTABLE
"""

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
OF_VERSION = 1.5
OF_HEADER = 1.3
PAIRS = (150, 600)

API = "https://mcp.example/mcp"
LOGIN = ["login", "--provider", "vk", "--client-id", "1", "--state", "S", "--headless-test", "--navigations", "-"]
CALLBACK = "https://oauth.vk.com/blank.html#access_token=T&expires_in=86400&user_id=1&state=S\n"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tokentry = os.path.abspath(sys.argv[1])
    with (
        tempfile.TemporaryDirectory() as folder,
        keyring(pathlib.Path(folder)) as session,
        agent(pathlib.Path(folder), session) as environment,
    ):
        token = [tokentry, "token", "--account", "work"]
        in_folder = ["--store", f"file:{folder}/store"]
        accounts = (["--account", "work"], ["--account", API, "--resource", API])
        for store, account in itertools.product(([], in_folder), accounts):
            command = [tokentry] + LOGIN + account + store
            subprocess.run(
                command, input=CALLBACK, text=True, env=environment, check=True, stdout=subprocess.DEVNULL
            )
        header = [tokentry, "token", "--resource", API, "--output", "header"]
        headers = [tokentry, "helper", "headers", API]
        lookup = ["/usr/bin/secret-tool", "lookup", "account", "work"]
        asking = ["/usr/bin/oidc-token", ACCOUNT]
        for name, ours, theirs, limit in (
            ("kept token in the keyring / secret-tool lookup", token, lookup, OF_SECRET_TOOL),
            ("kept token in a folder / oidc-token", token + in_folder, asking, OF_AGENT),
            ("kept token in a folder / --version", token + in_folder, [tokentry, "--version"], OF_VERSION),
            ("headers from the keyring / token --output header", headers, header, OF_HEADER),
            ("headers from a folder / token --output header", headers + in_folder, header + in_folder, OF_HEADER),
        ):
            print(name)
            tell(lambda pairs: [Figure(name, compare(Run(ours, environment), Run(theirs, environment), pairs), limit)], *PAIRS)


if __name__ == "__main__":
    main()
