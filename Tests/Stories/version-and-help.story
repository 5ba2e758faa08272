# Version and help

These are for people, and go to standard output as text.

  $ tokentry --version
  tokentry * (glob)
  $ tokentry --version --json
  {"version":"*","contract":1} (glob)

The two agree.

  $ [ "$(tokentry --version)" = "tokentry $(tokentry --version --json | sed 's/{"version":"\([^"]*\)".*/\1/')" ]

Every command has its help, and the help names what the program takes.

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
  $ for option in provider client-id scope redirect-uri param var request output timeout headless-test navigations state; do
  >   tokentry login --help | grep -q -e "--$option\\>" || echo "--$option"
  > done

It fits a terminal and holds nothing that a terminal would act on.

  $ [ "$(wc -L <help)" -le 80 ]
  $ LC_ALL=C grep -c '[[:cntrl:]]' help
  0
  [1]

Help does not depend on what else is wrong.

  $ tokentry login --provider nobody --help | head -n 1 | cut -c 1-14
  tokentry login

No display, no home and no locale are needed for any of it.

  $ env -i "$(command -v tokentry)" --version | cut -c 1-9
  tokentry 
  $ env -i "$(command -v tokentry)" --help | head -n 1 | cut -c 1-9
  tokentry 
