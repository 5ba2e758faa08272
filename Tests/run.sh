#!/bin/bash
# Runs every check that a change has to pass. All parts run even if one fails, and Tests/results keeps their output. Speed
# is not checked here: Tests/tools/bench.py measures it.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: Tests/run.sh [core | program | windows | --all]
       Tests/run.sh --record
       Tests/run.sh --long [PART...]

  core      format, layers, and the tests of LoginCore and the other targets that need no library of the system
  program   documents, scripts, the library, and all tests without a window that are not in core
  windows   the tests with a window
  --all     also all rows of the tests, the release build with the stories, its packages installed in new systems of
            Debian 12 and 13 and Ubuntu 24.04, FreeRDP of Debian sid, and the examples in Go, Rust and Qt; takes many
            minutes longer and needs the network and root
  --record  writes what the tests compare with anew: the help, the schema of options, the list of public symbols, the
            catalogues and the table of presets. Look at the difference before you commit it
  --long    all injected faults, sanitizers, soaking, fuzzing and benchmarks, or some of them; takes hours, see
            `--long --help`

Without a word, the three parts run beside each other with one build. The last line is "N passed, N failed". It counts Swift
tests, and each other part as one. Failures are listed above it, and so are tests that passed only at their second try.
USAGE
}

all=false record=false
chosen='core program windows'
group='test'
# Options for the checks of callers and packages.
languages=() systems=()
case ${1-} in
  '') ;;
  core | program | windows) chosen=$1 ;;
  --all)
    all=true group=all
    # All rows of tests with large tables, which otherwise try only the rows that differ most.
    export TOKENTRY_ALL_ROWS=1
    languages=(--all) systems=(--systems)
    ;;
  --record) record=true ;;
  --long) exec "$(dirname "${BASH_SOURCE[0]}")/tools/long.sh" "${@:2}" ;;
  -h | --help) usage && exit ;;
  *) usage >&2 && exit 2 ;;
esac

# runs PART: true if the part was chosen.
runs() { case " $chosen " in *" $1 "*) ;; *) return 1 ;; esac; }

unset CDPATH
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
if $record; then
  swift build --build-tests
  TOKENTRY_RECORD_SNAPSHOTS=1 .build/debug/tokentryPackageTests.xctest --testing-library swift-testing \
    --filter '^(tokentryTests|LoginKitTests\.ShippedPresetsTests)\.' 2>&1 | grep -o 'recorded [^:]*' || true
  /usr/bin/python3 Tests/tools/check-library.py --record || true
  /usr/bin/python3 Tests/tools/check-translations.py --record
  /usr/bin/python3 Tests/tools/support/lists.py
  git status --short
  exit
fi
readonly logs=$PWD/Tests/results
mkdir -p "$logs"
rm -f "$logs"/*.log "$logs"/*Tests.*
# The checks take nothing else from the developer's environment. Downloads may need a proxy; servers of tests do not.
mapfile -t kept < <(sed -n 's/^"\(.*\)",$/\1/p' Tests/Environment/kept.h)
for name in $(compgen -e); do
  for pattern in "${kept[@]}" PWD CI '*_proxy' '*_PROXY' '*_CA_BUNDLE' 'SSL_CERT_*'; do
    # shellcheck disable=SC2053 # a pattern
    if [[ $name == $pattern ]]; then continue 2; fi
  done
  unset "$name"
done
export no_proxy=127.0.0.1,localhost
# The functions below look for messages in English.
export LC_ALL=C.UTF-8
# The last part checks that all parts have removed their temporary files.
TMPDIR=$(mktemp -d /tmp/tokentry.XXXXXX)
export TMPDIR
parts=19
case $chosen in core) parts=6 ;; program) parts=16 ;; windows) parts=5 ;; esac
if $all; then parts=22; fi
# shellcheck source=data/parts.sh
. data/parts.sh

# --- Outcome and count of a part ---

passed=0
failed=0

# A filter that matches no test is a mistake.
judged() {
  local status=$2
  if grep -q 'Test run with 0 tests' "$1"; then status=1; fi
  echo "$status"
}

# Counts the tests of a run. A failure without the name of a test counts as one.
count() {
  local log=$1 status=$2 tests wrong
  tests=$(tests_in "$log")
  # A test may have passed at its second try.
  if [ "$status" -eq 0 ]; then wrong=0; else wrong=$(failed_tests "$log" | wc -l); fi
  if [ "$status" -ne 0 ] && [ "$wrong" -eq 0 ]; then wrong=1; fi
  : "${tests:=1}"
  failed=$((failed + wrong))
  passed=$((passed + (tests > wrong ? tests - wrong : 0)))
}

tests_in() { sed -n 's/^. Test run with \([0-9]*\) test.*/\1/p' "$1" | tail -n 1; }

failed_tests() { grep -E '^. Test .* failed after ' "$1" | grep -v 'Test run with' || true; }

