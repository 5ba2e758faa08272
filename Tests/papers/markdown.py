"""What a check needs of a page in Markdown: its blocks of code, its headings and its links."""

import dataclasses
import re


@dataclasses.dataclass(frozen=True)
class Block:
    """A block of code: the page and the heading that it stands below, its language and its lines."""

    page: str
    heading: str
    language: str
    text: str

    @property
    def place(self):
        return f"{self.page}, “{self.heading}”, {self.language or 'no language'}"


def blocks(page, text):
    """The blocks of a page in their order."""
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
        raise ValueError(f"{page}: a block of code below “{heading}” has no end")
    return found


def prose(text):
    """The page without its code, in which nothing is a link or a heading."""
    return re.sub(r"`[^`\n]+`", "", re.sub(r"(?m)^(`{3,})\w*\n(?:.*\n)*?\1$", "", text))


def anchors(text):
    """The names of a page's headings in addresses, as GitHub makes them."""
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
    """Where the links and the pictures of a page lead."""
    return re.findall(r"\]\(([^()\s]+)\)", prose(text))
