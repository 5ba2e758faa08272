#!/usr/bin/python3
"""Test providers on 127.0.0.1 with well-behaved and hostile login pages.

Reads commands, whose words are separated by tabs, until the end of its input:

  open LOG [CERTIFICATE-AND-KEY]  starts a provider that logs its requests to LOG; prints "LOG PORT"
  close LOG                       ends that provider
"""

import html
import http.server
import json
import os
import sys
import threading
import time
import urllib.parse

TOP = '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sign in</title>'
STYLE = """<style>body{font:16px sans-serif;margin:48px auto;max-width:20em;color:#222}h1{font-size:24px}
label{display:block;margin:16px 0}input,button{font:inherit;box-sizing:border-box;width:100%%;padding:10px;margin-top:4px;
border:1px solid #bbb;border-radius:6px}button{background:#2563eb;color:#fff;border:0;margin-top:16px}</style>"""
# The page gets its title once the first field has the focus, because earlier keys are lost.
FORM = TOP.replace("Sign in", "Wait") + STYLE + """<h1>Example account</h1><form method="post" action="/login?%s">
<label>Name<input name="user" autofocus onfocus="document.title='Sign in'"></label><label>Password<input name="password" type="password"></label>
<button>Sign in</button></form>"""
VK_ANSWERS = {
    "allow": "access_token=T&expires_in=86400&user_id=1",
    "deny": "error=access_denied&error_reason=user_denied&error_description=User+denied+your+request",
}
BIG_BUTTON = TOP + '<body style="margin:0"><button style="width:100vw;height:100vh" onclick="%s">Go on</button>'


