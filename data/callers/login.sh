#!/bin/sh
# A script that signs its user in. Its arguments are those of tokentry login.
set -eu

# With any other output than JSON nothing is printed on failure, and the message has been shown already.
if token=$(tokentry login --output token "$@"); then
  # The token goes through a pipe: other users can read command lines.
  printf 'signed in with a token of %s bytes\n' "$(printf '%s' "$token" | wc -c)"
else
  status=$?
  case $status in
    3) echo 'cancelled' >&2 ;;
    8) echo 'somebody has to sign in' >&2 ;;
    *) echo "not signed in (status $status)" >&2 ;;
  esac
  exit 1
fi
