# What logins need of a machine

`doctor` looks at each thing that a login needs, says what is missing and how to fix it. This machine has no display, no
session bus, no terminal and no browser, so a login cannot reach its user.

  $ setsid --wait tokentry doctor >answer 2>messages
  [7]
  $ grep -c '' answer
  1
  $ grep -o '^{"error":"no_user_agent",' answer
  {"error":"no_user_agent",
  $ tr '{' '\n' <answer | grep -o '"name":"[a-z_]*","state":"failed"' | grep -v sandbox
  "name":"display","state":"failed"
  "name":"browser","state":"failed"
  "name":"terminal","state":"failed"
  "name":"login","state":"failed"
  $ tr '{' '\n' <answer | grep '"keyring"'
  "name":"keyring","state":"warning","message":"there is no session bus, which the keyring needs",* (glob)
  $ grep '^tokentry: error:' messages
  tokentry: error: logins on this machine cannot reach the user
  $ grep '^tokentry: info: display' messages
  tokentry: info: display: neither DISPLAY nor WAYLAND_DISPLAY is set (a window and the desktop's browser need a display; *) (glob)

A browser alone is enough to reach the user.

  $ BROWSER=true setsid --wait tokentry doctor 2>messages | grep -o '^{"ways":\["browser"\],"checks":\['
  {"ways":["browser"],"checks":[
  $ BROWSER=true setsid --wait tokentry doctor -v 2>&1 >/dev/null | grep ': login'
  tokentry: info: login: browser: the redirect URI is on this machine, so a browser can return the answer
  $ BROWSER=no-such-browser:true setsid --wait tokentry doctor 2>&1 >/dev/null | grep ': browser'
  tokentry: info: browser: there is no program no-such-browser, so true opens web pages (see BROWSER and --browser)
  $ BROWSER=no-such-browser setsid --wait tokentry doctor 2>messages | tr '{' '\n' | grep '"browser"'
  "name":"browser","state":"failed","message":"there is no program no-such-browser",* (glob)

With `-v` it also lists what is fine. The passwords of proxies are hidden.

  $ https_proxy=http://me:secret@proxy.example:3128 setsid --wait tokentry doctor -v 2>&1 >/dev/null | grep '^tokentry: info: \(loopback\|proxy\)'
  tokentry: info: proxy: set to https_proxy=http://[redacted]@proxy.example:3128
  tokentry: info: loopback: a browser can return an answer to this machine

A folder that other users can read is no place for locks.

  $ mkdir --mode=755 run
  $ XDG_RUNTIME_DIR=$PWD/run setsid --wait tokentry doctor 2>&1 >/dev/null | grep runtime_folder
  tokentry: info: runtime_folder: */run can be read or written by other users (chmod 700 */run) (glob)

  $ chmod 700 run
  > XDG_RUNTIME_DIR=$PWD/run XDG_STATE_HOME=$PWD/none setsid --wait tokentry doctor -v 2>&1 >/dev/null | grep _folder
  tokentry: info: runtime_folder: only you can access */run (glob)
  tokentry: info: state_folder: */none can be created (glob)

It asks the agent that keeps the accounts. Where no other way leads to the user, the agent is one.

  $ export XDG_RUNTIME_DIR=$PWD/run
  > tokentry agent --store file:$PWD/accounts >socket &
  > while ! test -s socket; do sleep 0.05; done
  > setsid --wait tokentry doctor -v 2>&1 >/dev/null | grep ': agent'
  > export TOKENTRY_AGENT=$PWD/run/tokentry-agent/agent.sock
  > setsid --wait tokentry doctor 2>/dev/null | grep -o '^{"ways":\["agent"\]'
  > kill $!; wait
  > setsid --wait tokentry doctor 2>&1 >/dev/null | grep ': agent'
  > unset TOKENTRY_AGENT
  > setsid --wait tokentry doctor -v 2>&1 >/dev/null | grep ': agent'
  tokentry: info: agent: an agent answers at */run/tokentry-agent/agent.sock (glob)
  {"ways":["agent"]
  tokentry: info: agent: there is no agent at */run/tokentry-agent/agent.sock (run `tokentry agent` on the machine with the accounts, and let its socket lead to */run/tokentry-agent/agent.sock) (glob)
  tokentry: info: agent: no agent is running; only programs elsewhere need one

A session bus that never answers does not keep the doctor waiting.

  $ python3 -c 'import socket, time
  > server = socket.socket(socket.AF_UNIX); server.bind("bus"); server.listen(); time.sleep(20)' >/dev/null 2>&1 &
  > while ! test -S bus; do sleep 0.05; done
  > DBUS_SESSION_BUS_ADDRESS=unix:path=$PWD/bus timeout 10 setsid --wait tokentry doctor 2>&1 >/dev/null | grep 'no answer within'
  > kill $!
  tokentry: info: keyring: no answer within 5 s (if this computer is busy, try again; else find out why)
  tokentry: info: portal: no answer within 5 s (if this computer is busy, try again; else find out why)

At a terminal it prints a table. The user can paste an answer there, so there is a way.

  $ TERM=dumb script -qec 'tokentry doctor' /dev/null </dev/null | tr -d '\r' | grep -v '^. *window\|^. *sandbox' | head -n 2
  ✗  display * neither DISPLAY nor WAYLAND_DISPLAY is set (glob)
     * a window and the desktop's browser need a display; tests can use --headless-test (glob)
  $ TERM=dumb script -qec 'tokentry doctor' /dev/null </dev/null | tr -d '\r' | tail -n 1
  ways to the user: paste
  $ TERM=dumb script -qec 'tokentry doctor --output json' /dev/null </dev/null | tr -d '\r' | grep -c '^{"ways":\["paste"\],'
  1

A proxy setting that is not the address of a proxy is a warning. Warnings of libraries are shown with `-vv` only.

  $ https_proxy=proxy.example setsid --wait tokentry doctor --output json 2>/dev/null | tr '{' '\n' | grep '"proxy"'
  "name":"proxy","state":"warning","message":"https_proxy is not the address of a proxy","hint":"such as http://proxy.example:3128"}, (glob)
  $ http_proxy=http://proxy.example:99999 setsid --wait tokentry doctor -v 2>&1 >/dev/null | grep ': proxy'
  tokentry: info: proxy: http_proxy is not the address of a proxy (such as http://proxy.example:3128)
  $ all_proxy=socks://proxy.example setsid --wait tokentry doctor -v 2>&1 >/dev/null | grep ': proxy'
  tokentry: info: proxy: all_proxy is not used (set https_proxy)
  $ for option in -v -vv; do
  >   GIO_USE_PROXY_RESOLVER=none-such setsid --wait tokentry login --issuer https://as.invalid --client-id me \
  >     --browser true $option 2>&1 >/dev/null | grep GIO_USE
  > done
  tokentry: warning: GLib-GIO: Can't find module 'none-such' specified in GIO_USE_PROXY_RESOLVER
