#!/bin/bash
# Runs everything that has to hold before a change goes in; ends at the first part that fails.
# The output of each part is kept in Tests/results.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: Tests/run.sh [--quick]

  --quick   lint, debug build and unit tests only: no stories, no release build, no benchmarks

The last line is "N passed, N failed": Swift tests and the other parts, which count as one each.
USAGE
}

quick=false
case ${1-} in
  '') ;;
  --quick) quick=true ;;
  -h | --help) usage && exit ;;
  *) usage >&2 && exit 2 ;;
esac

cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly results=$PWD/Tests/results
mkdir -p "$results"
rm -f "$results"/*.log
# Messages that are looked for below must not be translated.
export LC_ALL=C.UTF-8
# Most tests wait for something most of the time. Were all of them under way at once, one that has seen what it waited
# for would go on when every other has had its turn, which may be too late for what comes next.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8

# --- How a part is run and counted ---

passed=0
failed=0

# What ends the run without any part having failed, such as an interruption, is a failure as well.
finish() {
  local status=$?
  if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi
  printf '\ntotal time: %s s, logs: Tests/results\n' "$SECONDS"
  echo "$passed passed, $failed failed"
}
trap finish EXIT

# part NAME COMMAND...: runs it under a heading, with its output in a log that is shown if it fails. Not in a
# pipe: a process left behind by a test would hold it open.
part() {
  local name=$1 log status=0 start=$SECONDS
  shift
  log=$results/${name// /-}.log
  printf '\n== %s ==\n' "$name"
  "$@" >"$log" 2>&1 </dev/null || status=$?
  # SwiftPM is content with a filter that matches nothing.
  if grep -q 'Test run with 0 tests' "$log"; then status=1; fi
  count "$log" "$status"
  if [ "$status" -ne 0 ]; then
    cat "$log"
    printf '\nFAILED: %s (status %s)\n' "$name" "$status"
    complaints "$log" "$status"
    exit 1
  fi
  summary "$log"
  echo "ok ($((SECONDS - start)) s)"
}

# A run of Swift tests counts as many as it had; a failure that names no test counts as one.
count() {
  local log=$1 status=$2 tests wrong
  tests=$(sed -n 's/.*Test run with \([0-9]*\) test.*/\1/p' "$log" | tail -n 1)
  wrong=$(grep -E '^. Test .* failed after ' "$log" | grep -cv 'Test run with' || true)
  if [ "$status" -ne 0 ] && [ "$wrong" -eq 0 ]; then wrong=1; fi
  : "${tests:=1}"
  failed=$((failed + wrong))
  passed=$((passed + (tests > wrong ? tests - wrong : 0)))
}

# What went wrong, once more at the end: of a long output often only that is kept.
complaints() {
  grep -v '^◇' "$1" \
    | grep -E '^. (Test|Suite) .* (recorded an issue|failed after) |error: |Fatal error|unexpected signal' \
    | cut -c -400 | tail -n 30 || true
  if [ "$2" -eq 124 ]; then unfinished "$1" | head -n 30; fi
}

# The tests that have begun and not ended, where something went on for ever.
unfinished() {
  comm -23 <(tests_that 'started' "$1") <(tests_that '(passed|failed) after .*' "$1") \
    | sed 's/^/not ended: /'
}

tests_that() { sed -nE "s/^. Test (\".*\")( with [0-9]+ test cases?)? $1\.?\$/\\1/p" "$2" | sort -u; }

# What hangs is ended, so that it can be seen what it was.
patiently() { timeout --kill-after 10 900 "$@"; }

# What is worth seeing of a part that passed: the verdict of Swift's tests and the figures of benchmarks.
summary() {
  case $1 in
    */benchmark-*) cat "$1" ;;
    *) grep -E 'Test run with|presets valid|examples of the README' "$1" || true ;;
  esac
}

# --- The parts. They run where `set -e` has no effect, so each joins its commands with && ---

format() { swift format lint --strict --recursive Sources Tests Package.swift; }

scripts() {
  local found
  mapfile -t found < <(grep -rlE --exclude-dir=results '^#!/bin/(ba)?sh' .ci data Tests)
  shellcheck "${found[@]}"
}

man_pages() {
  local pages
  mapfile -t pages < <(compgen -G 'data/man/*.?')
  [ "${#pages[@]}" -eq 0 ] || mandoc -T lint -W warning "${pages[@]}"
}

# The package turns warnings into errors; this also finds those of a target that forgot to, and of C. That
# SwiftPM does not pass on the -pthread of pkg-config is none of ours.
debug_build() {
  swift build --build-tests \
    && ! grep -v 'prohibited flag' "$results/debug-build.log" | grep -E '(^|: )warning: '
}

release_build() {
  swift build -c release --static-swift-stdlib --product tokentry \
    && swift build -c release --static-swift-stdlib --product tokentry-window \
    && swift build -c release --static-swift-stdlib --product parse-bench \
    && swift build -c release --static-swift-stdlib --product demo-server
}

# Programs of ours in this session: /proc shows these two fields even of those that hide from debuggers. One that
# has ended and is only waiting for its parent, which may be a slow init, is not running.
ours() {
  local session
  session=$(cut -d ' ' -f 6 "/proc/$$/stat")
  cat /proc/[0-9]*/stat 2>/dev/null \
    | sed -n "s/^\([0-9]*\) (\(tokentry[^)]*\)) [^ZX] [0-9]* [0-9]* $session .*/\1 \2/p" | sort
}

# What is about to end gets three seconds for it.
nothing_left() {
  local left
  for _ in 1 2 3 4; do
    left=$(comm -13 <(echo "$ours_before") <(ours)) && [ -n "$left" ] || return 0
    sleep 1
  done
  echo "still running: $left"
  return 1
}
ours_before=$(ours || true)

# Suites that open windows on displays of their own.
windows='WindowTests|WindowPageTests|InteropTests'

part "dependencies" data/dependencies.sh test
part "format" format
part "shell scripts" scripts
part "man pages" man_pages
part "presets" /usr/bin/python3 Tests/check-schema.py
part "debug build" debug_build
part "papers" /usr/bin/python3 Tests/check-papers.py
if $quick; then
  part "unit tests" patiently swift test --skip-build --skip "StoryTests|$windows"
else
  # By themselves: what is measured in one half must not wait for the other.
  part "tests without a window" patiently swift test --skip-build --skip "$windows"
  part "tests with a window" patiently swift test --skip-build --filter "$windows"
  part "release build" release_build
  release=$(swift build -c release --show-bin-path 2>/dev/null)
  part "stories on release" \
    patiently env TOKENTRY_EXECUTABLE="$release/tokentry" swift test --skip-build --filter StoryTests
  part "benchmark of the version" /usr/bin/python3 Tests/bench/version.py "$release/tokentry" "$results"
  part "benchmark of the parser" "$release/parse-bench"
  part "benchmark of a kept token" /usr/bin/python3 Tests/bench/token.py "$release/tokentry"
  part "benchmark of a headless login" \
    /usr/bin/python3 Tests/bench/headless.py "$release/tokentry" "$release/demo-server"
  part "benchmark of the window" /usr/bin/python3 Tests/bench/window.py "$release/tokentry" "$results"
fi
part "nothing left running" nothing_left
