# Runs the parts of a script and reports their progress. A script sources this file with `.`, and sets two variables:
#   parts   the number of parts
#   logs    the folder for each part's output
# shellcheck shell=bash

: "${parts:?}" "${logs:?}"

# By name: the outcome of a part (ok, failed or not run), its status, its number and its start time.
declare -A outcome=() status_of=() number_of=() begun_at=()
# The names in the order in which the parts began, and the names of running parts by process.
names=()
declare -A running=()
# The part whose line has not ended, if any, and whether a progress counter is shown, as on a terminal.
unended=
is_ticking=false
# False for a part that may ask for a password (sudo) on the same line.
ticks=true

# begin "NAME (HINT)" COMMAND...: starts a part in the background, with its output in a log.
begin() {
  local name=${1%% (*}
  enter "$1"
  "${@:2}" >"$(log_of "$name")" 2>&1 </dev/null &
  running[$!]=$name
}

# until_ended NAME: waits for a part, and returns its outcome. Other parts may end meanwhile.
until_ended() {
  local process status
  while [ -z "${outcome[$1]-}" ]; do
    for process in "${!running[@]}"; do
      if kill -0 "$process" 2>/dev/null; then continue; fi
      status=0
      wait "$process" || status=$?
      ended "${running[$process]}" "$status"
      unset "running[$process]"
    done
    tick
    sleep 0.1
  done
  [ "${outcome[$1]}" = ok ]
}

# part "NAME (HINT)" COMMAND...: runs a part, and returns its outcome.
part() {
  begin "$@"
  until_ended "${1%% (*}"
}

# not_run "NAME (HINT)" REASON: reports a part that cannot run.
not_run() {
  local name=${1%% (*}
  enter "$1"
  outcome[$name]='not run'
  echo "not run: $2"
  unended=
}

log_of() { echo "$logs/${1// /-}.log"; }

# The path of a log relative to the current folder, to show it.
shown_log_of() {
  local log
  log=$(log_of "$1")
  echo "${log#"$PWD"/}"
}

enter() {
  local name=${1%% (*}
  stop_ticking
  [ -z "$unended" ] || echo
  names+=("$name")
  number_of[$name]=${#names[@]}
  begun_at[$name]=$SECONDS
  unended=$1
  begin_line
}

ended() {
  local name=$1 status=$2 seconds=$((SECONDS - begun_at[$1])) log
  log=$(log_of "$name")
  stop_ticking
  if [ "${unended%% (*}" != "$name" ]; then
    [ -z "$unended" ] || echo
    printf '[%s/%s] %s: ' "${number_of[$name]}" "$parts" "$name"
  fi
  unended=
  status_of[$name]=$(judged "$log" "$status")
  if [ "${status_of[$name]}" -eq 0 ]; then
    outcome[$name]=ok
    echo "ok ($seconds s)$(note "$log")"
    # Notes are shown even if the part succeeded.
    sed -n 's/^note: /      /p' "$log"
  else
    outcome[$name]=failed
    echo "FAILED after $seconds s (status ${status_of[$name]})"
    complaints "$log" "${status_of[$name]}" | sed 's/^/      /'
    echo "      all of it: $(shown_log_of "$name")"
  fi
}

# A script may redefine these: the status that a log stands for, a few words after "ok", and the lines to show of a
# failed part.
judged() { echo "$2"; }
note() { :; }
complaints() { tail -n 20 "$1" | cut -c -400; }

# On a terminal, updates the last line with the elapsed time and the steps of a build.
tick() {
  [ -t 1 ] && $ticks && [ "${#running[@]}" -gt 0 ] || return 0
  local name=${names[-1]} steps
  steps=$(tail -c 400 "$(log_of "$name")" | grep -o '\[[0-9]*/[0-9]*\]' | tail -n 1 || true)
  printf '\r\033[K'
  if [ -n "$unended" ]; then begin_line; else printf '%s running … ' "${#running[@]}"; fi
  printf '%s s %s' "$((SECONDS - begun_at[$name]))" "$steps"
  is_ticking=true
}

stop_ticking() {
  $is_ticking || return 0
  is_ticking=false
  printf '\r\033[K'
  [ -z "$unended" ] || begin_line
}

begin_line() { printf '[%s/%s] %s … ' "${#names[@]}" "$parts" "$unended"; }

# Ends all child processes when the script is interrupted.
end_all() {
  local processes
  processes=$(descendants $$)
  # shellcheck disable=SC2086 # one argument for each process
  [ -z "$processes" ] || kill $processes 2>/dev/null || true
}

descendants() {
  local child
  for child in $(ps -o pid= --ppid "$1"); do
    descendants "$child"
    echo "$child"
  done
}
