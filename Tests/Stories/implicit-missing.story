# A token that is not one

VK's preset says which members make a token there. What is missing is named at once, not one at a time.

  $ cat >answer <<'END'
  > printf '%s\n' "https://oauth.vk.com/blank.html$1" |
  >   tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations -
  > END
  $ sh answer '#state=S'
  {"error":"missing_token","error_description":"*","origin":"provider","retryable":false,"details":{"missing":["access_token","user_id","expires_in"]}} (glob)
  ! tokentry: error: * (glob)
  [6]
  $ sh answer '#expires_in=86400&state=S'
  {"error":"missing_token","error_description":"*","origin":"provider","retryable":false,"details":{"missing":["access_token","user_id"]}} (glob)
  ! tokentry: error: * (glob)
  [6]
  $ sh answer '#access_token=T&expires_in=86400&state=S'
  {"error":"missing_token","error_description":"*","origin":"provider","retryable":false,"details":{"missing":["user_id"]}} (glob)
  ! tokentry: error: * (glob)
  [6]

An empty value counts as absent.

  $ sh answer '#access_token=&expires_in=&user_id=&state=S'
  {"error":"missing_token","error_description":"*","origin":"provider","retryable":false,"details":{"missing":["access_token","user_id","expires_in"]}} (glob)
  ! tokentry: error: * (glob)
  [6]

Names are compared exactly.

  $ sh answer '#Access_Token=T&accesstoken=T&access_token%00=T&+access_token=T&expires_in=0&user_id=1&state=S'
  {"error":"missing_token","error_description":"*","origin":"provider","retryable":false,"details":{"missing":["access_token"]}} (glob)
  ! tokentry: error: * (glob)
  [6]

A provider whose preset assumes no token type has to send one.

  $ cat >strict.json <<'END'
  > {"name":"Strict","authorization_endpoint":"https://as.example/authorize","response_type":"token",
  >  "redirect_uri":"https://app.example/done"}
  > END
  $ printf '%s\n' 'https://app.example/done#access_token=T&state=S' |
  >   tokentry login --provider ./strict.json --client-id c --state S --headless-test --navigations -
  {"error":"missing_token","error_description":"*","origin":"provider","retryable":false,"details":{"missing":["token_type"]}} (glob)
  ! tokentry: error: * (glob)
  [6]
  $ printf '%s\n' 'https://app.example/done#access_token=T&token_type=bearer&state=S' |
  >   tokentry login --provider ./strict.json --client-id c --state S --headless-test --navigations -
  {"access_token":"T","token_type":"bearer","checks":{"redirect":"exact","state":"verified"}}
