"""Runs a program at a terminal of its own, and types each answer when the screen shows its prompt.

Usage: at-terminal.py PROGRAM ARGUMENT... with a JSON list of [PROMPT, ANSWER] on standard input. Prints a JSON object
with the program's exit status, its standard output, the text of the screen, and "restored": true if the program
restored the terminal's settings.
"""

import fcntl
import json
import os
import pty
import select
import signal
import sys
import termios
import time


def main():
    script = json.load(sys.stdin)
    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        signal.pthread_sigmask(signal.SIG_SETMASK, [])  # the test runner blocks some signals, and children inherit that
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        for target, source in ((0, slave), (1, writing), (2, slave)):
            os.dup2(source, target)
        os.closerange(3, 256)
        os.execv(sys.argv[1], sys.argv[1:])
    os.close(writing)
    screen, output, status = follow(child, master, reading, script)
    after = termios.tcgetattr(slave)
    print(json.dumps({
        "status": status, "output": output.decode(), "screen": screen.decode(errors="replace"),
        "restored": before == after}))


def follow(child, master, reading, script):
    screen, output, status = b"", b"", None
    seen = 0
    deadline = time.monotonic() + 180  # enough on the busiest machine
    while status is None:
        if time.monotonic() > deadline:
            os.kill(child, 9)
        for descriptor in select.select([master, reading], [], [], 0.02)[0]:
            data = os.read(descriptor, 65536)
            if descriptor == master:
                screen += data
            else:
                output += data
        while script and (at := screen.find(script[0][0].encode(), seen)) >= 0:
            seen = at + len(script[0][0])
            type_in(master, script.pop(0)[1].encode())
        ended, code = os.waitpid(child, os.WNOHANG)
        if ended:
            status = os.waitstatus_to_exitcode(code)
    while data := os.read(reading, 65536):
        output += data
    while select.select([master], [], [], 0.1)[0]:
        screen += os.read(master, 65536)
    return screen, output, status


def type_in(master, keys):
    """Writes the keys in pieces, because a terminal buffers four kilobytes."""
    for start in range(0, len(keys), 1024):
        os.write(master, keys[start:start + 1024])
        time.sleep(0.02)


main()
