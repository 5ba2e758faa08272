#!/bin/sh
# Makes two Debian packages of this tree: tokentry, and tokentry-window with its dependencies on GTK and WebKit. The
# build is reproducible.
set -eu

usage() {
  cat <<'USAGE'
usage: data/deb.sh [FOLDER]    puts the packages into FOLDER (default: .build/debian)

  BUILT               a folder with built programs (default: data/build.sh builds them)
  DEBFULLNAME         the maintainer's name
  DEBEMAIL            the maintainer's address
  COMPRESSION         none, gzip or xz (default: xz, which takes ten seconds)
  SOURCE_DATE_EPOCH   the time of all files (default: that of the last commit)
USAGE
}

case ${1-} in
  -h | --help) usage && exit ;;
  -*) usage >&2 && exit 2 ;;
esac
unset CDPATH
cd -- "$(dirname -- "$0")/.."
umask 022
export LC_ALL=C.UTF-8 TZ=UTC
target=${1-.build/debian}
mkdir -p "$target"
target=$(cd -- "$target" && pwd)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
built=${BUILT-}
[ -n "$built" ] || built=$(data/build.sh | tee /dev/stderr | tail -n 1)
version=$("$built/tokentry" --version | cut -d ' ' -f 2)
architecture=$(dpkg --print-architecture)
maintainer="${DEBFULLNAME-The Tokentry authors} <${DEBEMAIL-packages@tokentry.org}>"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# --- Files ---

both=$work/tokentry
window=$work/tokentry-window
BUILT=$built DESTDIR=$both PREFIX=/usr data/install.sh >/dev/null
rm "$both/usr/share/tokentry/manifest"

# Debian wants man pages compressed, and links to them to end in .gz as well.
compress_pages() {
  find "$1/usr/share/man" -type f -exec gzip -9n {} +
  find "$1/usr/share/man" -type l | while read -r page; do
    ln -s "$(readlink "$page").gz" "$page.gz"
    rm "$page"
  done
}
compress_pages "$both"

# move PATH...: moves files from the first package into the second.
move() {
  for path; do
    mkdir -p "$window/usr/${path%/*}"
    mv "$both/usr/$path" "$window/usr/$path"
  done
}
move libexec/tokentry/tokentry-window share/man/man1/tokentry-window.1.gz

documents() {
  folder=$work/$1/usr/share/doc/$1
  mkdir -p "$folder"
  cp data/debian/copyright "$folder/copyright"
  {
    printf 'tokentry (%s) unstable; urgency=medium\n\n' "$version"
    printf '  * See CHANGELOG.md.gz for changes that users notice.\n\n'
    printf ' -- %s  %s\n' "$maintainer" "$(date -R -d "@$SOURCE_DATE_EPOCH")"
  } | gzip -9n >"$folder/changelog.gz"
  gzip -9nc CHANGELOG.md >"$folder/CHANGELOG.md.gz"
}

# --- Dependencies ---

# loaded_later PROGRAM FILE: links FILE with the libraries that PROGRAM loads late, which its .note.dlopen names, and
# with the same functions, so that dpkg-shlibdeps finds them.
loaded_later() {
  objcopy --dump-section .note.dlopen="$work/note" "$1" /dev/null
  names=$(tr '\0' '\n' <"$work/note" | grep -ao '"soname":\["[^"]*"' | sed 's/.*"\([^"]*\)"$/-l:\1/')
  sed -n 's/^LATE([^,]*, \([A-Za-z_0-9]*\),.*/extern int \1(); void *use_\1 = \&\1;/p' \
    Sources/LateLibraries/*.c >"$work/late.c"
  # shellcheck disable=SC2086 # one argument for each library
  gcc -w -shared -fPIC -Wl,--no-as-needed -o "$2" "$work/late.c" $names
}

# libraries PROGRAM...: prints the packages that contain the programs' libraries.
libraries() {
  mkdir -p "$work/debian"
  printf 'Source: tokentry\n\nPackage: tokentry\nArchitecture: any\n' >"$work/debian/control"
  files=
  for program; do files="$files -e$(realpath "$program")"; done
  # Its warnings about symbols without a version are meant for libraries. Packed relocations need glibc 2.36.
  # shellcheck disable=SC2086 # one argument for each program
  (cd "$work" && dpkg-shlibdeps -O $files 2>/dev/null) \
    | sed 's/^shlibs:Depends=//; s/libc6 (>= 2\.\([0-9]\|[12][0-9]\|3[0-5]\)\(\.[0-9]*\)*)/libc6 (>= 2.36)/g'
}

# --- Packages ---

# package NAME DEPENDS: makes a package, with the rest of its control file from standard input.
package() {
  documents "$1"
  mkdir "$work/$1/DEBIAN"
  {
    printf 'Package: %s\nVersion: %s\nArchitecture: %s\n' "$1" "$version" "$architecture"
    printf 'Maintainer: %s\nSection: utils\nPriority: optional\n' "$maintainer"
    printf 'Installed-Size: %s\n' "$(size_of "$work/$1")"
    printf 'Depends: %s\n' "$2"
    cat
  } >"$work/$1/DEBIAN/control"
  (cd "$work/$1" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  find "$work/$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  dpkg-deb -Z"${COMPRESSION-xz}" --root-owner-group --build "$work/$1" "$target/$1_${version}_$architecture.deb"
}

# size_of FOLDER: prints its size in KiB, which is the same on every file system.
size_of() { find "$1" -type f -printf '%s\n' | awk '{ sum += int(($1 + 1023) / 1024) } END { print sum }'; }

loaded_later "$built/tokentry" "$work/late.so"
package tokentry "$(libraries "$built/tokentry" "$work/late.so")" <<'END'
Recommends: ca-certificates, tokentry-window
Suggests: gnome-keyring
Description: sign users in with OAuth on behalf of other programs
 An application starts tokentry when its user has to sign in. The user does so
 on the provider's own page, and one JSON object comes back: a token or an
 error. Tokentry handles the code grant with PKCE, OpenID Connect, device codes,
 refreshes and revocation.
 .
 Tokens can be kept in the keyring, for git, docker, mail programs and scripts.
 Tests of an application need neither a display nor a user.
 .
 This package uses the user's browser and device codes. The window that some
 providers need is in the package tokentry-window.
END
others='bubblewrap, xdg-dbus-proxy, glib-networking, fonts-dejavu-core | fonts-cantarell | fonts-noto-core'
package tokentry-window "tokentry (= $version), $(libraries "$built/tokentry-window"), $others" <<'END'
Recommends: adwaita-icon-theme
Description: sign users in with OAuth on behalf of other programs (window)
 An application starts tokentry when its user has to sign in.
 .
 This package contains the window in which tokentry shows the provider's page
 if no browser can bring the answer back. Pages run in WebKit's sandbox, and
 their data are not kept unless an application asks for that.
END
