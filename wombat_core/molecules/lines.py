"""One molecule a line: a SMILES, a name, a CAS number or an InChI, with a name behind it or in front of it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from .cells import is_inchi, is_smiles
from .headers import name_columns, smiles_columns, structure_kind
from .spelling import split_name, trimmed

LOOKED_AT = 50


@dataclass(frozen=True)
class LinePlan:
    """Where in a line of words the molecule stands.

    Attributes:
        structure: which word it is.
        name: which word names it; None for all that is behind the molecule.
        num_words: words of the header, or None where there is no header.
        header: the header's line, or None.
    """

    structure: int = 0
    name: int | None = None
    num_words: int | None = None
    header: int | None = None

    def split(self, content: str) -> tuple[str, str | None]:
        """The molecule of a line and its name."""
        if self.structure == 0 and self.name is None:
            return split_name(content)
        words = content.split()
        if self.structure >= len(words):
            return content, None
        if self.name is None or self.name >= len(words):
            return words[self.structure], None
        last = self.num_words is not None and self.name == self.num_words - 1
        return words[self.structure], " ".join(words[self.name :]) if last else words[self.name]


def content_lines(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The lines that are neither empty nor remarks."""
    for number, line in lines:
        content = trimmed(line)
        if content and not content.startswith("#"):
            yield number, content


def plan_lines(first: Sequence[tuple[int, str]]) -> LinePlan:
    """Where the molecules stand, told by a header or by the first lines (as :func:`content_lines` gives them)."""
    if not first:
        return LinePlan()
    words = [word.strip(",;'\"") for word in first[0][1].split()]
    columns = smiles_columns(words)
    if columns and not is_smiles(words[columns[0]]):
        below = [content.split() for _, content in first[1:]]
        names = name_columns(words, below, columns[0])
        name = names[0] if names else None
        if name is None and columns[0] > 0:
            name = 0
        if columns[0] == 0 and len(words) <= 2:
            name = None
        return LinePlan(columns[0], name, len(words), first[0][0])
    if len(words) == 1 and structure_kind(words[0]) in ("name", "cas", "inchi", "inchikey") and len(first) > 1:
        return LinePlan(header=first[0][0])
    shares = [_share(first, place) for place in (0, 1)]
    return LinePlan(1, 0) if shares[0] < 0.5 <= shares[1] else LinePlan()


def first_words_fit(first: Sequence[tuple[int, str]], plan: LinePlan) -> bool:
    """Whether half of the lines hold a SMILES or an InChI where the plan looks for it."""
    return plan.header is not None or _share(first, plan.structure) >= 0.5


def _share(lines: Sequence[tuple[int, str]], place: int) -> float:
    found = [content.split() for _, content in lines[:LOOKED_AT]]
    fitting = sum(place < len(words) and (is_inchi(words[place]) or is_smiles(words[place])) for words in found)
    return fitting / len(found) if found else 0.0


def read_lines(lines: Iterable[tuple[int, str]], plan: LinePlan) -> Iterator[tuple[int, str, str, str | None]]:
    """Number, content, molecule and name of every line that holds a molecule."""
    for number, content in content_lines(lines):
        if number != plan.header and not content.startswith("AuxInfo="):
            yield number, content, *plan.split(content)
