"""Texts of people on a page: never markup."""

import re

# Every ASCII punctuation mark can be escaped in Markdown, Streamlit's own :colour[] and $math$ included.
_MARKS = re.compile(r"([!-/:-@\[-`{-~])")


def plain(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return _MARKS.sub(r"\\\1", " ".join(str(text).split()))


def title_of(name: str) -> str:
    """What the sidebar calls an explainer; its class, which needs torch, is not loaded for that."""
    return name.replace("-x-", " × ").replace("-", " ").capitalize()


def number(value: float) -> str:
    """A prediction: whole numbers short, others with two decimals."""
    return f"{value:.0f}" if value == round(value) and value > 1 else f"{value:.2f}"


def seconds(value: float) -> str:
    """A duration, for people."""
    return f"{1000 * value:.0f} ms" if value < 1 else f"{value:.1f} s"
