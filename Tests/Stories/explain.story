# What a login would send

`explain` prints the request that `login` would send, and does not send it.

  $ tokentry explain --provider vk --client-id 753197 --scope 6 --state S >out; cat out
  {"url":"https://oauth.vk.com/authorize?*","way":"none",*"parameters":{*}*} (glob)
  $ sed 's/^{"url":"\([^"]*\)".*/\1/' out | tr '?&' '\n'
  https://oauth.vk.com/authorize
  response_type=token
  client_id=753197
  redirect_uri=https%3A%2F%2Foauth.vk.com%2Fblank.html
  scope=6
  state=S
  display=page
  v=5.52
  $ sed 's/.*"parameters":{\([^}]*\)}.*/\1/' out | tr ',' '\n'
  "response_type":"token"
  "client_id":"753197"
  "redirect_uri":"https://oauth.vk.com/blank.html"
  "scope":"6"
  "state":"S"
  "display":"page"
  "v":"5.52"

With `--state` the output never changes. Without it every request gets a new state.

  $ tokentry explain --provider vk --client-id 753197 --scope 6 --state S | cmp - out
  $ for i in 1 2 3 4 5 6 7 8; do
  >   tokentry explain --provider vk --client-id 753197 | sed 's/.*"state":"\([^"]*\)".*/\1/'
  > done >states
  > sort -u states | wc -l
  > grep -c '^[A-Za-z0-9_-]\{27,\}$' states
  8
  8

Parameters of the user are added in encoded form.

  $ tokentry explain --provider vk --client-id 753197 --state S --param 'note=a b+c/é&d=e' --param lang=en |
  >   sed 's/^{"url":"\([^"]*\)".*/\1/' | tr '?&' '\n' | tail -n 2
  note=a*b%2Bc%2F%C3%A9%26d%3De (glob)
  lang=en

The aliases of a preset belong to its own redirect URI only.

  $ tokentry explain --provider vk --client-id 1 | grep -o '"redirect_uris":[^]]*]'
  "redirect_uris":["https://oauth.vk.com/blank.html","https://oauth.vk.ru/blank.html"]
  $ tokentry explain --provider vk --client-id 1 --redirect-uri https://app.example/done | grep -o '"redirect_uris":[^]]*]'
  "redirect_uris":["https://app.example/done"]

Only the issuer may know the address of the page. `explain` reads its metadata, and says so if it cannot. It always knows the
redirect URI, which the form of a provider for new applications asks for, before there is a client identifier. Its port never
changes, and a slash at the end of the issuer makes no difference.

  $ tokentry explain --issuer http://127.0.0.1:2/ --client-id c >out
  ! tokentry: warning: *127.0.0.1*, so the address of the first request is not known (glob)
  $ grep -c '"url"' out
  0
  [1]
  $ grep -o '"redirect_uris":[^]]*]' out
  "redirect_uris":["http://127.0.0.1:62058/callback/127.0.0.1:2"]
  $ for provider in '--provider github' '--issuer http://127.0.0.1:2 --store file:none'; do
  >   tokentry explain $provider 2>/dev/null | grep -o '"client_id":"[^"]*"\|"redirect_uris":[^]]*]'
  > done
  "client_id":"CLIENT_ID"
  "redirect_uris":["http://127.0.0.1/"]
  "client_id":"CLIENT_ID"
  "redirect_uris":["http://127.0.0.1:62058/callback/127.0.0.1:2"]
  $ tokentry explain --provider github >out
  ! tokentry: info: no client identifier was given, and CLIENT_ID stands for it

## No secrets

The output contains neither the client secret nor the code verifier, nor the value of a header of the token request.

  $ printf 'hunter2\n' >secret
  > printf '{"code_verifier":"dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"}' >wish.json; chmod 600 secret wish.json
  > tokentry explain --client-id c --client-secret-file secret --endpoint authorization=https://as.example/a \
  >   --endpoint token=https://as.example/t --redirect-uri https://app.example/done --header X-Key=hunter3 \
  >   --options wish.json -vv >out 2>&1
  > grep -c 'hunter\|dBjftJeZ4CVP' out
  > grep -o '"code_challenge":"[^"]*"' out
  0
  "code_challenge":"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
  $ TOKENTRY_CLIENT_SECRET=hunter2 tokentry explain --client-id c --endpoint authorization=https://as.example/a \
  >   --endpoint token=https://as.example/t --redirect-uri https://app.example/done -vv 2>&1 | grep -c hunter
  0
  [1]

## Variables of a preset

Auth0's preset needs the tenant.

  $ tokentry explain --provider auth0 --grant implicit --var tenant=acme --client-id ID --param connection=github --state S |
  >   sed 's/^{"url":"\([^"]*\)".*/\1/' | tr '?&' '\n'
  https://acme.auth0.com/authorize
  response_type=token
  client_id=ID
  redirect_uri=https%3A%2F%2Facme.auth0.com%2Fmobile
  scope=openid
  state=S
  nonce=* (glob)
  connection=github
  $ tokentry explain --provider auth0 --client-id ID 2>err
  {"error":"invalid_*","error_description":"*","origin":"caller","retryable":false} (glob)
  [2]
  $ head -n 1 err
  tokentry: error: *tenant* (glob)
  $ tokentry explain --provider auth0 --var tenant=acme --var region=eu --client-id ID 2>&1 >/dev/null | head -n 1
  tokentry: error: *region* (glob)

Auth0's older widget expects the client identifier under another name, which a file of one's own can say.

  $ cat >widget.json <<'END'
  > {"variables": {"tenant": "t"}, "authorization_endpoint": "https://{tenant}.auth0.com/login/",
  >  "response_type": "token", "redirect_uri": "https://{tenant}.auth0.com/mobile",
  >  "parameter_names": {"client_id": "client"}}
  > END
  $ tokentry explain --provider ./widget.json --var tenant=acme --client-id ID --state S |
  >   sed 's/^{"url":"\([^"]*\)".*/\1/' | tr '?&' '\n'
  https://acme.auth0.com/login/
  response_type=token
  client=ID
  redirect_uri=https%3A%2F%2Facme.auth0.com%2Fmobile
  state=S
  $ printf '%s\n' 'https://acme.auth0.com/login/?client=ID' \
  >     'https://acme.auth0.com/mobile#access_token=T&token_type=Bearer&state=S' |
  >   tokentry login --provider ./widget.json --var tenant=acme --client-id ID --state S --headless-test --navigations -
  {"access_token":"T","token_type":"Bearer","checks":{"redirect":"exact","state":"verified"}}

A variable is part of a name, so it cannot lead to another host.

  $ for tenant in evil.example/ 'evil.example?' a@evil.example '{client_id}'; do
  >   tokentry explain --provider auth0 --var "tenant=$tenant" --client-id ID >out 2>/dev/null
  >   echo "$? $(cut -d, -f1 out | sed 's/invalid_.*/invalid_…/') $tenant"
  > done
  2 {"error":"invalid_… evil.example/
  2 {"error":"invalid_… evil.example?
  2 {"error":"invalid_… a@evil.example
  2 {"error":"invalid_… {client_id}
