#!/bin/bash
# Runs the tests in builds that notice wrong uses of memory, leaks and races.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: Tests/sanitize.sh [--skip-build] [--continue] [--filter PATTERN] [address|thread|window]...

  address   tests without a window, with AddressSanitizer and, at the end of each program, LeakSanitizer
  thread    tests without a window, with ThreadSanitizer
  window    tests with a window, with AddressSanitizer
  --skip-build       use the previous builds
  --continue         skip the bundles of tests that have passed since the build, to continue an interrupted run
  --filter PATTERN   run only matching tests, without the table

Without a name, all three run. There are two complete builds, in .build/address and .build/thread, each of which takes
about ten minutes with two processors.

The programs that the tests start are of the same builds and write reports, too. Prints a table, which is kept in
Tests/results/sanitizers.md. Exits with status 1 if a test fails, or if there is a finding that is not in
Tests/sanitize/leaks.txt or Tests/sanitize/races.txt, which list those of other libraries.
USAGE
}

skips_build=false continues=false filter=''
while [ $# -gt 0 ]; do
  case $1 in
    --skip-build) skips_build=true ;;
    --continue) continues=true ;;
    --filter)
      [ $# -gt 1 ] || { usage >&2 && exit 2; }
      filter=$2
      shift
      ;;
    -h | --help) usage && exit ;;
    -*) usage >&2 && exit 2 ;;
    *) break ;;
  esac
  shift
done
if [ $# -eq 0 ]; then set -- address thread window; fi
for name; do
  case $name in address | thread | window) ;; *) usage >&2 && exit 2 ;; esac
done

unset CDPATH
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
readonly logs=$PWD/Tests/results results=$PWD/Tests/results/sanitize
mkdir -p "$results"
export LC_ALL=C.UTF-8 NO_COLOR=1
# The factor by which the tests extend their time limits.
export TOKENTRY_SLOWNESS=30
# build_of PART: the build that a part uses, named after its sanitizer.
build_of() { if [ "$1" = window ]; then echo address; else echo "$1"; fi; }

parts=$#
if ! $skips_build; then parts=$((parts + $(for name; do build_of "$name"; done | sort -u | wc -l))); fi
# shellcheck source=data/parts.sh
. data/parts.sh
trap end_all EXIT
trap 'exit 130' INT TERM

# --- Building ---

# The folder for the reports of a build's programs, which is compiled into them.
reports_of() { echo "$PWD/.build/$1/reports"; }

