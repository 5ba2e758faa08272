#!/bin/bash
# Fuzzes Tokentry's readers with libFuzzer and checks their properties. `swift test` reads only the seeds.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: Tests/tools/fuzz.sh [--seconds S | --runs N] [--jobs N] [TARGET...]
       Tests/tools/fuzz.sh --input FILE TARGET

  TARGET        a target in Tests/Fuzzing/FuzzTarget.swift (default: all)
  --seconds S   the time for each target (default 600)
  --runs N      the number of inputs for each target
  --jobs N      the number of targets at once (default: one for each processor)
  --input FILE  run only this input, for example a finding

Builds everything in .build/fuzz with optimisation and coverage, which takes minutes the first time. Also measures how the time
of each reader grows with its input. Prints a table, which is kept in Tests/results/fuzz.md. Exits with status 1 if there are
findings; they and the corpus are in Tests/results/fuzz.
USAGE
}

runs=-1 seconds=600 input='' jobs=$(nproc)
while [ $# -gt 0 ]; do
  case $1 in
    --runs | --seconds | --jobs | --input)
      [ $# -gt 1 ] || { usage >&2 && exit 2; }
      case $1 in --runs) runs=$2 seconds=0 ;; --seconds) seconds=$2 ;; --jobs) jobs=$2 ;; *) input=$(realpath "$2") ;; esac
      shift
      ;;
    -h | --help) usage && exit ;;
    -*) usage >&2 && exit 2 ;;
    *) break ;;
  esac
  shift
done
if [ -n "$input" ] && [ $# -ne 1 ]; then usage >&2 && exit 2; fi

unset CDPATH
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."
readonly fuzzing=Tests/Fuzzing results=Tests/results/fuzz table=Tests/results/fuzz.md scratch=.build/fuzz
readonly bin=$scratch/release program=$scratch/fuzzer
mkdir -p "$results/findings"

build() {
  local map package module
  local -a objects=() flags=() sources=()
  swift build -c release --target tokentry --scratch-path "$scratch" -Xswiftc -enable-testing -Xswiftc -sanitize=fuzzer 2>&1 \
    | { grep -v 'prohibited flag' || true; }
  for module in LateLibraries LoginCore WindowProtocol Language Platform GLibSupport SecretStore HTMLForms GnuTLSCrypto \
    SoupNetwork SignIn DemoProvider tokentry; do
    objects+=("$bin/$module.build"/*.o)
  done
  mapfile -t sources < <(find "$fuzzing" -name '*.swift' ! -name SeedTests.swift)
  if [ -z "$(find "${sources[@]}" "${objects[@]}" -newer "$program" 2>&1)" ]; then return; fi
  # SwiftPM's name for this package gives access to its `package` symbols.
  package=$(grep -o -m 1 '"-package-name","[^"]*"' "$scratch/release.yaml" | head -n 1 | cut -d '"' -f 4)
  for map in Sources/CLibraries/*/module.modulemap Sources/LateLibraries/include/module.modulemap; do
    case $map in *WebKit*) ;; *) flags+=(-Xcc "-fmodule-map-file=$PWD/$map") ;; esac
  done
  read -ra include < <(pkg-config --cflags-only-I gio-unix-2.0 gnutls libxml-2.0 libqrencode libsecret-1 libsoup-3.0)
  read -ra libraries < <(pkg-config --libs-only-l gio-unix-2.0 libsecret-1)
  # The module cache is SwiftPM's, because each module may exist only once.
  swiftc -module-name FuzzingTests -package-name "$package" -swift-version 6 -parse-as-library -wmo -O -sanitize=fuzzer \
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility \
    -I "$bin/Modules" -module-cache-path "$(realpath "$bin")/ModuleCache" "${flags[@]}" "${include[@]}" \
    -Xcc -ISources/LateLibraries/include -c -o "$program.o" "${sources[@]}"
  swiftc -use-ld=lld -sanitize=fuzzer -Xlinker --gc-sections -o "$program" "$program.o" "${objects[@]}" "${libraries[@]}"
}

