# The demo: a complete login without a user

The program contains a provider that listens on this machine. A headless agent signs in there, agrees and exchanges the
code, and the program verifies everything that can be verified.

  $ tokentry demo >out
  ! tokentry: info: there is no display, so a headless agent signs in as ada
  $ grep -o '"checks":.*' out
  "checks":{"redirect":"exact","state":"verified","pkce":"S256","iss":"verified","id_token":"verified","nonce":"verified"}}
  $ grep -o '"token_type":"Bearer","expires_in":[0-9]*' out
  "token_type":"Bearer","expires_in":3??? (glob)

Other response types put tokens into the callback. An id_token is not an access token, so `--output header` refuses it.

  $ cat >demo <<'END'
  > printf '{"response_type":"%s"}' "$1" | tokentry demo --headless-test --options - $2
  > END
  > sh demo 'code id_token token' | grep -o '"pkce":"S256".*'
  "pkce":"S256","iss":"verified","id_token":"verified","nonce":"verified"}}
  $ sh demo id_token | sed 's/:"[^"]*\./:"/; s/{"iss".*},/{…},/'
  {"id_token":"*","claims":{…},"checks":{"redirect":"exact","state":"verified","iss":"verified","id_token":"verified","nonce":"verified"}} (glob)
  $ sh demo id_token '--output header'
  ! tokentry: error: --output header needs an access token, which response_type id_token does not return
  [2]
  $ tokentry demo --headless-test --output header
  Authorization: Bearer * (glob)
  $ tokentry demo --headless-test --output id_token | grep -c '^[A-Za-z0-9_-]*[.][A-Za-z0-9_-]*[.][A-Za-z0-9_-]*$'
  1

At a terminal, the demo ends with what can be tried next.

  $ script -qec 'tokentry demo --headless-test' /dev/null </dev/null | tr -d '\r' | tail -n 1
  tokentry: info: it works: a program would get what is printed above; * (glob)

A caller who asks for a window does not get another way instead.

  $ tokentry demo --way window
  {"error":"no_display",* (glob)
  ! tokentry: error: there is no display
  ! tokentry: hint: * (glob)
  [7]

A headless test without a provider runs the demo too. It is the smoke test of an installation.

  $ tokentry --headless-test | grep -o '"id_token":"verified"'
  "id_token":"verified"
  $ TOKENTRY_HEADLESS_TEST=1 tokentry | grep -o '"pkce":"S256"'
  "pkce":"S256"

A provider for an application under development stays until it is told to end. It prints where it is, and takes the same
`login` as any other provider. Its home page, or a POST of a script, changes how it behaves: here tokens that last a minute,
and sign-ins without a page.

  $ tokentry demo --serve -v >serving 2>log &
  > provider=$!
  > until [ -s serving ]; do sleep 0.05; done
  > sed 's/:[0-9][0-9]*"/:PORT"/' serving
  > issuer=$(grep -o 'http[^"]*' serving)
  > login() {
  >   tokentry login --issuer "$issuer" --client-id tokentry-demo --store file:accounts --account me --headless-test "$@"
  > }
  > login --scope openid --form username=ann --form password=demo --form decision=allow |
  >   grep -o '"refresh_token"\|"id_token":"verified"'
  > curl -sS -d token_life=60 -d access=allow "$issuer/"
  > tokentry token --account me --store file:accounts --silent --min-valid 3601 | grep -c '"expires_in":[1-6][0-9],'
  > curl -sS -d token_life=3600 "$issuer/"
  > login --dpop | grep -o '"token_type":"[^"]*"'
  > tokentry userinfo --account me --store file:accounts | grep -o '"name":"ada"'
  > tokentry logout --account me --store file:accounts | grep -o '"revoked":[^]]*'
  > grep -c 'info: POST /token: 200$' log
  > kill $provider && wait $provider
  {"issuer":"http://127.0.0.1:PORT","client_id":"tokentry-demo"}
  "refresh_token"
  "id_token":"verified"
  1
  "token_type":"DPoP"
  "name":"ada"
  "revoked":["refresh_token","access_token"
  3

It is not a login, so it takes none of the options that say how one is shown.

  $ tokentry demo --serve --way window
  {"error":"invalid_configuration",* (glob)
  ! tokentry: error: --serve and --way contradict each other
  [2]

The trace shows the pages, but no secret.

  $ tokentry demo -vv >out 2>err
  $ grep -c 'info: allow: http://127.0.0.1:' err
  4
  $ token=$(sed 's/.*"access_token":"\([^"]*\)".*/\1/' out); grep -c -e "$token" err
  0
  [1]
  $ grep -c 'password=demo\|code=[^\[]' err
  0
  [1]

The demo leaves no files.

  $ find . -name '*tokentry*'
