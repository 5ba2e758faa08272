# What would be sent

`explain` prints the request that `login` would send, and sends nothing.

  $ tokentry explain --provider vk --client-id 753197 --scope 6 --state S
  {"url":"https://oauth.vk.com/authorize?*","agent":"window",*"parameters":{*}*} (glob)
  $ tokentry explain --provider vk --client-id 753197 --scope 6 --state S >out; wc -l <out
  1
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

With `--state` it is the same every time; without, every request has its own.

  $ tokentry explain --provider vk --client-id 753197 --scope 6 --state S | cmp - out
  $ for i in 1 2 3 4 5 6 7 8; do
  >   tokentry explain --provider vk --client-id 753197 | sed 's/.*"state":"\([^"]*\)".*/\1/'
  > done >states
  > sort -u states | wc -l
  > grep -c '^[A-Za-z0-9_-]\{27,\}$' states
  8
  8

The user's own parameters come along, encoded.

  $ tokentry explain --provider vk --client-id 753197 --state S --param 'note=a b+c/é&d=e' --param lang=en |
  >   sed 's/^{"url":"\([^"]*\)".*/\1/' | tr '?&' '\n' | tail -n 2
  note=a*b%2Bc%2F%C3%A9%26d%3De (glob)
  lang=en

The other forms of a preset's redirect URI are those of its own, and not of one that the caller has in its place.

  $ tokentry explain --provider vk --client-id 1 | grep -o '"redirect_uris":[^]]*]'
  "redirect_uris":["https://oauth.vk.com/blank.html","https://oauth.vk.ru/blank.html"]
  $ tokentry explain --provider vk --client-id 1 --redirect-uri https://app.example/done | grep -o '"redirect_uris":[^]]*]'
  "redirect_uris":["https://app.example/done"]

What only the provider knows is not asked for.

  $ tokentry explain --issuer https://as.example --client-id c 2>&1 >/dev/null
  tokentry: error: the provider's authorization endpoint is not known
  tokentry: hint: login asks the provider for it, explain asks nobody: add --authorization-endpoint URL
  [2]

A query that the endpoint has stays.

  $ tokentry explain --authorization-endpoint 'https://as.example/a?tenant=7' --client-id c --response-type token \
  >     --redirect-uri https://app.example/done --state S | sed 's/^{"url":"\([^"]*\)".*/\1/' | tr '?&' '\n'
  https://as.example/a
  tenant=7
  response_type=token
  client_id=c
  redirect_uri=https%3A%2F%2Fapp.example%2Fdone
  state=S

## No secrets

Neither the client's secret nor the code verifier is shown, nor what a header of the token request says.

  $ printf 'hunter2\n' >secret; chmod 600 secret
  > tokentry explain --client-id c --client-secret-file secret --authorization-endpoint https://as.example/a \
  >   --token-endpoint https://as.example/t --redirect-uri https://app.example/done --header X-Key=hunter3 \
  >   --code-verifier dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk -v --trace >out 2>&1
  > grep -c 'hunter\|dBjftJeZ4CVP' out
  > grep -o '"code_challenge":"[^"]*"' out
  0
  "code_challenge":"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
  $ TOKENTRY_CLIENT_SECRET=hunter2 tokentry explain --client-id c --authorization-endpoint https://as.example/a \
  >   --token-endpoint https://as.example/t --redirect-uri https://app.example/done -v --trace 2>&1 | grep -c hunter
  0
  [1]

## Auth0

A preset may need to know more: here the tenant.

  $ tokentry explain --provider auth0-implicit --var tenant=acme --client-id ID --param connection=github --state S |
  >   sed 's/^{"url":"\([^"]*\)".*/\1/' | tr '?&' '\n'
  https://acme.auth0.com/authorize/
  response_type=token
  client_id=ID
  redirect_uri=https%3A%2F%2Facme.auth0.com%2Fmobile
  state=S
  connection=github
  $ tokentry explain --provider auth0 --client-id ID 2>err
  {"error":"invalid_*","error_description":"*","origin":"caller","retryable":false} (glob)
  [2]
  $ head -n 1 err
  tokentry: error: *tenant* (glob)
  $ tokentry explain --provider auth0 --var tenant=acme --var region=eu --client-id ID 2>&1 >/dev/null | head -n 1
  tokentry: error: *region* (glob)

Auth0's widget calls the client identifier by another name.

  $ tokentry explain --provider auth0-widget-implicit --var tenant=acme --client-id ID --state S |
  >   sed 's/^{"url":"\([^"]*\)".*/\1/' | tr '?&' '\n'
  https://acme.auth0.com/login/
  response_type=token
  client=ID
  redirect_uri=https%3A%2F%2Facme.auth0.com%2Fmobile
  state=S
  $ printf '%s\n' 'https://acme.auth0.com/login/?client=ID' \
  >     'https://acme.auth0.com/mobile#access_token=T&token_type=Bearer&state=S' |
  >   tokentry login --provider auth0-widget-implicit --var tenant=acme --client-id ID --state S --headless-test --navigations -
  {"access_token":"T","token_type":"Bearer","checks":{"redirect":"exact","state":"verified"}}

A variable is a part of a name, not of an address: it cannot lead elsewhere.

  $ for tenant in evil.example/ evil.example# 'evil.example?' a@evil.example 'a b' '{client_id}' 'a:b@c' ''; do
  >   tokentry explain --provider auth0 --var "tenant=$tenant" --client-id ID >out 2>/dev/null
  >   echo "$? $(cut -d, -f1 out | sed 's/invalid_.*/invalid_…/') $tenant"
  > done
  2 {"error":"invalid_… evil.example/
  2 {"error":"invalid_… evil.example#
  2 {"error":"invalid_… evil.example?
  2 {"error":"invalid_… a@evil.example
  2 {"error":"invalid_… a b
  2 {"error":"invalid_… {client_id}
  2 {"error":"invalid_… a:b@c
  2 {"error":"invalid_… 
