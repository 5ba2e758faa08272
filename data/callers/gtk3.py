#!/usr/bin/python3
"""A GTK 3 application that signs its user in. It stays responsive, its button cancels the login, and Tokentry's window is
in front of its own. The arguments are those of tokentry login."""

import os
import signal
import sys

import gi
import tokentry

gi.require_version("Gtk", "3.0")
gi.require_version("GdkX11", "3.0")
from gi.repository import GdkX11, Gio, GLib, Gtk


class Window(Gtk.ApplicationWindow):
    def __init__(self, application):
        super().__init__(application=application, default_width=320, default_height=80)
        self.login = None  # the running login
        self.is_starting = False
        self.button = Gtk.Button()
        self.button.connect("clicked", lambda _: self.pressed())
        self.add(self.button)
        self.show_state("not signed in")

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
        surface = self.get_window()
        # GTK 3 exports Wayland handles only to C.
        start(f"x11:{surface.get_xid():x}" if isinstance(surface, GdkX11.X11Window) else None)

    def start(self, parent):
        self.is_starting = False
        options = sys.argv[1:] + (["--parent", parent] if parent else [])
        try:
            self.login = Gio.Subprocess.new(["tokentry", "login", *options], Gio.SubprocessFlags.STDOUT_PIPE)
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
            self.show_state("cancelled" if failure.is_cancelled else str(failure))


application = Gtk.Application(application_id="com.example.Mail", flags=Gio.ApplicationFlags.NON_UNIQUE)
application.connect("activate", lambda application: Window(application).show_all())
sys.exit(application.run())
