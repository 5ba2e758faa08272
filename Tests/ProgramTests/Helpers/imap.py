#!/usr/bin/python3
"""Enough of IMAP (RFC 3501) to fetch a mail after AUTHENTICATE XOAUTH2 or OAUTHBEARER, on a free port of 127.0.0.1.

Usage: imap.py FOLDER

Prints its port. FOLDER/good contains the only valid token, and FOLDER/log gets a line for each attempt to sign in.
"""

import base64
import re
import socketserver
import sys

FOLDER = sys.argv[1]
MAIL = b"From: bob@mail.example\r\nSubject: hello\r\n\r\nhello\r\n"
CAPABILITIES = "IMAP4rev1 SASL-IR AUTH=XOAUTH2 AUTH=OAUTHBEARER"


class Mailbox(socketserver.StreamRequestHandler):
    def say(self, *lines):
        for line in lines:
            self.wfile.write(line.encode() + b"\r\n")

    def handle(self):
        self.say(f"* OK [CAPABILITY {CAPABILITIES}] mail.test")
        is_known = False
        while line := self.rfile.readline().decode().strip():
            tag, command, *words = line.split(" ")
            command = command.upper()
            match command:
                case "CAPABILITY":
                    self.say(f"* CAPABILITY {CAPABILITIES}", f"{tag} OK done")
                case "AUTHENTICATE":
                    is_known = self.knows(words[0], words[1] if len(words) > 1 else self.response())
                    self.say(f"{tag} OK welcome" if is_known else f"{tag} NO who are you")
                case "LOGOUT":
                    return self.say("* BYE", f"{tag} OK done")
                case "SELECT" | "EXAMINE" if is_known:
                    self.say("* 1 EXISTS", "* 0 RECENT", "* FLAGS (\\Seen)", "* OK [UIDVALIDITY 1]", "* OK [UIDNEXT 2]")
                    self.say(f"{tag} OK [READ-WRITE] opened")
                case "LIST" if is_known:
                    self.say('* LIST () "/" INBOX', f"{tag} OK done")
                case "UID" | "FETCH" | "SEARCH" | "STORE" if is_known:
                    self.messages(line)
                    self.say(f"{tag} OK done")
                case _:
                    self.say(f"{tag} {'OK' if is_known else 'NO'} done")

    def messages(self, line):
        """Answers a command about messages, of which there is one."""
        if "SEARCH" in line.upper():
            return self.say("* SEARCH 1")
        size = f"RFC822.SIZE {len(MAIL)} " if "SIZE" in line.upper() else ""
        part = re.search(r"(BODY|RFC822)(\.PEEK)?(\[[^]]*\])?(?= |\)|$)", line.upper())
        if part is None or "SIZE" in line.upper():
            return self.say(f"* 1 FETCH (UID 1 {size}FLAGS ())")
        name = part[0].replace(".PEEK", "")
        self.say(f"* 1 FETCH (UID 1 FLAGS () {name} {{{len(MAIL)}}}")
        self.wfile.write(MAIL)
        self.say(")")

    def response(self):
        """The response of a client that does not send it with its command."""
        self.say("+ ")
        return self.rfile.readline().decode().strip()

    @staticmethod
    def knows(mechanism, response):
        fields = base64.b64decode(response).decode().split("\x01")
        with open(f"{FOLDER}/good", encoding="ascii") as file:
            is_good = f"auth=Bearer {file.read().strip()}" in fields
        user = "user=" + re.split(r"user=|a=|,|$", fields[0])[1 if mechanism == "XOAUTH2" else 2]
        with open(f"{FOLDER}/log", "a", encoding="utf-8") as log:
            log.write(f"IMAP {mechanism} {user} {'good' if is_good else 'bad'}\n")
        return is_good


with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Mailbox) as server:
    server.daemon_threads = True
    print(server.server_address[1], flush=True)
    server.serve_forever()
