# Mistakes on the command line

A wrong request ends with status 2 before anything is opened, and its answer has the usual shape. Standard error begins
with the error. A hint follows if there is one.

An unknown option, with the nearest one that exists:

  $ tokentry login --provider vk --client-idd 753197
  {"error":"invalid_option","error_description":"*","origin":"caller","retryable":false} (glob)
  ! tokentry: error: *--client-idd* (glob)
  ! tokentry: hint: *--client-id* (glob)
  [2]

The message never contains the value, which may be a secret.

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

An unknown command:

  $ tokentry explian
  {"error":"invalid_option","error_description":"*","origin":"caller","retryable":false} (glob)
  ! tokentry: error: *explian* (glob)
  ! tokentry: hint: *explain* (glob)
  [2]

A word too many is named, since it mostly comes from a value with spaces.

  $ tokentry login --scope openid offline_access >out 2>err
  [2]
  $ cat err
  tokentry: error: unexpected argument "offline_access"
  tokentry: hint: a value with spaces needs quotes; see `tokentry login --help`

Wrong values:

  $ for options in "--client-id=" "--timeout -1" "--timeout 99999999999999999999" "--grant carrier-pigeon" "--output yml" \
  >   "--headless-test=yes" "--param name" "--param =value" "--var tenant" "--header name" "-x" "--" "- -" ; do
  >   tokentry login --provider vk $options >out 2>err
  >   echo "$? $(head -n 1 err | cut -c 1-17) $options"
  > done
  2 tokentry: error:  --client-id=
  2 tokentry: error:  --timeout -1
  2 tokentry: error:  --timeout 99999999999999999999
  2 tokentry: error:  --grant carrier-pigeon
  2 tokentry: error:  --output yml
  2 tokentry: error:  --headless-test=yes
  2 tokentry: error:  --param name
  2 tokentry: error:  --param =value
  2 tokentry: error:  --var tenant
  2 tokentry: error:  --header name
  2 tokentry: error:  -x
  2 tokentry: error:  --
  2 tokentry: error:  - -

A value may follow the option as the next word or behind an equals sign.

  $ printf '%s\n' 'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&state=S=' |
  >   tokentry login --provider=vk --client-id=753197 --state=S= --headless-test --navigations=-
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}

## Names that tokentry sets itself

`--param` and `--header` cannot replace a parameter or a field that the program vouches for.

  $ for name in state redirect_uri client_id code_challenge; do
  >   tokentry explain --provider vk --client-id 753197 --param "$name=x" >out 2>/dev/null
  >   echo "$? $(cut -d, -f1 out) $name"
  > done
  2 {"error":"invalid_option" state
  2 {"error":"invalid_option" redirect_uri
  2 {"error":"invalid_option" client_id
  2 {"error":"invalid_option" code_challenge
  $ for header in authorization=x Host=x "A B=x" "X-A=b
  > Authorization: Bearer x"; do
  >   tokentry explain --provider vk --client-id 753197 --header "$header" >out 2>/dev/null
  >   echo "$? $(cut -d, -f1 out)"
  > done
  2 {"error":"invalid_option"
  2 {"error":"invalid_option"
  2 {"error":"invalid_option"
  2 {"error":"invalid_option"

## Options that do not fit together

  $ printf '%s\n' '{}' >empty.json
  > for options in "--navigations - --options -" "--navigations none" "--kiosk --no-browser" \
  >   "--headless-test --navigations - --form a=b"; do
  >   tokentry login --provider vk --client-id 753197 $options <empty.json >out 2>err
  >   echo "$? $(cut -d, -f1 out | sed 's/invalid_.*"/invalid_…"/') $(head -n 1 err | cut -c 1-17)"
  > done
  2 {"error":"invalid_…" tokentry: error: 
  2 {"error":"invalid_…" tokentry: error: 
  2 {"error":"invalid_…" tokentry: error: 
  2 {"error":"invalid_…" tokentry: error: 
  $ for members in '"grant":"code","response_type":"token"' '"state":"S","without_state":true'; do
  >   printf '{%s}' "$members" | tokentry login --provider vk --client-id 753197 --options - 2>/dev/null >out
  >   echo "$? $(cut -d, -f1 out)"
  > done
  2 {"error":"invalid_configuration"
  2 {"error":"invalid_configuration"

A login needs a client and a provider.

  $ tokentry login --provider vk --headless-test --navigations /dev/null 2>&1 >out | head -n 1; cat out
  tokentry: error: *client* (glob)
  {"error":"invalid_*","error_description":"*","origin":"caller","retryable":false} (glob)
  $ tokentry login --client-id c --headless-test --navigations /dev/null 2>/dev/null
  {"error":"invalid_*","error_description":"*","origin":"caller","retryable":false} (glob)
  [2]

## Endpoints are https

Plain http is allowed for literal loopback addresses and `localhost` only.

  $ try() {
  >   tokentry explain --client-id c --grant implicit --redirect-uri "${2-https://app.example/done}" \
  >     --endpoint authorization="$1" >out 2>/dev/null
  >   echo "$? $(cut -d, -f1 out | cut -c 1-22 | sed 's/invalid_.*/invalid_…/') $1 $2"
  > }
  > try https://as.example/a; try http://127.0.0.1:8080/a; try 'http://[::1]:8080/a'; try http://localhost/a
  > try http://as.example/a; try http://127.0.0.1.evil.example/a; try https://as.example/a http://app.example/done
  0 {"url":"https://as.exa https://as.example/a 
  0 {"url":"http://127.0.0 http://127.0.0.1:8080/a 
  0 {"url":"http://[::1]:8 http://[::1]:8080/a 
  0 {"url":"http://localho http://localhost/a 
  2 {"error":"invalid_… http://as.example/a 
  2 {"error":"invalid_… http://127.0.0.1.evil.example/a 
  2 {"error":"invalid_… https://as.example/a http://app.example/done

## No way to the user

Without a display and outside of a test the program cannot reach the user. It says so and does not wait.

  $ tokentry login --provider vk --client-id 753197 --way window 2>err
  {"error":"no_*","error_description":"*","origin":"tokentry","retryable":false} (glob)
  [7]
  $ head -n 1 err
  tokentry: error: * (glob)

A provider without a device authorization endpoint cannot sign in with another device.

  $ tokentry login --provider vk --client-id 753197 --way device 2>err
  {"error":"invalid_configuration","error_description":"*","origin":"caller","retryable":false} (glob)
  [2]
  $ cat err
  tokentry: error: the provider's device authorization endpoint is not known
  tokentry: hint: add --endpoint device_authorization=URL, or --issuer URL if the provider publishes its metadata
