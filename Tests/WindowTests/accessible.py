#!/usr/bin/python3
"""What a screen reader is told about a window.

usage: accessible.py          for each line of its input prints every object as "role|name|states|x,y,width,height",
                              children below their parents, and then a line "end": `tree` is all of them, `ours` is all
                              without pages, which do not answer while they are busy
       accessible.py focus    prints "role|name" of whatever gets the focus, until its standard input ends
"""

import os
import sys
import threading
import traceback

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402


def words(thing):
    states = " ".join(sorted(state.value_nick for state in thing.get_state_set().get_states()))
    place = thing.get_extents(Atspi.CoordType.SCREEN) if thing.get_component_iface() else None
    extents = f"{place.x},{place.y},{place.width},{place.height}" if place else ""
    return f"{thing.get_role_name()}|{thing.get_name()}|{states}|{extents}"


# Whether a program that somebody looks at is ours, by its name on the bus.
known = {}


def is_ours(thing):
    """Whether it belongs to the program and not to a page, which is drawn by another; told without asking it."""
    program = thing.app.bus_name
    if program not in known:
        with open(f"/proc/{thing.get_process_id()}/comm", encoding="utf-8") as name:
            known[program] = name.read().startswith("tokentry")
    return known[program]


def print_tree(thing, condition, depth=0):
    try:
        if not condition(thing):
            return
        print("  " * depth + words(thing).replace("\n", " "))
        for index in range(thing.get_child_count()):
            print_tree(thing.get_child_at_index(index), condition, depth + 1)
    except (AttributeError, GLib.Error, OSError):
        pass  # it has gone in the meantime


def print_focus(event):
    if event.detail1:
        print(f"{event.source.get_role_name()}|{event.source.get_name()}", flush=True)


def wait_for_end():
    sys.stdin.read()
    GLib.idle_add(Atspi.event_quit)


def look(condition):
    """By a process of its own: nothing is remembered from one look to the next, and what takes longest is loaded once."""
    sys.stdout.flush()
    process = os.fork()
    if process:
        os.waitpid(process, 0)
        return
    try:
        desktop = Atspi.get_desktop(0)
        for index in range(desktop.get_child_count()):
            print_tree(desktop.get_child_at_index(index), condition)
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)


def main():
    if len(sys.argv) == 1:
        for line in sys.stdin:
            look(is_ours if line == "ours\n" else lambda thing: True)
            print("end", flush=True)
    else:
        listener = Atspi.EventListener.new(print_focus)
        listener.register("object:state-changed:focused")
        print("ready", flush=True)
        threading.Thread(target=wait_for_end, daemon=True).start()
        Atspi.event_main()


if __name__ == "__main__":
    main()
