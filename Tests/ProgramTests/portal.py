#!/usr/bin/python3
"""A message bus with a stand-in for the desktop's portal (org.freedesktop.portal.OpenURI).

Usage: portal.py RESPONSE COMMAND FILE

Answers each request with RESPONSE; if that is 0 (success), it first runs COMMAND with the address. Appends each address
and its options to FILE. Prints the address of the bus, and ends on SIGTERM.
"""

import os
import signal
import subprocess
import sys

from gi.repository import Gio, GLib

INTERFACE = """<node><interface name="org.freedesktop.portal.OpenURI"><method name="OpenURI">
<arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/>
<arg type="o" direction="out"/></method></interface></node>"""
ROOT = "/org/freedesktop/portal/desktop"


def main():
    signal.pthread_sigmask(signal.SIG_SETMASK, [])  # the test runner blocks some signals, and children inherit that
    response, command, record = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    place = f"--address=unix:dir={os.path.dirname(record)}"  # deleted with the test's folder, even if this program is killed
    daemon = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address", place], stdout=subprocess.PIPE)
    address = daemon.stdout.readline().decode().strip()
    flags = Gio.DBusConnectionFlags
    bus = Gio.DBusConnection.new_for_address_sync(
        address, flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION, None, None)

    def answer(_bus, sender, _path, _interface, _method, parameters, invocation):
        handle = f"{ROOT}/request/{sender[1:].replace('.', '_')}/t"
        invocation.return_value(GLib.Variant("(o)", (handle,)))
        _, uri, options = parameters.unpack()
        with open(record, "a", encoding="utf-8") as file:
            file.write(" ".join([uri, *map(str, options.values())]) + "\n")
        if response == 0:
            subprocess.Popen([command, uri], stdout=subprocess.DEVNULL)
        bus.emit_signal(sender, handle, "org.freedesktop.portal.Request", "Response",
                        GLib.Variant("(ua{sv})", (response, {})))

    node = Gio.DBusNodeInfo.new_for_xml(INTERFACE)
    bus.register_object(ROOT, node.interfaces[0], answer, None, None)
    Gio.bus_own_name_on_connection(bus, "org.freedesktop.portal.Desktop", Gio.BusNameOwnerFlags.NONE, None, None)
    bus.call_sync("org.freedesktop.DBus", "/", "org.freedesktop.DBus", "GetId", None, None, 0, -1, None)
    print(address, flush=True)
    loop = GLib.MainLoop()
    GLib.unix_signal_add(GLib.PRIORITY_HIGH, signal.SIGTERM, loop.quit)
    loop.run()
    daemon.terminate()  # it deletes its socket
    daemon.wait()


main()
