# The demo: a complete login without anybody

A provider that is part of the program listens on this machine, and a headless agent signs in, agrees and exchanges
the code. Everything that can be verified is.

  $ tokentry demo >out
  $ grep -o '"checks":.*' out
  "checks":{"redirect":"exact","state":"verified","pkce":"S256","iss":"verified","id_token":"verified","nonce":"verified"}}
  $ grep -o '"token_type":"Bearer","expires_in":[0-9]*' out
  "token_type":"Bearer","expires_in":3600

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

  $ tokentry demo --output header
  Authorization: Bearer * (glob)

Nothing listens afterwards, and nothing is left.

  $ find . -name '*tokentry*'
