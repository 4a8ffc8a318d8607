"""What would compile in place of a SMARTS that does not: the same without the one thing that is in the way."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass

from rdkit import Chem, rdBase

from ..errors import InputError
from ..whitebox.catalogue import Pattern
from .compile import compile_smarts
from .query import MOST_CHARACTERS

SECONDS = 2.0
_BRACKET = re.compile(r"\[[^\[\]]*\]")
_DIRECTIONS = ("the direction of the double bond", re.compile(r"[/\\]"))
_PRIMITIVES = (
    ("the isotope", re.compile(r"(?<=\[)\d+(?=[A-Za-z*#])|(?<=[;&,!])\d+(?=[A-Z*#])")),
    ("the map number", re.compile(r":\d+(?=\])")),
    ("the chirality", re.compile(r"[;&]?@+(?:[A-Z]{2}\d+)?\??")),
    ("the ring query", re.compile(r"[;&]?!?(?:R\d*|r\d*|x\d*|k\d+)(?![a-z])")),
    ("the charge", re.compile(r"[;&]?!?(?:[+]+\d*|[-]+\d*)(?=[;&\]:H-])")),
    ("the valence", re.compile(r"[;&]?!?v\d*")),
    ("the hybridisation", re.compile(r"[;&]?!?\^\d")),
    ("the recursive part", re.compile(r"[;&]?!?\$\((?:[^()]|\([^()]*\))*\)")),
)
_BOND_QUERIES = (("the ring query of the bond", re.compile(r"[;&]?!?@(?=[^\]]*(?:\[|$))")),)


@dataclass(frozen=True)
class Nearest:
    """Something that compiles.

    Attributes:
        change: what is different, as in "without the isotope".
        smarts, encoding: what to compile.
        pattern: what it compiles to.
    """

    change: str
    smarts: str
    encoding: str
    pattern: Pattern


def nearest(smarts: str, encoding: str = "wombat") -> Nearest | None:
    """The first of the SMARTS's simpler neighbours that compiles, or None within ``SECONDS``.

    Args:
        smarts: what does not compile.
        encoding: what it was compiled for.
    """
    text = smarts.strip()
    if not text or len(text) > MOST_CHARACTERS:
        return None
    until = time.monotonic() + SECONDS
    for change, simpler, reads in _candidates(text, encoding):
        if time.monotonic() > until:
            break
        try:
            return Nearest(change, simpler, reads, compile_smarts(simpler, encoding=reads))
        except InputError:
            continue
    return None


def _candidates(text: str, encoding: str) -> Iterator[tuple[str, str, str]]:
    """Neighbours, the least change first."""
    seen = {text}
    everything = text
    for what, found in (_DIRECTIONS, *_PRIMITIVES, *_BOND_QUERIES):
        if what == "the ring query" and encoding == "wombat":
            yield "with the encoding wombat+", text, "wombat+"
        inside = (what, found) in _PRIMITIVES
        once = _without(text, found, inside)
        everything = _without(everything, found, inside)
        if once not in seen:
            seen.add(once)
            yield f"without {what}", once, encoding
    if everything not in seen:
        seen.add(everything)
        yield "without what molecules here do not show", everything, encoding
    for change, other in _repairs(text):
        if other and other not in seen:
            seen.add(other)
            yield change, other, encoding


def _without(text: str, found: re.Pattern, inside: bool) -> str:
    """The text without what is found inside brackets, or outside of them."""
    if not inside:
        parts = re.split(r"(\[[^\[\]]*\])", text)
        return "".join(part if part.startswith("[") else found.sub("", part) for part in parts)

    def simpler(match: re.Match) -> str:
        left = found.sub("", match[0])
        left = re.sub(r"[;&,!]+(?=\]$)", "", re.sub(r"^\[[;&,]+", "[", left))
        return "[*]" if left == "[]" else left

    return _BRACKET.sub(simpler, text) if "$" not in found.pattern else found.sub("", text).replace("[]", "[*]")


def _repairs(text: str) -> Iterator[tuple[str, str]]:
    if ">" in text:
        yield "the first side of the reaction", text.split(">", 1)[0]
    if " " in text or not text.isascii():
        yield "without characters that no SMARTS has", "".join(c for c in text if c.isascii() and not c.isspace())
    with rdBase.BlockLogs():
        mol = Chem.MolFromSmarts(text)
        if mol is not None:
            if "." in text:
                longest = max(Chem.GetMolFrags(mol, asMols=True, sanitizeFrags=False), key=Chem.Mol.GetNumAtoms)
                yield "its largest part", Chem.MolToSmarts(longest)
            return
        for closing in (")", "]", "])", "))"):
            if Chem.MolFromSmarts(text + closing) is not None:
                yield "with its bracket closed", text + closing
        for length in range(len(text) - 1, max(0, len(text) - 60), -1):
            if Chem.MolFromSmarts(text[:length]) is not None and text[:length]:
                yield "as far as it can be read", text[:length]
                break
