#!/usr/bin/python3
"""Checks the release build, its installation and its packages, including what is left after their removal.

usage: check-packages.py [--systems] FOLDER    (the folder with the programs of the release build)

With --systems, the packages are also made twice and compared, built completely, checked with lintian, and installed in new
systems of Debian 12 and 13 and Ubuntu 24.04, where they sign in with and without a window, and where git and skopeo get
tokens. In a new system of Debian sid, FreeRDP's client signs in with them. That takes many minutes and needs the network and
root.
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/tools/support"))

from commands import expect, run
from provider import Provider

# The limits for the sizes of the stripped programs in bytes.
LIMITS = {"usr/bin/tokentry": 13_000_000, "usr/libexec/tokentry/tokentry-window": 12_000_000}
LINKS = ["git-credential-tokentry", "docker-credential-tokentry", "bazel-credential-tokentry",
         "terraform-credentials-tokentry", "freerdp-webview-aad-helper", "openfortivpn-webview"]
# The code names of the systems, each with the script that debootstrap uses, because it may be too old to know them.
SYSTEMS = {"bookworm": "sid", "trixie": "sid", "noble": "gutsy"}
# The release whose FreeRDP has helpers.
NEWEST = "sid"
PACKAGES = ["tokentry", "tokentry-window", "tokentry-freerdp", "python3-keyring-tokentry"]
INSTALL = "apt-get install -q -y --no-install-recommends"
# Runs the next command with a display, within a time that is long even on a busy machine.
WITH_DISPLAY = (
    "export XDG_RUNTIME_DIR=/tmp/run DISPLAY=:77 && mkdir -m 700 /tmp/run && (Xvfb :77 -nolisten tcp >/dev/null 2>&1 &) && "
    "for _ in 1 2 3 4 5 6 7 8 9; do [ -e /tmp/.X11-unix/X77 ] || sleep 1; done && timeout 100 dbus-run-session ")
TOOLKITS = re.compile(r"libgtk|libwebkit|libjavascriptcore|libx11|libwayland")


def files_below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


# --- data/build.sh ---

def without_crash_reports(work, built):
    """A crash starts no program that could read the memory, even if Swift's runtime is told to start one."""
    reporter, started = work / "swift-backtrace", work / "started"
    reporter.write_text(f"#!/bin/sh\ntouch '{started}'\n")
    reporter.chmod(0o755)
    environment = {"SWIFT_BACKTRACE": f"enable=yes,swift-backtrace={reporter}", "HOME": str(work), "PATH": "/usr/bin:/bin"}
    for command in (["tokentry", "login", "--options", "-"], ["tokentry-window"]):
        program = subprocess.Popen([pathlib.Path(built, command[0]), *command[1:]], env=environment,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1)  # until it waits for its input
        expect(program.poll() is None, f"{command[0]} does not wait for its input")
        program.send_signal(signal.SIGSEGV)
        program.communicate()
        expect(not started.exists(), f"a crash of {command[0]} starts a program")


# --- data/install.sh ---

def installed(work, built):
    """Installs into a user's own prefix, where another file exists, and uninstalls."""
    prefix = work / "with space" / "usr"
    kept = prefix / "share/man/man1/other.1"
    kept.parent.mkdir(parents=True)
    kept.write_text("")
    before = files_below(prefix)
    environment = {"PATH": f"{prefix}/bin:/usr/bin:/bin", "HOME": str(work), "PREFIX": str(prefix), "BUILT": built}
    script = [ROOT / "data/install.sh"]
    for _ in range(2):  # the second installation overwrites the first
        run(script, env=environment)
    program = [prefix / "bin/tokentry"]
    expect('"access_token"' in run([*program, "--headless-test"], env=environment), "no headless test")
    expect(f'"file":"{prefix}/share/tokentry/providers/vk.json"' in run([*program, "providers"], env=environment),
           "the presets are elsewhere")
    for name in LINKS:
        expect((prefix / "bin" / name).resolve() == prefix / "bin/tokentry", f"{name} leads elsewhere")
        expect((prefix / f"share/man/man1/{name}.1").exists(), f"{name} has no page")
    at_home(prefix)
    for name in ("keyring", "azd", "databricks"):
        link = prefix / "libexec/tokentry" / name / name
        expect(link.resolve() == prefix / "bin/tokentry", f"{name} leads elsewhere")
    spoken(program, environment)
    completed(prefix, environment)
    managed(prefix, work)
    run([*script, "--uninstall"], env=environment)
    expect(files_below(prefix) == before, f"left behind: {set(files_below(prefix)) - set(before)}")
    try:
        run([*script, "--uninstall"], env=environment)
        raise LookupError("uninstalling twice succeeds")
    except AssertionError:
        pass


