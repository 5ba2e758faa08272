#!/bin/sh
# Makes Debian packages: copies this tree, puts data/debian into its place in the copy, and runs dpkg-buildpackage there.
set -eu

usage() {
  cat <<'USAGE'
usage: data/deb.sh [FOLDER [OPTION...]]    puts the packages into FOLDER (default: .build/debian)

  OPTION              for dpkg-buildpackage (default: -b; -S makes the source package)
  BUILT               a folder with programs that data/build.sh has made (default: builds them)
  SOURCE_DATE_EPOCH   the time of the packages (default: that of the last commit)
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
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- -b
mkdir -p "$target"
target=$(cd -- "$target" && pwd)
if [ -n "${BUILT-}" ]; then
  BUILT=$(cd -- "$BUILT" && pwd)
  export BUILT
fi
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
version=$(sed -n 's/.*let program = "\(.*\)"$/\1/p' Sources/tokentry/System/Version.swift)
archive=$target/tokentry_$version.orig.tar.xz
copy=$target/tokentry-$version

# The files of the tree without those that were built.
files() {
  if [ -e .git ]; then
    git ls-files -z --cached --others --exclude-standard
  else
    find . -name .build -prune -o ! -type d -print0
  fi
}

# The files of data/debian, with the values of data/home, and a changelog.
debian() {
  cp -R data/debian "$copy/debian"
  sed -n "s/^\([A-Z]*\)='\(.*\)'$/s|@\1@|\2|g/p" data/home | sed -i -f - \
    "$copy/debian/control" "$copy/debian/copyright" "$copy/debian/watch"
  {
    # Debian's own revisions begin with 1, so they replace ours.
    printf 'tokentry (%s-0upstream1) unstable; urgency=medium\n\n' "$version"
    printf '  * See CHANGELOG.md for changes that users notice.\n\n'
    printf ' -- %s  %s\n' "$(sed -n 's/^Maintainer: //p' "$copy/debian/control")" "$(date -R -d "@$SOURCE_DATE_EPOCH")"
  } >"$copy/debian/changelog"
}

rm -rf "$copy"
files | LC_ALL=C sort -z \
  | tar --create --xz --file "$archive" --no-recursion --ignore-failed-read --null --files-from - \
    --transform "s|^\(\./\)\?|tokentry-$version/|S" --mtime "@$SOURCE_DATE_EPOCH" --owner 0 --group 0 --numeric-owner
tar --extract --file "$archive" --directory "$target"
debian
cd "$copy"
# Outside of Debian's newest releases, the compiler comes from swift.org and not from a package.
dpkg-query -W swiftlang >/dev/null 2>&1 || export DEB_BUILD_PROFILES="${DEB_BUILD_PROFILES-} pkg.tokentry.toolchain"
dpkg-buildpackage --unsigned-source --unsigned-changes "$@"
cd "$target"
rm -rf "$copy"
