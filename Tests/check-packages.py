#!/usr/bin/python3
"""Looks at what was built, installs it, as users and packagers do, and looks at what is there and at what is left
afterwards.

usage: check-packages.py [--systems] FOLDER    (of the programs that are built for release)

With --systems the packages are also made twice, looked at by lintian, and installed in new systems of Debian 12 and 13
and Ubuntu 24.04, where they sign in with and without a window; that takes minutes, the network, and root.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests/papers"))

from provider import Provider

# What a package may weigh on the disk: the programs, stripped, in bytes.
LIMITS = {"usr/bin/tokentry": 9_000_000, "usr/libexec/tokentry/tokentry-window": 8_500_000}
LINKS = ["git-credential-tokentry", "docker-credential-tokentry", "bazel-credential-tokentry",
         "terraform-credentials-tokentry", "freerdp-webview-aad-helper"]
# What the systems are called, and which script of debootstrap knows them and where they are: it is older than some.
SYSTEMS = {"bookworm": "sid", "trixie": "sid", "noble": "gutsy"}
TOOLKITS = re.compile(r"libgtk|libwebkit|libjavascriptcore|libx11|libwayland")


def run(command, **options):
    """What a command prints; its status has to be 0."""
    shell = isinstance(command, str)
    done = subprocess.run(command, shell=shell, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          stdin=subprocess.DEVNULL, check=False, **options)
    if done.returncode:
        raise AssertionError(f"{command} ends with {done.returncode}:\n{done.stdout[-3000:]}")
    return done.stdout


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def files_below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


# --- data/build.sh ---

def without_debugging(built):
    """Programs that nothing of Swift's runtime looks into, whatever the environment asks for, and with one scheduler."""
    for name in ("tokentry", "tokentry-window"):
        program = pathlib.Path(built, name)
        told = {"SWIFT_BACKTRACE": "nonsense=1", "HOME": "/nonexistent", "PATH": "/usr/bin:/bin"}
        done = subprocess.run([program, "--version"], env=told, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              check=False)
        expect(done.stdout and not done.stderr, f"{name} reads what Swift's crash reports should be: {done.stderr}")
        expect(b"com.apple.root." not in program.read_bytes(), f"{name} has libdispatch inside")
        sections = run(["readelf", "--section-headers", "--wide", program])
        flags = [line.split("]")[1].split()[6] for line in sections.splitlines() if re.search(r"\] \.rodata\s", line)]
        expect(flags and "W" not in flags[0], f"{name} could change its constants: {flags}")
    expect(b"/proc/self/maps" not in pathlib.Path(built, "tokentry").read_bytes(),
           "tokentry looks for its arguments in a list of its memory")


# --- data/install.sh ---

def installed(work, built):
    """A user's own prefix, with what was there before."""
    prefix = work / "with space" / "usr"
    kept = prefix / "share/man/man1/other.1"
    kept.parent.mkdir(parents=True)
    kept.write_text("")
    before = files_below(prefix)
    environment = {"PATH": f"{prefix}/bin:/usr/bin:/bin", "HOME": str(work), "PREFIX": str(prefix), "BUILT": built}
    script = [ROOT / "data/install.sh"]
    for _ in range(2):  # the second time over the first
        run(script, env=environment)
    program = [prefix / "bin/tokentry"]
    expect('"access_token"' in run([*program, "--headless-test"], env=environment), "no headless test")
    expect(f'"file":"{prefix}/share/tokentry/providers/vk.json"' in run([*program, "providers"], env=environment),
           "the presets are elsewhere")
    for name in LINKS:
        expect((prefix / "bin" / name).resolve() == prefix / "bin/tokentry", f"{name} leads elsewhere")
        expect((prefix / f"share/man/man1/{name}.1").exists(), f"{name} has no page")
    expect((prefix / "libexec/tokentry/keyring/keyring").resolve() == prefix / "bin/tokentry", "keyring leads elsewhere")
    spoken(program, environment)
    completed(prefix, environment)
    run([*script, "--uninstall"], env=environment)
    expect(files_below(prefix) == before, f"left behind: {set(files_below(prefix)) - set(before)}")
    try:
        run([*script, "--uninstall"], env=environment)
        raise LookupError("uninstalling twice succeeds")
    except AssertionError:
        pass


