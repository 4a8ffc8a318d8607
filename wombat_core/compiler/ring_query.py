"""A SMARTS with rings as balls look at it: a label for every atom, a kind for every bond, conditions around an atom.

With ``wombat+`` a label also says what the input shows of charge, aromaticity and rings, and every atom and bond of a
ring of the SMARTS asks for a cycle of that length: RDKit's search maps a ring to a cycle of as many atoms.
"""

from dataclasses import dataclass

from rdkit import Chem

from ..molecules.cycles import LENGTHS, cycle_flags
from .query import Query
from .ring_atoms import around_of, hull_of, is_simple, label_of, own_of
from .ring_labels import EVERY, Around, Conditions, Kind, Label, Own
from .rooted import notes_inside
from .smarts_error import SmartsError
from .valence import AROMATIC, AROMATIC_ELEMENTS


@dataclass(frozen=True)
class RingQuery:
    """The SMARTS as balls look at it.

    Attributes:
        labels, around, own: of every atom its features, conditions on its neighbours, what else it must be.
        neighbours: of every atom, with the kind of the bond to each.
        notes: what is not asked for, a sentence each.
        rings: sizes of the smallest rings.
        linked: whether a bond outside of rings joins two of them.
    """

    labels: tuple[Label, ...]
    around: tuple[tuple[Around, ...], ...]
    own: tuple[Own | None, ...]
    neighbours: tuple[tuple[tuple[int, Kind], ...], ...]
    notes: tuple[str, ...]
    rings: tuple[int, ...] = ()
    linked: bool = False

    def distances(self, root: int) -> list[int]:
        found, queue = {root: 0}, [root]
        for atom in queue:
            for other, _ in self.neighbours[atom]:
                if other not in found:
                    found[other] = found[atom] + 1
                    queue.append(other)
        return [found[atom] for atom in range(len(self.labels))]


CHARGE_NOTE = "With the encoding wombat+ charges are asked for."


def ring_query(query: Query, encoding: str) -> RingQuery:
    """Read the query for an encoding.

    Raises:
        SmartsError: it asks for what balls or the encoding cannot show.
    """
    plus = encoding == "wombat+"
    mol = _skeleton(query)
    in_atoms, in_bonds = _cycles(query, mol)
    kinds = [_kind(query, number, in_bonds[number], plus) for number in range(len(query.bonds))]
    neighbours: list[list[tuple[int, Kind]]] = [[] for _ in query.atoms]
    for bond, kind in zip(query.bonds, kinds, strict=True):
        neighbours[bond.begin].append((bond.end, kind))
        neighbours[bond.end].append((bond.begin, kind))
    labels: list[Label] = []
    around: list[tuple[Around, ...]] = []
    notes = [*query.notes, *notes_inside(query)]
    own: list[Own | None] = []
    for atom in query.atoms:
        at_atom = [kind for _, kind in neighbours[atom.index]]
        if is_simple(atom, plus):
            (box,) = atom.boxes
            own.append(None)
            around.append(around_of(query, atom.index, box, at_atom, plus))
        else:
            box = hull_of(atom)
            found, more = own_of(query, atom, at_atom, plus)
            own.append(found)
            around.append(())
            notes += more
            if not plus and any(own.asks("charge") for own in atom.boxes):
                notes.append(CHARGE_NOTE)
        labels.append(label_of(query, atom.index, box, in_atoms[atom.index], plus))
    if len(query.atoms) == 1 and not any(one.wanted for one in around[0]):
        around[0] = (Around(EVERY, 1), *around[0])
    return RingQuery(
        tuple(labels),
        tuple(around),
        tuple(own),
        tuple(map(tuple, neighbours)),
        tuple(dict.fromkeys(notes)),
        tuple(sorted(map(len, mol.GetRingInfo().AtomRings()))),
        _are_linked(mol),
    )


def _skeleton(query: Query) -> Chem.Mol:
    """The atoms and bonds of the SMARTS alone, with its rings."""
    mol = Chem.RWMol()
    for _ in query.atoms:
        mol.AddAtom(Chem.Atom(0))
    for bond in query.bonds:
        mol.AddBond(bond.begin, bond.end, Chem.BondType.SINGLE)
    Chem.FastFindRings(mol)
    Chem.GetSymmSSSR(mol)
    return mol


def _are_linked(mol: Chem.Mol) -> bool:
    """Whether the rings are in several parts once bonds outside of rings are gone."""
    apart = Chem.RWMol(mol)
    for bond in mol.GetBonds():
        if not mol.GetRingInfo().NumBondRings(bond.GetIdx()):
            apart.RemoveBond(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx())
    return sum(len(part) > 1 for part in Chem.GetMolFrags(apart)) > 1


def _cycles(query: Query, mol: Chem.Mol) -> tuple[list[Conditions], list[Conditions]]:
    """The cycles of the SMARTS through every atom and bond, as conditions."""
    atoms, bonds = cycle_flags(mol)
    ring = {index for own in mol.GetRingInfo().BondRings() for index in own}

    def conditions(flags, in_ring: bool) -> Conditions:
        found = tuple((f"cycle{length}",) for length, yes in zip(LENGTHS, flags, strict=True) if yes)
        return found if found or not in_ring else (("ring",),)

    in_bonds = [conditions(flags, number in ring) for number, flags in enumerate(bonds)]
    ends = {end for number in ring for end in (query.bonds[number].begin, query.bonds[number].end)}
    return [conditions(flags, number in ends) for number, flags in enumerate(atoms)], in_bonds


def _kind(query: Query, number: int, cycles: Conditions, plus: bool) -> Kind:
    bond = query.bonds[number]
    types = bond.types
    for end in (bond.begin, bond.end):
        boxes = query.atoms[end].boxes
        if all(box.allowed("aromatic") == {0} or not box.allowed("elements") & AROMATIC_ELEMENTS for box in boxes):
            types -= {AROMATIC}
    ends = query.original[bond.begin], query.original[bond.end]
    if not types:
        raise SmartsError(f"The SMARTS can match nothing: bond {ends[0] + 1}-{ends[1] + 1} is aromatic.", bond=ends)
    if bond.in_ring is None and len(bond.boxes) == 1:
        return Kind(types, cycles if plus else ())
    if not plus or len(bond.boxes) > 1:
        what = f"Bond {ends[0] + 1}-{ends[1] + 1} of the SMARTS"
        raise SmartsError(f"{what} asks for ring bonds (@), which the network's input does not show.", bond=ends)
    if not bond.in_ring:
        return Kind(types, (("!ring",),))
    return Kind(types, cycles or (("ring",),))
