# Interrupted while it waits

However a login is ended from outside, the caller gets one object and the status that fits.

  $ cat >waiting <<'END'
  > rm -f list; mkfifo list
  > env --default-signal=INT,QUIT tokentry login --provider vk --client-id 753197 --state S --headless-test \
  >   --navigations list "$@" &
  > exec 3>list
  > echo 'https://oauth.vk.com/authorize?x' >&3
  > sleep 0.3
  > END

SIGTERM, SIGINT and SIGHUP are a cancel, and so is SIGQUIT. It is programs that send SIGTERM, and people the others.

  $ . ./waiting; kill -TERM $!; wait $!
  {"error":"cancelled","error_description":"*","origin":"caller","retryable":false} (glob)
  ! tokentry: error: * (glob)
  [3]
  $ . ./waiting; kill -QUIT $!; wait $!
  {"error":"cancelled","error_description":"it was ended by the signal SIGQUIT","origin":"user","retryable":false}
  ! tokentry: error: * (glob)
  [3]
  $ . ./waiting; kill -INT $!; wait $!
  {"error":"cancelled","error_description":"*","origin":"user","retryable":false} (glob)
  ! tokentry: error: * (glob)
  [3]
  $ . ./waiting; kill -HUP $!; wait $!
  {"error":"cancelled","error_description":"*","origin":"user","retryable":false} (glob)
  ! tokentry: error: * (glob)
  [3]

Impatience does not give two answers.

  $ . ./waiting; kill -TERM $!; kill -INT $! 2>/dev/null; kill -TERM $! 2>/dev/null; wait $!
  {"error":"cancelled","error_description":"*","origin":"*","retryable":false} (glob)
  ! tokentry: error: * (glob)
  [3]

Nor does it lose the one there is, even if nobody has read it yet, until somebody has waited two seconds for that.

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

With a format for shells standard output stays empty.

  $ set -- --output token; . ./waiting; kill -TERM $!; wait $!
  ! tokentry: error: * (glob)
  [3]

Signals that ask for nothing change nothing.

  $ . ./waiting; kill -PIPE $!; kill -CONT $!; kill -WINCH $!; sleep 0.1
  > echo 'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&state=S' >&3
  > wait $!
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}

The answer ends it although the list goes on.

  $ . ./waiting
  > echo 'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&state=S' >&3
  > wait $!; status=$?
  > exec 3>&-
  > exit $status
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}

## The deadline

  $ set -- --timeout 1; . ./waiting; wait $!
  {"error":"timeout","error_description":"*","origin":"user","retryable":true} (glob)
  ! tokentry: error: * (glob)
  [4]

A list that nobody has opened for writing is waited for too, not beyond the deadline.

  $ rm -f list; mkfifo list
  > tokentry login --provider vk --client-id 753197 --headless-test --navigations list --timeout 1
  {"error":"timeout","error_description":"*","origin":"user","retryable":true} (glob)
  ! tokentry: error: * (glob)
  [4]

Without a deadline it is waited for ever: longer than a second, at least.

  $ set -- --timeout 0; . ./waiting; sleep 1.2
  > echo 'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&state=S' >&3
  > wait $!
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}

## A crash

Whatever kills the program from within, the caller gets an object, the status is 70, and no stack trace shows what was
in memory.

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
  > tokentry login --request request 2>/dev/null &
  > exec 3>list
  > sleep 0.3; kill -SEGV $!; wait $!
  [70]
  $ ls | grep core
  [1]
