#!/bin/bash
# Runs the tests in builds that notice wrong uses of memory, what is never freed, and races of threads.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: Tests/sanitize.sh [--skip-build] [--continue] [--filter PATTERN] [address|thread|window]...

  address   tests without a window, with AddressSanitizer, and with LeakSanitizer where a program ends
  thread    tests without a window, with ThreadSanitizer
  window    tests with a window, with AddressSanitizer
  --skip-build       with what was built before
  --continue         without the bundles of tests that have passed since they were built, so that a run can be interrupted
  --filter PATTERN   only tests whose names match; that changes no table

Without a name: all three. Each of the two builds is one of all sources, in .build/address and .build/thread: about ten
minutes with two processors. The tests take longer than without a sanitizer, by how much the table tells.

The programs that the tests start are of the same build, and write down what is found as the tests do. Ends with a table,
which is kept in Tests/results/sanitizers.md; with status 1 if something was found that is not in Tests/sanitize/leaks.txt
or Tests/sanitize/races.txt, which are about other people's libraries alone, or if a test failed.
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

cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly logs=$PWD/Tests/results results=$PWD/Tests/results/sanitize
mkdir -p "$results"
export LC_ALL=C.UTF-8 NO_COLOR=1
# How many times as long as without a sanitizer a test may take.
export TOKENTRY_SLOWNESS=30
# build_of PART: the build that a part runs on, which has the name of its sanitizer.
build_of() { if [ "$1" = window ]; then echo address; else echo "$1"; fi; }

parts=$#
if ! $skips_build; then parts=$((parts + $(for name; do build_of "$name"; done | sort -u | wc -l))); fi
# shellcheck source=data/parts.sh
. data/parts.sh
trap end_all EXIT
trap 'exit 130' INT TERM

# --- Building ---

# Where the programs of a build write down what is found: they have been told so when they were linked.
reports_of() { echo "$PWD/.build/$1/reports"; }

# What each program of a build asks of its sanitizer. Its name tells what is in it, so that another one is linked anew.
options() {
  local kind=$1 suppressions=Tests/sanitize/leaks.txt object=.build/$1/options.o symbolizer compiler name
  local -a macros=()
  if [ "$kind" = thread ]; then suppressions=Tests/sanitize/races.txt macros=(-DOF_THREADS); fi
  # The toolchain's own understands what its compiler has written.
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
  # Each module as one, which is a quarter less work: what is changed is rarely built again.
  # The linker's words are about what AddressSanitizer wants to have exported and has not.
  swift build --build-tests --scratch-path ".build/$1" --sanitize="$1" \
    -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 1 -Xswiftc -disable-batch-mode -Xlinker "$object" 2>&1 \
    | { grep -vE 'Cannot export local symbol|prohibited flag' || true; }
}

# --- Tests ---

# Tests that cannot hold: in which parts, which, and why.
unfit() {
  cat <<'TABLE'
address thread|^ProgramTests\.CanaryTests/|look for secrets in all memory of a program, of which a sanitizer maps terabytes
window|^WindowTests\.WindowTests/ExposureTests/|look for secrets in all memory of a program, of which a sanitizer maps terabytes
window|^WindowTests\.WindowTests/DoctorTests/blank|wait for two windows in the nine seconds that a doctor has for them, in which a sanitizer does not get that far
address thread|^ProgramTests\.PoorEnvironmentTests/poor|give a program too few addresses for what a sanitizer maps
address thread|^StoryTests\.StoryTests/poorStory|give a program too few addresses for what a sanitizer maps
address|^ProgramTests\.KeyringPromptTests/|end with a leak: libsecret 0.20 takes the answer to a prompt twice, in secret_service_real_prompt_finish
address|^ProgramTests\.KeyringTests/lockedCopy|end with a leak: libsecret 0.20 takes the answer to a prompt twice, in secret_service_real_prompt_finish
address|^ProgramTests\.SandboxedKeyringTests/portal|end with leaks of libsecret 0.20, which forgets the tag of its own file whenever it has written that
address thread|^ProgramTests\.EndPageTests/deadline|end a login in the five seconds for which its page waits, in which a sanitizer does not get that far
address thread|^PackageTests\.LinkageTests/coreLinksRuntimeOnly|link objects of a build without the sanitizer that is in them
thread|^ProgramTests\.DiskFaultTests/limited|limit all files, one of which ThreadSanitizer maps for its notes about constants
thread|^SecretStoreTests\.CrashTests/fullDisk|limit all files, one of which ThreadSanitizer maps for its notes about constants
TABLE
}

# bundles_of PART: which tests go together, how many at once, and what they ask of their sanitizer beside the rest. There are
# fewer at once than Tests/run.sh has, since each takes several times as long. To find out with unwinding tables who has
# allocated what takes ten times as long where tests only compute, and ours have frame pointers.
bundles_of() {
  local path bundle
  for path in Tests/*Tests; do
    bundle=${path#Tests/}
    case "$1 $bundle" in
      window\ WindowTests | window\ InteropTests) echo "$bundle 3" ;;
      window\ * | *\ WindowTests | *\ InteropTests) ;;
      thread\ *) echo "$bundle 3" ;;
      *\ LoginCoreTests | *\ LoginWaysTests | *\ WordingTests) echo "$bundle 8 fast_unwind_on_malloc=1" ;;
      *) echo "$bundle 4" ;;
    esac
  done
}

# run PART: its tests, with what they and their programs write down in a folder for each bundle.
run() {
  local part=$1 kind places pattern reason bundle width options status=0
  local -a skips=()
  # Once, and so with every row.
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

# has_passed FOLDER KIND: whether the tests of a folder have, with the programs that are there now.
has_passed() { [ "$1/passed" -nt "$(tests_of "$2")" ]; }

# bundle KIND FOLDER WIDTH OPTIONS ARGUMENT...: some tests, with their log and reports in a folder.
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

# tests KIND WIDTH ARGUMENT...: so many at once of a build. What hangs is ended, so that it can be seen what it was.
tests() {
  timeout --kill-after 10 5400 env --default-signal SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="$2" \
    "$(tests_of "$1")" --testing-library swift-testing "${@:3}"
}

# What went wrong in the build or in tests, and what was found.
complaints() {
  grep -E '^. (Test|Suite) .* (recorded an issue|failed after )|error: |Fatal error|^[0-9]+ × ' "$1" \
    | grep -vE '^◇|× suppressed' | cut -c -400 | tail -n 40 || tail -n 20 "$1"
}

note() {
  local tests
  tests=$(sed -n 's/.*Test run with \([0-9]*\) test.*/\1/p' "$1" | paste -sd +)
  [ -z "$tests" ] || printf ': %s tests' "$((tests))"
}

# SwiftPM is content with a filter that matches nothing, and so are the tests.
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
