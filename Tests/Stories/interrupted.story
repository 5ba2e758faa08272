# A login that is interrupted

However a login is ended from outside, the caller gets one object and a fitting status.

  $ cat >waiting <<'END'
  > rm -f list; mkfifo list
  > env --default-signal=INT,QUIT tokentry login --provider vk --client-id 753197 --state S --headless-test \
  >   --navigations list "$@" &
  > exec 3>list
  > echo 'https://oauth.vk.com/authorize?x' >&3
  > sleep 0.3
  > END

SIGTERM, SIGINT, SIGHUP and SIGQUIT cancel the login. SIGTERM comes from programs, the others from people.

  $ . ./waiting; kill -TERM $!; wait $!
  {"error":"cancelled","error_description":"*","origin":"caller","retryable":false} (glob)
  ! tokentry: error: * (glob)
  [3]
  $ . ./waiting; kill -QUIT $!; wait $!
  {"error":"cancelled","error_description":"stopped by SIGQUIT","origin":"user","retryable":false}
  ! tokentry: error: * (glob)
  [3]
  $ . ./waiting; kill -INT $!; wait $!
  {"error":"cancelled","error_description":"cancelled","origin":"user","retryable":false}
  ! tokentry: error: cancelled
  [3]
  $ . ./waiting; kill -HUP $!; wait $!
  {"error":"cancelled","error_description":"*","origin":"user","retryable":false} (glob)
  ! tokentry: error: * (glob)
  [3]

Several signals give one answer.

  $ . ./waiting; kill -TERM $!; kill -INT $! 2>/dev/null; kill -TERM $! 2>/dev/null; wait $!
  {"error":"cancelled","error_description":"*","origin":"*","retryable":false} (glob)
  ! tokentry: error: * (glob)
  [3]

An answer that the caller has not read yet is not lost either. The program waits two seconds for a reader.

  $ cat >unread <<'END'
  > mkfifo full 2>/dev/null; exec 4<>full; head -c 65536 /dev/zero >&4
  > rm -f list; mkfifo list
  > tokentry login --provider vk --client-id 753197 --headless-test --navigations list >&4 2>err &
  > exec 3>list; sleep 0.3
  > kill -TERM $!; sleep 0.3; kill -INT $!; kill -QUIT $!; kill -TERM $!; kill -HUP $!
  > END
  $ . ./unread; head -c 65536 full >zeros; wait $!; status=$?; head -n 1 full; exit $status
  {"error":"cancelled","error_description":"*","origin":"caller","retryable":false} (glob)
  [3]
  $ . ./unread; date +%s >start; wait $!; echo $?; test $(($(date +%s) - $(cat start))) -lt 4
  9

With a format for shells, standard output stays empty.

  $ set -- --output token; . ./waiting; kill -TERM $!; wait $!
  ! tokentry: error: * (glob)
  [3]

SIGPIPE, SIGCONT and SIGWINCH have no effect.

  $ . ./waiting; kill -PIPE $!; kill -CONT $!; kill -WINCH $!; sleep 0.1
  > echo 'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&state=S' >&3
  > wait $!
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}

The callback ends the login although the list goes on.

  $ . ./waiting
  > echo 'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&state=S' >&3
  > wait $!; status=$?
  > exec 3>&-
  > exit $status
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}

A signal before the document of options has come is answered too.

  $ mkfifo -m 600 request
  > for signal in TERM INT HUP; do
  >   env --default-signal=INT,HUP tokentry login --options request 2>err &
  >   exec 3>request
  >   sleep 0.3
  >   kill -$signal $!
  >   wait $!
  >   echo $?
  >   exec 3>&-
  > done; rm request
  {"error":"cancelled","error_description":"*","origin":"caller","retryable":false} (glob)
  3
  {"error":"cancelled","error_description":"*","origin":"user","retryable":false} (glob)
  3
  {"error":"cancelled","error_description":"*","origin":"user","retryable":false} (glob)
  3

## The caller goes away

A login whose caller has ended does not wait for the user any more.

  $ rm -f list; mkfifo list
  > exec 3<>list
  > sh -c 'tokentry login --provider vk --client-id 753197 --headless-test --navigations list >out 2>err & sleep 0.5'
  > for i in $(seq 200); do [ -s out ] && break; sleep 0.1; done
  > cat out
  {"error":"cancelled","error_description":"*","origin":"user","retryable":false} (glob)

Nor does it when the reader of its standard output has gone.

  $ rm -f list; mkfifo list
  > exec 3<>list
  > { timeout 5 tokentry login --provider vk --client-id 753197 --headless-test --navigations list 3>&- 2>err
  >   echo $? >status
  > } | sleep 0.3
  > cat status
  9
  $ head -n 1 err
  tokentry: error: * (glob)

## The deadline

  $ set -- --timeout 1; . ./waiting; wait $!
  {"error":"timeout","error_description":"*","origin":"user","retryable":true} (glob)
  ! tokentry: error: * (glob)
  [4]

It also ends the wait for a list that has no writer.

  $ rm -f list; mkfifo list
  > tokentry login --provider vk --client-id 753197 --headless-test --navigations list --timeout 1
  {"error":"timeout","error_description":"*","origin":"user","retryable":true} (glob)
  ! tokentry: error: * (glob)
  [4]

`--timeout 0` waits for ever, or at least for more than a second.

  $ set -- --timeout 0; . ./waiting; sleep 1.2
  > echo 'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&state=S' >&3
  > wait $!
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}

## A crash

When the program crashes, the caller still gets an object. The status is 70, and no stack trace shows the memory.

  $ export SWIFT_BACKTRACE=enable=yes,color=no
  > for signal in SEGV ILL BUS FPE ABRT TRAP; do
  >   ( . ./waiting; kill -$signal $!; wait $! ) >out 2>err
  >   echo "$? $signal $(cat out)"
  >   grep -i 'backtracing from\|registers\| at /' err
  > done
  70 SEGV {"error":"internal_error","error_description":"*","origin":"tokentry","retryable":false} (glob)
  70 ILL {"error":"internal_error","error_description":"*","origin":"tokentry","retryable":false} (glob)
  70 BUS {"error":"internal_error","error_description":"*","origin":"tokentry","retryable":false} (glob)
  70 FPE {"error":"internal_error","error_description":"*","origin":"tokentry","retryable":false} (glob)
  70 ABRT {"error":"internal_error","error_description":"*","origin":"tokentry","retryable":false} (glob)
  70 TRAP {"error":"internal_error","error_description":"*","origin":"tokentry","retryable":false} (glob)
  [1]
  $ set -- --output token; . ./waiting; kill -SEGV $!; wait $!
  ! tokentry: error: * (glob)
  [70]
  $ umask 077; echo '{"provider":"vk","client_id":"1","headless_test":true,"navigations":"list","output":"token"}' >request
  > rm -f list; mkfifo list
  > tokentry login --options request 2>/dev/null &
  > exec 3>list
  > sleep 0.3; kill -SEGV $!; wait $!
  [70]
  $ ls | grep core
  [1]
