"""Reads Swift sources for the checks: separates code, comments and string literals."""

import collections
import re

# A string literal: start, end, text, the code of the interpolated values, and the nesting depth.
Literal = collections.namedtuple("Literal", "start end text values depth")
# The mark for a value in a literal's text.
VALUE = "\0"
# Marks for line breaks in a multi-line literal until its indentation is known: a real one, and an escaped one.
LINE, CUT = "\1", "\2"
ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "0": "\0"}


class Source:
    """A Swift file: its code, in which comments and literals are blank, and its string literals."""

    def __init__(self, path, text):
        self.path = path
        self.text = text
        self.literals = []
        self.depth = 0
        self.code = list(re.sub(r"[^\n]", " ", text))
        self.read_code(0, "")

    def line(self, position):
        return self.text.count("\n", 0, position) + 1

    def read_code(self, at, closing):
        """Reads code up to the closing bracket of an interpolation or the end of the file, and returns the end position."""
        depth = 0
        while at < len(self.text):
            comment = re.compile(r"//[^\n]*|/\*").match(self.text, at)
            quote = re.compile(r'(#*)("""|")').match(self.text, at)
            if comment:
                at = comment.end() if comment[0] != "/*" else self.end_of_block(at)
            elif quote:
                at = self.read_literal(at, quote)
            else:
                character = self.text[at]
                depth += {"(": 1, ")": -1}.get(character, 0)
                if closing and depth < 0:
                    return at + 1
                self.code[at] = character
                at += 1
        return at

    def end_of_block(self, at):
        depth = 0
        for mark in re.compile(r"/\*|\*/").finditer(self.text, at):
            depth += 1 if mark[0] == "/*" else -1
            if depth == 0:
                return mark.end()
        return len(self.text)

    def read_literal(self, start, quote):
        """Reads a literal and returns its end. Interpolated code leaves a mark in the text."""
        escape, ending = "\\" + quote[1], quote[2] + quote[1]
        at, parts, values = quote.end(), [], []
        self.depth += 1
        while at < len(self.text) and not self.text.startswith(ending, at):
            if self.text.startswith(escape + "(", at):
                value = at + len(escape) + 1
                at = self.read_code(value, ")")
                values.append(self.text[value:at - 1])
                parts.append(VALUE)
            elif self.text.startswith(escape, at):
                found = re.compile(r"u\{(\w+)\}|[ ]*\n|.").match(self.text, at + len(escape))
                parts.append(chr(int(found[1], 16)) if found[1] else ESCAPES.get(found[0], found[0].strip() and found[0] or CUT))
                at = found.end()
            else:
                parts.append(self.text[at] if self.text[at] != "\n" else LINE)
                at += 1
        self.depth -= 1
        text = "".join(parts)
        if len(quote[2]) == 3:
            margin = re.search("[ ]*$", text)[0]
            text = re.sub(f"({LINE}|{CUT}){margin}", r"\1", text).removeprefix(LINE).removesuffix(LINE)
        text = text.replace(CUT, "").replace(LINE, "\n")
        self.literals.append(Literal(start, at + len(ending), text, values, self.depth))
        return at + len(ending)
