"""Reads blocks of code, headings and links from a Markdown page."""

import dataclasses
import re


@dataclasses.dataclass(frozen=True)
class Block:
    """A block of code with its page, the heading above it, its language and its text."""

    page: str
    heading: str
    language: str
    text: str

    @property
    def place(self):
        return f"{self.page}, “{self.heading}”, {self.language or 'no language'}"


def blocks(page, text):
    """The blocks of a page in order."""
    found, heading, fence, language, lines = [], "", None, "", []
    for line in text.splitlines():
        if fence:
            if line == fence:
                found.append(Block(page, heading, language, "\n".join(lines) + "\n"))
                fence = None
            else:
                lines.append(line)
        elif match := re.fullmatch(r"(`{3,})(\w*)", line):
            fence, language, lines = match[1], match[2], []
        elif match := re.fullmatch(r"#+ (.+)", line):
            heading = match[1]
    if fence:
        raise ValueError(f"{page}: a block of code below “{heading}” is not closed")
    return found


def prose(text):
    """The page without its code."""
    return re.sub(r"`[^`\n]+`", "", re.sub(r"(?m)^(`{3,})\w*\n(?:.*\n)*?\1$", "", text))


def anchors(text):
    """The anchors of a page's headings, named as on GitHub."""
    seen, names = {}, set()
    without_code = re.sub(r"(?m)^(`{3,})\w*\n(?:.*\n)*?\1$", "", text)
    for heading in re.findall(r"(?m)^#+ (.+)$", without_code):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        count = seen.get(name, 0)
        seen[name] = count + 1
        names.add(f"{name}-{count}" if count else name)
    return names


def links(text):
    """The targets of a page's links and pictures."""
    return re.findall(r"\]\(([^()\s]+)\)", prose(text))