# The note behind a part that passed.
note() {
  local tests rows
  tests=$(tests_in "$1")
  [ -z "$tests" ] || printf ': %s tests' "$tests"
  rows=$(rows_left_in "$1")
  [ "${rows:-0}" -eq 0 ] || printf '; %s more rows with --all' "$rows"
}

# The number of rows that were not tried.
rows_left_in() { sed -n 's/^Rows that are left to Tests.run.sh --all: //p' "$1" | tail -n 1; }

# The errors of Swift and the issues of its tests, or the end of the output.
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

# The tests that have started and not ended.
unfinished() {
  comm -23 <(tests_that 'started' "$1") <(tests_that '(passed|failed) after .*' "$1") \
    | sed 's/^/not ended: /'
}

tests_that() { sed -nE "s/^. Test (\".*\")( with [0-9]+ test cases?)? $1\.?\$/\\1/p" "$2" | sort -u; }

# Ends a part that hangs, so that the log shows which test it was. The limit is shorter in CI, which would otherwise end the
# whole job. Background parts ignore the terminal's signals; their tests must not inherit that.
patiently() { timeout --kill-after 10 "$([ -n "${CI-}" ] && echo 900 || echo 2700)" env --default-signal "$@"; }

# --- The end ---

# A run that ends early, for example because it was interrupted, counts as a failure.
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
      ok)
        count "$(log_of "$name")" 0
        sed -n 's/^note: passed only/passed only/p' "$(log_of "$name")"
        ;;
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
  [ "$failed" -ne 0 ] || echo 'everything passed'
  echo "total time: $SECONDS s, logs: Tests/results"
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ] || exit 1
}
trap finish EXIT
trap 'exit 130' INT TERM

# --- The parts ---

format() { swift format lint --strict --recursive Sources Tests data/callers .ci Package.swift; }

scripts() {
  local found
  mapfile -t found < <(grep -rlE --exclude-dir=results '^#!/bin/(ba)?sh' .ci data Tests)
  shellcheck -x "${found[@]}" data/parts.sh && /usr/bin/python3 Tests/tools/check-scripts.py
}

man_pages() {
  local pages
  mapfile -t pages < <(compgen -G 'data/man/*.?')
  [ "${#pages[@]}" -eq 0 ] || mandoc -T lint -W warning "${pages[@]}"
}

# SwiftPM uses this file in place of its own main program for tests.
readonly own_main=Tests/XCTMain.swift

# The package turns warnings into errors; this also finds warnings of C and of targets without that setting. SwiftPM's
# warning about -pthread in pkg-config files is not ours.
debug_build() {
  local whole=()
  # In CI, the build is used only once, so modules are compiled as a whole and without debug information and index. That
  # halves the work.
  if [ -n "${CI-}" ]; then
    cp .ci/XCTMain.swift "$own_main"
    whole=(
      --disable-index-store -debug-info-format none
      -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -disable-batch-mode
      -Xswiftc -no-emit-module-separately-wmo
      # One object file for each module, so that shared code is emitted once.
      -Xswiftc -Xfrontend -Xswiftc -enable-single-module-llvm-emission
    )
  fi
  swift build --build-tests "${whole[@]}" \
    && ! grep -v 'prohibited flag' "$(log_of 'debug build')" | grep -E '(^|: )warning: '
}

# The build of everything else takes over what this one has built, and only links its tests anew.
core_build() { TOKENTRY_CORE=1 swift build --build-tests; }

core_tests() { TOKENTRY_CORE=1 swift test --skip-build; }

release_build() { data/build.sh; }

# Parts that do not need the debug build run beside it with the lowest priority.
leftover() {
  renice -n 19 "$BASHPID" >/dev/null
  "$@"
}

# tests WIDTH ARGUMENT...: runs tests, WIDTH at once. Most of them wait most of the time, but with too many at once, a test
# would get its turn too late for its deadlines. This starts the test program directly, because `swift test` would wait for
# the release build that runs at the same time.
#
# A busy machine can be too slow for a test with a window, so up to three tests that failed get a second try, one after the
# other. The summary names those that passed only then.
tests() {
  local status=0 events wrong failed
  events=$(mktemp)
  swift_tests "$@" --event-stream-output-path "$events" --event-stream-version 0 || status=$?
  mapfile -t wrong < <(failed_ids "$events")
  rm "$events"
  if [ "$status" -eq 1 ] && [ "${#wrong[@]}" -gt 0 ] && [ "${#wrong[@]}" -le "$second_tries" ]; then
    failed=$(IFS='|' && echo "${wrong[*]}")
    swift_tests 1 --filter "$failed" 2>&1 | sed 's/^/second try: /' || return
    status=0
    printf 'note: passed only at the second try: %s\n' "${wrong[@]//[\\^(]/}"
  fi
  return "$status"
}
readonly second_tries=3

swift_tests() {
  patiently env SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="$1" \
    "$PWD/.build/debug/tokentryPackageTests.xctest" --testing-library swift-testing "${@:2}"
}

