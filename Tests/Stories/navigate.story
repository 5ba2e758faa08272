# navigate: for callers with an OAuth library of their own

`navigate` takes the user to a page and prints the address that came back. It makes no other checks.

  $ printf '%s\n' 'https://as.example/authorize?x' 'https://app.example/done?code=C&state=anything' |
  >   tokentry navigate --url 'https://as.example/authorize?x' --redirect-uri https://app.example/done \
  >     --headless-test --navigations -
  {"callback":"https://app.example/done?code=C&state=anything"}

The address comes unchanged, with its fragment, mistakes and repetitions. Slashes are not escaped.

  $ for callback in 'https://app.example/done#access_token=T&access_token=T%zz' 'https://app.example/done' \
  >   'https://app.example/done?error=access_denied' 'https://app.example/done?a="b"\c'; do
  >   printf '%s\n' "$callback" |
  >     tokentry navigate --url https://as.example/a --redirect-uri https://app.example/done --headless-test --navigations -
  > done
  {"callback":"https://app.example/done#access_token=T&access_token=T%zz"}
  {"callback":"https://app.example/done"}
  {"callback":"https://app.example/done?error=access_denied"}
  {"callback":"https://app.example/done?a=\"b\"\\c"}

A redirect URI with a private scheme is compared in the same way.

  $ printf '%s\n' 'com.example.app://done' 'com.example.app:/DONE?code=E' 'com.example.app:/done?code=C' |
  >   tokentry navigate --url https://as.example/a --redirect-uri com.example.app:/done --headless-test --navigations -
  {"callback":"com.example.app:/done?code=C"}

Similar addresses are pages on the way.

  $ printf '%s\n' https://app.example/done/ https://app.example.evil.example/done https://app.example:443/done?code=E |
  >   tokentry navigate --url https://as.example/a --redirect-uri https://app.example/done --headless-test --navigations -
  {"error":"cancelled","error_description":"*","origin":"user","retryable":false} (glob)
  ! tokentry: error: * (glob)
  [3]

Three hundred kilobytes are too much here too.

  $ { printf 'https://app.example/done?code='; head -c 300000 /dev/zero | tr '\0' a; echo; } |
  >   tokentry navigate --url https://as.example/a --redirect-uri https://app.example/done --headless-test --navigations -
  {"error":"malformed_callback","error_description":"*","origin":"provider","retryable":false} (glob)
  ! tokentry: error: * (glob)
  [6]

It needs both addresses, and refuses addresses that it cannot use as well as options that it has no use for.

  $ try() {
  >   tokentry navigate "$@" --headless-test --navigations /dev/null >out 2>err
  >   echo "$? $(cut -d, -f1 out | sed 's/invalid_.*/invalid_…/') $(head -n 1 err | cut -c 1-17)"
  > }
  > try --url https://as.example/a
  > try --redirect-uri https://app.example/done
  > try --url http://as.example/a --redirect-uri https://app.example/done
  > try --url file:///etc/passwd --redirect-uri https://app.example/done
  > try --url https://as.example/a --redirect-uri javascript:alert
  > try --url https://as.example/a --redirect-uri https://app.example/done --client-id c
  2 {"error":"invalid_… tokentry: error: 
  2 {"error":"invalid_… tokentry: error: 
  2 {"error":"invalid_… tokentry: error: 
  2 {"error":"invalid_… tokentry: error: 
  2 {"error":"invalid_… tokentry: error: 
  2 {"error":"invalid_… tokentry: error: 
