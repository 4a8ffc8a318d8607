"""A pattern as one text, the way pages, commands and benchmark files carry it."""

from dataclasses import replace
from functools import lru_cache

from ..errors import InputError
from ..molecules.parse_problems import shorten
from ..registry import no_such
from ..whitebox.catalogue import Pattern, patterns
from .compile import compile_smarts, pattern_id

PREFIX = "smarts:"
OPTIONS = ("style", "root", "encoding", "depth")
HOW = "write style=deep, root=2, encoding=wombat+ or depth=4"
_BONDS = frozenset("-=#:~@/\\")
MOST_KEPT = 256
"""Compiled networks that are kept at a time."""


def pattern_of(text: str | int) -> Pattern:
    """The pattern that a text names.

    Either an id ("5", "12-leaf", "flucarb"), or ``smarts:<SMARTS>``, after which options may follow, each behind a
    vertical bar (no SMARTS has one): ``smarts:[CX3](=O)[OX2H1]|style=deep|root=1``. ``style`` is one of
    ``styles.STYLES`` (default: small), ``root`` an atom of the SMARTS from 0 (default: the best), ``encoding`` what the
    network reads (default: wombat; or wombat+), ``depth`` its layers where the SMARTS has rings. The same text gives
    the same (frozen) pattern; its ``id`` is such a text again. The last 256 are kept.

    Args:
        text: the id, as it stands in ``?pattern=`` or after ``--pattern``.

    Raises:
        InputError: there is no such pattern, the SMARTS cannot be compiled (``SmartsError``), or an option is unknown.

    >>> pattern_of("smarts:[CX3](=O)[OX2H1]|style=deep").origin.style
    'deep'
    >>> pattern_of("12").title
    'Pattern 12'
    """
    text = str(text)
    if text.startswith(PREFIX):
        return _compiled(text)
    known = patterns()
    if text not in known:
        raise no_such("pattern", text, known)
    return known[text]


def address_of(
    smarts: str, style: str = "small", root: int | None = None, encoding: str = "wombat", depth: int | None = None
) -> str:
    """The text for a SMARTS: ``pattern_of`` of it compiles that."""
    return pattern_id(smarts.strip(), style, root, encoding, depth)


def read_address(text: str) -> tuple[str, dict]:
    """The SMARTS of such a text, and the options behind it by the names that ``compile_smarts`` has for them.

    Raises:
        InputError: an option is unknown, empty or given twice.
    """
    smarts, *options = text.removeprefix(PREFIX).split("|")
    chosen: dict = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not option:
            raise InputError(
                f"Behind a vertical bar in {shorten(text.removeprefix(PREFIX))!r} stands no option; {HOW}."
            )
        if name not in OPTIONS or not equals:
            raise InputError(f"{option[:40]!r} is no option of a compiled pattern; {HOW}.")
        if name in chosen:
            raise InputError(f"The {name} of the SMARTS is given twice.")
        if name == "encoding":
            value = value.replace(" ", "+")  # what a "+" becomes in an address that was typed
        # What is no number is left to the compiler, whose sentence says which there are.
        is_number = name in ("root", "depth") and value.isascii() and value.isdecimal() and len(value) < 6
        chosen[name] = int(value) if is_number else value
    return smarts, chosen


def split_patterns(text: str) -> list[str]:
    """The ids of a list with commas between them; a comma within a SMARTS is none of these.

    In a SMARTS a comma stands within brackets, or behind a bond ("C-,=C"), where no id ends.

    >>> split_patterns("5, smarts:[O,N]=C, smarts:C-,=C|root=1")
    ['5', 'smarts:[O,N]=C', 'smarts:C-,=C|root=1']
    """
    found, depth, before = [""], 0, ""
    for character in text:
        depth = max(0, depth + {"[": 1, "(": 1, "]": -1, ")": -1}.get(character, 0))
        within = found[-1].lstrip().startswith(PREFIX) and (depth > 0 or before in _BONDS)
        if character == "," and not within:
            found.append("")
            depth = 0
        else:
            found[-1] += character
        before = character
    return [part.strip() for part in found]


@lru_cache(maxsize=MOST_KEPT)
def _compiled(text: str) -> Pattern:
    smarts, chosen = read_address(text)
    # The id stays the text that was asked for, so that looking it up again finds the same pattern.
    return replace(compile_smarts(smarts, **chosen), id=text)