def at_home(prefix):
    """The metadata and the pages have the values of data/home, and are valid with them."""
    home = dict(re.findall(r"(?m)^([A-Z]+)='(.*)'$", (ROOT / "data/home").read_text(encoding="utf-8")))
    pages = sorted(prefix.glob("share/man/man?/tokentry*"))
    metadata, = prefix.glob("share/metainfo/*.xml")
    for path in [*pages, metadata]:
        text = path.read_text(encoding="utf-8")
        expect(home["URL"] in text and home["AUTHORS"] in text, f"{path} does not name the home")
        expect(not re.search(r"@[A-Z]+@", text), f"{path} has a value that data/home lacks")
    run(["mandoc", "-T", "lint", "-W", "warning", *pages])
    run(["appstreamcli", "validate", "--no-net", metadata])
    for picture in re.findall(f"<image>{home['SCREENSHOTS']}/(.*)</image>", metadata.read_text(encoding="utf-8")):
        expect((ROOT / "data/images" / picture).exists(), f"there is no {picture}")


def managed(prefix, work):
    """Checks the units that systemd may start for users. They name the installed program."""
    units = sorted((prefix / "share/systemd/user").iterdir())
    expect(units, "there are no units")
    if shutil.which("systemd-analyze"):
        run(["systemd-analyze", "--user", "--man=no", "verify", *units],
            env={"PATH": "/usr/bin:/bin", "HOME": str(work), "XDG_RUNTIME_DIR": str(work)})


def spoken(program, environment):
    """Checks that the installed program speaks exactly the languages that have a catalogue."""
    def refusal(language):
        variables = {**environment, "LC_ALL": "C.UTF-8", "LANGUAGE": language}
        return subprocess.run([*program, "accuonts"], env=variables, capture_output=True, text=True, check=False).stderr
    english = refusal("nds")
    for language in (ROOT / "data/po/LINGUAS").read_text(encoding="utf-8").split():
        expect(refusal(language) not in ("", english), f"the installed program does not speak {language}")
        expect(refusal("en:de") == english, "a user who prefers English gets German")


