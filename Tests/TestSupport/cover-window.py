#!/usr/bin/python3
"""Shows a window of one colour in front of all others until standard input ends."""

import ctypes
import sys


class Attributes(ctypes.Structure):
    _fields_ = [("background_pixmap", ctypes.c_ulong), ("background_pixel", ctypes.c_ulong),
                ("border_pixmap", ctypes.c_ulong), ("border_pixel", ctypes.c_ulong), ("bit_gravity", ctypes.c_int),
                ("win_gravity", ctypes.c_int), ("backing_store", ctypes.c_int), ("backing_planes", ctypes.c_ulong),
                ("backing_pixel", ctypes.c_ulong), ("save_under", ctypes.c_int), ("event_mask", ctypes.c_long),
                ("do_not_propagate_mask", ctypes.c_long), ("override_redirect", ctypes.c_int),
                ("colormap", ctypes.c_ulong), ("cursor", ctypes.c_ulong)]


def main():
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XDefaultRootWindow.restype = ctypes.c_ulong
    x11.XCreateWindow.restype = ctypes.c_ulong
    display = ctypes.c_void_p(x11.XOpenDisplay(None))
    root = ctypes.c_ulong(x11.XDefaultRootWindow(display))
    attributes = Attributes(background_pixel=0x336699, override_redirect=1)
    given = ctypes.c_ulong(1 << 1 | 1 << 9)  # CWBackPixel and CWOverrideRedirect
    window = ctypes.c_ulong(x11.XCreateWindow(display, root, 0, 0, 640, 760, 0, 0, 0, None, given, ctypes.byref(attributes)))
    x11.XMapRaised(display, window)
    x11.XSync(display, 0)
    print("covered", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
