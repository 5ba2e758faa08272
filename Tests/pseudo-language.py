#!/usr/bin/python3
"""Writes catalogues of languages that nobody speaks, which show what is not translated and what is cut:
`xa` is English with accents, in brackets and half as long again; `ar_XB` the same from right to left.

  Tests/pseudo-language.py TEMPLATE FOLDER"""

import pathlib
import re
import subprocess
import sys

ACCENTS = str.maketrans("aeiouyAEIOUYcnstzCNSTZ", "áëîöûýÁËÎÖÛÝçñšţžÇÑŠŢŽ")
# Letters of Hebrew for those of English: GTK and WebKit lay them out from right to left.
HEBREW = str.maketrans("abcdefghijklmnopqrstuvwxyz", "אבגדהוזחטיכלמנסעפצקרשתאבגד")
# What stays as it is: values, keys, and what one types.
KEPT = re.compile(r"%\d\$s|%%|\\.|`[^`]*`|--[a-z-]+|_(?=[A-Za-z])")


def pseudo(text, letters):
    """The text in such a language."""
    at, words = 0, ""
    for kept in KEPT.finditer(text):
        words += text[at:kept.start()].translate(letters) + kept[0]
        at = kept.end()
    words += text[at:].translate(letters)
    if not re.search(r"[^\W\d_]", KEPT.sub("", text)):
        return text
    more = "·".join(["one", "two", "three", "four"] * 9)[:max(4, len(text) // 2)].rstrip("·")
    return f"[{words} {more.translate(letters)}]"


def source(template, language):
    """The template with the header of a language."""
    template = re.sub(r'"Language: .*', lambda _: f'"Language: {language}\\n"', template)
    return template.replace("nplurals=INTEGER; plural=EXPRESSION", "nplurals=2; plural=(n != 1)")


def main():
    """Completes the template with gettext's own tools, and replaces what they leave in English."""
    template, folder = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2])
    for language, letters in (("xa", ACCENTS), ("ar_XB", HEBREW)):
        english = subprocess.run(
            ["msgen", "--no-wrap", "-"], input=source(template, language), capture_output=True, text=True, check=True).stdout
        head, _, rest = english.partition("\n\n")
        text, is_translation = [head, ""], False
        for line in rest.splitlines():
            if line.startswith("msg") or not line.startswith('"'):
                is_translation = line.startswith("msgstr")
            strings = re.fullmatch(r'(msgstr(?:\[\d\])? |)"(.*)"', line)
            text.append(f'{strings[1]}"{pseudo(strings[2], letters) if strings[2] else ""}"'
                        if is_translation and strings else line)
        target = folder / language / "LC_MESSAGES"
        target.mkdir(parents=True, exist_ok=True)
        subprocess.run(["msgfmt", "--check-format", "--output-file", target / "tokentry.mo", "-"],
                       input="\n".join(text) + "\n", text=True, check=True)


if __name__ == "__main__":
    main()
