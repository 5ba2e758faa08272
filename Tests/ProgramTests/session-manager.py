#!/usr/bin/python3
"""A stand-in for systemd's user manager (org.freedesktop.systemd1), on the session bus.

Usage: session-manager.py NAME=VALUE...

The arguments are the environment of the session's programs.
"""

import sys

from gi.repository import Gio, GLib

INTERFACE = """<node><interface name="org.freedesktop.systemd1.Manager">
<property name="Environment" type="as" access="read"/></interface></node>"""


def main():
    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    interface = Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0]
    environment = GLib.Variant("as", sys.argv[1:])
    bus.register_object("/org/freedesktop/systemd1", interface, None, lambda *_: environment, None)
    Gio.bus_own_name_on_connection(bus, "org.freedesktop.systemd1", Gio.BusNameOwnerFlags.NONE, None, None)
    GLib.MainLoop().run()


main()
