#!/usr/bin/python3 -I
"""A program whose user signs in with a browser, as most programs do it: it opens a page and listens for the answer.

usage: far-login.py PORT [OPTION...]    OPTION: post (the answer is a form), own (opens an address of its own first),
                                        gone (listens no longer), again (another server listens in its
                                        place), plain (wants no answer), at=URL (the provider's page)

It prints the requests that it gets, and whether the browser was opened, and ends after the answer.
"""

import http.server
import os
import sys
import threading
import urllib.parse
import webbrowser

port, options = int(sys.argv[1]), sys.argv[2:]
done = threading.Event()
page = next((option[3:] for option in options if option.startswith("at=")), "https://accounts.example/authorize")
page += "?response_type=code&state=S%2B1"
if "plain" not in options:
    page += "&redirect_uri=" + urllib.parse.quote(f"http://localhost:{port}/done?own=1", safe="")
if "post" in options:
    page += "&response_mode=form_post"


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self, status, location=None):
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_GET(self):
        print("GET", self.path, flush=True)
        if self.path == "/begin":
            return self.answer(307, page)
        if self.path.startswith("/done") and "error=" not in self.path:
            return self.answer(302, "/success")
        self.answer(200)
        done.set()

    def do_POST(self):
        print("POST", self.path, self.rfile.read(int(self.headers["Content-Length"])).decode(), flush=True)
        self.answer(200)
        done.set()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print("opened", webbrowser.open(f"http://127.0.0.1:{port}/begin" if "own" in options else page), flush=True)
if "gone" in options or "again" in options:
    server.shutdown()
    server.server_close()
    if "again" in options:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
    done.wait(600)  # until the test ends it
    os._exit(0)
if "plain" not in options:
    print("done", done.wait(60), flush=True)
