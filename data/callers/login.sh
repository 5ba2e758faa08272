#!/bin/sh
# A script that signs its user in. The arguments are those of tokentry login.
set -eu

# If the output is not JSON, standard output stays empty on failure; Tokentry has shown the message already.
if token=$(tokentry login --output token "$@"); then
  # The token goes through a pipe, because other users can read command lines.
  printf 'signed in with a token of %s bytes\n' "$(printf '%s' "$token" | wc -c)"
else
  status=$?
  case $status in
    3) echo 'cancelled' >&2 ;;
    8) echo 'the user has to sign in' >&2 ;;
    *) echo "not signed in (status $status)" >&2 ;;
  esac
  exit 1
fi
