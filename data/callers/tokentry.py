"""Signs users in with Tokentry. Install this folder with pip, or copy the file into your application; it needs only
Python 3.9.

    token = tokentry.run("login", provider="gitlab", client_id="ID", scope="read_api")
    token = await tokentry.start("login", provider="gitlab", client_id="ID")   # the task can be cancelled
    answer = tokentry.run("accounts", "--store", "file:tokens")
    token = tokentry.result(status, output)    # of a process that the application has started itself

The named arguments after the command are Tokentry's options with underscores (tokentry(1), DOCUMENT OF OPTIONS). They are
sent through a pipe, so they may include secrets: client_secret="…". The others are words of the command line. All
functions return what Tokentry printed, or raise Failure.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from typing import Any

PROGRAM = "tokentry"


class Failure(Exception):
    """The reason why there is no token. Its text is for people, its attributes are for programs."""

    def __init__(self, status: int, answer: dict[str, Any]) -> None:
        super().__init__(answer["error_description"])
        self.status = status  # Tokentry's exit status
        self.error: str = answer["error"]  # such as "access_denied"
        self.origin: str = answer["origin"]  # provider, user, caller, network or tokentry
        self.retryable: bool = answer["retryable"]
        self.details: dict[str, Any] = answer.get("details", {})

    @property
    def is_cancelled(self) -> bool:
        """True if the user cancelled, which needs no message."""
        return self.error == "cancelled"


def run(command: str, *words: str, **options: Any) -> dict[str, Any]:
    """Waits for the user. Use it in a script or in a separate thread."""
    arguments, settings, document = _prepare(command, words, options)
    try:
        done = subprocess.run(arguments, input=document, stdout=subprocess.PIPE, check=False, **settings)
    except OSError as error:
        raise _missing(error) from error
    return result(done.returncode, done.stdout)


async def start(command: str, *words: str, **options: Any) -> dict[str, Any]:
    """Does the same for asyncio. Cancelling the task cancels the login and closes its window."""
    arguments, settings, document = _prepare(command, words, options)
    pipe = asyncio.subprocess.PIPE
    try:
        process = await asyncio.create_subprocess_exec(*arguments, stdin=pipe, stdout=pipe, **settings)
    except OSError as error:
        raise _missing(error) from error
    try:
        output, _ = await process.communicate(document)
    except asyncio.CancelledError:
        if process.returncode is None:
            process.terminate()
        await process.wait()
        raise
    return result(process.returncode, output)


def result(status: int, output: bytes | str) -> dict[str, Any]:
    """Reads the exit status and the output of Tokentry, which may have been killed."""
    try:
        answer = json.loads(output)
    except ValueError:
        answer = {"error": "internal_error", "error_description": "Tokentry was ended before it could answer",
                  "origin": "tokentry", "retryable": True}
    if status == 0:
        return answer
    raise Failure(status, answer)


def _prepare(
    command: str, words: tuple[str, ...], options: dict[str, Any]
) -> tuple[list[str], dict[str, Any], bytes]:
    # The application's own activation token can be used once; this one is for the window.
    activation = options.pop("activation_token", None)
    settings = {"env": {**os.environ, "XDG_ACTIVATION_TOKEN": activation}} if activation else {}
    request = ["--options", "-"] if options else []
    return [PROGRAM, command, *words, *request], settings, json.dumps(options).encode() if options else b""


def _missing(error: OSError) -> Failure:
    return Failure(7, {"error": "not_installed", "error_description": f"Tokentry cannot be started: {error.strerror}",
                       "origin": "caller", "retryable": False})
