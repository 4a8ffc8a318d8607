"""The channels of a layer as cards: each beside the piece of the motif that it stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rdkit import Chem

from wombat_core.compiler.query import read_query
from wombat_core.drawing.motif import motif_picture
from wombat_core.whitebox.pieces import pieces
from wombat_core.whitebox.sentences import readings

from .radius import carriers_of

if TYPE_CHECKING:
    from wombat_core.whitebox.catalogue import Pattern
    from wombat_core.whitebox.pieces import Piece

PIECE_COLOUR, OWN_COLOUR = "#dbe7ff", "#7fa8f5"
WIDTH, HEIGHT, BOND = 220, 84, 26


def channel_cards(pattern: Pattern, layer: int) -> list[dict[str, Any]]:
    """One card a channel of the layer (from 1), constants last."""
    own = pieces(pattern)[layer - 1]
    cards = [
        (
            piece.role == "joins conditions",
            _card(pattern, layer, place, piece, reading.plain),
        )
        for place, (piece, reading) in enumerate(zip(own, readings(pattern)[layer - 1], strict=True))
    ]
    return [card for _, card in sorted(cards, key=lambda each: each[0])]


def _card(pattern: Pattern, layer: int, place: int, piece: Piece, rule: str) -> dict[str, Any]:
    card: dict[str, Any] = {"title": pattern.layers[layer - 1][place].name}
    if piece.role == "joins conditions":
        return card | {"badge": {"text": "constant", "tone": "neutral"}, "message": piece.words}
    if pattern.origin.balls:
        return card | _ball(pattern, layer, place, piece) | {"message": rule}
    # In layer 1 the rule itself speaks of atoms; farther on it speaks of channels, and the piece says what they mean.
    card["message"] = rule if layer == 1 or piece.smarts is None else f"{piece.words}. Rule: {rule}"
    if piece.role:
        card["badge"] = {"text": piece.role, "tone": "warn"}
    smarts = without_exclusions(piece.smarts or "")
    # Any other condition inside $() is no atom that could be drawn.
    if not smarts or "$(" in smarts:
        return card
    return card | {"svg": _drawn(smarts, range(1, _num_atoms(smarts)), (piece.root,))}


def without_exclusions(smarts: str) -> str:
    """The SMARTS without ";!$(...)": what an atom must not be is said in words, not drawn."""
    while (start := smarts.find(";!$(")) >= 0:
        end, depth = start + 4, 1
        while depth:
            depth += {"(": 1, ")": -1}.get(smarts[end], 0)
            end += 1
        smarts = smarts[:start] + smarts[end:]
    return smarts


def _ball(pattern: Pattern, layer: int, place: int, piece: Piece) -> dict[str, Any]:
    """The whole motif with the atoms that the channel has seen."""
    original = read_query(pattern.origin.smarts).original
    carriers = carriers_of(pattern)[layer - 1][place]
    inside = [original.index(atom) for atom in piece.atoms if atom in original]
    names = ", ".join(map(str, carriers[:4])) + "…" * (len(carriers) > 4)
    radius = pattern.origin.balls[layer - 1][place][1]
    return {
        "badge": {"text": f"atom{'s' * (len(carriers) > 1)} {names}, radius {radius}", "tone": "info"},
        "svg": _drawn(pattern.smarts, inside, carriers),
    }


def _drawn(smarts: str, inside, own) -> str:
    colours = dict.fromkeys(inside, PIECE_COLOUR) | dict.fromkeys(own, OWN_COLOUR)
    return motif_picture(smarts, WIDTH, HEIGHT, colours, None, BOND).svg


def _num_atoms(smarts: str) -> int:
    return Chem.MolFromSmarts(smarts).GetNumAtoms()
