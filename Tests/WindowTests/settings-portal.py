#!/usr/bin/python3
"""A message bus with a stand-in for the desktop's settings portal (org.freedesktop.portal.Settings), for settings that
the portal of Debian 12 does not have yet.

Prints the address of the bus. Each line of standard input, such as "contrast 1", changes a number in
org.freedesktop.appearance and sends the signal for it. Ends with its input.
"""

import os
import signal
import subprocess
import sys
import threading

from gi.repository import Gio, GLib

SPACE = "org.freedesktop.appearance"
NAME = "org.freedesktop.portal.Settings"
ROOT = "/org/freedesktop/portal/desktop"
INTERFACE = f"""<node><interface name="{NAME}"><method name="ReadAll"><arg type="as" direction="in"/>
<arg type="a{{sa{{sv}}}}" direction="out"/></method><signal name="SettingChanged"><arg type="s"/><arg type="s"/>
<arg type="v"/></signal></interface></node>"""


def main():
    signal.pthread_sigmask(signal.SIG_SETMASK, [])  # unblocks the signals that the test runner blocks
    # The bus is killed with this program, which leaves its socket behind: in the test's folder and not in the system's.
    place = f"--address=unix:dir={os.environ['XDG_RUNTIME_DIR']}"
    daemon = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address", place], stdout=subprocess.PIPE)
    address = daemon.stdout.readline().decode().strip()
    flags = Gio.DBusConnectionFlags
    bus = Gio.DBusConnection.new_for_address_sync(
        address, flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION, None, None)
    settings = {}

    def answer(_bus, _sender, _path, _interface, _method, _parameters, invocation):
        values = {key: GLib.Variant("u", value) for key, value in settings.items()}
        invocation.return_value(GLib.Variant("(a{sa{sv}})", ({SPACE: values},)))

    def change(line):
        key, value = line.split()
        settings[key] = int(value)
        bus.emit_signal(None, ROOT, NAME, "SettingChanged",
                        GLib.Variant("(ssv)", (SPACE, key, GLib.Variant("u", int(value)))))
        print(line.strip(), flush=True)

    node = Gio.DBusNodeInfo.new_for_xml(INTERFACE)
    bus.register_object(ROOT, node.interfaces[0], answer, None, None)
    Gio.bus_own_name_on_connection(bus, "org.freedesktop.portal.Desktop", Gio.BusNameOwnerFlags.NONE, None, None)
    bus.call_sync("org.freedesktop.DBus", "/", "org.freedesktop.DBus", "GetId", None, None, 0, -1, None)
    print(address, flush=True)
    loop = GLib.MainLoop()

    def read():
        for line in sys.stdin:
            GLib.idle_add(change, line)
        GLib.idle_add(loop.quit)

    threading.Thread(target=read, daemon=True).start()
    loop.run()
    daemon.terminate()
    daemon.wait()


main()
