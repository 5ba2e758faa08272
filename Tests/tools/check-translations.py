#!/usr/bin/python3
"""Checks that every sentence for people can be translated, and that it is.

  Tests/tools/check-translations.py            the template has all sentences, and no catalogue has a wrong one
  Tests/tools/check-translations.py --release  also, every catalogue has all sentences
  Tests/tools/check-translations.py --record   writes the template anew, and brings the catalogues up to it

A sentence without a translation is shown in English. It is reported, and a fault only before a release.

A sentence is a literal of the type Message. The check does not know types: in Sources/Language every literal counts that
is not excluded below, elsewhere every literal with two words in a row, and the short ones of SHORT."""

import collections
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support"))

from swift_source import VALUE, Source

SOURCES = pathlib.Path("Sources")
CATALOGUES = pathlib.Path("data/po")
TEMPLATE = CATALOGUES / "tokentry.pot"

# Folders and files in English, and why.
ENGLISH = {
    "DemoProvider": "a provider has its own languages",
    "tokentry/CommandLine/Command.swift": "help", "tokentry/Gate": "for the programs that ask",
    "tokentry/CommandLine/HelpText.swift": "help",
    "Language/Redaction.swift": "no sentences", "Language/TerminalStyle.swift": "a crash is answered without a catalogue",
    "Language/Language.swift": "no sentences", "LoginKit/Advice.swift": "for programmers",
    "LoginKit/ShippedPresets.swift": "documents",
}

# In Sources/Language: the text before or after a literal that is no sentence, and literals that are the same in all languages.
EXCLUDED_AFTER = re.compile(
    r"(?:[=!]= |\w\[|\w\(|\?\[|(?:verbatim|separator|with|at|of): |JSONValue\w*\(|\.string\()$")
EXCLUDED_BEFORE = re.compile(r"^:|^\]\s*=")
EXCLUDED = re.compile(r"^(?:U\+|[a-z0-9]+(?:_[a-z0-9]+)+|Flatpak|snap|%+Y-%+m-%+d|%\0\$s|--var \0=…|\0 \(\0\))$")
# A call whose argument is a sentence.
CALLS = re.compile(r"\b(?:Message|with)\($")

# Elsewhere: two words in a row, texts that have them for another reason, and messages without two words.
WORDS = re.compile(r"[^\W\d_]{2,}[,;:.!?'\")]*\s+['\"(]*[^\W\d_]{2,}")
NO_SENTENCES = [
    r"^-----(BEGIN|END) [A-Z ]+-----\s*$",  # PEM
    r"^[^{}]*\{[^{}]*:[^{}]*[;}]",  # a style sheet
    r"\bfunction\b.*\{|=>|\b(const|let|return)\b[^\n]*[;({]",  # a script
    r"^[\w.+-]+/[\w.+-]+;",  # a media type
    r"\b(default|style)-src '",  # a policy of HTTP
    r"^\s*\[(Desktop Entry|Default Applications)\]",  # a desktop entry
    r"^\[\[",  # a list in a script
    r"^`[^`]*`$|^tokentry: info: ",  # a command, and what comes before a message
    r"^error page$",  # a decision in a trace
    r"^PAN GlobalProtect$|^AnyConnect-compatible ",  # programs by the names that gateways know
    r"^<!doctype html>",  # a page of ours that checks the window
    r"^IFS= read ",  # a script for a shell
]
# Before a literal that only developers read, or that belongs to another program.
NO_SENTENCES_AFTER = re.compile(
    r"\b(precondition|preconditionFailure|fatalError|assert)\([^\n]*$|\bdgettext\([ ,]*$|\.?defect\($|\bGLibError\([^\n]*$|==\s*$|isIdentical\(to: $")
SHORT = {
    '"%1$s" is %2$s', "%1$s and %2$s", "%1$s describes %2$s", '%1$s gives "%2$s" twice', "%1$s is %2$s", "%1$s needs %2$s",
    "%1$s needs a value", "%1$s or %2$s", "%1$s starts", "%1$s takes %2$s", "%1$s to %2$s", "%1$s, %2$s", "%1$s, but %2$s",
    '%1$s: "%2$s" is %3$s', "%1$s: %2$s", "%1$s: %2$s (%3$s)", "%1$s: %2$s: %3$s", "%1$s:%2$s: %3$s", "--options: %1$s",
    "--session: %1$s", "--var %1$s=VALUE (%2$s)", "add %1$s", "add --headless-test", "chmod %1$s %2$s", "received: %1$s",
    "is %1$s right?", "line %1$s: %2$s", "sent: %1$s", "see `tokentry %1$s --help`", "see `tokentry --help`", "the %1$s: %2$s", "use %1$s",
    "Allow _Once", "Choose a certificate", "PIN", "Passphrase", "_Don't Allow",
    "ACCOUNT", "Application: %1$s", "FOR", "Permissions: %1$s", "Service: %1$s", "NEEDS", "PRESET", "PROVIDER", "USER", "none", "null", "strings", "text", "a number", "a port", "a scheme", "a string",
}
# The help of a row in a table of options. What follows a label is said in a failure.
ROWS = re.compile(r"static let rows\b(?:(?!\n\n).)*,\s*$", re.S)
# The lines by which other programs are set up, and what is said in their protocols.
SET_UP = re.compile(r"static let (callers|setUp)\b(?:(?!\n\n).)*$", re.S)
OTHER_PROTOCOLS = {
    "credentials not found in native keychain\n", "version 0\ncapability authtype\n", "openid profile",
    "not logged in, run `azd auth login` to login", "unknown flag: --claims",
    "databricks OAuth is not configured for this host", "no credentials server URL",
}

