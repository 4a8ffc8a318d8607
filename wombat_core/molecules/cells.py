"""What single cells hold: SMILES, an InChI, a CAS number, a name."""

import re
from collections.abc import Sequence

from rdkit import Chem, rdBase

from .bounds import SHORT
from .name_index import name_index

_ENOUGH = 0.5
_LONGEST = 5000


def is_smiles(cell: str) -> bool:
    """Whether RDKit parses a cell as one SMILES, CXSMILES included."""
    text, _, rest = cell.strip().partition(" ")
    if not text or not text.isascii() or len(text) > _LONGEST or (rest and not rest.lstrip().startswith("|")):
        return False
    with rdBase.BlockLogs():
        return Chem.MolFromSmiles(text, sanitize=len(text) <= SHORT) is not None


def is_inchi(cell: str) -> bool:
    return cell.strip()[:6].lower() == "inchi="


def is_inchi_key(cell: str) -> bool:
    return re.fullmatch(r"(InChIKey=)?[A-Z]{14}-[A-Z]{10}-[A-Z]", cell.strip(), re.IGNORECASE) is not None


def is_cas(cell: str) -> bool:
    return re.fullmatch(r"\D{0,12}\d{2,7}-\d\d-\d", cell.strip()) is not None


def is_known_name(cell: str) -> bool:
    text = cell.strip()
    return 2 < len(text) <= 500 and bool(name_index().name(text))


CELL_KINDS = {"inchi": is_inchi, "cas": is_cas, "name": is_known_name, "inchikey": is_inchi_key}
"""How a cell of each kind is known, the most exact kind first."""


def kind_of_column(rows: Sequence[Sequence[str]], headers: Sequence[str | None], count: int) -> int | None:
    """The column that tells its molecules otherwise than by SMILES, or None.

    Args:
        rows: the first rows.
        headers: for each column the kind that its header promises, or None.
        count: how many columns there are.
    """

    def cells(i: int) -> list[str]:
        return [row[i] for row in rows if i < len(row) and row[i].strip()][:20]

    def share(i: int, *kinds: str) -> float:
        own = cells(i)
        return sum(any(CELL_KINDS[kind](cell) for kind in kinds) for cell in own) / len(own) if own else 0.0

    for kind in CELL_KINDS:
        for i in range(count):
            if headers[i] == kind and share(i, kind) >= _ENOUGH:
                return i
    for kinds in (("inchi",), ("cas", "name"), ("inchikey",)):
        shares = [share(i, *kinds) for i in range(count)]
        if count and max(shares) >= _ENOUGH:
            return shares.index(max(shares))
    return None