build
declare -A longest=()
while read -r target most; do longest[$target]=$most; done < <(env -u TOKENTRY_FUZZ_TARGET "$program")
if [ $# -eq 0 ]; then set -- "${!longest[@]}"; fi
for target; do
  [ -n "${longest[$target]-}" ] || { echo "there is no target $target; there are: ${!longest[*]}" >&2 && exit 2; }
done

# Targets write into a temporary folder and read no files of the user. Files in memory are much faster.
in_memory=/dev/shm
[ -w "$in_memory" ] || in_memory=${TMPDIR-/tmp}
TOKENTRY_FUZZ_FOLDER=$(mktemp -d -p "$in_memory")
trap 'rm -rf "$TOKENTRY_FUZZ_FOLDER"' EXIT
trap 'exit 130' INT TERM
export TOKENTRY_FUZZ_FOLDER LC_ALL=C.UTF-8 SWIFT_BACKTRACE=enable=no HOME=$TOKENTRY_FUZZ_FOLDER
export XDG_RUNTIME_DIR=$TOKENTRY_FUZZ_FOLDER XDG_CONFIG_HOME=$TOKENTRY_FUZZ_FOLDER DBUS_SESSION_BUS_ADDRESS=disabled:
unset XDG_DATA_HOME XDG_STATE_HOME DISPLAY WAYLAND_DISPLAY "${!TOKENTRY_STORE@}" "${!G_@}"

if [ -n "$input" ]; then
  TOKENTRY_FUZZ_TARGET=$1 "$program" "$input"
  exit
fi

# fuzz TARGET: fuzzes a target until its first finding.
fuzz() {
  local target=$1 corpus=$results/corpus/$1 log=$results/$1.log file
  local -a seeds=("$fuzzing/Seeds/$target") options=(-runs="$runs" -max_total_time="$seconds")
  export TOKENTRY_FUZZ_TARGET=$target
  if [ "$target" = documents ]; then seeds+=(data/providers); fi
  if [ -e "$fuzzing/Words/$target" ]; then options+=(-dict="$fuzzing/Words/$target"); fi
  mkdir -p "$corpus"
  TOKENTRY_FUZZ_SCALE=1 "$program" >"$results/$target.growth" 2>&1 || return 1
  "$program" "${options[@]}" -max_len="${longest[$target]}" -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
    -artifact_prefix="$results/findings/$target-" "$corpus" "${seeds[@]}" >"$log" 2>&1 && return
  # Any input times out while the machine stands still, so an input that is fast now is no finding.
  file=$(finding "$target")
  case $file in *-timeout-*) "$program" -timeout=10 "$file" >/dev/null 2>&1 && rm "$file" ;; *) return 1 ;; esac
}

# finding TARGET: the file that libFuzzer wrote.
finding() { sed -n 's/.*Test unit written to \(.*\)/\1/p' "$results/$1.log" | tail -n 1; }

for target; do
  rm -f "$results/$target".{found,growth,log}
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n || true; done
  { fuzz "$target" || touch "$results/$target.found"; } &
done
wait

{
  commit=$(git rev-parse --short HEAD 2>/dev/null || echo 'these sources')
  printf 'Fuzzed on %s with %s.\n\n| target | inputs | edges | corpus | findings |\n|---|---|---|---|---|\n' \
    "$(date -u +%Y-%m-%d)" "$commit"
  for target; do
    printf '| %s | %s | %s | %s | %s |\n' "$target" \
      "$(sed -n 's/^stat::number_of_executed_units: *//p' "$results/$target.log" 2>/dev/null || true)" \
      "$(grep -aoE 'cov: [0-9]+' "$results/$target.log" 2>/dev/null | tail -n 1 | cut -d ' ' -f 2 || true)" \
      "$(find "$results/corpus/$target" -type f | wc -l)" "$([ -e "$results/$target.found" ] && echo '**found**' || echo none)"
  done
} | tee "$table"
found=0
for target; do
  if [ ! -e "$results/$target.found" ]; then continue; fi
  found=1
  echo
  echo "$target: $(grep -ahoE '(this does not hold|ERROR: libFuzzer): .*|.*NOT LINEAR.*' "$results/$target.log" \
    "$results/$target.growth" 2>/dev/null | head -n 1 | cut -c 1-300)"
  file=$(finding "$target")
  if [ -n "$file" ]; then echo "  the input is $file; to run it again: Tests/tools/fuzz.sh --input $file $target"; fi
done
exit "$found"
