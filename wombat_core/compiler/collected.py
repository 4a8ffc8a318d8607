"""In which layer each atom of the motif is collected, seen on a molecule in which the network finds it."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from rdkit import Chem

from ..ground_truth import query
from ..molecules.encoding import encode
from ..molecules.molecule import Molecule, from_smiles
from ..whitebox.build import build
from ..whitebox.catalogue import Pattern
from ..whitebox.decision import Decision, decision
from ..whitebox.model import Whitebox
from .query import read_query
from .synthetic import near_misses


@dataclass(frozen=True)
class Collected:
    """The motif as the network takes it in. Atoms are those of the label SMARTS, from 0.

    Attributes:
        root: the atom at which the readout looks.
        layers: of every atom the first layer in which its evidence goes on towards the root; the root and what no
            message carries have 0.
    """

    root: int
    layers: tuple[int, ...]


@lru_cache(maxsize=128)
def collected(pattern: Pattern, more: tuple[str, ...] = ()) -> Collected:
    """When a compiled whitebox collects the atoms of its motif.

    Args:
        pattern: compiled.
        more: SMILES of molecules to look at where the SMARTS, read as a molecule, does not contain the motif.
    """
    origin = pattern.origin
    if origin is None:
        raise AssertionError("only a compiled whitebox collects atoms of a SMARTS")
    asked = read_query(origin.smarts)
    root = asked.original.index(origin.root)
    distances = _distances(asked, root)
    if origin.balls:
        return Collected(root, tuple(distances))
    found = _seen(pattern, root, more)
    if found is None:
        depth = pattern.num_layers
        return Collected(root, tuple(max(0, depth - far + 1) if far else 0 for far in distances))
    data, decided, match = found
    return Collected(root, _collected(decided, data, {place: atom for atom, place in enumerate(match)}, distances))


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
                return data, decided, match
    return None


def _collected(decided: Decision, data, atom_of: dict[int, int], distances: list[int]) -> tuple[int, ...]:
    first = [0] * len(distances)
    for layer, edge, _ in decided.messages:
        sender, receiver = (atom_of.get(end) for end in data.edge_index[:, edge].tolist())
        if sender is None or receiver is None or distances[sender] <= distances[receiver]:
            continue
        first[sender] = min(first[sender] or layer, layer)
    return tuple(first)


def _distances(asked, start: int) -> list[int]:
    found, queue = {start: 0}, [start]
    for atom in queue:
        for other, _ in asked.neighbours[atom]:
            if other not in found:
                found[other] = found[atom] + 1
                queue.append(other)
    return [found[atom] for atom in range(len(asked.atoms))]
