# Presets

A preset is a JSON file. `providers` lists the presets that come with tokentry. Each can be printed, edited and used as a
file.

  $ tokentry providers >all; wc -l <all; cut -c 1-15 all
  1
  {"providers":[{ (glob)
  $ tokentry providers vk >mine.json; wc -l <mine.json
  1
  $ printf '%s\n' 'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&state=S' >list
  > tokentry login --provider ./mine.json --client-id 753197 --state S --headless-test --navigations list
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}
  $ tokentry providers ./mine.json | cmp - mine.json

The list says how a preset was tried, if the preset says so. A variable with a
default may be left out.

  $ grep -o '"provider":"vk","name":"VK","tested":"[a-z-]*"' all
  "provider":"vk","name":"VK","tested":"stand-in"
  $ mkdir -p config/tokentry/providers; echo '{"name":"New"}' >config/tokentry/providers/new.json
  > tokentry providers | grep -o '"provider":"new","name":"New","[a-z]*"'
  "provider":"new","name":"New","file"
  $ grep -o '"variable_defaults":{"server":"gitlab[^}]*}' all
  "variable_defaults":{"server":"gitlab.com"}
  $ for server in '' '--var server=git.example/lab'; do
  >   tokentry explain --provider gitlab --client-id 1 $server | sed 's/{"url":"\([^?]*\)?.*/\1/'
  > done
  https://gitlab.com/oauth/authorize
  https://git.example/lab/oauth/authorize

An unknown preset, with the nearest one that exists:

  $ tokentry login --provider vkk --client-id 753197 --headless-test --navigations list
  {"error":"unknown_provider","error_description":"*","origin":"caller","retryable":false} (glob)
  ! tokentry: error: *vkk* (glob)
  ! tokentry: hint: *vk* (glob)
  [2]
  $ for name in auth GitLab gitlab.com Microsoft_Common 'mailru imap' auth0.acme; do
  >   tokentry providers "$name" 2>&1 >/dev/null | tail -n 1
  > done
  tokentry: hint: *auth0* (glob)
  tokentry: hint: did you mean gitlab?
  tokentry: hint: did you mean gitlab?
  tokentry: hint: did you mean microsoft-common?
  tokentry: hint: did you mean mailru-imap?
  tokentry: hint: did you mean auth0?
  $ tokentry login --provider ./none.json --client-id 753197 2>err
  {"error":"*","error_description":"*","origin":"caller","retryable":false} (glob)
  [2]
  $ head -n 1 err
  tokentry: error: *none.json* (glob)

A name is not a path.

  $ for name in ../../etc/passwd .. . '' '*' 'v k' "$(printf 'vk\033[2J')"; do
  >   tokentry login --provider "$name" --client-id 1 --headless-test --navigations list >out 2>err
  >   echo "$? $(LC_ALL=C grep -c '[[:cntrl:]]' err)"
  > done
  2 0
  2 0
  2 0
  2 0
  2 0
  2 0
  2 0

## The user's own presets

A preset in the user's configuration comes first, then presets in the data folders, then those that come with tokentry.

  $ preset() {
  >   printf '{"name":"%s","authorization_endpoint":"https://%s.example/a","response_type":"token",\n' "$1" "$1"
  >   printf ' "redirect_uri":"https://oauth.vk.com/blank.html","token_type":"Bearer"}\n'
  > }
  > url() {
  >   tokentry explain --provider vk --client-id 753197 | sed 's/{"url":"\([^?]*\)?.*/\1/'
  > }
  > url
  > mkdir -p share/tokentry/providers; preset share >share/tokentry/providers/vk.json; url
  > mkdir -p data/tokentry/providers; preset data >data/tokentry/providers/vk.json; url
  > mkdir -p config/tokentry/providers; preset config >config/tokentry/providers/vk.json; url
  > XDG_CONFIG_HOME= XDG_DATA_HOME= url
  > mkdir -p .config/tokentry/providers; preset home >.config/tokentry/providers/vk.json; XDG_CONFIG_HOME= url
  https://oauth.vk.com/authorize
  https://share.example/a
  https://data.example/a
  https://config.example/a
  https://share.example/a
  https://home.example/a
  $ tokentry providers vk
  {"name":"config","authorization_endpoint":"https://config.example/a","response_type":"token","redirect_uri":"https://oauth.vk.com/blank.html","token_type":"Bearer"}
  $ preset() { sed "s/config/$1/g" config/tokentry/providers/vk.json; }
  > preset own >config/tokentry/providers/own.json; tokentry providers | grep -o '"own"' | head -n 1
  "own"

## Mistakes in a preset

A wrong preset is refused with file, line and reason before anything is opened.

  $ try() {
  >   tokentry login --provider "$1" --client-id 753197 --state S --headless-test --navigations list >out 2>err
  >   echo "$? $(cut -d, -f1 out) $(head -n 1 err)"
  > }
  > printf '{\n "name": "x",\n "scope": oops\n}\n' >broken.json; try ./broken.json
  > printf '{"scope": "a",\n\n "scope": "b"}\n' >twice.json; try ./twice.json
  > printf '{"name": "\377"}\n' >bytes.json; try ./bytes.json
  > head -c 1000000 /dev/zero | tr '\0' '[' >deep.json; try ./deep.json
  2 {"error":"invalid_configuration" tokentry: error: *broken.json:3: * (glob)
  2 {"error":"invalid_configuration" tokentry: error: *twice.json:3: *scope* (glob)
  2 {"error":"invalid_configuration" tokentry: error: *bytes.json:1: * (glob)
  2 {"error":"invalid_configuration" tokentry: error: *deep.json is too large (glob)
  $ try() {
  >   printf '{\n "authorization_endpoint": "https://as.example/a",\n "response_type": "token",\n %s\n}\n' "$2" >"$1.json"
  >   tokentry login --provider "./$1.json" --client-id 753197 --state S --headless-test --navigations list >out 2>err
  >   echo "$? $(cut -d, -f1 out) $(head -n 1 err)"
  > }
  > try unknown '"redirect_url": "https://app.example/done"'
  > try kind '"redirect_uri": 1'
  > try plain '"token_endpoint": "http://as.example/token"'
  > try reserved '"authorization_parameters": {"state": "S"}'
  > try variable '"redirect_uri": "https://{tenant}.example/done"'
  2 {"error":"invalid_configuration" tokentry: error: *unknown.json:4: *redirect_url* (glob)
  2 {"error":"invalid_configuration" tokentry: error: *kind.json:4: * (glob)
  2 {"error":"invalid_configuration" tokentry: error: *plain.json:4: * (glob)
  2 {"error":"invalid_configuration" tokentry: error: *reserved.json:4: *state* (glob)
  2 {"error":"invalid_configuration" tokentry: error: *variable.json:4: *tenant* (glob)

A folder, a named pipe and a device are not files with a preset.

  $ mkdir folder.json; mkfifo fifo.json
  > for file in ./folder.json ./fifo.json /dev/zero; do
  >   tokentry login --provider "$file" --client-id 753197 --headless-test --navigations list >out 2>err
  >   echo "$? $(cut -d, -f1 out) $(head -n 1 err | cut -c 1-17)"
  > done
  2 {"error":"invalid_configuration" tokentry: error: 
  2 {"error":"invalid_configuration" tokentry: error: 
  2 {"error":"invalid_configuration" tokentry: error: 

A broken file among the user's presets is reported and does not hide the others.

  $ cp broken.json config/tokentry/providers/broken.json
  > tokentry providers 2>err | grep -o '"own"' | head -n 1
  > grep -c 'broken.json:3: ' err
  "own"
  1
  $ tokentry login --provider broken --client-id 753197 --headless-test --navigations list 2>/dev/null | cut -d, -f1
  {"error":"invalid_configuration"

A dangling link is a file that cannot be read.

  $ ln -s gone config/tokentry/providers/dangling.json
  > tokentry explain --provider dangling --client-id 1 2>&1 >/dev/null
  tokentry: error: *dangling.json: No such file or directory (glob)
  [2]
  $ rm config/tokentry/providers/dangling.json

## At a terminal

The list is a table, in colour unless the terminal has no colours or `NO_COLOR` is set. `--output json` is for programs.

  $ cat >at-terminal <<'END'
  > script -qec "$1" /dev/null </dev/null | tr -d '\r'
  > END
  $ TERM=dumb sh at-terminal 'tokentry providers' | sed -n '/^PRESET/p; /^auth0 /p; /^github /p'
  PRESET * PROVIDER * NEEDS (glob)
  auth0 * Auth0 * --var tenant=… (glob)
  github * GitHub (glob)
  $ TERM=xterm sh at-terminal 'tokentry providers' | grep -q "$(printf '\033')" && echo in colours
  in colours
  $ TERM=xterm NO_COLOR=1 sh at-terminal 'tokentry providers' | grep -c "$(printf '\033')"
  0
  [1]
  $ tokentry providers 2>/dev/null >again; TERM=xterm sh at-terminal 'tokentry providers --output json 2>/dev/null' | cmp - again
