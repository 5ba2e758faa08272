#!/bin/bash
# Measures how fast Tokentry is, compared with other programs. The compared programs run in turn, so that other work of the
# machine affects all of them alike.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: Tests/bench.sh [NAME...]

  NAME  version, parse, token, helpers, headless or window (default: all)

Builds the release, measures, and prints a table of figures and limits, which is kept in Tests/results/bench.txt. Exits
with status 1 if a limit is missed. The machine should not be busy with other work.
USAGE
}

all=(version parse token helpers headless window)
for name; do
  case $name in
    version | parse | token | helpers | headless | window) ;;
    -h | --help) usage && exit ;;
    *) usage >&2 && exit 2 ;;
  esac
done
if [ $# -eq 0 ]; then set -- "${all[@]}"; fi

unset CDPATH
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
logs=$PWD/Tests/results/bench
readonly table=Tests/results/bench.txt
mkdir -p "$logs"
rm -f "$logs"/*.log
export LC_ALL=C.UTF-8
parts=$((2 + $#))
# shellcheck source=data/parts.sh
. data/parts.sh
trap 'stop_ticking; end_all' EXIT
trap 'exit 130' INT TERM

release_build() { data/build.sh tokentry tokentry-window parse-bench demo-server; }

measure() {
  local bench=Tests/bench
  case $1 in
    version) /usr/bin/python3 $bench/version.py "$release/tokentry" "$logs" ;;
    parse) "$release/parse-bench" ;;
    token) /usr/bin/python3 $bench/token.py "$release/tokentry" ;;
    helpers) /usr/bin/python3 $bench/helpers.py "$release/tokentry" ;;
    headless) /usr/bin/python3 $bench/headless.py "$release/tokentry" "$release/demo-server" ;;
    window) /usr/bin/python3 $bench/window.py "$release/tokentry" "$logs" ;;
  esac
}

# Prints a line for each figure, and for each measurement that failed.
figures() {
  local name
  printf '%-52s %10s %10s  %s\n' figure value 'at most' verdict
  for name; do
    if [ "${outcome[$name]}" = ok ]; then
      awk -F '\t' '$1 == "figure" {
        printf "%-52s %10.6g %10.6g  %s\n", $2, $3, $4, $3 <= $4 ? "kept" : "MISSED"
      }' "$(log_of "$name")"
    else
      printf '%-52s %10s %10s  %s\n' "$name" - - 'NOT MEASURED'
    fi
  done
}

ticks=false part 'dependencies (installs what is missing)' data/dependencies.sh test
part 'release build (the first time about 4 minutes)' release_build
release=$(swift build -c release --show-bin-path 2>/dev/null)
for name; do
  part "$name" measure "$name" || true
done

echo
figures "$@" | tee "$table"
missed=()
for name; do
  if [ "${outcome[$name]}" != ok ] || awk -F '\t' '$1 == "figure" && $3 > $4 { found = 1 } END { exit !found }' \
    "$(log_of "$name")"; then
    missed+=("$name")
  fi
done
printf '\nkept in %s; all measurements are in Tests/results/bench\n' "$table"
if [ ${#missed[@]} -ne 0 ]; then
  echo "missed: ${missed[*]}; measure again when the machine is idle: Tests/bench.sh ${missed[*]}"
  exit 1
fi
