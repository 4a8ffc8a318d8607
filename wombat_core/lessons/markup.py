"""Markdown of lessons as HTML for handouts; HTML in it is shown as text."""

from functools import cache
from html import escape

from markdown_it import MarkdownIt


@cache
def _parser() -> MarkdownIt:
    # No images: nothing from a network belongs into a handout. Nor may a link lead to a script.
    return MarkdownIt("commonmark", {"html": False, "breaks": False}).enable("table").disable("image")


def html_of(markdown: str) -> str:
    """A text as HTML."""
    return _parser().render(markdown)


def line_of(markdown: str) -> str:
    """A single line as HTML without a paragraph around it."""
    return _parser().renderInline(" ".join(markdown.split()))


_SPECIAL = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_{}[]()<>#+-.!|~$:&"})


def as_text(value: str) -> str:
    """A value that stands in Markdown as it is."""
    return value.translate(_SPECIAL)


__all__ = ["as_text", "escape", "html_of", "line_of"]
