# Mistakes on the command line

A wrong request is status 2, nothing is opened, and the answer has the shape of every other answer. Standard error
begins with the error; a hint follows where there is one.

An option that does not exist, with the nearest one that does:

  $ tokentry login --provider vk --client-idd 753197
  {"error":"invalid_option","error_description":"*","origin":"caller","retryable":false} (glob)
  ! tokentry: error: *--client-idd* (glob)
  ! tokentry: hint: *--client-id* (glob)
  [2]

A value never appears in the message: it may be a secret.

  $ tokentry login --client-secret=hunter2 2>err
  {"error":"invalid_option",* (glob)
  [2]
  $ tokentry login --client-secret hunter2 2>>err
  {"error":"invalid_option",* (glob)
  [2]
  $ grep -c hunter2 err
  0
  [1]
  $ tokentry login --password=hunter2 | grep -c hunter2
  0
  ! tokentry: error: * (glob)
  ! tokentry: hint: * (glob)
  [1]

A command that does not exist:

  $ tokentry explian
  {"error":"invalid_option","error_description":"*","origin":"caller","retryable":false} (glob)
  ! tokentry: error: *explian* (glob)
  ! tokentry: hint: *explain* (glob)
  [2]

Something that belongs to nothing:

  $ tokentry login vk 2>&1 >/dev/null | head -n 1
  tokentry: error: * (glob)
  $ tokentry login vk >/dev/null 2>&1
  [2]

Values that are missing, given twice, or of the wrong kind:

  $ for options in "--client-id" "--client-id=" "--client-id a --client-id b" "--timeout soon" "--timeout -1" \
  >   "--timeout 99999999999999999999" "--grant carrier-pigeon" "--output yml" "--agent butler" "--headless-test=yes" \
  >   "--param name" "--param =value" "--var tenant" "--header name" "-x" "--" "- -" ; do
  >   tokentry login --provider vk $options >out 2>err
  >   echo "$? $(head -n 1 err | cut -c 1-17) $options"
  > done
  2 tokentry: error:  --client-id
  2 tokentry: error:  --client-id=
  2 tokentry: error:  --client-id a --client-id b
  2 tokentry: error:  --timeout soon
  2 tokentry: error:  --timeout -1
  2 tokentry: error:  --timeout 99999999999999999999
  2 tokentry: error:  --grant carrier-pigeon
  2 tokentry: error:  --output yml
  2 tokentry: error:  --agent butler
  2 tokentry: error:  --headless-test=yes
  2 tokentry: error:  --param name
  2 tokentry: error:  --param =value
  2 tokentry: error:  --var tenant
  2 tokentry: error:  --header name
  2 tokentry: error:  -x
  2 tokentry: error:  --
  2 tokentry: error:  - -

Both ways to give a value are the same.

  $ printf '%s\n' 'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&state=S=' |
  >   tokentry login --provider=vk --client-id=753197 --state=S= --headless-test --navigations=-
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}

## What the request sets itself

`--param` and `--header` cannot replace what the program vouches for.

  $ for name in state redirect_uri client_id client_secret response_type scope nonce code_challenge \
  >   code_challenge_method code_verifier code grant_type; do
  >   tokentry explain --provider vk --client-id 753197 --param "$name=x" >out 2>/dev/null
  >   echo "$? $(cut -d, -f1 out) $name"
  > done
  2 {"error":"invalid_option" state
  2 {"error":"invalid_option" redirect_uri
  2 {"error":"invalid_option" client_id
  2 {"error":"invalid_option" client_secret
  2 {"error":"invalid_option" response_type
  2 {"error":"invalid_option" scope
  2 {"error":"invalid_option" nonce
  2 {"error":"invalid_option" code_challenge
  2 {"error":"invalid_option" code_challenge_method
  2 {"error":"invalid_option" code_verifier
  2 {"error":"invalid_option" code
  2 {"error":"invalid_option" grant_type
  $ for name in Authorization authorization Host Content-Type Content-Length Cookie "X-A
  > B" "A B" "A:"; do
  >   tokentry explain --provider vk --client-id 753197 --header "$name=x" >out 2>/dev/null
  >   echo "$? $(cut -d, -f1 out)"
  > done
  2 {"error":"invalid_option"
  2 {"error":"invalid_option"
  2 {"error":"invalid_option"
  2 {"error":"invalid_option"
  2 {"error":"invalid_option"
  2 {"error":"invalid_option"
  2 {"error":"invalid_option"
  2 {"error":"invalid_option"
  2 {"error":"invalid_option"
  $ tokentry explain --provider vk --client-id 753197 --header "X-A=b
  > Authorization: Bearer x" 2>/dev/null | cut -d, -f1
  {"error":"invalid_option"

## Options that do not fit

  $ printf '%s\n' '{}' >empty.json
  > for options in "--navigations - --request -" "--grant code --response-type token" "--navigations none" \
  >   "--without-state --state S --headless-test --navigations -" "--state S --without-state"; do
  >   tokentry login --provider vk --client-id 753197 $options <empty.json >out 2>err
  >   echo "$? $(cut -d, -f1 out | sed 's/invalid_.*"/invalid_…"/') $(head -n 1 err | cut -c 1-17)"
  > done
  2 {"error":"invalid_…" tokentry: error: 
  2 {"error":"invalid_…" tokentry: error: 
  2 {"error":"invalid_…" tokentry: error: 
  2 {"error":"invalid_…" tokentry: error: 
  2 {"error":"invalid_…" tokentry: error: 

What a request needs:

  $ tokentry login --provider vk --headless-test --navigations /dev/null 2>&1 >out | head -n 1; cat out
  tokentry: error: *client* (glob)
  {"error":"invalid_*","error_description":"*","origin":"caller","retryable":false} (glob)
  $ tokentry login --client-id c --headless-test --navigations /dev/null 2>/dev/null
  {"error":"invalid_*","error_description":"*","origin":"caller","retryable":false} (glob)
  [2]

## Endpoints are https

Plain http is for literal loopback addresses and `localhost` only.

  $ try() {
  >   tokentry explain --client-id c --response-type token --redirect-uri "${2-https://app.example/done}" \
  >     --authorization-endpoint "$1" >out 2>/dev/null
  >   echo "$? $(cut -d, -f1 out | cut -c 1-22 | sed 's/invalid_.*/invalid_…/') $1 $2"
  > }
  > try https://as.example/a; try http://127.0.0.1:8080/a; try 'http://[::1]:8080/a'; try http://localhost/a
  > try http://as.example/a; try http://127.0.0.1.evil.example/a; try http://localhost.evil.example/a
  > try http://127.0.0.1@evil.example/a; try ftp://as.example/a; try as.example/a; try /a; try javascript:alert
  > try https://; try 'https://as.example/a#b'; try 'https://user:pw@as.example/a'; try 'https://as.example/a b'
  > try https://as.example/a http://app.example/done; try https://as.example/a done; try https://as.example/a '/done'
  > try https://as.example/a 'https://app.example/done#x'; try https://as.example/a 'javascript:alert(1)'
  0 {"url":"https://as.exa https://as.example/a 
  0 {"url":"http://127.0.0 http://127.0.0.1:8080/a 
  0 {"url":"http://[::1]:8 http://[::1]:8080/a 
  0 {"url":"http://localho http://localhost/a 
  2 {"error":"invalid_… http://as.example/a 
  2 {"error":"invalid_… http://127.0.0.1.evil.example/a 
  2 {"error":"invalid_… http://localhost.evil.example/a 
  2 {"error":"invalid_… http://127.0.0.1@evil.example/a 
  2 {"error":"invalid_… ftp://as.example/a 
  2 {"error":"invalid_… as.example/a 
  2 {"error":"invalid_… /a 
  2 {"error":"invalid_… javascript:alert 
  2 {"error":"invalid_… https:// 
  2 {"error":"invalid_… https://as.example/a#b 
  2 {"error":"invalid_… https://user:pw@as.example/a 
  2 {"error":"invalid_… https://as.example/a b 
  2 {"error":"invalid_… https://as.example/a http://app.example/done
  2 {"error":"invalid_… https://as.example/a done
  2 {"error":"invalid_… https://as.example/a /done
  2 {"error":"invalid_… https://as.example/a https://app.example/done#x
  2 {"error":"invalid_… https://as.example/a javascript:alert(1)

## Nobody to ask

Without a display and without a test there is no way to the user, and the program says so instead of waiting.

  $ tokentry login --provider vk --client-id 753197 --agent window 2>err
  {"error":"no_*","error_description":"*","origin":"tokentry","retryable":false} (glob)
  [7]
  $ head -n 1 err
  tokentry: error: * (glob)

A provider that gives out no codes for another device is named as that.

  $ tokentry login --provider vk --client-id 753197 --agent device 2>err
  {"error":"invalid_configuration","error_description":"*","origin":"caller","retryable":false} (glob)
  [2]
  $ cat err
  tokentry: error: the provider's device authorization endpoint is not known
  tokentry: hint: add --device-authorization-endpoint URL, or --issuer URL if the provider publishes its metadata

## A word too many

It is named, since a value in several words is what it mostly comes from.

  $ tokentry login --scope openid offline_access >out 2>err
  [2]
  $ cat err
  tokentry: error: "offline_access" is not expected here
  tokentry: hint: a value with spaces needs quotes; see `tokentry login --help`
