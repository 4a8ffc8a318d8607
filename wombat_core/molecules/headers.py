"""What a column's header says: which kind of structure the column holds, or that it names the molecules."""

import re
from collections.abc import Sequence

STRUCTURES = ("smiles", "inchi", "cas", "name", "inchikey")
"""Kinds of columns that tell a molecule, the most exact first."""

_SMILES = ("smiles", "canonicalsmiles", "isomericsmiles", "smi", "isosmiles")
_NAMES = (
    "name",
    "compoundname",
    "moleculename",
    "drugname",
    "chemicalname",
    "preferredname",
    "prefname",
    "commonname",
    "cmpdname",
    "substancename",
    "title",
    "compound",
    "molecule",
    "iupacname",
)
_IDS = ("id", "moleculechemblid", "chemblid", "compoundid", "moleculeid", "molid", "drugid", "zincid", "cid", "casrn")
# A column of these tells what the molecule was measured on, where it was told, and so on.
_OF_OTHERS = frozenset(
    re.findall(
        r"\w+",
        "target assay organism document doc cell file user gene protein source journal author column property project "
        "reference cluster class activity patent sequence species tissue batch plate well scaffold",
    )
)


def words(header: str) -> list[str]:
    """The words of a header in lower case, without what stands between them: "CanonicalSMILES" has two."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z][A-Z]*\b)", " ", header.strip().lstrip("#"))
    return re.findall(r"[^\W_]+", apart.lower())


def key(header: str) -> str:
    """The words as one, to compare headers by."""
    return "".join(words(header))


def structure_kind(header: str) -> str | None:
    """Which of :data:`STRUCTURES` a header promises, or None."""
    own, parts = key(header), words(header)
    if own in _SMILES or own.endswith("smiles") or {"smiles", "smi"} & set(parts):
        return "smiles"
    if own.endswith("inchikey") or parts[-2:] == ["inchi", "key"]:
        return "inchikey"
    if own.endswith("inchi") or "inchi" in parts:
        return "inchi"
    if parts and parts[0] in ("cas", "casrn", "casno"):
        return "cas"
    return "name" if own in _NAMES else None


def smiles_columns(headers: Sequence[str]) -> list[int]:
    """The columns whose header promises SMILES: those with the best known spelling that occurs, else all."""
    keys = [key(header) for header in headers]
    for wanted in _SMILES:
        if wanted in keys:
            return [i for i, own in enumerate(keys) if own == wanted]
    return [i for i, header in enumerate(headers) if structure_kind(header) == "smiles"]


def is_header(cells: Sequence[str]) -> bool:
    """Whether a row is a header: some cell names a kind of structure, and none is a number or a long text."""
    filled = [cell for cell in cells if cell.strip()]
    if any(len(cell) > 80 or re.fullmatch(r"\s*[-+]?[\d.]+(e[-+]?\d+)?\s*", cell, re.IGNORECASE) for cell in filled):
        return False
    return any(structure_kind(cell) is not None for cell in filled)


def name_columns(headers: Sequence[str], rows: Sequence[Sequence[str]], taken: int) -> tuple[int, ...]:
    """The columns that name a row's molecule, the best first: names, then identifiers, which differ by row.

    Args:
        headers: of all columns.
        rows: the first rows below them.
        taken: the column of the structures.
    """

    def cells(i: int) -> list[str]:
        return [row[i].strip() for row in rows if i < len(row) and row[i].strip()]

    def tells_rows_apart(i: int) -> bool:
        own = cells(i)
        return bool(own) and len(set(own)) > len(own) / 2

    ranked = []
    for i, header in enumerate(headers):
        own, parts = key(header), words(header)
        if i == taken or not own or set(parts) & _OF_OTHERS or structure_kind(header) in ("smiles", "inchi"):
            continue
        rank = None
        if own in _NAMES:
            rank = _NAMES.index(own)
        elif parts[-1] in ("name", "names"):
            rank = 30
        elif own in _IDS:
            rank = 40 + _IDS.index(own)
        elif parts[0] == "cas":
            rank = 60
        elif (parts[-1] == "id" or (own.endswith("id") and len(own) < 12)) and tells_rows_apart(i):
            rank = 50
        elif own in ("code", "identifier", "inchikey", "synonyms") and tells_rows_apart(i):
            rank = 70
        if rank is not None:
            ranked.append((rank, i))
    return tuple(i for _, i in sorted(ranked))