def completed(prefix, environment):
    """Checks the completions of the shells that are installed."""
    script = prefix / "share/bash-completion/completions/tokentry"
    ask = ('. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tokentry tokentry "${@: -1}" "";'
           'printf "%s\\n" "${COMPREPLY[@]}"')
    store = ["tokentry", "token", "--store", f"file:{prefix}/none"]
    for words, offered in (
        (["tokentry", "log"], ["login", "logout"]),
        (["tokentry", "login", "--way", "b"], ["browser"]),
        (["tokentry", "login", "--way", "=", "w"], ["window"]),
        (["tokentry", "login", "--provider", "vk"], ["vk", "vkid"]),
        (["tokentry", "providers", "vki"], ["vkid"]),
        (["tokentry", "token", "--store", "key"], ["keyring"]),
        (["tokentry", "token", "--sto"], ["--store"]),
        ([*store, "--account", ""], [""]),
    ):
        found = run(["bash", "-c", ask, "-", script, *words], env=environment).split("\n")[:-1]
        expect(found == offered, f"bash offers {found} for {words}")
    if shutil.which("fish"):
        for line, offered in (("--way w", "window"), ("--client-secret-file=/etc/hostn", "--client-secret-file=/etc/hostname")):
            ask = f"source '{prefix}/share/fish/vendor_completions.d/tokentry.fish'; complete -C 'tokentry login {line}'"
            found = run(["fish", "-c", ask], env=environment)
            expect(found == f"{offered}\n", f"fish offers {found} for {line}")
    if shutil.which("zsh"):
        # It completes only in a terminal.
        ask = ("zmodload zsh/zpty; zpty z zsh -f -i; zpty -w z \"fpath=('$1' \\$fpath); autoload -Uz compinit; compinit -D -u;"
               " bindkey '^I' complete-word\"; zpty -w -n z $'tokentry login --way w\\t'; zpty -r z found '*--way window*'")
        run(["timeout", "60", "zsh", "-fc", ask, "-", prefix / "share/zsh/site-functions"], env=environment)


def desktop_files():
    """Runs the validators of freedesktop.org, and checks names, versions and icons that have to agree."""
    folder, name = ROOT / "data/desktop", "org.tokentry.Tokentry"
    run(["desktop-file-validate", folder / f"{name}.desktop"])
    metadata = (folder / f"{name}.metainfo.xml.in").read_text(encoding="utf-8")
    version = re.search(r'program = "(.*)"', (ROOT / "Sources/tokentry/System/Version.swift").read_text()).group(1)
    expect(f'<release version="{version}"' in metadata, f"the metadata lack the release {version}")
    icons = ROOT / "data/icons/hicolor"
    symbolic = (icons / f"symbolic/apps/{name}-symbolic.svg").read_text(encoding="utf-8")
    page = (ROOT / "Sources/SignIn/UserAgents/Browser/EndPage.swift").read_text(encoding="utf-8").replace("\\\n    ", "")
    shape = re.search(r' d="([^"]*)"', symbolic).group(1)
    expect(shape in page, "the browser's last page has another icon")
    for icon in icons.rglob("*.svg"):
        run(["convert", "-background", "none", icon, "-resize", "16x16", "null:"])


# --- data/deb.sh ---

def made(target, built=None):
    """The packages, in this order. Without built programs, data/deb.sh builds them."""
    # A time in the past: dpkg leaves the times of older files as they are.
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"} | ({"BUILT": built} if built else {})
    run([ROOT / "data/deb.sh", target, "-b" if built else "-F"], env=environment)
    return [next(target.glob(f"{name}_*.deb")) for name in PACKAGES]


def packaged(packages, work):
    contents = {}
    for package in packages:
        name = package.name.split("_")[0]
        contents[name] = set(re.findall(r"(?m) \./(\S*[^/\s])(?: -> .*)?$", run(["dpkg-deb", "-c", package])))
        folder = work / name
        run(["dpkg-deb", "-x", package, folder])
        for path, limit in LIMITS.items():
            if path in contents[name]:
                size = (folder / path).stat().st_size
                expect(size <= limit, f"{path} has {size} bytes, {limit} at most")
                expect("NOW PIE" in run(["readelf", "-d", folder / path]), f"{path} binds its functions late")
                expect("GNU_RELRO" in run(["readelf", "-l", folder / path]), f"{path} has no RELRO")
        for path in contents[name]:
            expect(path.startswith("usr/"), f"{path} is in {name}")
        fields = run(["dpkg-deb", "-f", package])
        if "Architecture: all" not in fields:
            expect(re.search(r"(?m)^Built-Using: .*gcc", fields), f"{name} does not name what is linked in: {fields}")
        expect("@" not in re.sub(r"\S+@\S+", "", fields), f"a value of data/home is missing: {fields}")
    expect(sum(map(len, contents.values())) == len(set().union(*contents.values())), "two packages have the same file")
    expect("usr/bin/freerdp-webview-aad-helper" in contents["tokentry-freerdp"], "FreeRDP's helper is elsewhere")
    expect("usr/share/zsh/vendor-completions/_tokentry" in contents["tokentry"], "Debian's zsh does not find its completion")
    depends = run(["dpkg-deb", "-f", packages[0], "Depends"])
    expect(not TOOLKITS.search(depends), f"tokentry depends on {depends}")
    for library in ("libsoup-3.0-0", "libgnutls30", "libxml2", "libqrencode4", "libsecret-1-0", "libc6 (>= 2.36)"):
        expect(library in depends, f"tokentry does not depend on {library}")
    depends = run(["dpkg-deb", "-f", packages[1], "Depends"])
    for package in ("libwebkit2gtk-4.1-0", "libgtk-3-0", "glib-networking", "fonts-dejavu-core", "bubblewrap"):
        expect(package in depends, f"tokentry-window does not depend on {package}")


