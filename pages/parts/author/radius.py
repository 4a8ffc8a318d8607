"""Networks for rings as a table: which channels, for which atoms, at which radius."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wombat_core.compiler.pieces import Pieces
    from wombat_core.whitebox.catalogue import Pattern


def radius_rows(pattern: Pattern, seen: Pieces) -> list[tuple[tuple[int, ...], list[str]]]:
    """One row a group of like atoms: the atoms, and the letters of its channels in every layer; constants last."""
    groups: dict[tuple[int, ...], list[list[str]]] = {}
    for depth, (own, pieces) in enumerate(zip(pattern.layers, seen.channels, strict=True)):
        for channel, piece in zip(own, pieces, strict=True):
            cells = groups.setdefault(piece.carriers, [[] for _ in pattern.layers])
            cells[depth].append(channel.letter)
    rows = sorted(groups.items(), key=lambda row: (not row[0], seen.root not in row[0], row[0]))
    return [(carriers, [shortened(letters) for letters in cells]) for carriers, cells in rows]


def shortened(letters: list[str]) -> str:
    """Letters in a row as a range: "A–D"."""
    return " ".join(letters) if len(letters) < 3 else f"{letters[0]}–{letters[-1]}"
