#!/bin/bash
# Fuzzes Tokentry's readers with libFuzzer and checks their properties. A room is a fuzz target.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: Tests/fuzz.sh [--long [--seconds S] | --runs N] [--jobs N] [--skip-build] [ROOM...]
       Tests/fuzz.sh --input FILE ROOM

  ROOM          a fuzz target in Tests/Fuzzing/Library or Tests/Fuzzing/Program (default: all)
  --long        S seconds (default 600) in each room; also measures how the time of each reader grows with its input
  --runs N      N inputs in each room
  --jobs N      N rooms at once (default: one for each processor)
  --skip-build  use the previous build
  --input FILE  run only this input, for example a finding

Without options, each room runs its seeds and a few inputs made from them in the debug build without coverage, which takes
less than a minute of processor time. --long and --runs first build everything in .build/fuzz with optimisation and
coverage, which takes minutes.

Prints a table, which is kept in Tests/results/fuzz.md. Exits with status 1 if there are findings; they and the corpus are
in Tests/results/fuzz.
USAGE
}

runs='' seconds='' input='' is_long=false is_built=false jobs=$(nproc)
while [ $# -gt 0 ]; do
  case $1 in
    --long) is_long=true ;;
    --skip-build) is_built=true ;;
    --runs | --seconds | --jobs | --input)
      [ $# -gt 1 ] || { usage >&2 && exit 2; }
      case $1 in --runs) runs=$2 ;; --seconds) seconds=$2 ;; --jobs) jobs=$2 ;; *) input=$2 ;; esac
      shift
      ;;
    -h | --help) usage && exit ;;
    -*) usage >&2 && exit 2 ;;
    *) break ;;
  esac
  shift
done
for number in "$runs" "$seconds" "$jobs"; do
  case $number in *[!0-9]*) usage >&2 && exit 2 ;; esac
done
if $is_long && [ -n "$runs" ] || [ -n "$input" ] && [ $# -ne 1 ]; then usage >&2 && exit 2; fi

if [ -n "$input" ]; then input=$(realpath "$input"); fi
unset CDPATH
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
readonly fuzzing=Tests/Fuzzing results=Tests/results/fuzz table=Tests/results/fuzz.md
is_quick=true scratch=.build configuration=debug optimisation=-Onone
if $is_long || [ -n "$runs" ]; then
  is_quick=false scratch=.build/fuzz configuration=release optimisation=-O
fi
readonly bin=$scratch/$configuration rooms=.build/fuzz/rooms-$configuration
mkdir -p "$rooms" "$results"

# --- Building ---

# The modules with which the rooms in a folder are linked. Fewer are faster, because libFuzzer reads the coverage after each
# input.
modules() {
  echo LateLibraries LoginCore WindowProtocol Language Platform GLibSupport SecretStore HTMLForms
  if [ "$1" = Program ]; then echo GnuTLSCrypto SoupNetwork SignIn DemoProvider tokentry; fi
}

build_modules() {
  local -a options=(-c "$configuration" --target tokentry)
  if ! $is_quick; then
    options+=(--scratch-path "$scratch" -Xswiftc -enable-testing -Xswiftc -sanitize=fuzzer)
  fi
  swift build "${options[@]}" 2>&1 | { grep -v 'prohibited flag' || true; }
}

# Compiles the rooms in a folder and links them with libFuzzer.
build_rooms() {
  local kind=$1 module map package cache called
  local -a objects=("$rooms/comparisons.o") flags=() sources=("$fuzzing"/*.swift "$fuzzing/$kind"/*.swift)
  for module in $(modules "$kind"); do objects+=("$bin/$module.build"/*.o); done
  if [ -z "$(find "${sources[@]}" "${objects[@]}" -newer "$rooms/$kind" 2>&1)" ]; then return; fi
  # SwiftPM's name for this package gives access to its `package` symbols.
  package=$(grep -o -m 1 '"-package-name","[^"]*"' "$scratch/$configuration.yaml" | head -n 1 | cut -d '"' -f 4)
  for map in Sources/CLibraries/*/module.modulemap "$bin/LateLibraries.build/module.modulemap"; do
    case $map in *WebKit*) ;; *) flags+=(-Xcc "-fmodule-map-file=$PWD/$map") ;; esac
  done
  # The path that SwiftPM uses, because each module may exist only once.
  cache=$(realpath "$bin")/ModuleCache
  read -ra include < <(pkg-config --cflags-only-I gio-unix-2.0 gnutls libxml-2.0 libqrencode libsecret-1 libsoup-3.0)
  read -ra libraries < <(pkg-config --libs-only-l gio-unix-2.0 libsecret-1)
  swiftc -module-name Fuzzing -package-name "$package" -swift-version 6 -warnings-as-errors \
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility \
    -parse-as-library -wmo "$optimisation" -sanitize=fuzzer -I "$bin/Modules" -module-cache-path "$cache" \
    "${flags[@]}" "${include[@]}" -Xcc -ISources/LateLibraries/include -c -o "$rooms/$kind.o" "${sources[@]}"
  for called in LLVMFuzzerTestOneInput __sanitizer_cov_trace_{{,const_}cmp{1,2,4,8},switch}; do
    libraries+=(-Xlinker "--wrap=$called")
  done
  swiftc -use-ld=lld -sanitize=fuzzer -Xlinker --gc-sections -o "$rooms/$kind" "$rooms/$kind.o" "${objects[@]}" \
    "${libraries[@]}"
}

