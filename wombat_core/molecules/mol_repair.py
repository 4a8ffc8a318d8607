"""MOL blocks as other programs write them, brought into the form that RDKit reads; nothing of their content changes."""

import re

from rdkit import Chem

_COUNTS = re.compile(r"\s*\d+\s+\d+(\s+\S+)*\s+[vV][23]000\s*$")
_ELEMENTS = {Chem.GetPeriodicTable().GetElementSymbol(number) for number in range(1, 119)}


def repaired(block: str) -> tuple[str, int]:
    """A block with its three lines of header, ``V2000`` in capitals, no empty lines among its own, ``M  END``.

    Returns:
        the block, and how many lines were put in front of it.
    """
    lines = block.split("\n")
    counts = next((i for i, line in enumerate(lines[:5]) if _COUNTS.match(line)), None)
    if counts is None:
        return block, 0
    added = max(0, 3 - counts)
    lines = [""] * added + lines
    counts += added
    lines[counts] = re.sub(r"v([23]000)\s*$", r"V\1", lines[counts])
    kept, alias = lines[: counts + 1], False
    for line in lines[counts + 1 :]:
        if re.fullmatch(r"[mM]\s+[eE][nN][dD]\s*", line):
            line = "M  END"
        if line.strip() or alias:
            kept.append(line)
        alias = re.match(r"[AG]  [ \d]{3}", line) is not None
    return "\n".join(kept) + "\n", added


def in_columns(block: str) -> str | None:
    """A V2000 block whose cells are told apart by blanks or tabs, written into columns; None where that cannot be."""
    lines = block.split("\n")
    if len(lines) < 5 or not lines[3].rstrip().endswith("V2000"):
        return None
    counts = lines[3].split()
    if not (len(counts) > 2 and counts[0].isdecimal() and counts[1].isdecimal()):
        return None
    num_atoms, num_bonds = int(counts[0]), int(counts[1])
    atoms, bonds = lines[4 : 4 + num_atoms], lines[4 + num_atoms : 4 + num_atoms + num_bonds]
    if num_atoms > 999 or num_bonds > 999 or len(atoms) < num_atoms or len(bonds) < num_bonds:
        return None
    try:
        written = [_atom(line.split()) for line in atoms]
        written += ["".join(f"{int(cell):3d}" for cell in _bond(line.split())) for line in bonds]
    except ValueError:
        return None
    head = f"{num_atoms:3d}{num_bonds:3d}  0  0  0  0  0  0  0  0999 V2000"
    return "\n".join([*lines[:3], head, *written, *map(_own_line, lines[4 + num_atoms + num_bonds :])])


def _atom(cells: list[str]) -> str:
    if len(cells) < 4:
        raise ValueError("no atom")
    x, y, z = map(float, cells[:3])
    symbol = cells[3] if cells[3] in _ELEMENTS or cells[3].capitalize() not in _ELEMENTS else cells[3].capitalize()
    rest = [int(cell) for cell in cells[4:]] + [0] * 12
    return f"{x:10.4f}{y:10.4f}{z:10.4f} {symbol:<3}{rest[0]:2d}" + "".join(f"{value:3d}" for value in rest[1:12])


def _bond(cells: list[str]) -> list[str]:
    if len(cells) < 3:
        raise ValueError("no bond")
    return [*cells[:7], *["0"] * (4 - len(cells))]


def _own_line(line: str) -> str:
    """A property line with its cells in columns."""
    cells = line.split()
    if len(cells) > 3 and cells[0] == "M" and cells[1] in ("CHG", "RAD", "ISO") and all(_is_int(c) for c in cells[2:]):
        return f"M  {cells[1]}{int(cells[2]):3d}" + "".join(f"{int(cell):4d}" for cell in cells[3:])
    return line


def _is_int(cell: str) -> bool:
    return re.fullmatch(r"[-+]?\d+", cell) is not None