# The failed tests in a stream of events, as patterns for --filter.
failed_ids() {
  sed -n '/"kind":"testEnded","messages":\[{"symbol":"fail","text":"Test / s/.*"testID":"\([^"(]*\)(.*/\1/p' "$1" \
    | sed 's|\\/|/|g; s/\./\\./g; s/.*/^&\\(/'
}

# Suites that run beside the rest, which would otherwise come last while the processors are idle: those with windows, each
# on its own display; logins at real servers, one of which fails at two at once; tests on the main loop, of which a program
# has one; and tests that wait for a quarter of a minute or more.
readonly windows='^WindowTests\.' core='^(LoginCore|WindowProtocol|Language)Tests\.' servers='^InteropTests\.'
readonly loops='^(SignIn|SoupNetwork|HTTPServer|LoginKit)Tests\.'
readonly waits='^ProgramTests\.(DeviceLogin|SchemeLogin|DesktopPortal|Deadline)Tests/'

# The stories and the tests of refreshes, which have to survive the end of their caller.
stories_on_release() {
  local tokentry=$PWD/.build/release/tokentry
  /usr/bin/python3 Tests/tools/check-stories.py "$tokentry" Tests/Stories/*.story
  TOKENTRY_EXECUTABLE=$tokentry tests 8 --filter "^ProgramTests\.(AccountTests|KilledCallersTests/ends)"
}

# Our running programs in this session. /proc/PID/stat is readable even for programs that refuse debuggers. Zombies do not
# count: their parent may be a slow init.
ours() {
  local session
  session=$(cut -d ' ' -f 6 "/proc/$$/stat")
  cat /proc/[0-9]*/stat 2>/dev/null \
    | sed -n "s/^\([0-9]*\) (\(tokentry[^)]*\)) [^ZX] [0-9]* [0-9]* $session .*/\1 \2/p" | sort
}

# Programs get three seconds to end.
no_program_left() {
  local left
  for _ in 1 2 3 4; do
    left=$(comm -13 <(echo "$ours_before") <(ours)) && [ -n "$left" ] || return 0
    sleep 1
  done
  echo "still running: $left"
  return 1
}
ours_before=$(ours || true)

# SwiftPM leaves its own temporary files behind.
no_file_left() {
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

# after "BUILD" part|begin "NAME" COMMAND...: runs a part only if that build succeeded.
after() {
  if [ "${outcome[$1]}" = ok ]; then "${@:2}" || true; else not_run "$3" "the $1 failed"; fi
}


echo 'Running all checks; the output of each part is kept in Tests/results.'
if runs core; then
  begin 'format' leftover format
  part 'layers' /usr/bin/python3 Tests/tools/check-layers.py || true
fi
if [ "$chosen" = core ]; then
  part 'core build' core_build || true
  after 'core build' part 'tests of the core' core_tests
else
  ticks=false part 'dependencies (installs what is missing)' data/dependencies.sh "$group" || true
  # The other parts have their own machine if they were named.
  others="$windows|$servers|$loops|$waits"
  if ! runs core; then others+="|$core"; fi
  if runs program; then
    begin 'shell scripts' leftover scripts
    part 'man pages' man_pages || true
    part 'translations' /usr/bin/python3 Tests/tools/check-translations.py || true
    begin 'library' leftover /usr/bin/python3 Tests/tools/check-library.py
  fi
  part 'debug build (the first time about 5 minutes)' debug_build || true
  if $all; then begin 'release build (the first time about 3 minutes)' release_build; fi
  # The tests that wait most run beside those that compute.
  if runs windows; then after 'debug build' begin 'tests with a window' tests 5 --filter "$windows"; fi
fi
if runs program; then
  after 'debug build' begin 'tests without a window' tests 5 --skip "$others"
  after 'debug build' begin 'tests on a main loop' tests 2 --filter "$loops"
  after 'debug build' begin 'tests with real servers' tests 1 --filter "$servers"
  after 'debug build' begin 'tests that wait' tests 4 --filter "$waits"
  after 'debug build' part 'presets and answers' /usr/bin/python3 Tests/tools/check-schema.py .build/debug/tokentry
  after 'debug build' part 'stories and documents' /usr/bin/python3 Tests/tools/check-stories.py .build/debug/tokentry
  after 'debug build' part 'callers' Tests/tools/check-callers.py "${languages[@]}" .build/debug/tokentry
  until_ended 'library' || true
  if [ "${outcome[debug build]}" = ok ]; then
    after 'library' part 'programs with LoginKit' Tests/tools/check-library.py --programs .build/debug/tokentry
  else
    not_run 'programs with LoginKit' 'the debug build failed'
  fi
fi
if $all; then
  until_ended 'release build' || true
  if [ "${outcome[debug build]}" = ok ]; then
    after 'release build' part 'stories on release' stories_on_release
  else
    not_run 'stories on release' 'the debug build failed'
  fi
  built=$(tail -n 1 "$(log_of 'release build')")
  after 'release build' part 'packages' Tests/tools/check-packages.py "${systems[@]}" "$built"
fi
for name in "${names[@]}"; do until_ended "$name" || true; done
part 'running programs' no_program_left || true
part 'temporary files' no_file_left || true
