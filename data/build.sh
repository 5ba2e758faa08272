#!/bin/sh
# Builds what is released: with Swift's runtime inside, as small as the compiler can make it, and without a search path
# of its own. The last line is the folder in which it is.
set -eu

usage() { echo 'usage: data/build.sh [PRODUCT...]    (both programs if none is named)'; }

case ${1-} in
  -h | --help) usage && exit ;;
  -*) usage >&2 && exit 2 ;;
  '') set -- tokentry tokentry-window ;;
esac
cd "$(dirname "$0")/.."

# Every module asks for the engine of regular expressions unless it is told not to, and the runtime has no other part
# that is as large and is not used. Code is small rather than fast, but where every byte of what comes from outside is
# looked at: functions that do that say so (@_optimize(speed)). Functions that are the same are there once: nothing asks
# whether two of them are one. Those that run whenever a program is used stand side by side, so that few pages are read
# for them: Tests/bench/order.py has seen which they are. A map says where everything is.
build() {
  swift build -c release --static-swift-stdlib --disable-local-rpath -Xswiftc -Osize \
    -Xswiftc -Xfrontend -Xswiftc -disable-implicit-string-processing-module-import \
    -Xswiftc -use-ld=lld -Xlinker --no-eh-frame-hdr -Xlinker -O2 -Xlinker --icf=all \
    -Xlinker -T -Xlinker "$PWD/data/build.ld" -Xlinker --no-demangle "$@"
}

data/po/compile.sh .build/share/locale
# All tasks of both programs run on GLib's main loop: what the runtime asks of libdispatch is done there as well.
swift build -c release --target MainLoopDispatch
folder=$(swift build -c release --show-bin-path)
dispatch=$folder/MainLoopDispatch.build/dispatch.c.o
# The library of C++ is inside as well, where there is one for that: half of what the loader does at a start is done for it.
# The window loads it in any case, with WebKit.
archive() { gcc -print-file-name="$1"; }
for product in "$@"; do
  set -- --product "$product" -Xlinker "-Map=$PWD/.build/$product.map"
  case $product in
    tokentry | tokentry-window) set -- "$@" -Xlinker "--remap-inputs=*/libdispatch.a=$dispatch" ;;
  esac
  if [ -f "data/order/$product" ]; then
    set -- "$@" -Xlinker --no-warn-symbol-ordering -Xlinker "--symbol-ordering-file=$PWD/data/order/$product"
  fi
  if [ "$product" = tokentry ] && [ -f "$(archive libstdc++.a)" ]; then
    set -- "$@" -Xlinker "--remap-inputs=*/libstdc++.so=$(archive libstdc++.a)" \
      -Xlinker "--remap-inputs=*/libgcc_s.so=$(archive libgcc_eh.a)"
  fi
  # SwiftPM does not know that what is linked depends on these.
  if [ -n "$(find data/build.ld data/order "$dispatch" -newer "$folder/$product" 2>/dev/null)" ]; then
    rm "$folder/$product"
  fi
  build "$@"
done
echo "$folder"