class StandIn(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def answer(self, status, body="", **headers):
        data = body.encode()
        self.send_response(status)
        headers.setdefault("Content_Type", "text/html; charset=utf-8")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def redirect(self, target, **headers):
        self.answer(302, Location=target, **headers)

    def asked(self):
        """Logs the request and returns its path, and its query as text and as a dictionary."""
        url = urllib.parse.urlsplit(self.path)
        with open(self.server.log, "a", encoding="utf-8") as log:
            log.write(f"{self.command} {url.path} {self.headers['Accept-Language']}\n")
        return url.path, url.query, dict(urllib.parse.parse_qsl(url.query))

    @staticmethod
    def granted(query, state=None):
        state = query.get("state", "") if state is None else state
        return f"{query.get('redirect_uri', '')}#access_token=T&token_type=Bearer&expires_in=60&state={state}"

    def do_POST(self):
        path, _, query = self.asked()
        if path == "/posted":
            self.answer(
                200, TOP + "<script src=/hang></script><h1>Hello</h1><input autofocus oninput='if (value == `h`) hang()'>")
            return
        if path == "/answered":
            kind = "application/json" if query["body"].startswith("{") else "text/html"
            self.answer(int(query["status"]), query["body"], Content_Type=kind)
            return
        if path == "/cut":
            self.close_connection = True
            return
        form = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        if path == "/vk-consent":
            answer = VK_ANSWERS[form["answer"]]
            self.redirect(f"{query['redirect_uri']}#{answer}&state={query['state']}")
        elif form.get("user") == "anna" and form.get("password") == "secret":
            self.redirect(self.path.replace("/vk-login", "/vk-asks", 1) if path == "/vk-login" else self.granted(query))
        else:
            self.redirect(f"{query['redirect_uri']}#error=access_denied&state={query['state']}")

    def do_GET(self):
        path, text, query = self.asked()
        page = getattr(self, "page_" + path.strip("/").replace("-", "_"), None)
        if page:
            page(text, query)
        else:
            self.answer(404)

    def page_auth(self, text, query):
        self.answer(200, FORM % html.escape(text))

    def page_vk(self, text, query):
        """A login like VK's: a form, a question, and the answer in the fragment."""
        self.answer(200, FORM.replace("/login?", "/vk-login?") % html.escape(text))

    def page_vk_asks(self, text, query):
        """Requests /vk-waits once the button has the focus."""
        self.answer(200, TOP + STYLE.replace("%%", "%") + f"""<h1>Access</h1><form method="post" action="/vk-consent?{html.escape(text)}">
            <button name="answer" value="allow" autofocus onfocus="fetch('/vk-waits')">Allow</button>
            <button name="answer" value="deny">Deny</button></form>""")

    def page_good(self, text, query):
        self.redirect(self.granted(query))

    def page_wrong_state(self, text, query):
        self.redirect(self.granted(query, "other"))

    def page_script(self, text, query):
        self.answer(200, TOP + f"<script>location.href={json.dumps(self.granted(query))}</script>")

    def page_later(self, text, query):
        """Continues by itself after the window has become visible."""
        self.answer(200, TOP + f"<p>One moment<script>setTimeout(() => {{ location.href = '/good?{text}' }}, 1500)</script>")

    def page_auth_hebrew(self, text, query):
        words = {"<h1>": '<html dir="rtl" lang="he"><h1>', "Example account": "חשבון לדוגמה", "Name": "שם", "Password": "סיסמה",
                 "<button>Sign in": "<button>כניסה"}
        page = FORM % html.escape(text)
        for old, new in words.items():
            page = page.replace(old, new)
        self.answer(200, page)

    def page_html(self, text, query):
        """A page written by the test, in which `answer` is the address of a good redirect."""
        self.answer(200, TOP + f"<script>const answer = {json.dumps(self.granted(query))}</script>" + query["body"])

    def page_to(self, text, query):
        """A redirect to the address that the test gives, byte for byte."""
        self.answer(302, Location=query["to"].encode().decode("latin-1"))

    def page_silent(self, text, query):
        """Never answers."""
        threading.Event().wait()

    def page_endless(self, text, query):
        """A page that starts to arrive and never ends."""
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write((TOP + STYLE.replace("%%", "%") + "<h1>Example account</h1>" + f"<!--{8000 * ' '}-->").encode())
        self.wfile.flush()
        threading.Event().wait(60)

    def page_size(self, text, query):
        """A link to another page. Requests /size-N when its zoom changes to N percent."""
        self.answer(200, BIG_BUTTON % "location.href='/other'" + """<script>let last = 0; setInterval(() => {
            const size = Math.round(4800 / innerWidth) * 10;
            if (size !== last) fetch('/size-' + (last = size)) }, 50);
            addEventListener('pageshow', event => { if (event.persisted) fetch('/back') })</script>""")

    def page_other(self, text, query):
        self.answer(200, TOP + "<p>Another page")

    def page_csp(self, text, query):
        self.answer(200, FORM % html.escape(text), Content_Security_Policy="form-action 'self'")

    def page_frames(self, text, query):
        """A frame that is redirected with a wrong state and one whose script navigates there. The page itself continues once
        the test lets it."""
        wrong = self.granted(query, "other")
        script = html.escape(f"<script>location.href={json.dumps(wrong)}</script>")
        self.answer(200, TOP + f'<iframe src="/wrong-state?{html.escape(text)}"></iframe><iframe srcdoc="{script}"></iframe>'
                    f'<script>setInterval(async () => {{ if ((await fetch("/held")).ok) location.href = "/good?{text}" }}, 300)'
                    '</script>')

    def page_popup(self, text, query):
        self.answer(200, BIG_BUTTON % html.escape(f"window.open('/good?{text}')"))

    def page_popup_closes(self, text, query):
        """Opens a page, and continues when that page sends it a message."""
        script = f"addEventListener('message', () => location.href='/good?{text}')"
        self.answer(200, BIG_BUTTON % html.escape("window.open('/messenger')") + f"<script>{script}</script>")

    def page_messenger(self, text, query):
        self.answer(200, TOP + "<script>opener.postMessage('done', location.origin); close()</script>")

    def page_imitation(self, text, query):
        """Pretends with `pushState` to have reached the redirect URI, which is on this server."""
        evil = urllib.parse.urlsplit(self.granted(query))
        self.answer(200, TOP + f"<script>history.pushState(0, '', {json.dumps(evil.path + '#' + evil.fragment)});"
                    f"document.title={json.dumps(self.granted(query))}</script>")

    def page_hostile(self, text, query):
        """Tries everything that the window forbids, then completes the login once the test lets it."""
        self.answer(200, TOP + f"""<script>
            onbeforeunload = () => 'stay';
            setInterval(() => {{ alert('hello'); confirm('really?'); prompt('password?'); }}, 50);
            for (const url of ['data:text/html,x', 'file:///etc/passwd', 'javascript:alert(1)', 'mailto:a@b'])
              setTimeout(() => {{ location.href = url }}, 100);
            setTimeout(() => {{ document.documentElement.requestFullscreen(); print() }}, 150);
            setTimeout(() => {{ location.href = '/attachment' }}, 400);
            setInterval(async () => {{ if ((await fetch('/held')).ok) location.href = '/good?{text}' }}, 300);</script>""")

    def page_status(self, text, query):
        """An answer with the test's status, and with its page if there is one."""
        body = query.get("body", "")
        self.answer(int(query["status"]), TOP + body if body else "")

    def page_wrong_address(self, text, query):
        """Redirects with a good answer to an address that is almost the redirect URI."""
        answer = self.granted(query)
        self.redirect(answer.replace(query["redirect_uri"], query["instead"], 1).replace("#", "?", 1))

    def page_attachment(self, text, query):
        self.answer(200, "x", Content_Type="application/x-thing", Content_Disposition="attachment; filename=thing.bin")

    def page_to_file(self, text, query):
        self.redirect("file:///etc/hostname")

    def page_spin(self, text, query):
        """Spins after it has requested /spins."""
        script = "const hail = new XMLHttpRequest(); hail.open('GET', '/spins', false); hail.send(); for (;;);"
        self.answer(200, TOP + f"<p>Busy<script>setTimeout(() => {{ {script} }}, 300)</script>")

    def page_hang(self, text, query):
        """A script that hangs its page: it waits for a request that never ends."""
        wait = "const x = new XMLHttpRequest(); x.open('GET', '/slow', false); try { x.send() } catch {}"
        self.answer(200, f"function hang() {{ for (;;) {{ {wait} }} }}", Content_Type="text/javascript")

    def page_held(self, text, query):
        """Succeeds once the test lets pages continue."""
        time.sleep(0.2)
        self.answer(200 if os.path.exists(os.path.join(os.path.dirname(self.server.log), "go")) else 503)

    def page_empty(self, text, query):
        self.answer(200, TOP)

    def page_late(self, text, query):
        """An empty page in which a script writes a heading later."""
        self.answer(200, TOP + "<script>setTimeout(() => document.write('<h1>Hello</h1>'), 1500)</script>")

    def page_posts(self, text, query):
        """Sends a form at once; the answer is another page."""
        self.answer(200, TOP + "<form method=post action=/posted></form><script>document.forms[0].submit()</script>")

    def page_slow(self, text, query):
        """A page that does not arrive."""
        threading.Event().wait(60)

    def page_unauthorized(self, text, query):
        self.answer(401, TOP + "<p>Not so", WWW_Authenticate='Basic realm="Your bank"')

    def page_negotiate(self, text, query):
        """Asks for a Kerberos ticket. The test may have a page beside that."""
        self.answer(401, query.get("body", "auth"), WWW_Authenticate="Negotiate")

    def page_remember(self, text, query):
        """Signs in with a cookie for an hour."""
        self.redirect(self.granted(query), Set_Cookie="kept=1; Max-Age=3600; Path=/; HttpOnly")

    def page_remember_briefly(self, text, query):
        """Signs in with a session cookie."""
        self.redirect(self.granted(query), Set_Cookie="kept=1; Path=/; HttpOnly")

    def page_remembered(self, text, query):
        if self.headers["Cookie"] == "kept=1":
            self.redirect(self.granted(query))
        else:
            self.page_auth(text, query)

    def page_store(self, text, query):
        """Signs in and writes to the page's local storage."""
        self.answer(200, TOP + f"<script>localStorage.kept = 1; location.href={json.dumps(self.granted(query))}</script>")

    def page_stored(self, text, query):
        self.answer(200, TOP + f"<script>if (localStorage.kept) location.href={json.dumps(self.granted(query))}</script>",
                    Cache_Control="max-age=3600")

    def page_steps(self, text, query):
        """Three slow pages, each of which leads to the next."""
        step = int(query.get("step", "0"))
        time.sleep(1.5 if step else 0)
        target = json.dumps(self.granted(query) if step == 2 else f"/steps?{text}&step={step + 1}")
        self.answer(200, TOP + f"<p>Step {step}<script>setTimeout(() => {{ location.href={target} }}, 300)</script>")

    def page_busy(self, text, query):
        """Blocks its process for two seconds, then continues."""
        work = "const x = new XMLHttpRequest(); x.open('GET', '/pause', false); x.send()"
        lead = f"{work}; location.href={json.dumps(self.granted(query))}"
        self.answer(200, TOP + f"<script>onload = () => setTimeout(() => {{ {lead} }}, 200)</script>")

    def page_pause(self, text, query):
        time.sleep(2)
        self.answer(200)

    def page_stuck(self, text, query):
        """Hangs a moment after it is complete."""
        self.answer(200, TOP + "<script src=/hang></script><script>onload = () => setTimeout(hang, 200)</script>")

    def page_to_oops(self, text, query):
        self.redirect("/oops?err=2")

    def page_oops(self, text, query):
        self.answer(401, '{"error":"invalid_client","error_description":"No such client."}', Content_Type="application/json")


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, log, certificate):
        super().__init__(("127.0.0.1", 0), StandIn)
        self.log = log
        if certificate:
            import ssl  # slow to load, and few providers need it

            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            # Each connection's own thread performs the handshake, so that a silent client does not block the others.
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """Ignores clients that hang up or do not trust the certificate."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def end(self):
        self.shutdown()
        self.server_close()


def main():
    os.umask(0o077)
    servers = {}
    for line in sys.stdin:
        order, log, *certificate = line.rstrip("\n").split("\t")
        if order == "open":
            servers[log] = Server(log, "".join(certificate))
            print(log, servers[log].server_port, sep="\t", flush=True)
        else:
            threading.Thread(target=servers.pop(log).end, daemon=True).start()


if __name__ == "__main__":
    main()
