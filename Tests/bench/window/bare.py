#!/usr/bin/python3
"""The minimal login window of bare.c, with PyGObject.

usage: bare.py URL REDIRECT-URI
"""

import json
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2


def decide(_, decision, kind, redirect):
    if kind != WebKit2.PolicyDecisionType.NAVIGATION_ACTION:
        return False
    uri = decision.get_navigation_action().get_request().get_uri()
    if not uri.startswith(redirect):
        return False
    decision.ignore()
    print(json.dumps({"callback": uri}), flush=True)
    Gtk.main_quit()
    return True


context = WebKit2.WebContext.get_default()
context.set_sandbox_enabled(True)
view = WebKit2.WebView.new_with_context(context)
view.connect("decide-policy", decide, sys.argv[2])
window = Gtk.Window()
window.set_default_size(480, 640)
window.connect("destroy", Gtk.main_quit)
window.add(view)
window.show_all()
view.load_uri(sys.argv[1])
Gtk.main()
