# The request as a JSON document

A program need not build a command line: `--request` reads one object with the same names, underscores for hyphens.

  $ printf '%s\n' 'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&state=S' >list
  > tokentry login --request - <<'END'
  > {"provider":"vk","client_id":"753197","scope":"6","state":"S","timeout":5,"headless_test":true,"navigations":"list"}
  > END
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}

The command line and the document complete each other. A document may hold secrets, so it is for its user alone.

  $ umask 077; cat >request.json <<'END'
  > {
  >   "authorization_endpoint": "https://as.example/authorize",
  >   "redirect_uri": "https://app.example/done",
  >   "response_type": "token",
  >   "client_id": "c",
  >   "param": {"display": "page", "lang": "en"}
  > }
  > END
  $ tokentry explain --request request.json --state S |
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

A settings dictionary of p2/OAuth2 is understood as it is. Of several redirect URIs the first is used.

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
  $ tokentry explain --request p2.json --state S >out; echo $?; sed 's/^{"url":"\([^"]*\)".*/\1/' out | tr '?&' '\n'
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
  $ printf '%s\n' 'https://app.example/done#access_token=T&token_type=bearer&state=S' >list
  > tokentry login --request p2.json --state S --headless-test --navigations list
  {"access_token":"T","token_type":"bearer","checks":{"redirect":"exact","state":"verified"}}
  ! tokentry: warning: * (glob)

The warning is for the implicit grant, which the dictionary asks for and no preset recommends.

A dictionary that says nothing of the response is one for a code, as it is there.

  $ grep -v response_type p2.json | sed 's/json"},/json"}/' | tokentry explain --request - | grep -o '"response_type":"code"' | sort -u
  "response_type":"code"

## Mistakes

A member that does not exist, with the nearest one that does:

  $ echo '{"provider":"vk","cleint_id":"753197"}' | tokentry login --request -
  {"error":"invalid_option","error_description":"*","origin":"caller","retryable":false} (glob)
  ! tokentry: error: *cleint_id* (glob)
  ! tokentry: hint: *client_id* (glob)
  [2]

