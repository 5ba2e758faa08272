"""oidc-agent with an account whose token is valid: it hands out tokens from a resident process."""

import contextlib
import http.server
import json
import os
import signal
import subprocess
import sys
import threading

from session import wait_for

ACCOUNT = "work"


class Provider(http.server.BaseHTTPRequestHandler):
    """Returns a token that is valid for a day, for any refresh token."""

    def log_message(self, *_):
        pass

    def answer(self, members):
        body = json.dumps(members).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        base = f"http://localhost:{self.server.server_address[1]}"
        endpoints = {"authorization_endpoint": "/a", "token_endpoint": "/t", "jwks_uri": "/k"}
        self.answer(
            {"issuer": base, "grant_types_supported": ["refresh_token"], "scopes_supported": ["openid"]}
            | {"response_types_supported": ["code"], "subject_types_supported": ["public"]}
            | {name: base + path for name, path in endpoints.items()}
        )

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer({"access_token": "T", "token_type": "Bearer", "expires_in": 86_400, "refresh_token": "R"})


@contextlib.contextmanager
def agent(root, environment):
    """Runs the agent with the account. The value is the environment of programs that use it."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    socket = root / "run" / "oidc-agent"
    environment = environment | {"OIDC_SOCK": str(socket), "OIDC_ENCRYPTION_PW": "password"}
    # Without a terminal, oidc-gen asks no questions.
    quiet = {"env": environment, "stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    process = subprocess.Popen(
        ["oidc-agent", "--console", f"--socket-path={socket}"], start_new_session=True, **quiet,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        wait_for(socket.exists)
        base = f"http://localhost:{server.server_address[1]}"
        account = [
            "oidc-gen", ACCOUNT, f"--issuer={base}", "--client-id=me", "--client-secret=secret", "--scope=openid",
            "--redirect-uri=http://localhost:4242", "--refresh-token=R", "--pw-env", "--prompt=none",
            "--confirm-default",
        ]  # fmt: skip
        made = subprocess.run(account, check=False, **quiet, stderr=subprocess.PIPE, text=True)
        if made.returncode:
            sys.exit(f"oidc-gen ended with status {made.returncode}: {made.stderr}")
        yield environment
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        server.shutdown()
