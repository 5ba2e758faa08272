#!/bin/sh
# Builds the release, by default with Swift's runtime linked in. The last line printed is the folder with the programs.
set -eu

usage() {
  cat <<'USAGE'
usage: data/build.sh [PRODUCT...]    (both programs if none is named)

  CPPFLAGS, CFLAGS, LDFLAGS   further flags, for example those of dpkg-buildflags
  DEB_BUILD_OPTIONS           with nostrip the programs keep their symbols
  SWIFT_RUNTIME=dynamic       use the shared libraries of Swift, from the folder of this compiler
USAGE
}

case ${1-} in
  -h | --help) usage && exit ;;
  -*) usage >&2 && exit 2 ;;
  '') set -- tokentry tokentry-window ;;
esac
unset CDPATH
cd -- "$(dirname -- "$0")/.."

products=$*
set -- -c release --disable-local-rpath -Xlinker --icf=all
[ "${SWIFT_RUNTIME-static}" = dynamic ] || set -- "$@" --static-swift-stdlib
case " ${DEB_BUILD_OPTIONS-} " in
  *' nostrip '*) ;;
  *) set -- "$@" -Xlinker -s ;;
esac
# Swift does not understand the headers of glibc 2.40 or newer if functions are to be fortified.
for flag in ${CPPFLAGS-} ${CFLAGS-}; do
  case $flag in
    *_FORTIFY_SOURCE*) ;;
    *) set -- "$@" -Xcc "$flag" ;;
  esac
done
# Swift's compiler passes options to the linker itself: -Wl,-z,relro becomes -z relro.
for flag in ${LDFLAGS-}; do
  case $flag in
    -Wl,*) for word in $(echo "${flag#-Wl,}" | tr , ' '); do set -- "$@" -Xlinker "$word"; done ;;
    *) set -- "$@" -Xswiftc -Xclang-linker -Xswiftc "$flag" ;;
  esac
done

data/po/compile.sh .build/share/locale
# C++'s library for `tokentry`: see Package.swift.
mkdir -p .build/static
ln -sf "$(gcc -print-file-name=libstdc++.a)" .build/static
# All products have the same flags, so that what they share is compiled once.
for product in $products; do swift build --product "$product" "$@"; done
swift build --show-bin-path "$@"
