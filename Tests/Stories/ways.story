# The way to the user

`explain` says which way a login would take, and why. This machine has neither a display nor a terminal.

  $ cat >way <<'END'
  > tokentry explain --client-id c "$@" | sed 's/.*"way":"\([a-z]*\)","way_reason":"\([^"]*\)".*/\1: \2/'
  > END
  $ sh way --provider vk
  none: the redirect URI is a web page, from which a browser cannot return the answer, but there is no display
  $ sh way --endpoint authorization=https://as.example/a --way paste
  none: it was requested, but there is neither a terminal nor a window to paste an answer into
  $ sh way --endpoint authorization=https://as.example/a --headless-test
  headless: a test was requested

A login without a redirect URI uses one on this machine. A browser can hand the answer back to it.

  $ sh way --endpoint authorization=https://as.example/a --browser firefox
  browser: the redirect URI is on this machine, so a browser can return the answer
  $ SSH_CONNECTION='192.0.2.1 50000 192.0.2.2 22' sh way --endpoint authorization=https://as.example/a
  browser: the redirect URI is on this machine, so a browser can return the answer
  $ tokentry explain --client-id c --endpoint authorization=https://as.example/a | grep -o '"redirect_uri":"[^"]*"'
  "redirect_uri":"http://127.0.0.1:62797/callback"

With a display, the window takes the logins whose answer a browser cannot hand back.

  $ DISPLAY=:0 sh way --provider vk
  window: the redirect URI is a web page, from which a browser cannot return the answer* (glob)
  $ DISPLAY=:0 sh way --provider facebook
  window: the preset prefers the window* (glob)
  $ DISPLAY=:0 sh way --endpoint authorization=https://as.example/a --redirect-uri https://app.example/done
  window: the redirect URI is a web page, from which a browser cannot return the answer* (glob)
  $ DISPLAY=:0 sh way --endpoint authorization=https://as.example/a --redirect-uri com.example.app:/done
  window: the redirect URI has a private scheme, which only the window can catch* (glob)
  $ DISPLAY=:0 sh way --endpoint authorization=https://as.example/a --grant implicit
  window: an answer in the fragment of a URL reaches no server on this machine* (glob)