HEADER = r'''# Translations of Tokentry.
# This file is distributed under the licence of Tokentry.
msgid ""
msgstr ""
"Project-Id-Version: tokentry\n"
"Language: \n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"
"Plural-Forms: nplurals=INTEGER; plural=EXPRESSION;\n"
'''

# What no translation may leave out or change: options, variables, commands, files and the programs' names.
KEPT = re.compile(r"--[a-z][a-z-]+|`[^`]+`|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|https?://\S*\w|\b[a-z]+_[a-z_]+\b|%\d\$s")

# The declaration around a literal, whose name tells translators where the sentence is said.
DECLARATION = re.compile(r"^( *)(?:@\w+ )*(?:[a-z]\w* )*?(?:func|let|var|case) `?(\w+)|^( *)(?:[a-z]\w* )*?(init)\b", re.M)

Sentence = collections.namedtuple("Sentence", "words plural name")


class Fault(Exception):
    """Something that a translator could not mend."""


def pattern(literal):
    """The key of a literal: as Sources/LoginCore/Text/Message.swift makes it."""
    parts = literal.text.replace("%", "%%").split(VALUE)
    return "".join(part + (f"%{number}$s" if number < len(parts) else "") for number, part in enumerate(parts, 1))


def is_sentence(source, literal):
    """True for a literal that people read."""
    if "Language" not in source.path.parts:
        before = "".join(source.code[source.text.rfind("\n", 0, literal.start) + 1:literal.start])
        text = re.sub(r"<[^<>]*>", "\0", literal.text)  # in markup only the text between the tags counts
        return pattern(literal) in SHORT or bool(
            WORDS.search(text) and not NO_SENTENCES_AFTER.search(before) and literal.text not in OTHER_PROTOCOLS
            and not SET_UP.search(source.text[:literal.start][-2000:]) and not ROWS.search(source.text[:literal.start])
            and not any(re.search(no_sentence, literal.text, re.S) for no_sentence in NO_SENTENCES))
    before, after = source.text[:literal.start][-80:], source.text[literal.end:literal.end + 20]
    call = CALLS.search(before)
    if not call and EXCLUDED_AFTER.search(before) or EXCLUDED_BEFORE.search(after):
        return False
    words = literal.text.replace(VALUE, "")
    has_letters = re.search(r"[^\W\d_]", words)
    return not EXCLUDED.match(literal.text) and (has_letters or len(literal.values) > 1)


def stands_after(source, literal, label):
    """Whether a literal is the argument with this label."""
    return source.text[:literal.start].rstrip().endswith(" " + label)


def sentences(source):
    """The sentences of a file."""
    literals = sorted(source.literals)
    for index, literal in enumerate(literals):
        place = f"{source.path}:{source.line(literal.start)}"
        if literal.depth:
            if re.search(r"[^\W\d_]{2}", literal.text) and " " in literal.text:
                raise Fault(f"{place}: words inside of a value are not translated: {literal.text!r}")
            continue
        if not is_sentence(source, literal):
            continue
        if re.match(r"\s*\+ *\"|\s*\+=", source.text[literal.end:]):
            raise Fault(f"{place}: a sentence in pieces cannot be translated: {literal.text!r}")
        if stands_after(source, literal, "other:"):
            continue
        plural = None
        if stands_after(source, literal, "one:"):
            plural = next(other for other in literals[index + 1:] if stands_after(source, other, "other:"))
        yield Sentence(pattern(literal), plural and pattern(plural), name(source, literal) if literal.values else None)


def name(source, literal):
    """The name of the declaration that a literal belongs to: the nearest one that is less indented, or in the same line."""
    start = source.text.rfind("\n", 0, literal.start) + 1
    indent = len(re.match(" *", source.text[start:])[0])
    for found in reversed(list(DECLARATION.finditer(source.text[:literal.start]))):
        depth = len(found[1] if found[2] else found[3])
        if depth < indent or found.start() >= start:
            return found[2] or found[4]
    return None


