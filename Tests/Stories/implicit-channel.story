# The answer is read from the fragment alone

A query and a fragment are two channels: whoever can write the one cannot write the other, so they are never merged.

  $ cat >answer <<'END'
  > printf '%s\n' "https://oauth.vk.com/blank.html$1" |
  >   tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations -
  > END

A token in the query is no token, and a `state` there is no `state`.

  $ sh answer '?access_token=EVIL&expires_in=86400&user_id=1&state=S'
  {"error":"state_missing",* (glob)
  ! tokentry: error: * (glob)
  [6]
  $ sh answer '?state=S#access_token=T&expires_in=86400&user_id=1'
  {"error":"state_missing",* (glob)
  ! tokentry: error: * (glob)
  [6]
  $ sh answer '?access_token=EVIL#expires_in=0&user_id=1&state=S'
  {"error":"missing_token","error_description":"*","origin":"provider","retryable":false,"details":{"missing":["access_token"]}} (glob)
  ! tokentry: error: * (glob)
  [6]

What is in the query neither wins over the fragment nor counts as a second time, and it is not passed on.

  $ sh answer '?access_token=EVIL&user_id=666&state=X&lang=en#access_token=T&expires_in=0&user_id=1&state=S'
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}

An error in the query does not undo what the fragment says.

  $ sh answer '?error=access_denied&state=S#access_token=T&expires_in=0&user_id=1&state=S'
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}

A second number sign belongs to the value before it.

  $ sh answer '#access_token=T&expires_in=0&user_id=1&state=S#state=X'
  {"error":"state_mismatch",* (glob)
  ! tokentry: error: * (glob)
  [6]
  $ sh answer '#access_token=T#x&expires_in=0&user_id=1&state=S'
  {"access_token":"T#x","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}
