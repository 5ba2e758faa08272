# Sessions, and the window that a login belongs to

Forgetting what is not kept is no error, whatever the name is, and makes nothing.

  $ for name in mail ../mail /etc . 'two words' größe; do tokentry logout --session "$name"; done
  {"session":"mail","forgotten":false}
  {"session":"../mail","forgotten":false}
  {"session":"/etc","forgotten":false}
  {"session":".","forgotten":false}
  {"session":"two words","forgotten":false}
  {"session":"größe","forgotten":false}
  $ ls -A

What is there is removed with all that is in it, and nothing beside it.

  $ umask 077; mkdir -p .local/state/tokentry/sessions/mail/cache .local/state/tokentry/sessions/news
  $ touch .local/state/tokentry/sessions/mail/cookies.sqlite .local/state/tokentry/sessions/mail/cache/a
  $ tokentry logout --session mail
  {"session":"mail","forgotten":true}
  $ ls .local/state/tokentry/sessions
  news

A folder that is not the user's alone is not trusted, and the way to mend it is said.

  $ chmod 755 .local/state/tokentry/sessions/news
  $ tokentry logout --session news
  {"error":"invalid_configuration",* (glob)
  ! tokentry: error: --session: */news can be read or written by other users (glob)
  ! tokentry: hint: chmod 700 */news (glob)
  [2]

Something has to be named, and an empty name is none. What ends an account needs one.

  $ for options in "" "--account mail" "--session a --force" "--session=" "--session" "--session a --session b" \
  >   "--session $(printf '%0201d' 0)"; do
  >   TOKENTRY_STORE=file:store tokentry logout $options >out 2>err
  >   echo "$? $(cut -d, -f1 out) $(head -n 1 err | cut -c 1-50)"
  > done
  2 {"error":"invalid_option" tokentry: error: logout needs --account or --sessi
  9 {"error":"unknown_account" tokentry: error: there is no account "mail"
  2 {"error":"invalid_option" tokentry: error: --force only makes sense with --a
  2 {"error":"invalid_option" tokentry: error: --session needs a value
  2 {"error":"invalid_option" tokentry: error: --session needs a value
  2 {"error":"invalid_option" tokentry: error: --session is given twice
  2 {"error":"invalid_option" tokentry: error: --session: the name is too long

## The window of the caller

  $ for parent in 12 x11:0 x11:window x11:-1 wayland: gtk:1; do
  >   tokentry navigate --url https://as.example/ --redirect-uri app:/done --parent "$parent" >out 2>err
  >   echo "$? $(cut -d, -f1 out) $(head -n 1 err | cut -c 1-36)"
  > done
  2 {"error":"invalid_option" tokentry: error: --parent takes x11:
  2 {"error":"invalid_option" tokentry: error: --parent takes x11:
  2 {"error":"invalid_option" tokentry: error: --parent takes x11:
  2 {"error":"invalid_option" tokentry: error: --parent takes x11:
  2 {"error":"invalid_option" tokentry: error: --parent takes x11:
  2 {"error":"invalid_option" tokentry: error: --parent takes x11:

## In a headless test

The options are accepted, so that a command line need not change for a test; nothing is kept, and mistakes show.

  $ umask 077; cat >request.json <<'END'
  > {"url": "https://as.example/", "redirect_uri": "app:/done", "session": "tests", "silent": true, "parent": "x11:1a"}
  > END
  $ echo app:/done?a=1 | tokentry navigate --request request.json --headless-test --navigations -
  {"callback":"app:/done?a=1"}
  $ ls .local/state/tokentry/sessions
  news
  $ echo app:/done | tokentry navigate --request request.json --parent 7 --headless-test --navigations - 2>/dev/null
  {"error":"invalid_option",* (glob)
  [2]

Nor is a folder made where the login cannot be shown.

  $ tokentry navigate --request request.json 2>/dev/null
  {"error":"no_display",* (glob)
  [7]
  $ ls .local/state/tokentry/sessions
  news