if ! $is_built; then
  echo "building ($configuration)"
  build_modules
  if [ ! "$rooms/comparisons.o" -nt "$fuzzing/comparisons.c" ]; then
    gcc -O2 -Wall -Wextra -Werror -c -o "$rooms/comparisons.o" "$fuzzing/comparisons.c"
  fi
  for kind in Library Program; do build_rooms "$kind"; done
fi

# --- The rooms ---

declare -A kind_of=() longest=() few=()
all=()
for kind in Library Program; do
  while read -r room most some; do
    all+=("$room")
    kind_of[$room]=$kind longest[$room]=$most few[$room]=$some
  done < <(env -u TOKENTRY_FUZZ_ROOM "$rooms/$kind")
done
if [ $# -eq 0 ]; then set -- "${all[@]}"; fi
for room; do
  [ -n "${kind_of[$room]-}" ] || { echo "there is no room $room; there are: ${all[*]}" >&2 && exit 2; }
done

# Rooms write into a temporary folder and read no files of the user. Files in memory are much faster.
in_memory=/dev/shm
[ -w "$in_memory" ] || in_memory=${TMPDIR-/tmp}
TOKENTRY_FUZZ_FOLDER=$(mktemp -d -p "$in_memory")
trap 'rm -rf "$TOKENTRY_FUZZ_FOLDER"' EXIT
trap 'exit 130' INT TERM
export TOKENTRY_FUZZ_FOLDER LC_ALL=C.UTF-8 SWIFT_BACKTRACE=enable=no HOME=$TOKENTRY_FUZZ_FOLDER
export XDG_RUNTIME_DIR=$TOKENTRY_FUZZ_FOLDER XDG_CONFIG_HOME=$TOKENTRY_FUZZ_FOLDER DBUS_SESSION_BUS_ADDRESS=disabled:
unset XDG_DATA_HOME XDG_STATE_HOME DISPLAY WAYLAND_DISPLAY "${!TOKENTRY_STORE@}" "${!G_@}"

in_room() {
  local room=$1
  shift
  TOKENTRY_FUZZ_ROOM=$room "$rooms/${kind_of[$room]}" "$@"
}

if [ -n "$input" ]; then
  in_room "$1" "$input"
  exit
fi

# number LOG NAME: a number from libFuzzer's final statistics.
number() { sed -n "s/^stat::$2: *\([0-9]*\)$/\1/p" "$1" | tail -n 1; }

# run ROOM INPUTS SECONDS: runs a room; succeeds without a finding.
run() {
  local room=$1 status=0 log=$results/$1.log corpus=$results/corpus/$1 time inputs used
  local -a seeds=("$fuzzing/Seeds/$room") options=(-runs="$2" -max_total_time="$3" -max_len="${longest[$room]}")
  if [ "$room" = preset ]; then seeds+=(data/providers); fi
  if $is_quick; then
    # Without coverage, there is no corpus to keep.
    corpus=$TOKENTRY_FUZZ_FOLDER/corpus-$room
    options+=(-seed=1)
  fi
  mkdir -p "$corpus" "$results/findings"
  [ ! -e "$fuzzing/Words/$room" ] || options+=(-dict="$fuzzing/Words/$room")
  TIMEFORMAT='%2U %2S'
  { time in_room "$room" "${options[@]}" -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
    -artifact_prefix="$results/findings/$room-" "$corpus" "${seeds[@]}" >"$log" 2>&1 || status=$?; } 2>"$log.time"
  time=$(tail -n 1 "$log.time")
  rm -f "$log.time"
  inputs=$(number "$log" number_of_executed_units)
  used=$(awk '{ printf "%d", ($1 + $2) * 100 }' <<<"$time")
  echo "$room ${inputs:-0} $used $(number "$log" peak_rss_mb) $status" >"$results/$room.last"
  return "$status"
}

# stood_still ROOM: true if an input that timed out is fast now. Any input times out while the machine stands still.
stood_still() {
  local file
  file=$(sed -n 's/.*Test unit written to \(.*-timeout-.*\)/\1/p' "$results/$1.log" | tail -n 1)
  [ -n "$file" ] && in_room "$1" -timeout=10 "$file" >/dev/null 2>&1 && rm "$file"
}

# visit ROOM: runs a room until its first finding.
visit() {
  local room=$1
  if $is_quick; then
    run "$room" "${few[$room]}" 0
  elif ! $is_long; then
    run "$room" "$runs" 0
  else
    { TOKENTRY_FUZZ_SCALE=1 in_room "$room" >"$results/$room.growth" 2>&1; } 2>/dev/null || return 1
    run "$room" -1 "${seconds:-600}" || stood_still "$room"
  fi
}

echo "$# rooms, $jobs at once"
for room; do
  rm -f "$results/$room".{found,growth,last,log}
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n || true; done
  { visit "$room" || touch "$results/$room.found"; } &
done
wait

# --- Results ---

found=0
row() {
  local room=$1 log=$results/$1.log inputs used memory cover features verdict=none
  # A room that did not start has no figures.
  read -r _ inputs used memory _ < <(cat "$results/$room.last" 2>/dev/null || echo "$room 0 1 0 1")
  cover=$({ grep -aoE 'cov: [0-9]+' "$log" || true; } | tail -n 1 | cut -d ' ' -f 2)
  features=$({ grep -aoE 'ft: [0-9]+' "$log" || true; } | tail -n 1 | cut -d ' ' -f 2)
  if $is_quick; then cover='' features=''; fi
  [ ! -e "$results/$room.found" ] || verdict='**found**'
  printf '| %s | %s | %s | %s | %s | %s | %s | %s |\n' "$room" "$inputs" \
    "$((inputs * 100 / (used > 0 ? used : 1)))" "${cover:-–}" "${features:-–}" \
    "$(find "$results/corpus/$room" -type f 2>/dev/null | wc -l)" "${memory:-–}" "$verdict"
}

{
  commit=$(git rev-parse --short HEAD 2>/dev/null || echo 'these sources')
  echo "Fuzzed on $(date -u +%Y-%m-%d) with $commit, $configuration."
  echo
  echo '| room | inputs | inputs in a second of a processor | edges | features | corpus | MiB | findings |'
  echo '|---|---|---|---|---|---|---|---|'
  for room; do row "$room"; done
} | tee "$table"
for room; do
  if [ ! -e "$results/$room.found" ]; then continue; fi
  found=1
  echo
  echo "$room: $(grep -ahoE '(this does not hold|ERROR: libFuzzer): .*|.*NOT LINEAR.*' "$results/$room.log" \
    "$results/$room.growth" 2>/dev/null | head -n 1 | cut -c 1-300)"
  file=$(sed -n 's/.*Test unit written to \(.*\)/\1/p' "$results/$room.log" | tail -n 1)
  if [ -n "$file" ]; then echo "  the input is $file; to run it again: Tests/fuzz.sh --input $file $room"; fi
done
exit "$found"
