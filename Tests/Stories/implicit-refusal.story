# The provider refuses

The program passes on the provider's own code and description: status 1, `origin` is `provider`.

  $ cat >answer <<'END'
  > printf '%s\n' 'https://oauth.vk.com/authorize?x' "https://oauth.vk.com/blank.html$1" |
  >   tokentry login --provider vk --client-id 753197 --scope 6 --state S --headless-test --navigations -
  > END
  $ sh answer '#error=access_denied&error_description=The+user+or+authorization+server+denied+the+request.&state=S'
  {"error":"access_denied","error_description":"The user or authorization server denied the request.","origin":"provider","retryable":false}
  ! tokentry: error: * (glob)
  [1]
  $ sh answer '#error=invalid_scope&error_description=no&error_uri=https%3A%2F%2Fdev.vk.com%2Ferrors&state=S'
  {"error":"invalid_scope","error_description":"no","error_uri":"https://dev.vk.com/errors","origin":"provider","retryable":false}
  ! tokentry: error: * (glob)
  [1]

Some providers leave out `state` when they refuse. Such a refusal counts.

  $ sh answer '#error=access_denied&error_description=no'
  {"error":"access_denied","error_description":"no","origin":"provider","retryable":false}
  ! tokentry: error: * (glob)
  [1]

## Error pages

VK shows some errors on a page of its own and does not redirect. The login ends there, or a window would wait for ever.

  $ printf '%s\n' 'https://oauth.vk.com/authorize?x' 'https://oauth.vk.com/error?err=2' |
  >   tokentry login --provider vk --client-id 753197 --headless-test --navigations -
  {"error":"server_error","error_description":"*","origin":"provider","retryable":*,"details":{"uri":"https://oauth.vk.com/error?err=2"}} (glob)
  ! tokentry: error: * (glob)
  [1]
  $ printf '%s\n' 'https://oauth.vk.ru/error' |
  >   tokentry login --provider vk --client-id 753197 --headless-test --navigations - 2>/dev/null
  {"error":"server_error","error_description":"*","origin":"provider","retryable":*,"details":{"uri":"https://oauth.vk.ru/error"}} (glob)
  [1]

A page with a similar address, or on another host, is an ordinary page.

  $ printf '%s\n' https://oauth.vk.com/errors https://oauth.vk.com/error/2 https://oauth.vk.com.evil.example/error \
  >     http://oauth.vk.com/error https://evil.example/?https://oauth.vk.com/error \
  >     'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&state=S' |
  >   tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations -
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}
