# The request as a JSON document

A program does not have to build a command line. `--options` reads an object whose members have the names of the options,
with underscores for hyphens.

  $ printf '%s\n' 'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&state=S' >list
  > tokentry login --options - <<'END'
  > {"provider":"vk","client_id":"753197","scope":"6","state":"S","timeout":5,"headless_test":true,"navigations":"list"}
  > END
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}

The command line and the document complete each other. A document may hold secrets, so only its user may read it.

  $ umask 077; cat >request.json <<'END'
  > {
  >   "authorization_endpoint": "https://as.example/authorize",
  >   "redirect_uri": "https://app.example/done",
  >   "response_type": "token",
  >   "client_id": "c",
  >   "param": {"display": "page", "lang": "en"}
  > }
  > END
  $ tokentry explain --options request.json --state S |
  >   sed 's/^{"url":"\([^"]*\)".*"parameters":\({[^}]*}\).*/\1 \2/' | tr '?& ' '\n'
  https://as.example/authorize
  response_type=token
  client_id=c
  redirect_uri=https%3A%2F%2Fapp.example%2Fdone
  state=S
  display=page
  lang=en
  {"response_type":"token","client_id":"c","redirect_uri":"https://app.example/done","state":"S","display":"page","lang":"en"}

## The names of p2/OAuth2

The program reads a settings dictionary of p2/OAuth2 as it is. Of several redirect URIs it uses the first.

  $ umask 077; cat >p2.json <<'END'
  > {
  >   "client_id": "my_swift_app",
  >   "client_secret": "C7447242-A0CF-47C5-BAC7-B38BA91970A9",
  >   "authorize_uri": "https://as.example/login/oauth/authorize",
  >   "token_uri": "https://as.example/login/oauth/access_token",
  >   "redirect_uris": ["https://app.example/done", "https://app.example/other"],
  >   "scope": "user repo:status",
  >   "secret_in_body": true,
  >   "keychain": false,
  >   "verbose": true,
  >   "token_assume_unexpired": true,
  >   "parameters": {"access_type": "offline", "n": "1"},
  >   "headers": {"Accept": "application/json"},
  >   "response_type": "token"
  > }
  > END
  $ tokentry explain --options p2.json --state S >out; echo $?; sed 's/^{"url":"\([^"]*\)".*/\1/' out | tr '?&' '\n'
  0
  https://as.example/login/oauth/authorize
  response_type=token
  client_id=my_swift_app
  redirect_uri=https%3A%2F%2Fapp.example%2Fdone
  scope=user*repo%3Astatus (glob)
  state=S
  access_type=offline
  n=1
  $ grep -c C7447242 out
  0
  [1]

The warning in the next login is about the implicit grant, which this dictionary asks for.

  $ printf '%s\n' 'https://app.example/done#access_token=T&token_type=bearer&state=S' >list
  > tokentry login --options p2.json --state S --headless-test --navigations list
  {"access_token":"T","token_type":"bearer","checks":{"redirect":"exact","state":"verified"}}
  ! tokentry: warning: * (glob)

Without a response type the dictionary asks for a code, as in p2/OAuth2.

  $ grep -v response_type p2.json | sed 's/json"},/json"}/' | tokentry explain --options - | grep -o '"response_type":"code"' | sort -u
  "response_type":"code"

## Mistakes

An unknown member, with the nearest one that exists:

  $ echo '{"provider":"vk","cleint_id":"753197"}' | tokentry login --options -
  {"error":"invalid_option","error_description":"*","origin":"caller","retryable":false} (glob)
  ! tokentry: error: *cleint_id* (glob)
  ! tokentry: hint: *client_id* (glob)
  [2]

A member that is there twice, also under another spelling or under the name of p2/OAuth2:

  $ for twice in '"client_id":"1","client\u005fid":"2"' '"param":{"a":"1"},"parameters":{"a":"2"}' \
  >   '"authorize_uri":"https://a.example/","authorization_endpoint":"https://b.example/"'; do
  >   printf '{"provider":"vk",%s}' "$twice" | tokentry explain --client-id 753197 --options - >out 2>err
  >   echo "$? $(cut -d, -f1 out) $(head -n 1 err | cut -c 1-17)"
  > done
  2 {"error":"invalid_option" tokentry: error: 
  2 {"error":"invalid_option" tokentry: error: 
  2 {"error":"invalid_option" tokentry: error: 

A wrong kind of value, a second document, and a parameter or field that the request sets itself:

  $ for wrong in '"timeout":-1' '"secret_in_body":"yes"' '"request":"other.json"' '"parameters":{"state":"S"}' \
  >   '"headers":{"Authorization":"Bearer x"}'; do
  >   printf '{"provider":"vk",%s}' "$wrong" | tokentry explain --options - >out 2>err
  >   echo "$? $(cut -d, -f1 out) $(head -n 1 err | cut -c 1-17) $wrong"
  > done
  2 {"error":"invalid_option" tokentry: error:  "timeout":-1
  2 {"error":"invalid_option" tokentry: error:  "secret_in_body":"yes"
  2 {"error":"invalid_option" tokentry: error:  "request":"other.json"
  2 {"error":"invalid_option" tokentry: error:  "parameters":{"state":"S"}
  2 {"error":"invalid_option" tokentry: error:  "headers":{"Authorization":"Bearer x"}

Text that is not JSON is refused with the line of the mistake.

  $ printf '{\n  "provider": "vk",\n  "client_id": 75319seven\n}\n' | tokentry login --options - 2>err
  {"error":"invalid_option","error_description":"*3*","origin":"caller","retryable":false} (glob)
  [2]
  $ head -n 1 err
  tokentry: error: *line 3* (glob)
  $ head -c 10000000 /dev/zero | tr '\0' '[' | tokentry login --options - 2>/dev/null | cut -d, -f1
  {"error":"invalid_option"
  $ tokentry login --options none.json 2>&1 >/dev/null | head -n 1
  tokentry: error: *none.json* (glob)
  $ tokentry login --options none.json >/dev/null 2>&1
  [2]

The message does not repeat the values in the document, which may be secret.

  $ printf '{"client_secret":"hunter2","client_secret":"hunter3"}' | tokentry login --options - 2>&1 | grep -c hunter
  0
  [1]
  $ printf '{"client_secret":"hunter2" oops' | tokentry login --options - 2>&1 | grep -c hunter
  0
  [1]

A descriptor that the caller did not pass is not open, even if the program uses its number for itself.

  $ for number in 3 4 5 6 7 8 9; do
  >   tokentry login --provider vk --client-id 753197 --headless-test --options /dev/fd/$number </dev/null 2>/dev/null |
  >     grep -c 'Bad file descriptor'
  > done | sort | uniq -c
  *7 1 (glob)
