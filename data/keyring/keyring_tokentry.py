"""A backend of Python's keyring: programs such as twine and poetry get the token of the account that is for their server.

The keyring finds it by its entry point and asks it before the desktop's keyring. Servers without an account, and all
passwords of other programs, are left to the other backends.
"""

import json
import subprocess

from keyring import backend, credentials


class TokentryKeyring(backend.KeyringBackend):
    """Asks `tokentry helper keyring`."""

    priority = 6  # above that of the desktop's keyring, which is 5

    def get_credential(self, service, username):
        command = ["tokentry", "helper", "keyring", "get", "--mode", "creds", "--output", "json", service]
        command += [username] if username else []
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False)
        except OSError:  # Tokentry is not installed
            return None
        if done.returncode:
            return None
        answer = json.loads(done.stdout)
        return credentials.SimpleCredential(answer["username"], answer["password"])

    def get_password(self, service, username):
        found = self.get_credential(service, username)
        return found.password if found else None

    def set_password(self, service, username, password):
        raise NotImplementedError("tokentry keeps no passwords")  # the next backend is asked

    def delete_password(self, service, username):
        raise NotImplementedError("tokentry keeps no passwords")
