# Version and help

Both are text for people, on standard output.

  $ tokentry --version
  tokentry * (glob)
  $ tokentry --version --output json
  {"version":"*","contract":1,"Version":"*","Major":*,"Minor":*,"Patch":*} (glob)
  $ tokentry --version --output json >out; for words in 'version --output json' 'version -o json'; do
  >   tokentry $words | cmp - out
  > done
  $ [ "$(tokentry --version)" = "tokentry $(tokentry --version --output json | sed 's/{"version":"\([^"]*\)".*/\1/')" ]

Every command has its own help, which names its options.

  $ tokentry --help | grep -o '^  \(login\|navigate\|providers\|explain\) '
    login 
    navigate 
    providers 
    explain 
  $ tokentry --help >help; tokentry -h | cmp - help
  $ for command in login navigate providers explain; do
  >   tokentry $command --help >out || echo "$command: $?"
  >   head -n 1 out | grep -o "^tokentry $command "
  > done
  tokentry login 
  tokentry navigate 
  tokentry providers 
  tokentry explain 
  $ tokentry help | cmp - help
  $ tokentry login --help >out; tokentry help login | cmp - out
  $ for option in provider client-id scope redirect-uri param var options output timeout headless-test navigations state; do
  >   tokentry login --help | grep -q -e "--$option\\>" || echo "--$option"
  > done

The text fits a terminal and contains no control characters.

  $ [ "$(wc -L <help)" -le 80 ]
  $ LC_ALL=C grep -c '[[:cntrl:]]' help
  0
  [1]

At a terminal, no words at all show the way in. Everything goes through the user's pager.

  $ cat >at-terminal <<'END'
  > script -qec "$1" /dev/null </dev/null | tr -d '\r'
  > END
  $ sh at-terminal tokentry | cmp - help
  $ tokentry help all >all; PAGER='sed s/^/+/' sh at-terminal 'tokentry help all' | sed s/^+// | cmp - all
  $ PAGER='sed s/^/+/' sh at-terminal 'tokentry help all' | head -n 1
  +tokentry [COMMAND] [OPTION…]: sign a user in, and print a token
  $ PAGER='sed s/^/+/' tokentry help all | cmp - all
  $ mkdir pagers; printf '#!/bin/sh\nsed s/^/=/\n' >pagers/pager; chmod +x pagers/pager
  $ env -u PAGER TERM=xterm PATH="$PWD/pagers:$PATH" sh at-terminal 'tokentry help all' | head -n 1
  =tokentry [COMMAND] [OPTION…]: sign a user in, and print a token
  $ env -u PAGER TERM=xterm PATH="$PWD/pagers:$PATH" sh at-terminal 'tokentry --help' | cmp - help
  $ PAGER=/nonexistent sh at-terminal 'tokentry help all 2>/dev/null' | cmp - all

Help is shown although the rest of the command line is wrong.

  $ tokentry login --provider nobody --help | head -n 1 | cut -c 1-14
  tokentry login

Neither needs a display, a home or a locale.

  $ env -i "$(command -v tokentry)" --version | cut -c 1-9
  tokentry 
  $ env -i "$(command -v tokentry)" --help | head -n 1 | cut -c 1-9
  tokentry 
