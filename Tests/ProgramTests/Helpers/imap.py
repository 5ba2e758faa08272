#!/usr/bin/python3
"""Enough of IMAP (RFC 3501) to fetch a mail after AUTHENTICATE XOAUTH2, on a free port of 127.0.0.1.

Usage: imap.py FOLDER

Prints its port. FOLDER/good contains the only valid token, and FOLDER/log gets a line for each attempt to sign in.
"""

import base64
import socketserver
import sys

FOLDER = sys.argv[1]
MAIL = b"From: bob@mail.example\r\nSubject: hello\r\n\r\nhello\r\n"


class Mailbox(socketserver.StreamRequestHandler):
    def say(self, *lines):
        for line in lines:
            self.wfile.write(line.encode() + b"\r\n")

    def handle(self):
        self.say("* OK [CAPABILITY IMAP4rev1 SASL-IR AUTH=XOAUTH2] mail.test")
        is_known = False
        while line := self.rfile.readline().decode().strip():
            tag, command, *words = line.split(" ")
            match command:
                case "AUTHENTICATE":
                    is_known = self.knows(words[1])
                    self.say(f"{tag} OK welcome" if is_known else f"{tag} NO who are you")
                case "LOGOUT":
                    return self.say("* BYE", f"{tag} OK")
                case "SELECT" if is_known:
                    self.say("* 1 EXISTS", "* 0 RECENT", "* FLAGS (\\Seen)", "* OK [UIDVALIDITY 1]", "* OK [UIDNEXT 2]")
                    self.say(f"{tag} OK [READ-WRITE] opened")
                case "UID" if is_known and "BODY" in line:
                    self.say(f"* 1 FETCH (UID 1 FLAGS () BODY[] {{{len(MAIL)}}}")
                    self.wfile.write(MAIL)
                    self.say(")", f"{tag} OK")
                case "UID" if is_known:
                    self.say("* 1 FETCH (UID 1 FLAGS ())", f"{tag} OK")
                case _:
                    self.say(f"{tag} {'OK' if is_known else 'NO'}")

    @staticmethod
    def knows(response):
        fields = base64.b64decode(response).decode().split("\x01")
        with open(f"{FOLDER}/good", encoding="ascii") as file:
            is_good = fields[1:] == [f"auth=Bearer {file.read().strip()}", "", ""]
        with open(f"{FOLDER}/log", "a", encoding="utf-8") as log:
            log.write(f"IMAP XOAUTH2 {fields[0]} {'good' if is_good else 'bad'}\n")
        return is_good


with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Mailbox) as server:
    server.daemon_threads = True
    print(server.server_address[1], flush=True)
    server.serve_forever()
