# Answers that no honest provider sends

  $ cat >answer <<'END'
  > printf '%s\n' "https://oauth.vk.com/blank.html$1" |
  >   tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations -
  > END

A repeated parameter is refused, also under another spelling and before the state is compared.

  $ sh answer '#access_token=EVIL&access%5Ftoken=T&expires_in=86400&user_id=1&state=X'
  {"error":"duplicate_parameter",* (glob)
  ! tokentry: error: *access_token* (glob)
  [6]

Text from outside cannot move the cursor of a terminal, colour its text or begin a line.

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

## Long answers

The program reads 256 KiB, and refuses longer answers.

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
