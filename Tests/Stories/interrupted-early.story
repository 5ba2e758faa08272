# Interrupted before there was a request

A caller that starts the program and changes its mind before it has sent its document gets an answer too.

  $ mkfifo -m 600 request
  > for signal in TERM INT HUP; do
  >   env --default-signal=INT,HUP tokentry login --request request 2>err &
  >   exec 3>request
  >   sleep 0.3
  >   kill -$signal $!
  >   wait $!
  >   echo $?
  >   exec 3>&-
  > done
  {"error":"cancelled","error_description":"*","origin":"caller","retryable":false} (glob)
  3
  {"error":"cancelled","error_description":"*","origin":"user","retryable":false} (glob)
  3
  {"error":"cancelled","error_description":"*","origin":"user","retryable":false} (glob)
  3
