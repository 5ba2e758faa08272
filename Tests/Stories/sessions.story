# Sessions, and the window that a login belongs to

Forgetting an unknown session is not an error, whatever its name is, and makes no files.

  $ for name in mail ../mail /etc . 'two words' größe; do tokentry logout --session "$name"; done
  {"session":"mail","forgotten":false}
  {"session":"../mail","forgotten":false}
  {"session":"/etc","forgotten":false}
  {"session":".","forgotten":false}
  {"session":"two words","forgotten":false}
  {"session":"größe","forgotten":false}
  $ ls -A

A session is removed with everything in it, and its neighbours stay.

  $ umask 077; mkdir -p .local/state/tokentry/sessions/mail/cache .local/state/tokentry/sessions/news
  $ touch .local/state/tokentry/sessions/mail/cookies.sqlite .local/state/tokentry/sessions/mail/cache/a
  $ tokentry logout --session mail
  {"session":"mail","forgotten":true}
  $ ls .local/state/tokentry/sessions
  news

A folder that other users can read is not trusted, and the hint says how to fix it.

  $ chmod 755 .local/state/tokentry/sessions/news
  $ tokentry logout --session news
  {"error":"invalid_configuration",* (glob)
  ! tokentry: error: the kept cookies: */news can be read or written by other users (glob)
  ! tokentry: hint: chmod 700 */news (glob)
  [2]

`logout` needs the name of an account or of a session, and `--force` needs an account.

  $ for options in "" "--account mail" "--session a --force" "--session=" "--session" "--session a --session b" \
  >   "--session $(printf '%0201d' 0)"; do
  >   TOKENTRY_STORE=file:store tokentry logout $options >out 2>err
  >   echo "$? $(cut -d, -f1 out) $(head -n 1 err | cut -c 1-50)"
  > done
  2 {"error":"invalid_option" tokentry: error: logout needs --account, --session
  8 {"error":"unknown_account" tokentry: error: there is no account "mail"
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

A test accepts these options, so that the command line need not change. It keeps no session, and mistakes show.

  $ umask 077; cat >request.json <<'END'
  > {"url": "https://as.example/", "redirect_uri": "app:/done", "session": "tests", "silent": true, "parent": "x11:1a"}
  > END
  $ echo app:/done?a=1 | tokentry navigate --options request.json --headless-test --navigations -
  {"callback":"app:/done?a=1"}
  $ ls .local/state/tokentry/sessions
  news
  $ echo app:/done | tokentry navigate --options request.json --parent 7 --headless-test --navigations - 2>/dev/null
  {"error":"invalid_option",* (glob)
  [2]

A login that cannot be shown makes no folder either.

  $ tokentry navigate --options request.json 2>/dev/null
  {"error":"no_display",* (glob)
  [7]
  $ ls .local/state/tokentry/sessions
  news
