#!/bin/bash
# Runs the checks that take too long for every change, one after the other, and keeps their results.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: Tests/run.sh --long [--minutes N] [PART...]

  faults      every fault in every state of a login, every place where a secret may leak, callers killed 200 times
  sanitizers  the tests in builds that notice wrong uses of memory, leaks and races
  soak        ten thousand logins, five hundred windows, a hundred programs at a time, a hundred thousand tokens
  fuzzing     ten minutes for each target
  benchmarks  how long a kept token and a window take
  --minutes N the limit for each target of fuzzing and each round of soaking; fuzzing continues there next time

Without a part, all run, which takes days, most of them for fuzzing. The machine should not be busy with other work. If
the sources have not changed, sanitizers continue where an earlier run ended.
The results are in Tests/results/long.md, with those of other parts from earlier runs.
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
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
logs=$PWD/Tests/results
readonly rows=$logs/long
mkdir -p "$rows"
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

sanitizers() { Tests/sanitize.py --continue; }

soak() { /usr/bin/python3 Tests/soak.py --long ${minutes:+--minutes "$minutes"}; }

fuzzing() { Tests/fuzz.sh ${minutes:+--seconds "$((minutes * 60))"}; }

benchmarks() { Tests/bench.py; }

# --- Results ---

machine() {
  local model memory
  model=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
  memory=$(awk '/^MemTotal/ { printf "%.0f", $2 / 1048576 }' /proc/meminfo)
  echo "$(nproc) × ${model:-$(uname -m)}, $memory GiB"
}

# row NAME SECONDS: the table row of a part, with commit, date and machine.
row() {
  local commit
  commit=$(git rev-parse --short HEAD 2>/dev/null || echo '–')
  printf '| %s | %s | %s | %s | %s | %s |\n' "$1" "${outcome[$1]}" "$2" "$commit" "$(date -u +%Y-%m-%d)" "$(machine)"
}

# The tables of a part, without headings of the first level.
found_by() {
  case $1 in
    faults)
      grep -H 'rows were tried' Tests/results/{faults,faults-window,secrets,secrets-window}.md \
        | sed 's|^.*/\([^:]*\)\.md:|- \1: |'
      ;;
    sanitizers) cat Tests/results/sanitizers.md ;;
    soak) cat Tests/results/soak.md ;;
    fuzzing) cat Tests/results/fuzz.md ;;
    benchmarks)
      printf '\140\140\140text\n%s\n\140\140\140\n' "$(cat Tests/results/bench.txt)"
      ;;
  esac 2>/dev/null | grep -v '^# ' | sed 's/^## /### /' | cat -s || true
}

table() {
  local name
  printf '# Results of long runs\n\n'
  printf 'Made by \140Tests/run.sh --long\140: the last run of each part, with the commit and the machine.\n\n'
  printf '| part | outcome | seconds | sources | date | machine |\n|---|---|---|---|---|---|\n'
  for name in "${every[@]}"; do cat "$rows/$name" 2>/dev/null || echo "| $name | not run | – | – | – | – |"; done
  for name in "${every[@]}"; do
    if [ -e "$rows/$name" ]; then printf '\n## %s\n\n%s\n' "${name^}" "$(cat "$rows/$name.md")"; fi
  done
}

part 'dependencies (installs what is missing)' data/dependencies.sh all
failed=0
for name; do
  start=$SECONDS
  part "$name" "$name" || failed=$((failed + 1))
  row "$name" "$((SECONDS - start))" >"$rows/$name"
  # Keep a copy, because shorter runs of the same scripts overwrite the tables.
  found_by "$name" >"$rows/$name.md"
done
table | tee "$logs/long.md"
echo "$(($# - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
