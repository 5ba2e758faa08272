# Secrets stay on standard output

Standard error ends up in logs and bug reports. It contains no token, no state and no client secret, even with `-vv`.

  $ cat >answer <<'END'
  > printf '%s\n' "https://oauth.vk.com/authorize?client_id=753197&state=CANARY-state&x=CANARY-x" \
  >   "https://CANARY-user:CANARY-password@login.vk.com/CANARY-path?CANARY-query" "https://oauth.vk.com/blank.html$1" |
  >   tokentry login --provider vk --client-id 753197 --state CANARY-state --headless-test --navigations - -v -vv
  > END
  $ sh answer '#access_token=CANARY-token&refresh_token=CANARY-refresh&id_token=CANARY-id&expires_in=0&user_id=CANARY-user&state=CANARY-state' >out 2>err
  $ grep -c 'CANARY-token' out
  1
  $ grep -o 'CANARY-\(token\|state\|refresh\|id\|password\|query\)' err
  [1]

The trace still tells the steps, each in a line like any other message.

  $ [ "$(wc -l <err)" -ge 3 ]
  $ grep -v '^tokentry: info: [^A-Z]' err
  [1]
  $ grep -c 'oauth.vk.com/blank.html' err
  1

A failed login shows no secret either: with a wrong state, a token in the query, a repeated parameter, a zero byte, a wrong
type, a misspelt name, and a redirect with more behind it.

  $ for callback in '#access_token=CANARY&expires_in=0&user_id=1&state=CANARY' '?access_token=CANARY&code=CANARY#' \
  >   '#access_token=CANARY&access_token=CANARY2&state=CANARY-state' '#access_token=CANARY%00&state=CANARY-state' \
  >   '#access_token=CANARY&token_type=CANARY&expires_in=0&user_id=1&state=CANARY-state' \
  >   '#ACCESS_TOKEN=CANARY&state=CANARY-state' '/CANARY#access_token=CANARY' ';CANARY?code=CANARY&state=CANARY'; do
  >   sh answer "$callback" 2>&1 >/dev/null | grep -v CANARY-path | grep -o 'access_token=CANARY\|code=CANARY\|CANARY2\|state=CANARY'
  > done | sort -u

The error object contains no token.

  $ sh answer '#access_token=CANARY-token&expires_in=0&user_id=1&state=X' 2>/dev/null | grep -c CANARY
  0
  [1]
  $ sh answer '#access_token=CANARY-token&access_token=CANARY-token&state=CANARY-state' 2>/dev/null | grep -c CANARY
  0
  [1]
  $ sh answer '#access_token=CANARY-token&error=access_denied&state=CANARY-state' 2>/dev/null | grep -c CANARY
  0
  [1]

Only its owner may be able to read a file with a secret. For a link, the file that it leads to counts.

  $ printf 'hunter2\n' >secret; ln -s secret link
  > try() {
  >   tokentry explain --client-id c --client-secret-file "$1" --endpoint authorization=https://as.example/a \
  >     --endpoint token=https://as.example/t --redirect-uri https://app.example/done >out 2>err
  >   echo "$? $(cut -d, -f1 out | cut -c 1-21 | sed 's/invalid_.*/invalid_…/') $(grep -c hunter2 out err | tr '\n' ' ')"
  > }
  > chmod 644 secret; try secret
  > chmod 660 secret; try secret
  > chmod 600 secret; try secret; try link; try none; mkdir -m 777 open; mv secret open; try open/secret
  2 {"error":"invalid_… out:0 err:0 
  2 {"error":"invalid_… out:0 err:0 
  0 {"url":"https://as.ex out:0 err:0 
  0 {"url":"https://as.ex out:0 err:0 
  2 {"error":"invalid_… out:0 err:0 
  2 {"error":"invalid_… out:0 err:0 

A secret is not read from standard input, where a request may come.

  $ printf 'hunter2\n' | tokentry explain --client-id c --client-secret-file - --endpoint authorization=https://as.example/a \
  >   --endpoint token=https://as.example/t --redirect-uri https://app.example/done
  {"error":"invalid_option",*} (glob)
  ! tokentry: error: --client-secret-file: standard input is not a file
  ! tokentry: hint: --options - reads a secret from standard input
  [2]

A running login cannot leave a core file.

  $ mkfifo list
  > tokentry login --provider vk --client-id 753197 --headless-test --navigations list >/dev/null 2>&1 &
  > exec 3>list
  > sleep 0.2
  > sed -n 's/^Max core file size *//p' /proc/$!/limits
  > kill $!
  0                    0                    bytes     