# Compiles the sanitizer's options for all programs of a build. The file is named after its content, so that a change makes
# SwiftPM link again.
options() {
  local kind=$1 suppressions=Tests/sanitize/leaks.txt object=.build/$1/options.o symbolizer compiler name
  local -a macros=()
  if [ "$kind" = thread ]; then suppressions=Tests/sanitize/races.txt macros=(-DOF_THREADS); fi
  # The toolchain's symbolizer understands the compiler's debug information.
  compiler=$(readlink -f "$(command -v swiftc)")
  symbolizer=${compiler%/*}/llvm-symbolizer
  mkdir -p ".build/$kind"
  gcc -c -O -Wall -Wextra -Werror -fPIC "${macros[@]}" "-DREPORTS=\"$(reports_of "$kind")/report\"" \
    "-DSYMBOLIZER=\"$symbolizer\"" "-DSUPPRESSIONS=\"$suppressions\"" -o "$object" Tests/sanitize/options.c
  if [ "$kind" = address ]; then
    gcc -c -O -Wall -Wextra -Werror -fPIC -o "$object.held" Tests/sanitize/held.c
    ld -r -o "$object.both" "$object" "$object.held"
    rm "$object.held"
    mv "$object.both" "$object"
  fi
  name=$PWD/.build/$kind/options-$(cksum <"$object" | cut -d ' ' -f 1).o
  mv "$object" "$name"
  echo "$name"
}

build() {
  local object
  object=$(options "$1")
  # Whole-module compilation, which is a quarter less work for a complete build. The linker warns about symbols that
  # AddressSanitizer cannot export.
  swift build --build-tests --scratch-path ".build/$1" --sanitize="$1" \
    -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 1 -Xswiftc -disable-batch-mode -Xlinker "$object" 2>&1 \
    | { grep -vE 'Cannot export local symbol|prohibited flag' || true; }
}

# --- Tests ---

# Tests that cannot pass with a sanitizer: the parts, a pattern, and the reason.
unfit() {
  cat <<'TABLE'
address thread|^ProgramTests\.CanaryTests/|search all memory of a program, of which a sanitizer maps terabytes
window|^WindowTests\.WindowTests/ExposureTests/|search all memory of a program, of which a sanitizer maps terabytes
window|^WindowTests\.WindowTests/DoctorTests/blank|need two windows within the doctor's nine seconds, which is too short with a sanitizer
address thread|^ProgramTests\.PoorEnvironmentTests/poor|limit the address space, of which a sanitizer needs terabytes
address thread|^ProgramTests\.StoryTests/poorStory|limit the address space, of which a sanitizer needs terabytes
address|^ProgramTests\.KeyringPromptTests/|leak in libsecret 0.20, which takes a prompt's answer twice in secret_service_real_prompt_finish
address|^ProgramTests\.KeyringTests/lockedCopy|leak in libsecret 0.20, which takes a prompt's answer twice in secret_service_real_prompt_finish
address|^ProgramTests\.SandboxedKeyringTests/portal|leak in libsecret 0.20, which loses the tag of its own file whenever it writes it
address thread|^ProgramTests\.EndPageTests/deadline|end a login within its page's five seconds, which is too short with a sanitizer
address thread|^PackageTests\.LinkageTests/coreLinksRuntimeOnly|link the build's objects without the sanitizer's runtime
thread|^ProgramTests\.DiskFaultTests/limited|limit the size of files, and ThreadSanitizer writes a large one
thread|^SecretStoreTests\.CrashTests/fullDisk|limit the size of files, and ThreadSanitizer writes a large one
TABLE
}

# bundles_of PART: the bundles of tests, how many tests run at once, and further options of the sanitizer. Fewer run at once
# than in Tests/run.sh, because each takes several times as long. Tests that only compute would take ten times as long with
# unwinding tables; our own code has frame pointers.
bundles_of() {
  local path bundle
  for path in Tests/*Tests; do
    bundle=${path#Tests/}
    case "$1 $bundle" in
      window\ WindowTests | window\ InteropTests) echo "$bundle 3" ;;
      window\ * | *\ WindowTests | *\ InteropTests) ;;
      thread\ *) echo "$bundle 3" ;;
      *\ LoginCoreTests | *\ WindowProtocolTests | *\ LanguageTests) echo "$bundle 8 fast_unwind_on_malloc=1" ;;
      *) echo "$bundle 4" ;;
    esac
  done
}

# run PART: runs its tests. Each bundle has a folder with its log and reports.
run() {
  local part=$1 kind places pattern reason bundle width options status=0
  local -a skips=()
  # All rows of the tests.
  if [ "$part" = window ]; then export TOKENTRY_ALL_ROWS=1; fi
  kind=$(build_of "$part")
  while IFS='|' read -r places pattern reason; do
    case " $places " in *" $part "*) ;; *) continue ;; esac
    skips+=(--skip "$pattern")
    echo "note: not run: $pattern: $reason"
  done < <(unfit)
  if [ -n "$filter" ]; then
    bundle "$kind" "$results/some" 4 '' --filter "$filter" "${skips[@]}" || status=1
    return "$status"
  fi
  while read -r bundle width options; do
    if ! $continues || ! has_passed "$results/$part/$bundle" "$kind"; then
      bundle "$kind" "$results/$part/$bundle" "$width" "$options" --filter "^$bundle\." "${skips[@]}" || status=1
    else
      cat "$results/$part/$bundle/log"
    fi
  done < <(bundles_of "$part")
  return "$status"
}

# has_passed FOLDER KIND: true if a bundle has passed with the current build.
has_passed() { [ "$1/passed" -nt "$(tests_of "$2")" ]; }

# bundle KIND FOLDER WIDTH OPTIONS ARGUMENT...: runs tests, with their log and reports in a folder.
bundle() {
  local kind=$1 folder=$2 width=$3 options=$4 reports status=0
  reports=$(reports_of "$kind")
  rm -rf "$reports" "$folder"
  mkdir -p "$reports" "$folder"
  # Some tests start a program as another user.
  chmod 1777 "$reports"
  ASAN_OPTIONS=$options TOKENTRY_REPORTS=$reports tests "$kind" "$width" "${@:5}" </dev/null 2>&1 | tee "$folder/log" || status=1
  mv "$reports" "$folder/reports"
  /usr/bin/python3 Tests/sanitize/reports.py "$folder" | tee -a "$folder/log" || status=1
  if [ "$status" -eq 0 ]; then touch "$folder/passed"; fi
  return "$status"
}

tests_of() { echo "$PWD/.build/$1/debug/tokentryPackageTests.xctest"; }

# tests KIND WIDTH ARGUMENT...: runs tests of a build, WIDTH at once, and ends them if they hang, so that the log shows which.
tests() {
  timeout --kill-after 10 5400 env --default-signal SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="$2" \
    "$(tests_of "$1")" --testing-library swift-testing "${@:3}"
}

# The errors of the build, the failures of tests, and the findings.
complaints() {
  grep -E '^. (Test|Suite) .* (recorded an issue|failed after )|error: |Fatal error|^[0-9]+ × ' "$1" \
    | grep -vE '^◇|× suppressed' | cut -c -400 | tail -n 40 || tail -n 20 "$1"
}

note() {
  local tests
  tests=$(sed -n 's/.*Test run with \([0-9]*\) test.*/\1/p' "$1" | paste -sd +)
  [ -z "$tests" ] || printf ': %s tests' "$((tests))"
}

# A filter that matches no test is a mistake.
judged() {
  local status=$2
  if grep -q 'Test run with 0 tests' "$1"; then status=1; fi
  echo "$status"
}

failed=0
ran=()
for name; do
  kind=$(build_of "$name")
  if ! $skips_build && [ -z "${outcome[build with $kind]-}" ]; then
    part "build with $kind" build "$kind" || true
  fi
  if [ "${outcome[build with $kind]-ok}" != ok ]; then
    not_run "tests of $name" 'the build failed'
    failed=1
  else
    part "tests of $name" run "$name" || failed=1
    ran+=("$name=$(log_of "tests of $name")")
  fi
done
if [ "${#ran[@]}" -gt 0 ] && [ -z "$filter" ]; then
  echo
  /usr/bin/python3 Tests/sanitize/reports.py --table "${ran[@]}" | tee "$logs/sanitizers.md"
fi
[ "$failed" -eq 0 ]
