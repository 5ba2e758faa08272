# A token from the implicit grant

The user signs in at VK, VK redirects to its own blank page, and the token is in that page's fragment. A list of
navigations plays the web view: the addresses that a web view would ask to open, in order.

  $ printf 'https://oauth.vk.com/authorize?x\nhttps://oauth.vk.com/blank.html#access_token=T&expires_in=86400&user_id=1&state=S\n' |
  >   tokentry login --provider vk --client-id 753197 --scope 6 --state S --headless-test --navigations -
  {"access_token":"T","token_type":"Bearer","expires_in":86400,"expires_at":"20??-??-??T??:??:??Z","user_id":"1","checks":{"redirect":"exact","state":"verified"}} (glob)

The list can be a file.

  $ cat >answer <<'END'
  > printf '%s\n' 'https://oauth.vk.com/authorize?x' "$1" >list
  > exec tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations list
  > END
  $ sh answer 'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&state=S'
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}

VK is moving from vk.com to vk.ru. The preset knows both forms of the redirect, and the result says which one it was.

  $ sh answer 'https://oauth.vk.ru/blank.html#access_token=T&expires_in=0&user_id=1&state=S'
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"alias","state":"verified"}}

## What the answer needs

`state` binds the answer to the request. Without it, or with another one, there is no token.

  $ sh answer 'https://oauth.vk.com/blank.html#access_token=T&expires_in=86400&user_id=1'
  {"error":"state_missing","error_description":"*","origin":"provider","retryable":false} (glob)
  ! tokentry: error: * (glob)
  [6]
  $ sh answer 'https://oauth.vk.com/blank.html#access_token=T&expires_in=86400&user_id=1&state=X'
  {"error":"state_mismatch","error_description":"*","origin":"provider","retryable":false} (glob)
  ! tokentry: error: * (glob)
  [6]

The program makes a state of its own, so an answer that was prepared before cannot fit.

  $ printf '%s\n' 'https://oauth.vk.com/blank.html#access_token=T&expires_in=86400&user_id=1&state=S' |
  >   tokentry login --provider vk --client-id 753197 --headless-test --navigations - 2>/dev/null | cut -d, -f1
  {"error":"state_mismatch"

The implicit grant has no other protection, so the check cannot be turned off.

  $ printf '{"without_state":true}' >wish.json; chmod 600 wish.json
  $ tokentry login --provider vk --client-id 753197 --options wish.json --headless-test --navigations list 2>/dev/null
  {"error":"invalid_*","error_description":"*","origin":"caller","retryable":false} (glob)
  [2]

## How long the token lasts

`expires_at` is in UTC, wherever the user is.

  $ now=$(date -u +%s)
  > at=$(TZ=Asia/Tokyo sh answer 'https://oauth.vk.com/blank.html#access_token=T&expires_in=3600&user_id=1&state=S' |
  >   sed 's/.*"expires_at":"\([^"]*\)".*/\1/')
  > late=$(( $(date -u -d "$at" +%s) - now - 3600 ))
  > [ "$late" -ge 0 ] && [ "$late" -le 20 ]

## What else the provider sends

Everything in the fragment is passed on as strings, decoded like a form: `+` is a space, a lone `%` stays. `state`, `code`,
`iss` and `response` are left out, and our own members win over the provider's.

  $ sh answer 'https://oauth.vk.com/blank.html#access_token=a%2Bb/c&expires_in=0&scope=email+phone&user_id=1&email=a%40b.example&rate=100%&quote=%22%5C&state=S'
  {"access_token":"a+b/c","token_type":"Bearer","scope":"email phone","user_id":"1","email":"a@b.example","rate":"100%","quote":"\"\\","checks":{"redirect":"exact","state":"verified"}}
  $ sh answer 'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&code=C&iss=https%3A%2F%2Fevil.example&response=R&checks=all&claims=admin&expires_at=never&state=S'
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}
