#!/usr/bin/python3
"""Prints the elements of windows as a screen reader sees them.

usage: accessible.py          for each line of its input, prints every element as
                              "role|name|states|x,y,width,height|description", children indented below their parents, and then a line "end". The line `tree` asks for all
                              elements, `ours` for all except those of pages, which do not answer while they are busy
       accessible.py words    prints the names of the elements that are showing, once
       accessible.py focus    prints "role|name" of each element that gets the focus, and "announcement|text" for what a
                              screen reader is told to say, until its standard input ends
"""

import os
import sys
import threading
import traceback

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402


def words(element):
    states = " ".join(sorted(state.value_nick for state in element.get_state_set().get_states()))
    # GTK selects the text of a label that gets the keyboard.
    if element.get_role_name() == "label" and "focusable" in states and element.get_n_selections():
        states += " selected-text"
    place = element.get_extents(Atspi.CoordType.SCREEN) if element.get_component_iface() else None
    extents = f"{place.x},{place.y},{place.width},{place.height}" if place else ""
    return f"{element.get_role_name()}|{element.get_name()}|{states}|{extents}|{element.get_description()}"


# For each program, by its name on the bus: True if it is tokentry-window.
known = {}


def is_ours(element):
    """True if the element belongs to the window's own process and not to a page. Does not ask the element."""
    program = element.app.bus_name
    if program not in known:
        with open(f"/proc/{element.get_process_id()}/comm", encoding="utf-8") as name:
            known[program] = name.read().startswith("tokentry")
    return known[program]


def print_tree(element, condition, depth=0):
    try:
        if not condition(element):
            return
        print("  " * depth + words(element).replace("\n", " "))
        for index in range(element.get_child_count()):
            print_tree(element.get_child_at_index(index), condition, depth + 1)
    except (AttributeError, GLib.Error, OSError):
        pass  # the element is gone


def print_names(element):
    try:
        if element.get_name() and element.get_state_set().contains(Atspi.StateType.SHOWING):
            print(element.get_name().replace("\n", " "), flush=True)
        for index in range(element.get_child_count()):
            print_names(element.get_child_at_index(index))
    except (AttributeError, GLib.Error):
        pass  # the element is gone


def print_focus(event):
    if event.type.startswith("object:announcement"):
        print(f"announcement|{event.any_data}", flush=True)
    elif event.detail1:
        print(f"{event.source.get_role_name()}|{event.source.get_name()}", flush=True)


def wait_for_end():
    sys.stdin.read()
    GLib.idle_add(Atspi.event_quit)


def look(condition):
    """Prints the elements in a child process, so that no state is cached between looks and the modules load once."""
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
            look(is_ours if line == "ours\n" else lambda element: True)
            print("end", flush=True)
    elif sys.argv[1] == "words":
        print_names(Atspi.get_desktop(0))
    else:
        listener = Atspi.EventListener.new(print_focus)
        listener.register("object:state-changed:focused")
        listener.register("object:announcement")
        print("ready", flush=True)
        threading.Thread(target=wait_for_end, daemon=True).start()
        Atspi.event_main()


if __name__ == "__main__":
    main()