def complete(folder, packages, built):
    """Checks a complete build: the code is that of data/build.sh, the symbols are in packages, and lintian is content."""
    for package, path in zip(packages, LIMITS):
        name = package.name.split("_")[0]
        expect(list(folder.glob(f"{name}-dbgsym_*deb")), f"there is no {name}-dbgsym")
        run(["dpkg-deb", "-x", package, folder / name])
        codes = [run(["objcopy", "-O", "binary", "--only-section=.text", program, folder / "code"])
                 or (folder / "code").read_bytes() for program in (folder / name / path, pathlib.Path(built, name))]
        expect(codes[0] == codes[1], f"{name} is not the one of data/build.sh")
    # lintian leaves temporary files behind.
    run(["lintian", "--allow-root", "--fail-on", "error,warning", "--suppress-tags", "newer-standards-version",
         *folder.glob("*.changes")], env={**os.environ, "TMPDIR": str(folder)})


# --- Other systems ---

class System:
    """A new system in a folder. Commands run in a mount namespace, because WebKit's sandbox needs a real root."""

    ENTER = ('mount --bind "$0" "$0" && cd "$0" && mount -t proc proc proc && mount --rbind /dev dev && mount --rbind /sys sys && '
             'mount -t tmpfs tmpfs tmp && pivot_root . mnt && umount -l mnt && exec /bin/sh -ec "$1"')

    def __init__(self, folder, suite, script):
        self.folder = folder / suite
        # Ubuntu's keys are not in Debian.
        options = ["--no-check-gpg", "--components=main,universe"] if script == "gutsy" else []
        path = f"/usr/share/debootstrap/scripts/{script}"
        run(["debootstrap", "--variant=minbase", *options, suite, self.folder, "", path])
        shutil.copy("/etc/resolv.conf", self.folder / "etc/resolv.conf")
        (self.folder / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
        (self.folder / "usr/sbin/policy-rc.d").chmod(0o755)

    def run(self, script):
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "DEBIAN_FRONTEND": "noninteractive",
                       "LANG": "C.UTF-8"}
        return run(["unshare", "--mount", "--pid", "--fork", "sh", "-ec", self.ENTER, self.folder, script],
                   env=environment)

    def files(self):
        """All files except those that package managers and programs keep for themselves."""
        return set(self.run("find / -xdev -path /proc -prune -o -path /var -prune -o -path /tmp -prune -o "
                            "-path /root -prune -o -path /run -prune -o -path /dev -prune -o -print").splitlines())


