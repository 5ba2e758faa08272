# With little memory

An answer of ten megabytes is refused without being read into memory.

  $ { printf 'https://oauth.vk.com/blank.html#state=S&access_token='; head -c 10000000 /dev/zero | tr '\0' a; echo; } >long
  > ulimit -v 600000; tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations long
  {"error":"malformed_callback","error_description":"*","origin":"provider","retryable":false} (glob)
  ! tokentry: error: * (glob)
  [6]

A list without lines and without an end does not fill the memory.

  $ ulimit -v 800000
  > tokentry login --provider vk --client-id 753197 --headless-test --navigations /dev/zero --timeout 1
  {"error":"timeout","error_description":"*","origin":"user","retryable":true} (glob)
  ! tokentry: error: * (glob)
  [4]
