# A redirect of one's own

`--redirect-uri` takes the place of the preset's, aliases included; what is registered is what is sent and awaited.

  $ cat >answer <<'END'
  > printf '%s#access_token=T&expires_in=0&user_id=1&state=S\n' "$2" |
  >   tokentry login --provider vk --client-id 753197 --redirect-uri "$1" --state S --headless-test --navigations - \
  >     2>/dev/null
  > END
  $ sh answer https://app.example/done https://app.example/done
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}

It is awaited as a web view shows it: scheme and host in small letters, without the usual port, with a path.

  $ answer() { sh answer "$@" | cut -c 1-19; }
  > answer HTTPS://APP.example:443/done https://app.example/done
  > answer https://app.example https://app.example/
  > answer COM.example.app://Host/Path com.example.app://Host/Path
  > answer vk7915193://vk.ru/blank.html vk7915193://vk.ru/blank.html
  > answer com.example.app:/done com.example.app:/done
  > answer http://127.0.0.1:8080/cb http://127.0.0.1:8080/cb
  > answer 'http://[::1]:8080/cb' 'http://[::1]:8080/cb'
  > answer https://app.example/%64one https://app.example/%64one
  {"access_token":"T"
  {"access_token":"T"
  {"access_token":"T"
  {"access_token":"T"
  {"access_token":"T"
  {"access_token":"T"
  {"access_token":"T"
  {"access_token":"T"

And as nothing else.

  $ answer() { sh answer "$@" | cut -d, -f1; }
  > answer https://app.example/done https://oauth.vk.com/blank.html
  > answer https://app.example/%64one https://app.example/done
  > answer com.example.app://host/path com.example.app://HOST/path
  > answer com.example.app:/done com.example.app://done
  > answer http://127.0.0.1:8080/cb http://127.0.0.1:8081/cb
  > answer http://127.0.0.1:8080/cb http://localhost:8080/cb
  {"error":"cancelled"
  {"error":"cancelled"
  {"error":"cancelled"
  {"error":"cancelled"
  {"error":"cancelled"
  {"error":"cancelled"

A redirect that could not be told from another page, or that no web view could reach, is refused at once.

  $ for redirect in https://app.example/done#x https://app.example/a/../done https://app.example/%2e/done done /done \
  >   //app.example/done '' https:// https:///done 'https://app.example/a b' https://user@app.example/done \
  >   http://app.example/done javascript:alert data:text/html,x file:///done about:blank blob:x https://app.example:1/done \
  >   'https://app.example\done' 'https://app.example:x/done' 'https://app.example:99999/done' https://оauth.vk.com/done; do
  >   tokentry login --provider vk --client-id 753197 --redirect-uri "$redirect" --headless-test --navigations /dev/null \
  >     >out 2>/dev/null
  >   status=$?
  >   [ "$status" = 2 ] && grep -q '^{"error":"invalid_' out || echo "$status $redirect: $(cat out)"
  > done
