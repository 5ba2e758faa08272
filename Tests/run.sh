#!/bin/bash
# Runs everything that has to hold before a change goes in. Every part runs, whatever has failed before; the output of
# each is kept in Tests/results. How fast Tokentry is decides nothing here: Tests/bench.sh measures that.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: Tests/run.sh [--quick | --all]
       Tests/run.sh --long [PART...]

  --quick   lint, debug build and unit tests only: no stories, no windows, no release build
  --all     also every row of the tests, a moment of fuzzing, the release build, the stories on it, and packages of it
            that are installed in new systems of Debian 12 and 13 and Ubuntu 24.04; and examples in Go, Rust and Qt:
            takes many minutes more, the network, and root
  --long    every fault, sanitizers, soaking, fuzzing and benchmarks, or some of them: takes hours; see `--long --help`

The last line is "N passed, N failed": Swift tests and the other parts, which count as one each. What has failed is
named above it.
USAGE
}

quick=false all=false
group='test'
# What the checks of callers and packages are told.
languages=() systems=()
case ${1-} in
  '') ;;
  --quick) quick=true ;;
  --all)
    all=true group=all
    # A window takes most of a second of a processor: otherwise tests of many rows try those that tell most.
    export TOKENTRY_ALL_ROWS=1
    languages=(--all) systems=(--systems)
    ;;
  --long) exec "$(dirname "${BASH_SOURCE[0]}")/long.sh" "${@:2}" ;;
  -h | --help) usage && exit ;;
  *) usage >&2 && exit 2 ;;
esac

cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly logs=$PWD/Tests/results
mkdir -p "$logs"
rm -f "$logs"/*.log
# Messages that are looked for below must not be translated.
export LC_ALL=C.UTF-8
# Whatever a part puts there is gone with the part, which is looked at last.
TMPDIR=$(mktemp -d /tmp/tokentry.XXXXXX)
export TMPDIR
parts=18
if $quick; then parts=12; fi
if $all; then parts=22; fi
# shellcheck source=data/parts.sh
. data/parts.sh

# --- How a part is judged and counted ---

passed=0
failed=0

# SwiftPM is content with a filter that matches nothing.
judged() {
  local status=$2
  if grep -q 'Test run with 0 tests' "$1"; then status=1; fi
  echo "$status"
}

# A run of Swift tests counts as many as it had; a failure that names no test counts as one.
count() {
  local log=$1 status=$2 tests wrong
  tests=$(tests_in "$log")
  wrong=$(failed_tests "$log" | wc -l)
  if [ "$status" -ne 0 ] && [ "$wrong" -eq 0 ]; then wrong=1; fi
  : "${tests:=1}"
  failed=$((failed + wrong))
  passed=$((passed + (tests > wrong ? tests - wrong : 0)))
}

tests_in() { sed -n 's/.*Test run with \([0-9]*\) test.*/\1/p' "$1" | tail -n 1; }

failed_tests() { grep -E '^. Test .* failed after ' "$1" | grep -v 'Test run with' || true; }

# What is worth seeing of a part that passed.
note() {
  local tests rows
  tests=$(tests_in "$1")
  [ -z "$tests" ] || printf ': %s tests' "$tests"
  rows=$(rows_left_in "$1")
  [ "${rows:-0}" -eq 0 ] || printf '; %s rows of theirs are left to --all' "$rows"
}

# Those of tests with many rows that were not tried.
rows_left_in() { sed -n 's/^Rows that are left to Tests.run.sh --all: //p' "$1" | tail -n 1; }

