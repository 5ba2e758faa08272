# Bytes that are not UTF-8

The name of a store that is not UTF-8 is refused: read as text it would name another store, which would seem empty.

  $ TOKENTRY_STORE=$(printf 'file:store\377') tokentry accounts
  {"error":"invalid_option","error_description":"TOKENTRY_STORE: the text is not UTF-8","origin":"caller","retryable":false}
  ! tokentry: error: TOKENTRY_STORE: the text is not UTF-8
  [2]
  $ ls

The same goes for everything that is sent to a provider, which would refuse it without a clear reason.

  $ for name in CLIENT_SECRET PASSWORD LOG; do
  >   env "TOKENTRY_$name=$(printf 'caf\351')" tokentry demo --headless-test
  > done
  {"error":"invalid_option","error_description":"TOKENTRY_CLIENT_SECRET: the text is not UTF-8","origin":"caller","retryable":false}
  {"error":"invalid_option","error_description":"TOKENTRY_PASSWORD: the text is not UTF-8","origin":"caller","retryable":false}
  {"error":"invalid_option","error_description":"TOKENTRY_LOG: the text is not UTF-8","origin":"caller","retryable":false}
  ! tokentry: error: TOKENTRY_CLIENT_SECRET: the text is not UTF-8
  ! tokentry: error: TOKENTRY_PASSWORD: the text is not UTF-8
  ! tokentry: error: TOKENTRY_LOG: the text is not UTF-8
  [2]
  $ printf 'caf\351\n' >password; chmod 600 password
  $ tokentry login --provider vk --client-id 753197 --headless-test --form pass=@password
  {"error":"invalid_option","error_description":"--form pass: the text is not UTF-8","origin":"caller","retryable":false}
  ! tokentry: error: --form pass: the text is not UTF-8
  [2]
  $ tokentry request https://api.test/ --account a --data "$(printf 'caf\351')"
  ! tokentry: error: --data: the text is not UTF-8
  [2]

A replacement character that is written in UTF-8 is an ordinary character.

  $ tokentry request https://api.test/ --account a --store file:store --data '�'
  ! tokentry: error: there is no account "a"
  ! tokentry: hint: * (glob)
  [8]
