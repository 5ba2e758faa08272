#!/usr/bin/python3
"""Writes the catalogues of two pseudo-languages, which reveal texts that are not translated or are cut off: `xa` is English
with accents, in brackets and half as long again; `ar_XB` also runs from right to left.

  Tests/tools/pseudo-language.py TEMPLATE FOLDER"""

import pathlib
import re
import subprocess
import sys

ACCENTS = str.maketrans("aeiouyAEIOUYcnstzCNSTZ", "áëîöûýÁËÎÖÛÝçñšţžÇÑŠŢŽ")
# Hebrew letters, which GTK and WebKit lay out from right to left.
HEBREW = str.maketrans("abcdefghijklmnopqrstuvwxyz", "אבגדהוזחטיכלמנסעפצקרשתאבגד")
# Placeholders, mnemonics, and text that the user types are not changed.
KEPT = re.compile(r"%\d\$s|%%|\\.|`[^`]*`|--[a-z-]+|_(?=[A-Za-z])")


def pseudo(text, letters):
    """Returns the text in a pseudo-language."""
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
    """Returns the template with the header of a language."""
    template = re.sub(r'"Language: .*', lambda _: f'"Language: {language}\\n"', template)
    return template.replace("nplurals=INTEGER; plural=EXPRESSION", "nplurals=2; plural=(n != 1)")


def main():
    """Fills in the template with gettext's tools, then replaces the English texts."""
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
