#!/usr/bin/python3
"""Keeps an X11 display from answering other programs, until its standard input ends. Prints a line when it starts."""

import ctypes
import sys


def main():
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    display = ctypes.c_void_p(x11.XOpenDisplay(None))
    x11.XGrabServer(display)
    x11.XSync(display, 0)
    print("held", flush=True)
    sys.stdin.read()
    x11.XUngrabServer(display)
    x11.XCloseDisplay(display)


if __name__ == "__main__":
    main()