def spoken(program, environment):
    """Every language that there is a catalogue of, and no other, is found where it was installed."""
    def refusal(language):
        variables = {**environment, "LC_ALL": "C.UTF-8", "LANGUAGE": language}
        return subprocess.run([*program, "accuonts"], env=variables, capture_output=True, text=True, check=False).stderr
    english = refusal("nds")
    for language in (ROOT / "data/po/LINGUAS").read_text(encoding="utf-8").split():
        expect(refusal(language) not in ("", english), f"what is installed does not speak {language}")
    expect(refusal("en:de") == english, "who wants English gets German")


def completed(prefix, environment):
    """What shells offer, as far as they are there."""
    script = prefix / "share/bash-completion/completions/tokentry"
    ask = ('. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tokentry tokentry "${@: -1}" "";'
           'printf "%s\\n" "${COMPREPLY[@]}"')
    store = ["tokentry", "token", "--store", f"file:{prefix}/none"]
    for words, offered in (
        (["tokentry", "log"], ["login", "logout"]),
        (["tokentry", "login", "--agent", "b"], ["browser"]),
        (["tokentry", "login", "--agent", "=", "w"], ["window"]),
        (["tokentry", "login", "--provider", "vk"], ["vk", "vkid", "vkid-public-info"]),
        (["tokentry", "providers", "vki"], ["vkid", "vkid-public-info"]),
        (["tokentry", "token", "--store", "key"], ["keyring"]),
        (["tokentry", "token", "--sto"], ["--store"]),
        ([*store, "--account", ""], [""]),
    ):
        found = run(["bash", "-c", ask, "-", script, *words], env=environment).split("\n")[:-1]
        expect(found == offered, f"bash offers {found} for {words}")
    if shutil.which("fish"):
        ask = f"source '{prefix}/share/fish/vendor_completions.d/tokentry.fish'; complete -C 'tokentry login --agent w'"
        expect(run(["fish", "-c", ask], env=environment) == "window\n", "fish offers something else")
    if shutil.which("zsh"):
        run(["zsh", "-n", prefix / "share/zsh/site-functions/_tokentry"], env=environment)


def desktop_files():
    """The validators of freedesktop.org, and the names on which everything hangs."""
    folder, name = ROOT / "data/desktop", "org.tokentry.Tokentry"
    run(["desktop-file-validate", folder / f"{name}.desktop"])
    run(["appstreamcli", "validate", "--no-net", folder / f"{name}.metainfo.xml"])
    metadata = (folder / f"{name}.metainfo.xml").read_text(encoding="utf-8")
    for picture in re.findall(r"<image>.*/(images/.*)</image>", metadata):
        expect((ROOT / "data" / picture).exists(), f"there is no {picture}")
    version = re.search(r'program = "(.*)"', (ROOT / "Sources/tokentry/Process/Version.swift").read_text()).group(1)
    expect(f'<release version="{version}"' in metadata, f"the metadata do not know {version}")
    icons = ROOT / "data/icons/hicolor"
    symbolic = (icons / f"symbolic/apps/{name}-symbolic.svg").read_text(encoding="utf-8")
    page = (ROOT / "Sources/UserAgents/Browser/EndPage.swift").read_text(encoding="utf-8").replace("\\\n    ", "")
    shape = re.search(r' d="([^"]*)"', symbolic).group(1)
    expect(shape in page, "the browser's last page has another icon")
    for icon in icons.rglob("*.svg"):
        run(["convert", "-background", "none", icon, "-resize", "16x16", "null:"])


# --- data/deb.sh ---

def made(target, built, compression):
    environment = {**os.environ, "BUILT": built, "COMPRESSION": compression, "SOURCE_DATE_EPOCH": "1800000000"}
    run([ROOT / "data/deb.sh", target], env=environment)
    packages = sorted(target.glob("*.deb"), key=lambda path: path.name.split("_"))
    expect([path.name.split("_")[0] for path in packages] == ["tokentry", "tokentry-window"], f"there are {packages}")
    return packages


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
                expect(size <= limit, f"{path} has {size} bytes, and {limit} at most")
        for path in contents[name]:
            expect(path.startswith("usr/"), f"{path} is in {name}")
    expect(not contents["tokentry"] & contents["tokentry-window"], "both packages have the same file")
    depends = run(["dpkg-deb", "-f", packages[0], "Depends"])
    expect(not TOOLKITS.search(depends), f"tokentry depends on {depends}")
    for library in ("libsoup-3.0-0", "libgnutls30", "libxml2", "libqrencode4", "libsecret-1-0", "libc6 (>= 2.36)"):
        expect(library in depends, f"tokentry does not depend on {library}")
    depends = run(["dpkg-deb", "-f", packages[1], "Depends"])
    for package in ("libwebkit2gtk-4.1-0", "libgtk-3-0", "glib-networking", "fonts-dejavu-core", "bubblewrap"):
        expect(package in depends, f"tokentry-window does not depend on {package}")


