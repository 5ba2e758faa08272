#!/bin/bash
# Runs the checks that take too long for every change, one after the other.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: Tests/run.sh --long [--minutes N] [PART...]

  faults      every fault in every state of a login, every place where a secret may leak, callers killed 200 times
  sanitizers  the tests in builds that notice wrong uses of memory, leaks and races
  soak        ten thousand logins, five hundred windows, a hundred programs at a time, a hundred thousand tokens
  fuzzing     ten minutes for each target
  benchmarks  how long a kept token and a window take, compared with other programs
  --minutes N the limit for each target of fuzzing and each round of soaking; fuzzing continues there next time

Without a part, all run, which takes many hours. The machine should not be busy with other work. If
the sources have not changed, sanitizers continue where an earlier run ended.
The results of each part are in Tests/results.
USAGE
}

readonly every=(faults sanitizers soak fuzzing benchmarks)
minutes=''
while [ $# -gt 0 ]; do
  case $1 in
    --minutes)
      [ $# -gt 1 ] || { usage >&2 && exit 2; }
      minutes=$2
      shift
      ;;
    -h | --help) usage && exit ;;
    -*) usage >&2 && exit 2 ;;
    *) break ;;
  esac
  shift
done
case $minutes in *[!0-9]*) usage >&2 && exit 2 ;; esac
for name; do
  case " ${every[*]} " in *" $name "*) ;; *) usage >&2 && exit 2 ;; esac
done
if [ $# -eq 0 ]; then set -- "${every[@]}"; fi

unset CDPATH
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."
logs=$PWD/Tests/results
mkdir -p "$logs"
export LC_ALL=C.UTF-8
parts=$((1 + $#))
# shellcheck source=data/parts.sh
. data/parts.sh
trap 'stop_ticking; end_all' EXIT
trap 'exit 130' INT TERM

# --- The parts ---

faults() {
  swift build --build-tests
  TOKENTRY_ALL_ROWS=1 timeout --kill-after 10 14400 env --default-signal \
    SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=4 "$PWD/.build/debug/tokentryPackageTests.xctest" \
    --testing-library swift-testing --filter '[./]([A-Za-z]*FaultTests|PowerLossTests|PoorEnvironmentTests|CanaryTests|KilledCallersTests|ExposureTests)/'
}

sanitizers() { Tests/tools/sanitize.py --continue; }

soak() { /usr/bin/python3 Tests/tools/soak.py --long ${minutes:+--minutes "$minutes"}; }

fuzzing() { Tests/tools/fuzz.sh ${minutes:+--seconds "$((minutes * 60))"}; }

benchmarks() { Tests/tools/bench.py; }

part 'dependencies (installs what is missing)' data/dependencies.sh all
failed=0
for name; do part "$name" "$name" || failed=$((failed + 1)); done
echo "$(($# - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
