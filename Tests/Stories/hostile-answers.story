# Answers that no provider would send

  $ cat >answer <<'END'
  > printf '%s\n' "https://oauth.vk.com/blank.html$1" |
  >   tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations -
  > END

## Twice the same

A parameter that is there twice is refused, even with the same value twice, and before anything else is judged.

  $ for twice in access_token=T user_id=1 state=S x=y error=e; do
  >   sh answer "#access_token=T&expires_in=86400&user_id=1&state=S&x=y&error=e&$twice" 2>/dev/null
  >   echo $?
  > done
  {"error":"duplicate_parameter",* (glob)
  6
  {"error":"duplicate_parameter",* (glob)
  6
  {"error":"duplicate_parameter",* (glob)
  6
  {"error":"duplicate_parameter",* (glob)
  6
  {"error":"duplicate_parameter",* (glob)
  6

Nor does another spelling of the name hide it.

  $ sh answer '#access_token=EVIL&access%5Ftoken=T&expires_in=86400&user_id=1&state=X'
  {"error":"duplicate_parameter",* (glob)
  ! tokentry: error: *access_token* (glob)
  [6]

## Bytes that do not belong there

A value that is used holds no control characters and is UTF-8.

  $ for value in T%00 %00 T%0D%0AX-Evil:1 T%1B[2J T%7F T%C2%9B T%FF T%C3 %ED%A0%80 %C0%80; do
  >   sh answer "#access_token=$value&expires_in=86400&user_id=1&state=S" >out 2>/dev/null
  >   echo "$? $(cut -d, -f1 out) $value"
  > done
  6 {"error":"malformed_callback" T%00
  6 {"error":"malformed_callback" %00
  6 {"error":"malformed_callback" T%0D%0AX-Evil:1
  6 {"error":"malformed_callback" T%1B[2J
  6 {"error":"malformed_callback" T%7F
  6 {"error":"malformed_callback" T%C2%9B
  6 {"error":"malformed_callback" T%FF
  6 {"error":"malformed_callback" T%C3
  6 {"error":"malformed_callback" %ED%A0%80
  6 {"error":"malformed_callback" %C0%80
  $ sh answer '#access_token=T&expires_in=86400&user_id=1%0A2&state=S'
  {"error":"malformed_callback","error_description":"*","origin":"provider","retryable":false} (glob)
  ! tokentry: error: * (glob)
  [6]

A replacement character that the provider itself sends cannot be told from a broken one.

  $ sh answer '#access_token=%EF%BF%BD&expires_in=86400&user_id=1&state=S' 2>/dev/null | cut -d, -f1
  {"error":"malformed_callback"

An error's description is for people: what is broken in it is replaced.

  $ sh answer '#error=access_denied&error_description=n%FFo&state=S'
  {"error":"access_denied","error_description":"n�o","origin":"provider","retryable":false}
  ! tokentry: error: * (glob)
  [1]

Nothing from outside moves the cursor of a terminal, colours it or begins a line there.

  $ sh answer '#error=access_denied&error_description=%1B[2J%1B]0;title%07%0D%0Atokentry:+error:+forged%0A%C2%9B31m%E2%80%AEdlog%00%7F&state=S' >out 2>err
  [1]
  $ LC_ALL=C grep -c '[[:cntrl:]]' out err
  out:0
  err:0
  [1]
  $ wc -l <err
  1
  $ grep -c "$(printf '\342\200\256')\|$(printf '\302\233')" err
  0
  [1]
  $ head -c 28 out
  {"error":"access_denied","er (no-eol)

## Too much

256 parameters are read, one more is refused.

  $ many() {
  >   awk -v n="$1" 'BEGIN { printf "#access_token=T&expires_in=0&user_id=1&state=S"; for (i = 5; i <= n; i++) printf "&p%d=", i }'
  > }
  > sh answer "$(many 256)" | cut -c 1-18; sh answer "$(many 257)"
  {"access_token":"T
  {"error":"malformed_callback","error_description":"*","origin":"provider","retryable":false} (glob)
  ! tokentry: error: * (glob)
  [6]

256 KiB are read, and one byte more is not.

  $ long() {
  >   printf 'https://oauth.vk.com/blank.html#expires_in=0&user_id=1&state=S&access_token='
  >   head -c "$1" /dev/zero | tr '\0' a
  >   echo
  > }
  > login='tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations -'
  > long 262000 | $login | cut -c 1-19
  > long 262144 | $login
  {"access_token":"aa
  {"error":"malformed_callback","error_description":"*","origin":"provider","retryable":false} (glob)
  ! tokentry: error: * (glob)
  [6]
  $ { printf 'https://oauth.vk.com/blank.html#'; head -c 5000000 /dev/zero | sed 's/\x00/a\&/g'; echo; } |
  >   tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations - 2>/dev/null | cut -d, -f1
  {"error":"malformed_callback"

The caps come before the doubles and before `state`.

  $ sh answer "#state=X&$(awk 'BEGIN { for (i = 1; i <= 300; i++) printf "x=1&" }')" 2>/dev/null | cut -d, -f1
  {"error":"malformed_callback"

Ten megabytes that are not the redirect are one page more.

  $ { printf 'https://evil.example/?'; head -c 10000000 /dev/zero | tr '\0' a; printf '\n%s\n' \
  >     'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&state=S'
  > } | tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations -
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}
