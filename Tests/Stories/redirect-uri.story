# The redirect URI

The answer is taken from one address and its aliases, compared byte by byte up to the first `?` or `#`. Every other address
is a page on the way. If the list ends with one, the user has not signed in.

  $ printf '%s\n' 'https://oauth.vk.com/authorize?x' 'https://login.vk.com/?act=login' |
  >   tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations -
  {"error":"cancelled","error_description":"*","origin":"user","retryable":false} (glob)
  ! tokentry: error: * (glob)
  [3]
  $ tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations /dev/null 2>/dev/null
  {"error":"cancelled","error_description":"*","origin":"user","retryable":false} (glob)
  [3]

Each of these addresses would give the token to another program, or take one from it.

  $ cat >hostile <<'END'
  > https://oauth.vk.com.evil.example/blank.html
  > https://oauth.vk.com/blank.html/
  > https://oauth.vk.com/x/../blank.html
  > https://oauth.vk.com/%62lank.html
  > https://oauth.vk.com@evil.example/blank.html
  > https://oauth.vk.com:443/blank.html
  > HTTPS://OAUTH.VK.COM/blank.html
  > http://oauth.vk.com/blank.html
  > https:\\oauth.vk.com\blank.html
  > https://оauth.vk.com/blank.html
  >  https://oauth.vk.com/blank.html
  > javascript:location='https://oauth.vk.com/blank.html'
  > data:text/html,https://oauth.vk.com/blank.html
  > about:blank
  > //oauth.vk.com/blank.html
  > https://evil.example/?https://oauth.vk.com/blank.html
  > END
  $ while IFS= read -r address; do
  >   printf '%s#access_token=EVIL&expires_in=86400&user_id=1&state=S\n' "$address" |
  >     tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations - >out 2>err
  >   status=$?
  >   [ "$status" = 3 ] && grep -q '^{"error":"cancelled",' out || echo "$status $address: $(cat out)"
  > done <hostile

The login goes on after all of them, and the first answer counts.

  $ { sed 's/$/#access_token=EVIL\&expires_in=86400\&user_id=1\&state=S/' hostile
  >   printf '\n'
  >   printf '%s\n' 'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&state=S' \
  >     'https://oauth.vk.com/blank.html#access_token=LATE&expires_in=0&user_id=1&state=S'
  > } | tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations -
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}
  $ printf '%s\n' 'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&state=X' \
  >     'https://oauth.vk.com/blank.html#access_token=LATE&expires_in=0&user_id=1&state=S' |
  >   tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations - 2>/dev/null
  {"error":"state_mismatch",* (glob)
  [6]

A list that cannot be read is the caller's mistake.

  $ tokentry login --provider vk --client-id 753197 --headless-test --navigations none.txt 2>err
  {"error":"invalid_*","error_description":"*","origin":"caller","retryable":false} (glob)
  [2]
  $ head -n 1 err
  tokentry: error: *none.txt* (glob)

## A redirect URI of the caller

`--redirect-uri` replaces the preset's address and its aliases.

  $ cat >answer <<'END'
  > printf '%s#access_token=T&expires_in=0&user_id=1&state=S\n' "$2" |
  >   tokentry login --provider vk --client-id 753197 --redirect-uri "$1" --state S --headless-test --navigations - \
  >     2>/dev/null | cut -c 1-19
  > END
  $ sh answer https://app.example/done https://app.example/done
  > sh answer https://app.example/done https://oauth.vk.com/blank.html
  {"access_token":"T"
  {"error":"cancelled

It is compared in the form that a web view shows: scheme and host in small letters, without the usual port, with a path.

  $ sh answer HTTPS://APP.example:443/done https://app.example/done
  > sh answer https://app.example https://app.example/
  > sh answer COM.example.app://Host/Path com.example.app://Host/Path
  > sh answer com.example.app:/done com.example.app://done
  {"access_token":"T"
  {"access_token":"T"
  {"access_token":"T"
  {"error":"cancelled

A redirect URI that resembles other pages, or that no web view can reach, is refused at once.

  $ for redirect in https://app.example/done#x https://app.example/a/../done done '' http://app.example/done javascript:alert \
  >   https://app.example:1/done https://оauth.vk.com/done; do
  >   tokentry login --provider vk --client-id 753197 --redirect-uri "$redirect" --headless-test --navigations /dev/null \
  >     >out 2>/dev/null
  >   status=$?
  >   [ "$status" = 2 ] && grep -q '^{"error":"invalid_' out || echo "$status $redirect: $(cat out)"
  > done