One that is there twice, whatever the second value is, and under whatever spelling:

  $ for twice in '"client_id":"1","client_id":"2"' '"client_id":"1","client_id":"1"' '"client_id":"1","client\u005fid":"2"' \
  >   '"authorize_uri":"https://a.example/","authorization_endpoint":"https://b.example/"' \
  >   '"param":{"a":"1"},"parameters":{"a":"2"}' '"param":{"a":"1","a":"2"}'; do
  >   printf '{"provider":"vk",%s}' "$twice" | tokentry explain --client-id 753197 --request - >out 2>err
  >   echo "$? $(cut -d, -f1 out) $(head -n 1 err | cut -c 1-17)"
  > done
  2 {"error":"invalid_option" tokentry: error: 
  2 {"error":"invalid_option" tokentry: error: 
  2 {"error":"invalid_option" tokentry: error: 
  2 {"error":"invalid_option" tokentry: error: 
  2 {"error":"invalid_option" tokentry: error: 
  2 {"error":"invalid_option" tokentry: error: 

Values of the wrong kind:

  $ for wrong in '"client_id":1' '"client_id":["1"]' '"client_id":{}' '"client_id":true' '"headless_test":"yes"' \
  >   '"timeout":1.5' '"timeout":-1' '"timeout":[5]' '"param":"a=b"' '"param":{"a":{}}' '"redirect_uris":[1]' \
  >   '"redirect_uris":[]' '"client_secret":7' '"secret_in_body":"yes"' '"keychain":"x"' '"request":"other.json"'; do
  >   printf '{"provider":"vk",%s}' "$wrong" | tokentry explain --request - >out 2>err
  >   echo "$? $(cut -d, -f1 out) $(head -n 1 err | cut -c 1-17) $wrong"
  > done
  2 {"error":"invalid_option" tokentry: error:  "client_id":1
  2 {"error":"invalid_option" tokentry: error:  "client_id":["1"]
  2 {"error":"invalid_option" tokentry: error:  "client_id":{}
  2 {"error":"invalid_option" tokentry: error:  "client_id":true
  2 {"error":"invalid_option" tokentry: error:  "headless_test":"yes"
  2 {"error":"invalid_option" tokentry: error:  "timeout":1.5
  2 {"error":"invalid_option" tokentry: error:  "timeout":-1
  2 {"error":"invalid_option" tokentry: error:  "timeout":[5]
  2 {"error":"invalid_option" tokentry: error:  "param":"a=b"
  2 {"error":"invalid_option" tokentry: error:  "param":{"a":{}}
  2 {"error":"invalid_option" tokentry: error:  "redirect_uris":[1]
  2 {"error":"invalid_option" tokentry: error:  "redirect_uris":[]
  2 {"error":"invalid_option" tokentry: error:  "client_secret":7
  2 {"error":"invalid_option" tokentry: error:  "secret_in_body":"yes"
  2 {"error":"invalid_option" tokentry: error:  "keychain":"x"
  2 {"error":"invalid_option" tokentry: error:  "request":"other.json"

The names that the request sets itself are refused here too.

  $ echo '{"provider":"vk","client_id":"1","parameters":{"state":"S"}}' | tokentry explain --request - 2>/dev/null
  {"error":"invalid_option",* (glob)
  [2]
  $ echo '{"provider":"vk","client_id":"1","headers":{"Authorization":"Bearer x"}}' | tokentry explain --request - 2>/dev/null
  {"error":"invalid_option",* (glob)
  [2]

What is no JSON is refused with its line.

  $ printf '{\n  "provider": "vk",\n  "client_id": 75319seven\n}\n' | tokentry login --request - 2>err
  {"error":"invalid_option","error_description":"*3*","origin":"caller","retryable":false} (glob)
  [2]
  $ head -n 1 err
  tokentry: error: *line 3* (glob)
  $ for text in '' '[]' '"vk"' '{' '{}{}' '{"provider":"vk",}' "{'provider':'vk'}" 'provider: vk'; do
  >   printf '%s' "$text" | tokentry login --request - >out 2>err
  >   echo "$? $(cut -d, -f1 out) $(head -n 1 err | cut -c 1-17) $text"
  > done
  2 {"error":"invalid_option" tokentry: error:  
  2 {"error":"invalid_option" tokentry: error:  []
  2 {"error":"invalid_option" tokentry: error:  "vk"
  2 {"error":"invalid_option" tokentry: error:  {
  2 {"error":"invalid_option" tokentry: error:  {}{}
  2 {"error":"invalid_option" tokentry: error:  {"provider":"vk",}
  2 {"error":"invalid_option" tokentry: error:  {'provider':'vk'}
  2 {"error":"invalid_option" tokentry: error:  provider: vk
  $ head -c 10000000 /dev/zero | tr '\0' '[' | tokentry login --request - 2>/dev/null | cut -d, -f1
  {"error":"invalid_option"
  $ tokentry login --request none.json 2>&1 >/dev/null | head -n 1
  tokentry: error: *none.json* (glob)
  $ tokentry login --request none.json >/dev/null 2>&1
  [2]

A wrong document does not repeat what is in it: a secret may be.

  $ printf '{"client_secret":"hunter2","client_secret":"hunter3"}' | tokentry login --request - 2>&1 | grep -c hunter
  0
  [1]
  $ printf '{"client_secret":"hunter2" oops' | tokentry login --request - 2>&1 | grep -c hunter
  0
  [1]

A descriptor that nobody has handed over is none, also where this program has one of that number for itself.

  $ for number in 3 4 5 6 7 8 9; do
  >   tokentry login --provider vk --client-id 753197 --headless-test --request /dev/fd/$number </dev/null 2>/dev/null |
  >     grep -c 'Bad file descriptor'
  > done | sort | uniq -c
  *7 1 (glob)