# What went wrong in Swift or in its tests, and what a test says of that, else how the output ends.
complaints() {
  local found
  found=$(awk '
    /^(◇|✔|✘) / { told = 0 }
    /^[^ ]+ (Test|Suite) .* (recorded an issue|failed after) |error: |Fatal error|unexpected signal/ && !/^◇/ ||
      /(^|[0-9]: )warning: / && !/prohibited flag/ {
      print
      if (/ recorded an issue /) told = 30
      next
    }
    told-- > 0' "$1" | cut -c -400 | tail -n 90)
  if [ "$2" -eq 124 ]; then found+=$'\n'$(unfinished "$1" | head -n 30); fi
  if [ -n "$found" ]; then echo "$found"; else tail -n 20 "$1" | cut -c -400; fi
}

# The tests that have begun and not ended, where something went on for ever.
unfinished() {
  comm -23 <(tests_that 'started' "$1") <(tests_that '(passed|failed) after .*' "$1") \
    | sed 's/^/not ended: /'
}

tests_that() { sed -nE "s/^. Test (\".*\")( with [0-9]+ test cases?)? $1\.?\$/\\1/p" "$2" | sort -u; }

# What hangs is ended, so that it can be seen what it was: later where nobody else would end it, since a machine may be
# slow, or busy with something else. A part in the background has the signals ignored that a
# terminal sends, which its tests must not inherit.
patiently() { timeout --kill-after 10 "$([ -n "${CI-}" ] && echo 900 || echo 2700)" env --default-signal "$@"; }

# --- The end ---

# What ends the run without any part having failed, such as an interruption, is a failure as well.
finish() {
  local status=$? name
  trap - EXIT INT TERM
  stop_ticking
  end_all
  rm -rf "$TMPDIR"
  if [ -n "${CI-}" ]; then rm -f "$own_main"; fi
  printf '\n\n== Summary ==\n'
  for name in "${names[@]}"; do
    case ${outcome[$name]-interrupted} in
      ok) count "$(log_of "$name")" 0 ;;
      failed)
        count "$(log_of "$name")" "${status_of[$name]}"
        echo "failed: $name, see $(shown_log_of "$name")"
        failed_tests "$(log_of "$name")" | sed -E 's/^. Test /  /; s/ after [0-9.]+ seconds.*//'
        ;;
      *)
        failed=$((failed + 1))
        echo "${outcome[$name]-interrupted}: $name"
        ;;
    esac
  done
  if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi
  [ "$failed" -ne 0 ] || echo 'everything holds'
  echo "total time: $SECONDS s, logs: Tests/results"
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ] || exit 1
}
trap finish EXIT
trap 'exit 130' INT TERM

# --- The parts ---

format() { swift format lint --strict --recursive Sources Tests .ci Package.swift; }

scripts() {
  local found
  mapfile -t found < <(grep -rlE --exclude-dir=results '^#!/bin/(ba)?sh' .ci data Tests)
  shellcheck -x "${found[@]}" data/parts.sh && /usr/bin/python3 Tests/check-scripts.py
}

man_pages() {
  local pages
  mapfile -t pages < <(compgen -G 'data/man/*.?')
  [ "${#pages[@]}" -eq 0 ] || mandoc -T lint -W warning "${pages[@]}"
}

# Where SwiftPM finds a program that runs the tests in place of its own.
readonly own_main=Tests/XCTMain.swift

# The package turns warnings into errors; this also finds those of a target that forgot to, and of C. That
# SwiftPM does not pass on the -pthread of pkg-config is none of ours.
debug_build() {
  local whole=()
  # Where nothing is changed after the build each module is compiled as one and at once, and without what only debuggers
  # and editors read: half of the work, of which a change would leave nothing to be used again.
  if [ -n "${CI-}" ]; then
    cp .ci/XCTMain.swift "$own_main"
    whole=(
      --disable-index-store -debug-info-format none
      -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -disable-batch-mode
      -Xswiftc -no-emit-module-separately-wmo
      # What all files of a module need is written once, and not into the object of each.
      -Xswiftc -Xfrontend -Xswiftc -enable-single-module-llvm-emission
    )
  fi
  swift build --build-tests "${whole[@]}" \
    && ! grep -v 'prohibited flag' "$(log_of 'debug build')" | grep -E '(^|: )warning: '
}

release_build() { data/build.sh; }

# What needs nothing of the debug build takes what processors that leaves over, which are some at its beginning and at its
# end.
leftover() {
  renice -n 19 "$BASHPID" >/dev/null
  "$@"
}

# tests WIDTH ARGUMENT...: so many at once. Most tests wait for something most of the time. Were all of them under way
# at once, one that has seen what it waited for would go on when every other has had its turn, which may be too late
# for what comes next. This is the program that `swift test` starts; that one would wait for the release build, which
# goes on beside the tests.
tests() {
  patiently env SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="$1" \
    "$PWD/.build/debug/tokentryPackageTests.xctest" --testing-library swift-testing "${@:2}"
}

