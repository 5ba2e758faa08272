# A token from the implicit grant

The user signs in at VK, VK redirects to its own blank page, and the token is in that page's fragment. The web view's
part is played by a list of navigations: the URIs that it would be asked to allow, in that order.

  $ printf 'https://oauth.vk.com/authorize?x\nhttps://oauth.vk.com/blank.html#access_token=T&expires_in=86400&user_id=1&state=S\n' |
  >   tokentry login --provider vk --client-id 753197 --scope 6 --state S --headless-test --navigations -
  {"access_token":"T","token_type":"Bearer","expires_in":86400,"expires_at":"20??-??-??T??:??:??Z","user_id":"1","checks":{"redirect":"exact","state":"verified"}} (glob)

The same from a file, with a short name for what follows.

  $ cat >answer <<'END'
  > printf '%s\n' 'https://oauth.vk.com/authorize?x' "$1" >list
  > exec tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations list
  > END
  $ sh answer 'https://oauth.vk.com/blank.html#access_token=T&expires_in=86400&user_id=1&state=S'
  {"access_token":"T","token_type":"Bearer","expires_in":86400,"expires_at":"*","user_id":"1","checks":{"redirect":"exact","state":"verified"}} (glob)

The answer is one line and its line feed, whatever was asked.

  $ sh answer 'https://oauth.vk.com/blank.html#access_token=T&expires_in=86400&user_id=1&state=S' | wc -l
  1

The order of the parameters does not matter, and `login` may be left out.

  $ printf '%s\n' 'https://oauth.vk.com/blank.html#state=S&user_id=1&expires_in=86400&access_token=T' |
  >   tokentry --provider vk --client-id 753197 --state S --headless-test --navigations -
  {"access_token":"T","token_type":"Bearer","expires_in":86400,"expires_at":"*","user_id":"1","checks":{"redirect":"exact","state":"verified"}} (glob)

## Where the answer came back

VK is moving from vk.com to vk.ru: the preset knows the other form of the redirect, and the result says which one it was.

  $ sh answer 'https://oauth.vk.ru/blank.html#access_token=T&expires_in=86400&user_id=1&state=S'
  {"access_token":"T","token_type":"Bearer","expires_in":86400,"expires_at":"*","user_id":"1","checks":{"redirect":"alias","state":"verified"}} (glob)

## How long it lasts

An expiry of 0 means that the token does not expire: both members are absent.

  $ sh answer 'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&state=S'
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}

`expires_at` is in UTC, wherever the user is.

  $ now=$(date -u +%s)
  > at=$(TZ=Asia/Tokyo sh answer 'https://oauth.vk.com/blank.html#access_token=T&expires_in=3600&user_id=1&state=S' |
  >   sed 's/.*"expires_at":"\([^"]*\)".*/\1/')
  > late=$(( $(date -u -d "$at" +%s) - now - 3600 ))
  > [ "$late" -ge 0 ] && [ "$late" -le 20 ]

No number that a provider may think of makes it crash.

  $ for seconds in 9223372036854775807 99999999999999999999 -1 1e400 1.5 x; do
  >   sh answer "https://oauth.vk.com/blank.html#access_token=T&expires_in=$seconds&user_id=1&state=S" >out 2>err
  >   status=$?
  >   [ "$status" -lt 70 ] && [ "$(wc -l <out)" = 1 ] || echo "$seconds: $status"
  > done

## What else the provider sends

Everything in the fragment is passed on, as strings, decoded as forms are: `+` is a space, a lone `%` stays.

  $ sh answer 'https://oauth.vk.com/blank.html#access_token=a%2Bb/c&expires_in=0&scope=email+phone&user_id=1&email=a%40b.example&rate=100%&quote=%22%5C&state=S'
  {"access_token":"a+b/c","token_type":"Bearer","scope":"email phone","user_id":"1","email":"a@b.example","rate":"100%","quote":"\"\\","checks":{"redirect":"exact","state":"verified"}}

Not `state`, `code`, `iss` and `response`; and our own members win over the provider's.

  $ sh answer 'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&code=C&iss=https%3A%2F%2Fevil.example&response=R&checks=all&claims=admin&expires_at=never&state=S'
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}

A token type is compared without regard to case; a type that would be misused is refused.

  $ sh answer 'https://oauth.vk.com/blank.html#access_token=T&token_type=BEARER&expires_in=0&user_id=1&state=S'
  {"access_token":"T","token_type":"BEARER","user_id":"1","checks":{"redirect":"exact","state":"verified"}}
  $ sh answer 'https://oauth.vk.com/blank.html#access_token=T&token_type=mac&expires_in=0&user_id=1&state=S'
  {"error":"unsupported_token_type","error_description":"*","origin":"provider","retryable":false} (glob)
  ! tokentry: error: * (glob)
  [6]

A long token arrives whole.

  $ token=$(head -c 65536 /dev/zero | tr '\0' t)
  > printf 'https://oauth.vk.com/blank.html#access_token=%s&expires_in=0&user_id=1&state=S\n' "$token" |
  >   tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations - |
  >   tr -d -c t | wc -c
  65543
