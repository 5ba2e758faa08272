# The caller goes away

Nobody is left to read: a login that waits for the user ends by itself and says why.

  $ rm -f list; mkfifo list
  > exec 3<>list
  > sh -c 'tokentry login --provider vk --client-id 753197 --headless-test --navigations list >out 2>err & sleep 0.5'
  > for i in $(seq 200); do [ -s out ] && break; sleep 0.1; done
  > cat out
  {"error":"cancelled","error_description":"*","origin":"user","retryable":false} (glob)

A reader that closes its end while the user still thinks ends the login as well.

  $ rm -f list; mkfifo list
  > exec 3<>list
  > { timeout 5 tokentry login --provider vk --client-id 753197 --headless-test --navigations list 3>&- 2>err
  >   echo $? >status
  > } | sleep 0.3
  > cat status
  9
  $ head -n 1 err
  tokentry: error: * (glob)
