"""A provider for the tests of programs that sign users in: `tokentry demo --serve`, which misbehaves when a test says so.
Install this folder with pip, or copy the file beside your tests; it needs only Python 3.9. With pytest there is a fixture:

    def test_lost_answer(tokentry_demo):
        login = my_program.sign_in(tokentry_demo.issuer, tokentry_demo.client_id)
        tokentry_demo.faults("refresh-lost=1")      # `tokentry demo --faults` lists them
        my_program.refresh(login)                   # the answer does not arrive
        my_program.refresh(login)                   # the refresh token was used: the user has to sign in again
        assert tokentry_demo.log()["sign_ins"] == 2

    @pytest.mark.tokentry_demo("--user", "ada", "--client", "app:secret", "--fault", "token-500=1")

Each test has a provider of its own, which signs `ada` in without a page and ends with the test. Programs that start Tokentry
show no page either, and keep accounts in the test's folder. If the file is a copy, a conftest.py has to say
`from tokentry_demo import tokentry_demo`. Other tests say `with Demo("--user", "ada") as demo:`.
"""

from __future__ import annotations

import json
import pathlib
import subprocess
import urllib.parse
import urllib.request
from typing import Any

PROGRAM = "tokentry"


class Demo:
    """The provider, in a process that ends with this one."""

    def __init__(self, *options: str) -> None:
        command = [PROGRAM, "demo", "--serve", "--port", "0", *options]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        answer = json.loads(self._process.stdout.readline() or "{}")
        if "issuer" not in answer:
            self.close()
            raise RuntimeError(answer.get("error_description", "tokentry demo did not start"))
        self.issuer: str = answer["issuer"]
        self.client_id: str = answer["client_id"]
        self.client_secret: str | None = answer.get("client_secret")

    def faults(self, *names: str) -> None:
        """Switches these faults on, such as "denied" or "token-500=2", and all others off."""
        self._send("/faults", dict([*name.split("="), "on"][:2] for name in names))

    def change(self, **settings: str | int) -> None:
        """Changes settings, such as token_life=10 (tokentry-demo(1))."""
        self._send("/", settings)

    def log(self) -> dict[str, Any]:
        """Returns the requests that the provider has seen, and the numbers of sign_ins, refreshes and reuses."""
        return json.loads(self._send("/log"))

    def reset(self) -> None:
        """Forgets all tokens and the log, and behaves as at the start."""
        self._send("/reset", {})

    def close(self) -> None:
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def __enter__(self) -> Demo:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _send(self, path: str, form: dict[str, Any] | None = None) -> bytes:
        # A proxy of the environment would not reach this machine.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        body = None if form is None else urllib.parse.urlencode(form).encode()
        with opener.open(self.issuer + path, body) as answer:
            return answer.read()


try:
    import pytest
except ImportError:
    pass
else:
    def pytest_configure(config: pytest.Config) -> None:
        config.addinivalue_line("markers", "tokentry_demo(*options): the options of the provider for a test")

    @pytest.fixture
    def tokentry_demo(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> Any:
        monkeypatch.setenv("TOKENTRY_HEADLESS_TEST", "1")
        monkeypatch.setenv("TOKENTRY_STORE", f"file:{tmp_path}/accounts")
        marker = request.node.get_closest_marker("tokentry_demo")
        with Demo(*(marker.args if marker else ("--user", "ada"))) as demo:
            yield demo
