#!/bin/sh
# Makes a release from a clean tag: the source tarball, the Debian packages and their checksums, in one folder.
set -eu

usage() {
  cat <<'USAGE'
usage: data/release.sh [FOLDER]    puts the release into FOLDER (default: .build/upload)

If FOLDER has that release already, the new one must have the same bytes.

  BUILT   a folder with programs that data/build.sh has made (default: builds them)
USAGE
}

fail() {
  echo "data/release.sh: $1" >&2
  exit 1
}

case ${1-} in
  -h | --help) usage && exit ;;
  -*) usage >&2 && exit 2 ;;
esac
[ $# -le 1 ] || { usage >&2 && exit 2; }
unset CDPATH
cd -- "$(dirname -- "$0")/.."
umask 022
export LC_ALL=C
version=$(sed -n 's/.*let program = "\(.*\)"$/\1/p' Sources/tokentry/System/Version.swift)
tag=v$version
[ -z "$(git status --porcelain)" ] || fail "there are changes that are not committed"
[ "$(git rev-parse HEAD)" = "$(git rev-parse --quiet --verify "$tag^{commit}")" ] || fail "this commit has no tag $tag"
grep -q "^## $version (....-..-..)\$" CHANGELOG.md || fail "CHANGELOG.md has no date for $version"
/usr/bin/python3 Tests/tools/check-translations.py --release >&2 || fail "the translations are not complete"
mkdir -p "${1-.build/upload}"
target=$(cd -- "${1-.build/upload}" && pwd)
new=$target/.new
rm -rf "$new"
# The time of the packages is that of the commit, so that it does not depend on the time of the build.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) data/deb.sh "$new" -F
cd "$new"
# These describe the machine and the time of the build.
rm -f ./*.buildinfo ./*.changes
sha256sum -- * >SHA256SUMS
if [ -e "$target/SHA256SUMS" ]; then
  diff "$target/SHA256SUMS" SHA256SUMS >&2 || fail "the bytes differ from those in $target; the new ones are in $new"
fi
mv -- * "$target"
cd "$target"
rmdir "$new"
cat SHA256SUMS
