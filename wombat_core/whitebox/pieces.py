"""The piece of the motif that every channel stands for: a SMARTS with its atom first, and words.

Made by unfolding a channel's rule down to the input, for the hand-made networks and for compiled trees alike; a channel
of a network for rings stands for the atoms of its ball (``Origin.balls``).
"""

from dataclasses import dataclass
from functools import lru_cache

from rdkit import Chem

from .catalogue import Pattern
from .notation import Channel
from .piece_smarts import alternatives_smarts
from .piece_words import alternatives_words
from .unfolding import TOO_LARGE, Underivable, Unfolding

BALLS = "It is seen as walks that may close where the motif does not."
_MOST_CHARACTERS = 2_000
CONSTANT_WORDS = "any atom: a constant that joins conditions"
NEVER_WORDS = "no atom: it is never active"


@dataclass(frozen=True)
class Piece:
    """What one channel stands for.

    Attributes:
        smarts: the piece, the channel's own atom first; None where it cannot be written down.
        words: the same in a phrase without a full stop.
        root: the atom of ``smarts`` that carries the activation.
        reason: why the channel is not exactly positive where the piece matches (on molecules without rings); None
            where it is.
        role: how the next layer uses the channel where that is not as a condition: "limits a count", "rules out" or
            "joins conditions"; else empty.
        atoms: of a network for rings, the atoms of its SMARTS (from 0) in the piece, else empty.
    """

    smarts: str | None
    words: str
    root: int = 0
    reason: str | None = None
    role: str = ""
    atoms: tuple[int, ...] = ()

    @property
    def is_exact(self) -> bool:
        return self.smarts is not None and self.reason is None


@lru_cache(maxsize=200)
def pieces(pattern: Pattern) -> tuple[tuple[Piece, ...], ...]:
    """The piece of every channel, layer by layer, in the channels' order; empty for a network of another kind."""
    origin = pattern.origin
    if origin is not None and origin.balls:
        return tuple(
            tuple(_ball_piece(origin.smarts, atoms, radius) for atoms, radius in layer) for layer in origin.balls
        )
    unfolding = Unfolding(pattern)
    return tuple(
        tuple(_piece(unfolding, depth, place) for place in range(len(layer)))
        for depth, layer in enumerate(pattern.layers, start=1)
    )


def _piece(unfolding: Unfolding, layer: int, place: int) -> Piece:
    channel = unfolding.layers[layer - 1][place]
    if unfolding.is_constant(channel):
        return Piece("*", CONSTANT_WORDS, role="joins conditions")
    role = _role(unfolding, channel)
    try:
        atoms = unfolding.channel(layer, place)
        if not atoms:
            return Piece(None, NEVER_WORDS, reason="It is never active.")
        smarts = alternatives_smarts(atoms)
        if len(smarts) > _MOST_CHARACTERS:
            raise Underivable(TOO_LARGE)
    except Underivable as error:
        return Piece(None, "a piece too large or too mixed to be written down", reason=str(error), role=role)
    words = alternatives_words(atoms)
    if role:
        words += f"; it {role}"
    return Piece(smarts, words, 0, unfolding.reasons.get((layer, place)), role)


def _role(unfolding: Unfolding, channel: Channel) -> str:
    """How the channel is used where no sum reads it with a positive weight."""
    if channel.layer == len(unfolding.layers):
        return ""
    signs, limits = set(), False
    for reader in unfolding.layers[channel.layer]:
        for term in reader.channel_terms:
            for letter, weight in term.parts:
                if letter == channel.letter:
                    signs.add(weight > 0)
                    limits = limits or any(
                        own > 0 and _same_count(unfolding, channel, other) for other, own in term.parts
                    )
    if signs != {False}:
        return ""
    return "limits a count to 1" if limits else "rules out atoms"


def _same_count(unfolding: Unfolding, channel: Channel, letter: str) -> bool:
    for other in unfolding.layers[channel.layer - 1]:
        if other.letter == letter:
            return _rule(other) == _rule(channel)
    return False


def _rule(channel: Channel) -> tuple[str, str, str]:
    return channel.self_term.text, channel.neighbour_term.text, channel.bond_term.text


def _ball_piece(smarts: str, atoms: tuple[int, ...], radius: int) -> Piece:
    """The atoms of the SMARTS that a ball has seen."""
    if not atoms:
        return Piece("*", CONSTANT_WORDS, role="joins conditions")
    query = Chem.MolFromSmarts(smarts)
    root = atoms[0]
    distances = Chem.GetDistanceMatrix(query)[root]
    inside = [root, *(int(own) for own in range(query.GetNumAtoms()) if own != root and distances[own] <= radius)]
    fragment = _fragment(query, inside)
    several = f"atom {root + 1}" if len(atoms) == 1 else f"atoms {', '.join(str(own + 1) for own in atoms)}"
    around = "alone" if radius == 0 else f"and what is within {radius} bond{'s' if radius > 1 else ''} of it"
    words = f"{several} of the SMARTS {around}" if len(atoms) == 1 else f"one of the {several} of the SMARTS {around}"
    return Piece(fragment, words, 0, BALLS, "", tuple(sorted(inside)))


def _fragment(query: Chem.Mol, inside: list[int]) -> str:
    """The SMARTS of some atoms of a query, the first one first."""
    edited = Chem.RWMol(query)
    kept = set(inside)
    root = edited.GetAtomWithIdx(inside[0])
    root.SetIntProp("_piece_root", 1)
    edited.BeginBatchEdit()
    for atom in query.GetAtoms():
        if atom.GetIdx() not in kept:
            edited.RemoveAtom(atom.GetIdx())
    edited.CommitBatchEdit()
    mol = edited.GetMol()
    place = next(atom.GetIdx() for atom in mol.GetAtoms() if atom.HasProp("_piece_root"))
    order = [place, *(own for own in range(mol.GetNumAtoms()) if own != place)]
    return Chem.MolToSmarts(Chem.RenumberAtoms(mol, order))
