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

# The addresses that a web view would be asked to load, in that order. The last one is the redirect that
# VK registered for its own applications; the token in it is only an example.
navigations='https://oauth.vk.com/authorize
https://oauth.vk.com/blank.html#access_token=EXAMPLE&expires_in=86400&user_id=1&state=S'
set -- login --provider vk --client-id 753197 --scope 6 --state S --headless-test --navigations -

cat <<END

== A login without a window ==
With --headless-test nobody has to sign in: what a web view would load comes from a list.

  printf '%s\\n' \\
$(echo "$navigations" | sed "s/.*/    '&' \\\\/")
    | $shown $*

It prints one JSON object:

END
status=0
echo "$navigations" | "$tokentry" "$@" || status=$?
echo
echo "and ends with status $status."
[ "$status" -eq 0 ] || exit "$status"
cat <<END

== Next ==
The request that a login sends:  $shown explain --provider vk --client-id 753197 --scope 6
All commands and options:        $shown --help
END