def trial(folder, suite, script, packages):
    system = System(folder, suite, script)
    for package in packages:
        shutil.copy(package, system.folder / "root")
    for name in ("data/debian/tests/helper", "Tests/ProgramTests/services.py"):
        (system.folder / "root/tree" / name).parent.mkdir(parents=True)
        shutil.copy(ROOT / name, system.folder / "root/tree" / name)
    system.run("apt-get update -q")
    # Install the dependencies first and keep them, so that only the packages' own files can be left at the end.
    for package in packages:
        system.run(f"{INSTALL} /root/{package.name}")
    purge = f"dpkg --purge {' '.join(reversed(PACKAGES))}"
    system.run(f"{INSTALL} git python3 skopeo xvfb dbus-daemon; {purge}")
    before = system.files()
    system.run(f"dpkg -i /root/{packages[0].name}")
    expect('"access_token"' in system.run("tokentry --headless-test"), "no headless test")
    for client in ("git", "skopeo"):
        system.run(f"cd /root/tree && data/debian/tests/helper {client}")
    system.run(f"dpkg -i {' '.join(f'/root/{package.name}' for package in packages[1:])}")
    expect("tokentry" in system.run("keyring --list-backends"), "Python's keyring does not know the backend")
    system.run("cd /root/tree && data/debian/tests/helper freerdp")
    added = system.files() - before
    expect("/usr/bin/tokentry" in added, "tokentry is not there")
    login = window_login(system)
    expect('"access_token":"access-' in login, f"no login in a window: {login}")
    system.run(purge)
    left = system.files() - before
    expect(not left, f"left behind: {left}")
    print(f"{suite}: installs, signs in without and with a window, and leaves no files")


def window_login(system):
    """Runs a login in a window at a provider that signs in without a form."""
    with tempfile.TemporaryDirectory() as folder:
        provider = Provider(pathlib.Path(folder))
        try:
            return system.run(
                f"{WITH_DISPLAY} tokentry login --issuer {provider.base} --client-id ID "
                "--redirect-uri https://app.example/done --way window --scope openid -v 2>&1")
        finally:
            provider.shutdown()
            provider.server_close()


def remote_desktop(folder, packages):
    """Lets FreeRDP sign in. Its release changes every day, so it is only a note if that cannot be installed."""
    try:
        system = System(folder, NEWEST, "sid")
        for path in [*packages, ROOT / "Tests/tools/remote-desktop.py"]:
            shutil.copy(path, system.folder / "root")
        # A mirror can be older than its lists allow.
        system.run("apt-get update -q -o Acquire::Check-Valid-Until=false")
        system.run(f"{INSTALL} freerdp-x11 ca-certificates openssl python3 xvfb dbus-daemon "
                   f"/root/{packages[0].name} /root/{packages[1].name}")
    except AssertionError as error:
        reason = " ".join(str(error).split())[-300:]
        print(f"note: passed only without FreeRDP of Debian {NEWEST}, which cannot be installed: {reason}")
        return
    system.run(f"dpkg -i /root/{packages[2].name}")
    said = system.run(f"cd /tmp && {WITH_DISPLAY} unshare --net python3 /root/remote-desktop.py /tmp/run")
    print(f"{NEWEST}: {said.splitlines()[-1]}")


def main():
    systems = "--systems" in sys.argv
    arguments = [word for word in sys.argv[1:] if word != "--systems"]
    built = str(pathlib.Path(arguments[0]).resolve())
    with tempfile.TemporaryDirectory(prefix="packages-") as folder:
        work = pathlib.Path(folder)
        without_crash_reports(work, built)
        installed(work, built)
        desktop_files()
        packages = made(work / "once", built)
        packaged(packages, work)
        print("the installation works and leaves no files; the packages have the right contents")
        if not systems:
            return
        for one, other in zip(packages, made(work / "twice", built)):
            expect(one.read_bytes() == other.read_bytes(), f"{one.name} is not reproducible")
        packages = made(work / "full")
        complete(work / "full", packages, built)
        for suite in arguments[1:] or [*SYSTEMS, NEWEST]:
            if suite == NEWEST:
                remote_desktop(work, packages)
            else:
                trial(work, suite, SYSTEMS[suite], packages)


if __name__ == "__main__":
    try:
        main()
    except AssertionError as error:
        sys.exit(str(error))
