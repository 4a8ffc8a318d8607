"""Networks for rings as a table: which channels, for which atoms, at which radius."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wombat_core.compiler.query import read_query

if TYPE_CHECKING:
    from wombat_core.whitebox.catalogue import Pattern


def carriers_of(pattern: Pattern) -> list[list[tuple[int, ...]]]:
    """Of every channel, layer by layer, the atoms of the label SMARTS that carry it; none for a constant."""
    original = read_query(pattern.origin.smarts).original
    return [
        [tuple(original.index(atom) for atom in carriers) for carriers, _ in layer] for layer in pattern.origin.balls
    ]


def radius_rows(pattern: Pattern, root: int) -> list[tuple[tuple[int, ...], list[str]]]:
    """One row a group of like atoms: the atoms, and the letters of its channels in every layer; constants last."""
    groups: dict[tuple[int, ...], list[list[str]]] = {}
    for depth, (own, row) in enumerate(zip(pattern.layers, carriers_of(pattern), strict=True)):
        for channel, carriers in zip(own, row, strict=True):
            cells = groups.setdefault(carriers, [[] for _ in pattern.layers])
            cells[depth].append(channel.letter)
    rows = sorted(groups.items(), key=lambda row: (not row[0], root not in row[0], row[0]))
    return [(carriers, [shortened(letters) for letters in cells]) for carriers, cells in rows]


def shortened(letters: list[str]) -> str:
    """Letters in a row as a range: "A–D"."""
    return " ".join(letters) if len(letters) < 3 else f"{letters[0]}–{letters[-1]}"
