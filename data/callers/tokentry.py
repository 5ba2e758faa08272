"""Sign users in with Tokentry. Copy this file into your application; it needs Python 3.9 and nothing else.

    token = tokentry.run("login", provider="gitlab", client_id="ID", scope="read_api")
    token = await tokentry.start("login", provider="gitlab", client_id="ID")   # the task can be cancelled

What follows the command are Tokentry's options with underscores (tokentry(1), REQUEST DOCUMENT). They are sent through a
pipe, so secrets may be among them: client_secret="…". Both return what Tokentry printed, and raise Failure.
"""

import asyncio
import json
import os
import subprocess

PROGRAM = "tokentry"


class Failure(Exception):
    """Why there is no token. Its text is for people; what programs want is in the attributes."""

    def __init__(self, status, answer):
        super().__init__(answer["error_description"])
        self.status = status  # Tokentry's exit status
        self.error = answer["error"]  # such as "access_denied"
        self.origin = answer["origin"]  # provider, user, caller, network or tokentry
        self.retryable = answer["retryable"]
        self.details = answer.get("details", {})

    @property
    def is_cancelled(self):
        """Whether the user changed their mind, which needs no message."""
        return self.error == "cancelled"


def run(command, **options):
    """Waits for the user; of use in a script, or in a thread of its own."""
    arguments, settings, document = _prepare(command, options)
    try:
        done = subprocess.run(arguments, input=document, stdout=subprocess.PIPE, check=False, **settings)
    except OSError as error:
        raise _missing(error) from error
    return _result(done.returncode, done.stdout)


async def start(command, **options):
    """The same without anybody waiting. If the task is cancelled, so is the login, and its window closes."""
    arguments, settings, document = _prepare(command, options)
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
    return _result(process.returncode, output)


def _prepare(command, options):
    # An application that was itself started with such a token may use it once; yours is for the window.
    activation = options.pop("activation_token", None)
    settings = {"env": {**os.environ, "XDG_ACTIVATION_TOKEN": activation}} if activation else {}
    return [PROGRAM, command, "--request", "-"], settings, json.dumps(options).encode()


def _result(status, output):
    try:
        answer = json.loads(output)
    except ValueError:
        answer = {"error": "internal_error", "error_description": "Tokentry was ended before it could answer",
                  "origin": "tokentry", "retryable": True}
    if status == 0:
        return answer
    raise Failure(status, answer)


def _missing(error):
    return Failure(7, {"error": "not_installed", "error_description": f"Tokentry cannot be started: {error.strerror}",
                       "origin": "caller", "retryable": False})
