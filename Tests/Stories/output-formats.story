# Results for shells

With any `--output` but `json`, a shell can use standard output as it is.

  $ cat >answer <<'END'
  > printf '%s\n' "https://oauth.vk.com/blank.html$1" |
  >   tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations - --output "$2"
  > END
  $ good='#access_token=T&expires_in=86400&user_id=1&state=S'
  > for format in json token header; do sh answer "$good" $format; done
  {"access_token":"T","token_type":"Bearer","expires_in":86400,"expires_at":"*","user_id":"1","checks":{"redirect":"exact","state":"verified"}} (glob)
  T
  Authorization: Bearer T

On failure it stays empty, so that an error object is never mistaken for a token. Standard error and the status tell the
error. Only `env` has names for it.

  $ for format in token id_token header; do
  >   sh answer '#error=access_denied&error_description=no&state=S' $format 2>err
  >   echo "$format $? $(wc -l <err) $(head -n 1 err)"
  >   sh answer '#access_token=T&expires_in=86400&user_id=1&state=X' $format 2>err
  >   echo "$format $? $(wc -l <err) $(head -n 1 err)"
  >   tokentry login --provider nobody --output $format 2>err
  >   echo "$format $? $(head -n 1 err)"
  > done
  token 1 1 tokentry: error: * (glob)
  token 6 1 tokentry: error: * (glob)
  token 2 tokentry: error: * (glob)
  id_token 2 2 tokentry: error: * (glob)
  id_token 2 2 tokentry: error: * (glob)
  id_token 2 tokentry: error: * (glob)
  header 1 1 tokentry: error: * (glob)
  header 6 1 tokentry: error: * (glob)
  header 2 tokentry: error: * (glob)
  $ sh answer '#error=access_denied&error_description=it%27s%0Aover&state=S' env 2>err
  TOKENTRY_ERROR='access_denied'
  TOKENTRY_ERROR_DESCRIPTION='it'\''s over'
  [1]
  $ tokentry login --provider nobody --output env 2>err
  TOKENTRY_ERROR='unknown_provider'
  TOKENTRY_ERROR_DESCRIPTION=* (glob)
  [2]
  $ echo '{"provider":"nobody","client_id":"1","output":"env"}' | tokentry login --options - 2>/dev/null | head -n 1
  TOKENTRY_ERROR='unknown_provider'
  $ tokentry login --output=env --no-such-option 2>/dev/null | head -n 1
  TOKENTRY_ERROR='invalid_option'

It stays empty after a mistake on the command line too, wherever `--output` stands.

  $ tokentry login --output token --provider vk --no-such-option 2>/dev/null
  [2]
  $ tokentry login --no-such-option --provider vk --output token 2>/dev/null
  [2]

The option may come in a document of options, even in one with a mistake.

  $ echo '{"provider":"nobody","client_id":"1","output":"token"}' | tokentry login --options - 2>/dev/null
  [2]
  $ echo '{"no_such_member":1,"output":"token"}' | tokentry login --options - 2>/dev/null
  [2]

A shell evaluates the output of `env`, and never runs text of the provider.

  $ sh answer "#access_token=%27%3Btouch%20run%3B%60touch%20run%60%24%28touch%20run%29%22&expires_in=86400&user_id=1&state=S" env >vars
  > . ./vars
  > set | grep -c "touch run"
  > ls run
  1
  ! ls: cannot access 'run': No such file or directory
  [2]

`header` refuses a token that no header field can carry.

  $ sh answer '#access_token=a+b%C3%A9&expires_in=0&user_id=1&state=S' header
  ! tokentry: error: * (glob)
  [6]

After an unknown format standard output stays empty, since the caller may have wanted text.

  $ sh answer '#access_token=T&expires_in=0&user_id=1&state=S' yaml
  ! tokentry: error: *--output* (glob)
  [2]

A token that cannot be written ends with status 9.

  $ sh answer '#access_token=T&expires_in=0&user_id=1&state=S' token >/dev/full
  ! tokentry: error: * (glob)
  [9]
