# The demo: a complete login without anybody

A provider that is part of the program listens on this machine, and a headless agent signs in, agrees and exchanges
the code. Everything that can be verified is.

  $ tokentry demo >out
  ! tokentry: info: there is no display, so a headless agent signs in as ada
  $ grep -o '"checks":.*' out
  "checks":{"redirect":"exact","state":"verified","pkce":"S256","iss":"verified","id_token":"verified","nonce":"verified"}}
  $ grep -o '"token_type":"Bearer","expires_in":[0-9]*' out
  "token_type":"Bearer","expires_in":3600

Other response types put tokens into the callback. An id_token alone is no access token, and there is none to print.

  $ tokentry demo --headless-test --response-type 'code id_token token' | grep -o '"pkce":"S256".*'
  "pkce":"S256","iss":"verified","id_token":"verified","nonce":"verified"}}
  $ tokentry demo --headless-test --response-type id_token | sed 's/:"[^"]*\./:"/; s/{"iss".*},/{…},/'
  {"id_token":"*","claims":{…},"checks":{"redirect":"exact","state":"verified","iss":"verified","id_token":"verified","nonce":"verified"}} (glob)
  $ tokentry demo --headless-test --response-type id_token --output header
  ! tokentry: error: --output header needs an access token, and response_type id_token brings none
  [2]

Whoever asks for a window where there can be none is not served by anything else.

  $ tokentry demo --agent window
  {"error":"no_display",* (glob)
  ! tokentry: error: there is no display
  ! tokentry: hint: * (glob)
  [7]

A headless test of nothing in particular is the same: the smoke test of an installation.

  $ tokentry --headless-test | grep -o '"id_token":"verified"'
  "id_token":"verified"
  $ TOKENTRY_HEADLESS_TEST=1 tokentry | grep -o '"pkce":"S256"'
  "pkce":"S256"

The trace shows where it went, and no secret.

  $ tokentry demo --trace >out 2>err
  $ grep -c 'info: allow: http://127.0.0.1:' err
  4
  $ token=$(sed 's/.*"access_token":"\([^"]*\)".*/\1/' out); grep -c -e "$token" err
  0
  [1]
  $ grep -c 'password=demo\|code=[^\[]' err
  0
  [1]

The other shapes of an answer work as well.

  $ tokentry demo --headless-test --output header
  Authorization: Bearer * (glob)

Nothing listens afterwards, and nothing is left.

  $ find . -name '*tokentry*'
