#!/usr/bin/python3
"""A stand-in for a keyring other than GNOME's (org.freedesktop.secrets), on the session bus. It does not encrypt
secrets in transit, which the specification allows, and finds items in the order of its arguments. It prints each call and
each property that it returns to standard error.

Usage: other-keyring.py [MODIFIED DOCUMENT]...

Each pair is an account.
"""

import json
import sys

from gi.repository import Gio, GLib

SERVICE = "org.freedesktop.Secret.Service"
ITEM = "org.freedesktop.Secret.Item"
INTERFACES = f"""<node>
<interface name="{SERVICE}">
<method name="OpenSession"><arg type="s" direction="in"/><arg type="v" direction="in"/>
<arg type="v" direction="out"/><arg type="o" direction="out"/></method>
<method name="SearchItems"><arg type="a{{ss}}" direction="in"/>
<arg type="ao" direction="out"/><arg type="ao" direction="out"/></method>
<method name="GetSecrets"><arg type="ao" direction="in"/><arg type="o" direction="in"/>
<arg type="a{{o(oayays)}}" direction="out"/></method>
<property name="Collections" type="ao" access="read"/></interface>
<interface name="{ITEM}">
<property name="Locked" type="b" access="read"/><property name="Attributes" type="a{{ss}}" access="read"/>
<property name="Label" type="s" access="read"/><property name="Type" type="s" access="read"/>
<property name="Created" type="t" access="read"/><property name="Modified" type="t" access="read"/></interface>
</node>"""
ROOT = "/org/freedesktop/secrets"
words = sys.argv[1:]
items = {
    f"{ROOT}/collection/other/{number}": (int(words[2 * number]), words[2 * number + 1])
    for number in range(len(words) // 2)
}


def attributes(path):
    return {"account": json.loads(items[path][1])["account"], "xdg:schema": "org.tokentry.Account"}


def answer(_bus, _sender, _path, _interface, method, parameters, invocation):
    print(method, file=sys.stderr, flush=True)
    arguments = parameters.unpack()
    if method == "OpenSession":
        if arguments[0] != "plain":
            invocation.return_dbus_error("org.freedesktop.DBus.Error.NotSupported", "only plain sessions are supported")
            return
        reply = GLib.Variant("(vo)", (GLib.Variant("s", ""), f"{ROOT}/session/1"))
    elif method == "SearchItems":
        found = [path for path in items if arguments[0].items() <= attributes(path).items()]
        reply = GLib.Variant("(aoao)", (found, []))
    else:
        paths, session = arguments
        reply = GLib.Variant(
            "(a{o(oayays)})", ({path: (session, b"", items[path][1].encode(), "application/json") for path in paths},)
        )
    invocation.return_value(reply)


def value(_bus, _sender, path, _interface, name):
    print(name, file=sys.stderr, flush=True)
    if name == "Collections":
        return GLib.Variant("ao", [])
    if name == "Locked":
        return GLib.Variant("b", False)
    if name == "Attributes":
        return GLib.Variant("a{ss}", attributes(path))
    if name in ("Label", "Type"):
        return GLib.Variant("s", "")
    return GLib.Variant("t", items[path][0])


def main():
    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    service, item = Gio.DBusNodeInfo.new_for_xml(INTERFACES).interfaces
    bus.register_object(ROOT, service, answer, value, None)
    for path in items:
        bus.register_object(path, item, None, value, None)
    Gio.bus_own_name_on_connection(bus, "org.freedesktop.secrets", Gio.BusNameOwnerFlags.NONE, None, None)
    GLib.MainLoop().run()


main()
