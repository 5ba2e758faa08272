"""oidc-agent with an account whose token is valid: a resident process from which oidc-token gets the token."""

import contextlib
import os
import signal
import subprocess
import sys

from server import Server
from session import wait_for

ACCOUNT = "work"


@contextlib.contextmanager
def oidc_agent(folder, environment):
    """Runs the agent with the account. The value is the environment of programs that ask it."""
    server, socket = Server(), folder / "oidc-agent"
    # Of all plain addresses, it takes only those of localhost.
    issuer = f"http://localhost:{server.server_address[1]}/early"
    environment = environment | {"OIDC_SOCK": str(socket), "OIDC_ENCRYPTION_PW": "password"}
    # Without a terminal, oidc-gen asks no questions.
    quiet = {"env": environment, "stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    agent = ["oidc-agent", "--console", f"--socket-path={socket}"]
    account = [
        "oidc-gen", ACCOUNT, f"--issuer={issuer}", "--client-id=me", "--client-secret=secret", "--scope=openid",
        "--redirect-uri=http://localhost:4242", "--refresh-token=R", "--pw-env", "--prompt=none", "--confirm-default",
    ]  # fmt: skip
    with subprocess.Popen(agent, start_new_session=True, **quiet, stderr=subprocess.DEVNULL) as process:
        try:
            wait_for(socket.exists)
            made = subprocess.run(account, check=False, text=True, **quiet, stderr=subprocess.PIPE)
            if made.returncode:
                sys.exit(f"oidc-gen ended with status {made.returncode}: {made.stderr}")
            yield environment
        finally:
            # The agent may have a child.
            os.killpg(process.pid, signal.SIGKILL)
            server.shutdown()
