"""Builds the wheel of this folder's modules (PEP 517 and PEP 427). It needs neither the network nor a folder that pip can
write, and leaves nothing behind."""

import base64
import hashlib
import pathlib
import zipfile

VERSION = "0.1.0"
# Each module with the name of its package, its summary, and further lines of the metadata and of the entry points. Modules
# whose names begin with its name belong to it.
MODULES = {
    "keyring_tokentry": (
        "keyring-tokentry", "Gives the tokens of Tokentry's accounts to programs that use Python's keyring, such as twine and poetry",
        "Requires-Dist: keyring\n", "[keyring.backends]\ntokentry = keyring_tokentry\n"),
    "tokentry": ("tokentry", "Signs users in with the program tokentry", "", "[pytest11]\ntokentry_demo = tokentry_demo\n"),
}


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    folder = pathlib.Path(__file__).parent
    module = next(module for module in MODULES if (folder / f"{module}.py").exists())
    name, summary, requirements, entry_points = MODULES[module]
    base = f"{name.replace('-', '_')}-{VERSION}"
    files = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob(f"{module}*.py"))} | {
        f"{base}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {VERSION}\nSummary: {summary}\n"
                                      f"License: MIT\nRequires-Python: >=3.9\n{requirements}",
        f"{base}.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: tokentry\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    if entry_points:
        files[f"{base}.dist-info/entry_points.txt"] = entry_points
    record = ""
    for path, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
        record += f"{path},sha256={digest},{len(text.encode())}\n"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / f"{base}-py3-none-any.whl", "w") as archive:
        for path, text in (files | {f"{base}.dist-info/RECORD": f"{record}{base}.dist-info/RECORD,,\n"}).items():
            archive.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), text)
    return f"{base}-py3-none-any.whl"
