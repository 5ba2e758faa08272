# A headless test without changing the command line

A caller whose tests cannot change the command line sets `TOKENTRY_HEADLESS_TEST=1`. The list of navigations can come with
its document of options.

  $ printf '%s\n' 'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&state=S' >list
  > export TOKENTRY_HEADLESS_TEST=1
  > tokentry login --provider vk --client-id 753197 --state S --navigations list
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}
  $ TOKENTRY_HEADLESS_TEST=1 tokentry navigate --url https://as.example/a \
  >   --redirect-uri https://oauth.vk.com/blank.html --navigations list
  {"callback":"https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&state=S"}

If even the options of the test cannot be given, variables hold the list, or the values for forms. Options win, and without
a test the variables have no effect.

  $ export TOKENTRY_HEADLESS_TEST=1
  > TOKENTRY_NAVIGATIONS=list tokentry login --provider vk --client-id 753197 --state S | cut -c 1-19
  > TOKENTRY_NAVIGATIONS=none tokentry login --provider vk --client-id 753197 --state S --navigations list | cut -c 1-19
  {"access_token":"T"
  {"access_token":"T"
  $ TOKENTRY_NAVIGATIONS=none tokentry explain --provider vk --client-id 1 | cut -c 1-7
  {"url":
  $ TOKENTRY_FORM=user TOKENTRY_HEADLESS_TEST=1 tokentry login --provider vk --client-id 1
  {"error":"invalid_option","error_description":"TOKENTRY_FORM takes NAME=VALUE","origin":"caller","retryable":false}
  ! tokentry: error: TOKENTRY_FORM takes NAME=VALUE
  [2]

The variable does the same as the option, and both together do no harm.

  $ TOKENTRY_HEADLESS_TEST=1 tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations list
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}

Commands without a user ignore it.

  $ TOKENTRY_HEADLESS_TEST=1 tokentry --version | cut -c 1-9
  tokentry 
  $ TOKENTRY_HEADLESS_TEST=1 tokentry providers >/dev/null

An empty variable counts as unset, and navigations without a headless test are refused.

  $ TOKENTRY_HEADLESS_TEST= tokentry login --provider vk --client-id 753197 --state S --navigations list 2>/dev/null
  {"error":"invalid_*","error_description":"*","origin":"caller","retryable":false} (glob)
  [2]

A test sends the same request and makes the same checks.

  $ export TOKENTRY_HEADLESS_TEST=1
  > printf '%s\n' 'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1' |
  >   tokentry login --provider vk --client-id 753197 --navigations - 2>/dev/null
  {"error":"state_missing",* (glob)
  [6]
