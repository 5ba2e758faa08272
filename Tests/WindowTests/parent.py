#!/usr/bin/python3
"""A program with a window that can be the parent of a login's window.

Prints the window as --parent takes it. Ends with its standard input.
"""

import ctypes
import sys
import threading

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402


def export(window):
    """Exports the window with xdg-foreign. The Python bindings lack the function."""
    gdk = ctypes.CDLL("libgdk-3.so.0")
    exported = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    export.callback = exported(lambda _, handle, __: print("wayland:" + handle.decode(), flush=True))
    gdk.gdk_wayland_window_export_handle(ctypes.c_void_p(hash(window)), export.callback, None, None)


def tell(widget, _):
    window = widget.get_window()
    if "X11" in type(window).__name__:
        print(f"x11:{window.get_xid():x}", flush=True)
    else:
        export(window)


def main():
    window = Gtk.Window(title="Mail program")
    window.set_default_size(400, 300)
    window.move(500, 500)
    window.connect("map-event", tell)
    window.show_all()
    threading.Thread(target=lambda: (sys.stdin.read(), GLib.idle_add(Gtk.main_quit)), daemon=True).start()
    Gtk.main()


if __name__ == "__main__":
    main()