# Suites that open windows, each on a display of its own; logins at real servers, of which one fails at two at once;
# what waits on the main loop, of which a program has one; and what waits by the clock for a quarter of a minute and more.
# With the rest these would wait for their turn at its end, when there is nothing else to do meanwhile.
readonly windows='^WindowTests\.' servers='^InteropTests\.'
readonly loops='^(UserAgents|SoupNetwork|HTTPServer)Tests\.'
readonly waits='^ProgramTests\.(DeviceLogin|SchemeLogin|DesktopPortal|Deadline)Tests/'

# A refresh is what goes on whatever ends: there the release has a scheduler of its own.
stories_on_release() {
  TOKENTRY_EXECUTABLE=$PWD/.build/release/tokentry tests 8 \
    --filter "^StoryTests\.StoryTests|^ProgramTests\.(RefreshTests|KilledCallersTests/ends)"
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

# What SwiftPM puts into the temporary folder it leaves there.
nothing_left_behind() {
  local left
  for _ in 1 2 3 4; do
    left=$(find "$TMPDIR" -mindepth 1 -maxdepth 1 ! -name 'TemporaryDirectory.*' ! -name swift-generated-sources \
      ! -name '*.lock')
    [ -n "$left" ] || return 0
    sleep 1
  done
  xargs -d '\n' -I '{}' find '{}' <<<"$left" | head -n 40
  return 1
}

# after "BUILD" part|begin "NAME" COMMAND...: only if that could be built.
after() {
  if [ "${outcome[$1]}" = ok ]; then "${@:2}" || true; else not_run "$3" "the $1 failed"; fi
}


echo 'Everything that has to hold; what each part prints is kept in Tests/results.'
ticks=false part 'dependencies (installs what is missing)' data/dependencies.sh "$group" || true
begin 'format' leftover format
begin 'shell scripts' leftover scripts
part 'man pages' man_pages || true
part 'presets' /usr/bin/python3 Tests/check-schema.py || true
part 'translations' /usr/bin/python3 Tests/check-translations.py || true
part 'layers' /usr/bin/python3 Tests/check-layers.py || true
if ! $quick; then begin 'library' leftover /usr/bin/python3 Tests/check-library.py; fi
part 'debug build (the first time about 5 minutes)' debug_build || true
if $quick; then
  after 'debug build' part 'papers' /usr/bin/python3 Tests/check-papers.py
  after 'debug build' part 'unit tests' tests 8 --skip "^StoryTests\.|$windows|$servers"
else
  # What waits most of the time goes on beside what computes, and takes longest, so that it never waits for its turn.
  if $all; then begin 'release build (the first time about 3 minutes)' release_build; fi
  after 'debug build' begin 'tests with a window' tests 5 --filter "$windows"
  after 'debug build' begin 'tests without a window' tests 5 --skip "$windows|$servers|$loops|$waits"
  after 'debug build' begin 'tests on a main loop' tests 2 --filter "$loops"
  after 'debug build' begin 'tests with real servers' tests 1 --filter "$servers"
  after 'debug build' begin 'tests that wait' tests 4 --filter "$waits"
  after 'debug build' part 'papers' /usr/bin/python3 Tests/check-papers.py
  if $all; then after 'debug build' part 'fuzzing' Tests/fuzz.sh --jobs 1; fi
  after 'debug build' part 'callers' Tests/check-callers.py "${languages[@]}" .build/debug/tokentry
  if $all; then
    until_ended 'release build' || true
    if [ "${outcome[debug build]}" = ok ]; then
      after 'release build' part 'stories on release' stories_on_release
    else
      not_run 'stories on release' 'the debug build failed'
    fi
    built=$(tail -n 1 "$(log_of 'release build')")
    after 'release build' part 'packages' Tests/check-packages.py "${systems[@]}" "$built"
  fi
fi
for name in "${names[@]}"; do until_ended "$name" || true; done
part 'nothing left running' nothing_left || true
part 'nothing left in the temporary folder' nothing_left_behind || true
