# Writing the result

A caller that gets status 0 has got the token. If the result cannot be written, the status is 9 and standard error says so.

  $ cat >login <<'END'
  > printf '%s\n' 'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&state=S' >list
  > exec tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations list "$@"
  > END
  $ cat >refused <<'END'
  > printf '%s\n' 'https://oauth.vk.com/blank.html#error=access_denied&error_description=no&state=S' >list
  > exec tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations list "$@"
  > END

A full disk:

  $ sh login >/dev/full
  ! tokentry: error: * (glob)
  [9]

A closed descriptor:

  $ sh login >&-
  ! tokentry: error: the result could not be written: standard output is closed
  [9]

A descriptor that is open for reading only:

  $ sh login 1</dev/null
  ! tokentry: error: * (glob)
  [9]

A reader that has gone. The named pipe is open at both ends when the program starts, and at one end when it writes.

  $ mkfifo out go
  > { read -r line <go; sh login >&3 3>&- 2>err; echo $? >status; } 3>out &
  > exec 4<out
  > exec 4<&-
  > echo >go
  > wait
  > cat status
  > tail -n 1 err
  9
  tokentry: error: the result could not be written: Broken pipe

A caller that ignores SIGPIPE, as Python and Go do, gets the same result.

  $ ( trap '' PIPE; { sleep 0.2; sh login 2>err; echo $? >status; } | true ); cat status; tail -n 1 err
  9
  tokentry: error: the result could not be written: Broken pipe
  $ { sleep 0.2; sh login 2>err; echo $? >status; } | true; cat status; tail -n 1 err
  9
  tokentry: error: the result could not be written: Broken pipe

The other commands do the same.

  $ tokentry providers >/dev/full
  ! tokentry: error: * (glob)
  [9]
  $ tokentry explain --provider vk --client-id 753197 >&-
  ! tokentry: error: * (glob)
  [9]
  $ tokentry --version --output json >/dev/full
  ! tokentry: error: * (glob)
  [9]
  $ tokentry --help >/dev/full
  ! tokentry: error: * (glob)
  [9]

An error object that cannot be written is status 9 too.

  $ sh refused >/dev/full 2>err
  [9]
  $ head -n 1 err
  tokentry: error: * (glob)

## The other streams

A closed standard input or standard error has no effect.

  $ sh login <&-
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}
  $ sh login 2>&-
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}
  $ sh refused 2>&-
  {"error":"access_denied","error_description":"no","origin":"provider","retryable":false}
  [1]
  $ sh refused 2>/dev/full
  {"error":"access_denied","error_description":"no","origin":"provider","retryable":false}
  [1]
  $ sh login <&- 2>&-
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}
  $ sh login <&- >&- 2>&-
  [9]

A list of navigations cannot come from a closed standard input.

  $ tokentry login --provider vk --client-id 753197 --headless-test --navigations - <&- >answer 2>err
  > echo $? | tr 23 x
  > grep -c '^{"error":"' answer
  x
  1

## The end

End of file follows the object at once, and the program leaves no files in the directory.

  $ sh login | cat
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}
  $ rm -f login refused list status err answer out go; find .
  .
