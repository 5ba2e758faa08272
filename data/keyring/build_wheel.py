"""Builds the wheel of this folder (PEP 517 and PEP 427). It needs neither the network nor a folder that pip can write."""

import base64
import hashlib
import pathlib
import zipfile

VERSION = "0.1.0"
METADATA = f"""Metadata-Version: 2.1
Name: keyring-tokentry
Version: {VERSION}
Summary: Gives the tokens of Tokentry's accounts to programs that use Python's keyring, such as twine and poetry
License: MIT
Requires-Python: >=3.9
Requires-Dist: keyring
"""
INFO = f"keyring_tokentry-{VERSION}.dist-info"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = {
        "keyring_tokentry.py": pathlib.Path(__file__).with_name("keyring_tokentry.py").read_text(encoding="utf-8"),
        f"{INFO}/METADATA": METADATA,
        f"{INFO}/WHEEL": "Wheel-Version: 1.0\nGenerator: tokentry\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{INFO}/entry_points.txt": "[keyring.backends]\ntokentry = keyring_tokentry\n",
    }
    record = ""
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
        record += f"{name},sha256={digest},{len(text.encode())}\n"
    wheel = f"keyring_tokentry-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / wheel, "w") as archive:
        for name, text in (files | {f"{INFO}/RECORD": f"{record}{INFO}/RECORD,,\n"}).items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), text)
    return wheel
