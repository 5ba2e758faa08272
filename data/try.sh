#!/bin/sh
# From a fresh clone to a first login: installs what is missing, builds, and shows one at work.
set -eu
cd "$(dirname "$0")/.."

data/dependencies.sh build

echo "== Building (the first time takes a minute or two) =="
swift build -c release --static-swift-stdlib --product tokentry
swift build -c release --static-swift-stdlib --product tokentry-window
tokentry=$(swift build -c release --show-bin-path)/tokentry
shown=${tokentry#"$(pwd -P)"/}

cat <<END

== A login at the embedded provider ==
A provider listens on this machine for as long as the login lasts. With a display a window opens, and you sign in;
without one nobody has to, since a headless agent fills in the forms. Discovery, PKCE, consent, the exchange of the
code and the id_token are real.

  $shown demo

It tells you what to do, and prints one JSON object:

END
status=0
"$tokentry" demo || status=$?
echo
echo "and ends with status $status."
case $status in
  0) ;;
  3) echo "Nobody signed in this time." ;;
  *) exit "$status" ;;
esac
cat <<END

== Next ==
The request that a login sends:  $shown explain --provider vk --client-id 753197 --scope 6
All commands and options:        $shown --help
END
exit "$status"
