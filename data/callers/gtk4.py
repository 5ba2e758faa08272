#!/usr/bin/python3
"""A GTK 4 application that signs its user in. It stays responsive, its button cancels the login, and Tokentry's window is
in front of its own. The user stays signed in until the next start. The arguments are those of tokentry login."""

import os
import signal
import sys

import gi
import tokentry

gi.require_version("Gtk", "4.0")
from gi.repository import Gio, GLib, Gtk


class Window(Gtk.ApplicationWindow):
    def __init__(self, application):
        super().__init__(application=application, default_width=320, default_height=80)
        self.login = None  # the running login
        self.is_starting = False
        self.button = Gtk.Button()
        self.button.connect("clicked", lambda _: self.pressed())
        self.set_child(self.button)
        # Is somebody signed in? This neither asks the user nor opens a window.
        self.start(None, "--if-needed", "--silent")

    def show_state(self, text):
        self.set_title(f"Mail: {text}")
        self.button.set_label("Cancel" if self.login else "Sign in")

    def pressed(self):
        if self.login:
            self.login.send_signal(signal.SIGTERM)
        elif not self.is_starting:
            self.is_starting = True
            self.with_parent(self.start)

    def with_parent(self, start):
        """Calls `start` with the value for --parent, or None if this window has none."""
        surface = self.get_surface()
        if hasattr(surface, "export_handle"):  # Wayland
            if surface.export_handle(lambda _, handle: start(f"wayland:{handle}")):
                return
        start(f"x11:{surface.get_xid():x}" if hasattr(surface, "get_xid") else None)

    def start(self, parent, *options):
        self.is_starting = False
        words = ["tokentry", "login", "--account", "mail", *sys.argv[1:], *options]
        if parent:
            words += ["--parent", parent]
        try:
            self.login = Gio.Subprocess.new(words, Gio.SubprocessFlags.STDOUT_PIPE)
        except GLib.Error as error:
            return self.show_state(error.message)
        self.login.communicate_utf8_async(None, None, self.ended)
        self.show_state("signing in")

    def ended(self, login, result):
        _, output, _ = login.communicate_utf8_finish(result)
        self.login = None
        try:
            tokentry.result(os.waitstatus_to_exitcode(login.get_status()), output)  # its access_token is the token
            self.show_state("signed in")
        except tokentry.Failure as failure:
            states = {"cancelled": "cancelled", "login_required": "not signed in"}
            self.show_state(states.get(failure.error, str(failure)))


application = Gtk.Application(application_id="com.example.Mail", flags=Gio.ApplicationFlags.NON_UNIQUE)
application.connect("activate", lambda application: Window(application).present())
sys.exit(application.run())