# --- Other systems ---

class System:
    """A new system in a folder, with a mount namespace of its own: WebKit's sandbox needs a root that is one."""

    ENTER = ('mount --bind "$0" "$0" && cd "$0" && mount -t proc proc proc && mount --rbind /dev dev && mount --rbind /sys sys && '
             'mount -t tmpfs tmpfs tmp && pivot_root . mnt && umount -l mnt && exec /bin/sh -ec "$1"')

    def __init__(self, folder, suite, script):
        self.folder = folder / suite
        # Debian does not have Ubuntu's keys.
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
        """All of them but what package managers and programs keep for themselves."""
        return set(self.run("find / -xdev -path /proc -prune -o -path /var -prune -o -path /tmp -prune -o "
                            "-path /root -prune -o -path /run -prune -o -path /dev -prune -o -print").splitlines())


def trial(folder, suite, script, packages):
    system = System(folder, suite, script)
    for package in packages:
        shutil.copy(package, system.folder / "root")
    install = "apt-get install -q -y --no-install-recommends"
    system.run("apt-get update -q")
    # What they depend on stays, so that what is left afterwards is theirs.
    for package in packages:
        system.run(f"{install} /root/{package.name}")
    system.run(f"{install} xvfb dbus-daemon; dpkg --purge tokentry-window tokentry")
    before = system.files()
    system.run(f"dpkg -i /root/{packages[0].name}")
    expect('"access_token"' in system.run("tokentry --headless-test"), "no headless test")
    system.run(f"dpkg -i /root/{packages[1].name}")
    added = system.files() - before
    expect("/usr/bin/tokentry" in added, "tokentry is not there")
    login = window_login(system)
    expect('"access_token":"access-' in login, f"no login in a window: {login}")
    system.run("dpkg --purge tokentry-window tokentry")
    left = system.files() - before
    expect(not left, f"left behind: {left}")
    print(f"{suite}: installs, signs in without and with a window, and leaves nothing")


def window_login(system):
    """A provider outside lets everybody through, so that nobody has to type."""
    with tempfile.TemporaryDirectory() as folder:
        provider = Provider(pathlib.Path(folder))
        try:
            return system.run(
                "export XDG_RUNTIME_DIR=/tmp/run && mkdir -m 700 /tmp/run && (Xvfb :77 -nolisten tcp >/dev/null 2>&1 &) && "
                "for _ in 1 2 3 4 5 6 7 8 9; do [ -e /tmp/.X11-unix/X77 ] || sleep 1; done && "
                f"DISPLAY=:77 timeout 100 dbus-run-session tokentry login --issuer {provider.base} --client-id ID "
                "--redirect-uri https://app.example/done --agent window --scope openid -v 2>&1")
        finally:
            provider.shutdown()
            provider.server_close()


def main():
    systems = "--systems" in sys.argv
    arguments = [word for word in sys.argv[1:] if word != "--systems"]
    built = str(pathlib.Path(arguments[0]).resolve())
    with tempfile.TemporaryDirectory(prefix="packages-") as folder:
        work = pathlib.Path(folder)
        without_debugging(built)
        installed(work, built)
        desktop_files()
        packages = made(work / "once", built, "xz" if systems else "none")
        packaged(packages, work)
        print("what is installed works, and nothing of it is left; the packages hold what they should")
        if not systems:
            return
        for one, other in zip(packages, made(work / "twice", built, "xz")):
            expect(one.read_bytes() == other.read_bytes(), f"{one.name} differs from one time to the next")
        # Not all that it puts into the folder for temporary files is gone when it ends.
        run(["lintian", "--allow-root", "--fail-on", "error,warning", *packages], env={**os.environ, "TMPDIR": folder})
        for suite in arguments[1:] or SYSTEMS:
            trial(work, suite, SYSTEMS[suite], packages)


if __name__ == "__main__":
    try:
        main()
    except AssertionError as error:
        sys.exit(str(error))
