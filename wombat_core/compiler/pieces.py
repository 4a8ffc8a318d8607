"""Which part of the motif each channel stands for, seen on a molecule in which the network finds it."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from rdkit import Chem

from ..ground_truth import query
from ..molecules.encoding import encode
from ..molecules.molecule import Molecule, from_smiles
from ..whitebox.build import build
from ..whitebox.catalogue import Pattern
from ..whitebox.decision import Decision, decision, entries_read, layer_messages
from ..whitebox.model import Whitebox
from .query import read_query
from .synthetic import near_misses


@dataclass(frozen=True)
class Piece:
    """What a channel stands for. Atoms are those of the label SMARTS, from 0.

    Attributes:
        carriers: atoms that carry the channel; empty where it says nothing about the motif (a constant).
        atoms: all atoms that it has looked at there, the carriers among them.
        radius: in a network for rings, how many bonds it has seen around each carrier; else None.
    """

    carriers: tuple[int, ...]
    atoms: tuple[int, ...]
    radius: int | None = None


@dataclass(frozen=True, eq=False)
class Pieces:
    """The motif as the network takes it in.

    Attributes:
        root: the atom of the label SMARTS at which the readout looks.
        layers: of every atom of the label SMARTS the first layer in which its evidence goes on towards the root; the
            root and what no message carries have 0.
        channels: the pieces, layer by layer; None where no molecule is known on which to see them.
    """

    root: int
    layers: tuple[int, ...]
    channels: tuple[tuple[Piece, ...], ...] | None


@lru_cache(maxsize=128)
def pieces(pattern: Pattern, more: tuple[str, ...] = ()) -> Pieces:
    """The pieces of a compiled whitebox.

    Args:
        pattern: compiled.
        more: SMILES of molecules to look at where the SMARTS, read as a molecule, does not contain the motif.
    """
    asked = read_query(pattern.origin.smarts)
    root = asked.original.index(pattern.origin.root)
    distances = _distances(asked, [root])
    if pattern.origin.balls:
        return Pieces(root, tuple(distances), _ball_pieces(pattern, asked))
    found = _seen(pattern, root, more)
    if found is None:
        depth = pattern.num_layers
        return Pieces(root, tuple(max(0, depth - far + 1) if far else 0 for far in distances), None)
    model, data, trace, decided, match = found
    atom_of = {place: atom for atom, place in enumerate(match)}
    channels = []
    for layer, own in enumerate(pattern.layers, start=1):
        table = trace.layers[layer - 1].activations
        row = []
        for place, channel in enumerate(own):
            carriers = [atom for atom, at in enumerate(match) if table[at, place] > 0]
            kept = {at for depth, at, which in decided.activations if (depth, which) == (layer, place)}
            carriers = [atom for atom in carriers if match[atom] in kept] or carriers
            if channel.bond_term.text == "0":
                carriers = []
            seen = {
                atom_of[at]
                for atom in carriers
                for at in _support(model, data, trace, layer, place, match[atom])
                if at in atom_of
            }
            row.append(Piece(tuple(carriers), tuple(sorted(seen | set(carriers)))))
        channels.append(tuple(row))
    return Pieces(root, _collected(decided, data, atom_of, distances), tuple(channels))


def examples_of(pattern: Pattern, more: Iterable[str] = ()) -> list[Molecule]:
    """Molecules in which network and RDKit find the motif: the SMARTS itself as one, and those among more."""
    motif, found = query(pattern.smarts), {}
    for smiles in [*near_misses(pattern.smarts)[:1], *more]:
        molecule = from_smiles(smiles)
        if molecule.mol.HasSubstructMatch(motif):
            found.setdefault(Chem.MolToSmiles(molecule.mol), molecule)
    return list(found.values())


def _seen(pattern: Pattern, root: int, more: tuple[str, ...]):
    model = build(pattern, "r1")
    if not isinstance(model, Whitebox):
        return None
    for molecule in examples_of(pattern, more):
        data = encode(molecule, pattern.encoding)
        trace = model.trace(data.x, data.edge_index, data.edge_attr)
        decided = decision(model, data, trace)
        for match in molecule.mol.GetSubstructMatches(query(pattern.smarts), uniquify=False, maxMatches=200):
            if match[root] in decided.roots:
                return model, data, trace, decided, match
    return None


def _support(model: Whitebox, data, trace, layer: int, channel: int, atom: int) -> set[int]:
    """Atoms that an activation rests on."""
    from ..whitebox.calculation import layer_input

    needed = trace.layers[layer - 1].activations.new_zeros(trace.layers[layer - 1].activations.shape).bool()
    needed[atom, channel] = True
    atoms = {atom}
    for depth in range(layer, 0, -1):
        sent = layer_messages(model, data, trace, depth) * needed[data.edge_index[1]]
        edges = sent.nonzero()
        atoms |= set(data.edge_index[:, edges[:, 0]].flatten().tolist())
        needed = entries_read(model.convolutions[depth - 1], layer_input(data, trace, depth), data.edge_index, edges)
    return atoms


def _collected(decided: Decision, data, atom_of: dict[int, int], distances: list[int]) -> tuple[int, ...]:
    first = [0] * len(distances)
    for layer, edge, _ in decided.messages:
        sender, receiver = (atom_of.get(end) for end in data.edge_index[:, edge].tolist())
        if sender is None or receiver is None or distances[sender] <= distances[receiver]:
            continue
        first[sender] = min(first[sender] or layer, layer)
    return tuple(first)


def _ball_pieces(pattern: Pattern, asked) -> tuple[tuple[Piece, ...], ...]:
    made = []
    for layer in pattern.origin.balls:
        row = []
        for originals, radius in layer:
            carriers = tuple(asked.original.index(atom) for atom in originals)
            near = _distances(asked, list(carriers)) if carriers else []
            row.append(Piece(carriers, tuple(atom for atom, far in enumerate(near) if far <= radius), radius))
        made.append(tuple(row))
    return tuple(made)


def _distances(asked, starts: list[int]) -> list[int]:
    found, queue = dict.fromkeys(starts, 0), list(starts)
    for atom in queue:
        for other, _ in asked.neighbours[atom]:
            if other not in found:
                found[other] = found[atom] + 1
                queue.append(other)
    return [found[atom] for atom in range(len(asked.atoms))]
