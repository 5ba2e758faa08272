# The provider refuses

What the provider says is passed on with its own code: status 1, `origin` is `provider`.

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

A code that no standard knows stays as it came, and a missing description is no obstacle.

  $ sh answer '#error=user_on_holiday&state=S'
  {"error":"user_on_holiday",*"origin":"provider","retryable":false} (glob)
  ! tokentry: error: * (glob)
  [1]

Even one that is ours means only that the provider said so.

  $ sh answer '#error=cancelled&error_description=d&state=S'
  {"error":"cancelled","error_description":"d","origin":"provider","retryable":false}
  ! tokentry: error: * (glob)
  [1]

A code that is no text is no answer.

  $ sh answer '#error=%1B[2J&error_description=d&state=S'
  {"error":"malformed_callback","error_description":"*","origin":"provider","retryable":false} (glob)
  ! tokentry: error: * (glob)
  [6]

`temporarily_unavailable` is worth another try.

  $ sh answer '#error=temporarily_unavailable&error_description=later&state=S'
  {"error":"temporarily_unavailable","error_description":"later","origin":"provider","retryable":true}
  ! tokentry: error: * (glob)
  [1]

Some providers forget `state` when they refuse: without a window there is only one who could have answered.

  $ sh answer '#error=access_denied&error_description=no'
  {"error":"access_denied","error_description":"no","origin":"provider","retryable":false}
  ! tokentry: error: * (glob)
  [1]

A wrong `state` is judged before the refusal.

  $ sh answer '#error=access_denied&error_description=no&state=X'
  {"error":"state_mismatch","error_description":"*","origin":"provider","retryable":false} (glob)
  ! tokentry: error: * (glob)
  [6]

Some put the refusal into the query. An error may be taken from there where the fragment is empty.

  $ sh answer '?error=access_denied&error_description=no&state=S'
  {"error":"access_denied","error_description":"no","origin":"provider","retryable":false}
  ! tokentry: error: * (glob)
  [1]

A refusal with a token is a refusal.

  $ sh answer '#access_token=T&expires_in=86400&user_id=1&error=access_denied&error_description=no&state=S'
  {"error":"access_denied","error_description":"no","origin":"provider","retryable":false}
  ! tokentry: error: * (glob)
  [1]

An empty `error` counts as absent.

  $ sh answer '#access_token=T&expires_in=0&user_id=1&error=&state=S' | grep -c '"access_token":"T"'
  1

## Error pages

VK shows its own errors on a page instead of redirecting. The window would wait for ever.

  $ printf '%s\n' 'https://oauth.vk.com/authorize?x' 'https://oauth.vk.com/error?err=2' |
  >   tokentry login --provider vk --client-id 753197 --headless-test --navigations -
  {"error":"server_error","error_description":"*","origin":"provider","retryable":*,"details":{"uri":"https://oauth.vk.com/error?err=2"}} (glob)
  ! tokentry: error: * (glob)
  [1]
  $ printf '%s\n' 'https://oauth.vk.ru/error' |
  >   tokentry login --provider vk --client-id 753197 --headless-test --navigations - 2>/dev/null
  {"error":"server_error","error_description":"*","origin":"provider","retryable":*,"details":{"uri":"https://oauth.vk.ru/error"}} (glob)
  [1]

Pages whose address only begins or ends like it, or that are elsewhere, are pages like any other.

  $ printf '%s\n' https://oauth.vk.com/errors https://oauth.vk.com/error/2 https://oauth.vk.com.evil.example/error \
  >     http://oauth.vk.com/error https://evil.example/?https://oauth.vk.com/error \
  >     'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&state=S' |
  >   tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations -
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}
