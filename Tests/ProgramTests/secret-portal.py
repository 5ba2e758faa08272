#!/usr/bin/python3
"""A stand-in for the desktop's portal for an application's key (org.freedesktop.portal.Secret), on the session bus.

Usage: secret-portal.py SILENT

Accepts every request, but does not respond to the first SILENT of them.
"""

import os
import sys

from gi.repository import Gio, GLib

INTERFACE = """<node><interface name="org.freedesktop.portal.Secret"><method name="RetrieveSecret">
<arg type="h" direction="in"/><arg type="a{sv}" direction="in"/><arg type="o" direction="out"/></method>
<property name="version" type="u" access="read"/></interface></node>"""
ROOT = "/org/freedesktop/portal/desktop"
silent = int(sys.argv[1])
asked = 0


def answer(bus, sender, _path, _interface, _method, _parameters, invocation):
    global asked
    asked += 1
    handle = f"{ROOT}/request/{sender[1:].replace('.', '_')}/t{asked}"
    descriptor = invocation.get_message().get_unix_fd_list().get(0)
    invocation.return_value(GLib.Variant("(o)", (handle,)))
    if asked > silent:
        os.write(descriptor, b"k" * 64)
        # The caller begins to listen when it has received the handle.
        GLib.timeout_add(300, respond, bus, sender, handle)
    os.close(descriptor)


def respond(bus, sender, handle):
    response = GLib.Variant("(ua{sv})", (0, {}))
    bus.emit_signal(sender, handle, "org.freedesktop.portal.Request", "Response", response)
    return False


def main():
    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    interface = Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0]
    bus.register_object(ROOT, interface, answer, lambda *_: GLib.Variant("u", 1), None)
    Gio.bus_own_name_on_connection(bus, "org.freedesktop.portal.Desktop", Gio.BusNameOwnerFlags.NONE, None, None)
    GLib.MainLoop().run()


main()
