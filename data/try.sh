#!/bin/bash
# From a fresh clone to a first login: installs what is missing, builds, and signs in.
set -euo pipefail
unset CDPATH
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

logs=$PWD/.build/try
mkdir -p "$logs"
parts=3
# shellcheck source=data/parts.sh
. data/parts.sh
trap 'stop_ticking; end_all' EXIT
trap 'exit 130' INT TERM

# The errors of a failed part, or else the end of its log.
complaints() {
  local errors
  errors=$(grep -E 'error: |^dependencies: ' "$1" | cut -c -400 | tail -n 20 || true)
  if [ -n "$errors" ]; then echo "$errors"; else tail -n 20 "$1" | cut -c -400; fi
}

ticks=false part 'dependencies (installs what is missing)' data/dependencies.sh build || {
  echo 'Fix that, then start data/try.sh again.'
  exit 1
}
part 'build (the first time about 3 minutes)' data/build.sh || {
  echo 'Fix that, then start data/try.sh again: it continues where it stopped.'
  exit 1
}
tokentry=$(tail -n 1 "$(log_of build)")/tokentry
shown=${tokentry#"$(pwd -P)"/}

cat <<END
[3/3] a login at the built-in provider

A provider listens on this machine during the login. With a display a window opens, and you sign in; without one a
headless agent fills in the forms. Discovery, PKCE, consent, the exchange of the code and the id_token are real.

  $shown demo

It tells you what to do, and prints one JSON object:

END
status=0
"$tokentry" demo || status=$?
echo
echo "and ends with status $status."
case $status in
  0) ;;
  3) echo 'Nobody signed in this time.' ;;
  *)
    echo "To find out what is wrong with this desktop, run:  $shown doctor"
    exit "$status"
    ;;
esac
cat <<END

Next:
  the request that a login sends:  $shown explain --provider vk --client-id 753197 --scope 6
  all commands and options:        $shown --help
  all tests:                       Tests/run.sh
END
exit "$status"
