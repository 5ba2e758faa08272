# Only an answer to our own question

`state` binds the answer to the request. Whatever is wrong with it, there is no token.

  $ cat >answer <<'END'
  > printf '%s\n' "https://oauth.vk.com/blank.html$1" |
  >   tokentry login --provider vk --client-id 753197 --state "${2-S}" --headless-test --navigations -
  > END

Without it:

  $ sh answer '#access_token=T&expires_in=86400&user_id=1'
  {"error":"state_missing","error_description":"*","origin":"provider","retryable":false} (glob)
  ! tokentry: error: * (glob)
  [6]

An empty one counts as absent, and so does everything on a redirect that carries nothing.

  $ for answer in '#access_token=T&expires_in=86400&user_id=1&state=' '' '#' '?' '?#'; do
  >   sh answer "$answer" 2>/dev/null
  >   echo $?
  > done
  {"error":"state_missing",* (glob)
  6
  {"error":"state_missing",* (glob)
  6
  {"error":"state_missing",* (glob)
  6
  {"error":"state_missing",* (glob)
  6
  {"error":"state_missing",* (glob)
  6

With another one:

  $ sh answer '#access_token=T&expires_in=86400&user_id=1&state=X'
  {"error":"state_mismatch","error_description":"*","origin":"provider","retryable":false} (glob)
  ! tokentry: error: * (glob)
  [6]

It is compared byte by byte: case, length, spaces and NUL count.

  $ for state in s SS S%00 S+ %20S S%0A %EF%BB%BFS %D0%85 S%FF; do
  >   sh answer "#access_token=T&expires_in=86400&user_id=1&state=$state" 2>/dev/null >out
  >   echo "$? $state $(grep -c '"access_token"\|"error":"invalid' out)"
  > done
  6 s 0
  6 SS 0
  6 S%00 0
  6 S+ 0
  6 %20S 0
  6 S%0A 0
  6 %EF%BB%BFS 0
  6 %D0%85 0
  6 S%FF 0
  $ sh answer '#access_token=T&expires_in=86400&user_id=1&state=%53' | grep -c '"state":"verified"'
  1

The program makes its own, so an answer that was prepared before cannot fit.

  $ printf '%s\n' 'https://oauth.vk.com/blank.html#access_token=T&expires_in=86400&user_id=1&state=S' |
  >   tokentry login --provider vk --client-id 753197 --headless-test --navigations -
  {"error":"state_mismatch",* (glob)
  ! tokentry: error: * (glob)
  [6]

The implicit grant has nothing else to hold on to: the check cannot be turned off.

  $ printf '%s\n' 'https://oauth.vk.com/blank.html#access_token=T&expires_in=86400&user_id=1' |
  >   tokentry login --provider vk --client-id 753197 --without-state --headless-test --navigations - 2>err
  {"error":"invalid_*","error_description":"*","origin":"caller","retryable":false} (glob)
  [2]
  $ head -n 1 err
  tokentry: error: * (glob)

## Who sent it

With the issuer known, an `iss` in the answer is compared before `state`; without, it is neither compared nor claimed.

  $ issuer() {
  >   printf '%s\n' "https://oauth.vk.com/blank.html$1" |
  >     tokentry login --provider vk --client-id 753197 --issuer https://as.example --state S \
  >       --headless-test --navigations - 2>/dev/null
  >   echo $?
  > }
  > issuer '#access_token=T&expires_in=0&user_id=1&state=S&iss=https%3A%2F%2Fas.example'
  > issuer '#access_token=T&expires_in=0&user_id=1&state=S'
  > issuer '#access_token=T&expires_in=0&user_id=1&state=X&iss=https%3A%2F%2Fevil.example'
  > issuer '#access_token=T&expires_in=0&user_id=1&state=S&iss=https%3A%2F%2Fas.example%2F'
  > issuer '#access_token=T&expires_in=0&user_id=1&state=S&iss=https%3A%2F%2FAS.example'
  > issuer '#error=access_denied&state=S&iss=https%3A%2F%2Fevil.example'
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified","iss":"verified"}}
  0
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}
  0
  {"error":"issuer_mismatch",* (glob)
  6
  {"error":"issuer_mismatch",* (glob)
  6
  {"error":"issuer_mismatch",* (glob)
  6
  {"error":"issuer_mismatch",* (glob)
  6
  $ sh answer '#access_token=T&expires_in=0&user_id=1&state=S&iss=https%3A%2F%2Fanyone.example'
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}
