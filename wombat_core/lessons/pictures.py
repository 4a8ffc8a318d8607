"""Pictures in the texts of lessons: there are none, as a picture from a network would be fetched when it is shown."""

import re
from functools import cache

from markdown_it import MarkdownIt

_CODE_OR_MARK = re.compile(r"(```.*?```|~~~.*?~~~|(`+)(?!`).+?(?<!`)\2(?!`))|!\[", re.DOTALL)


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def picture_line(markdown: str) -> int | None:
    """The line, counted from 0, of the first picture of a text; None where it has none."""
    for block in _parser().parse(markdown):
        line = block.map[0] if block.map else 0
        for part in block.children or ():
            if part.type == "image":
                return line
            line += part.type in ("softbreak", "hardbreak")
    return None


def without_pictures(markdown: str) -> str:
    """The text with the mark that begins a picture as plain characters; code stays as it is."""
    return _CODE_OR_MARK.sub(lambda found: found[1] or "!\\[", markdown)