def quoted(text):
    """A text as catalogues write it."""
    lines = text.replace("\\", "\\\\").replace('"', '\\"').split("\n")
    if len(lines) == 1:
        return f'"{lines[0]}"'
    return '""\n' + "\n".join(f'"{line}\\n"' for line in lines[:-1]) + f'\n"{lines[-1]}"'


def template():
    """The template with all sentences, in the order of files and lines."""
    found = {}
    for path in sorted(SOURCES.rglob("*.swift")):
        place = path.relative_to(SOURCES)
        if {str(place), *map(str, place.parents)} & set(ENGLISH):
            continue
        for sentence in sentences(Source(path, path.read_text())):
            found.setdefault((sentence.words, sentence.plural), []).append((path, sentence.name))
    text = HEADER
    for (words, plural), places in found.items():
        text += "\n"
        if places[0][1]:
            text += f"#. {places[0][1]}\n"
        text += "".join(f"#: {path}\n" for path in dict.fromkeys(path for path, _ in places))
        text += "#, c-format\n" if "%" in words else ""
        text += f"msgid {quoted(words)}\n"
        text += f'msgid_plural {quoted(plural)}\nmsgstr[0] ""\nmsgstr[1] ""\n' if plural else 'msgstr ""\n'
    return text


def run(*command):
    """What a tool prints; its complaint is ours."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Fault(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
    return done.stdout


def unquoted(lines):
    """What the strings of several lines say."""
    text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', line)[0] for line in lines if '"' in line)
    return re.sub(r"\\(.)", lambda escape: {"n": "\n"}.get(escape[1], escape[1]), text)


def entries(text):
    """The messages of a catalogue: what they are in English, and what they become."""
    for block in text.split("\n\n"):
        members = collections.defaultdict(list)
        for line in block.splitlines():
            if line.startswith(("msgid", "msgstr")):
                member = line.split()[0]
            if line.startswith(("msg", '"')):
                members[member].append(line)
        if members and unquoted(members["msgid"]):
            english = [unquoted(members[name]) for name in ("msgid", "msgid_plural") if name in members]
            yield english, [unquoted(lines) for name, lines in members.items() if name.startswith("msgstr")]


def check(catalogue, missing):
    """What is wrong with one catalogue. Sentences without a translation are added to the list."""
    with tempfile.NamedTemporaryFile(suffix=".mo") as compiled:
        run("msgfmt", "--check", "--output-file", compiled.name, catalogue)
    # As gettext would complete it: without a change if it is complete.
    merged = run("msgmerge", "--quiet", "--no-fuzzy-matching", "--no-wrap", "--output-file", "-", catalogue, TEMPLATE)
    if "#, fuzzy" in merged or "#~ " in merged:
        yield "has sentences that are uncertain, or that no longer exist"
    for english, translated in entries(merged):
        for text in translated:
            if not text:
                missing.append(english[0])
            elif has_key(english[0]):
                if not has_key(text):
                    yield f"has no letter to press for {english[0]!r}"
            elif set(KEPT.findall(text)) != set(KEPT.findall(english[-1])):
                yield f"changes what must stay in {english[0]!r}: {text!r}"


def has_key(text):
    """Whether it is of a button or a menu, with an underline before the letter that presses it."""
    return (text[0] == "_" or text[0].isalpha()) and not text[0].islower() and len(re.findall(r"_[^\W\d_]", text)) == 1


def languages():
    """The languages that there are catalogues of."""
    return (CATALOGUES / "LINGUAS").read_text().split()


def main():
    """0 if nothing is wrong."""
    text = template()
    if "--record" in sys.argv[1:]:
        TEMPLATE.write_text(text)
        for language in languages():
            path = CATALOGUES / f"{language}.po"
            merged = run("msgmerge", "--quiet", "--no-fuzzy-matching", "--no-wrap", "--output-file", "-", path, TEMPLATE)
            # A translator may need the old words for the new sentence.
            print("".join(f"{language}: {line[3:]}\n" for line in merged.splitlines() if line.startswith("#~ msg")), end="")
            path.write_text(merged.partition("\n#~ ")[0].rstrip("\n") + "\n")
        return 0
    faults = []
    if not TEMPLATE.exists() or TEMPLATE.read_text() != text:
        faults.append(f"{TEMPLATE} is not what the sources say: Tests/run.sh --record")
    for language in languages():
        missing = []
        faults += [f"{CATALOGUES}/{language}.po {what}" for what in check(CATALOGUES / f"{language}.po", missing)]
        if "--release" in sys.argv[1:]:
            faults += [f"{CATALOGUES}/{language}.po does not translate {english!r}" for english in missing]
        elif missing:
            print(f"{CATALOGUES}/{language}.po lacks {len(missing)} sentences, such as {missing[0]!r}")
    for fault in faults:
        print(fault, file=sys.stderr)
    count = text.count("\nmsgid ") - 1
    print(f"{count} sentences, {len(languages())} languages, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Fault as fault:
        sys.exit(f"check-translations: {fault}")
