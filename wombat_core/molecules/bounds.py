"""How large a molecule may be, told before anything that costs more than its size: RDKit's ring search above all."""

from rdkit import Chem

from ..errors import InputError

MAX_HEAVY_ATOMS = 5000
MAX_ATOMS = 25_000
"""Atoms with explicit hydrogens."""
MAX_RING_ATOMS = 1000
"""Atoms of the largest ring; RDKit keeps some 30 bytes for each pair of them."""
MAX_RINGS = 2000
MAX_OPEN = 50
"""Parentheses that may stay open: RDKit writes a line as long as the text about each."""
SHORT = 300
"""Characters of a SMILES that cannot be dear."""
DEAR_ATOMS = 600
"""From this number of atoms on a molecule is read in a process with limits."""
DEAR_RING_ATOMS = 150
"""The same for atoms of its rings and of what lies between rings."""
DEAR_RINGS = 60
"""The same for rings."""
TOO_DEAR = "The molecule cannot be read: its rings or branches take more memory or time than a molecule is given here."


def check_parentheses(text: str) -> None:
    """Refuse a text most of whose parentheses are never closed.

    Raises:
        InputError: more than ``MAX_OPEN`` are open at its end.
    """
    if text.count("(") - text.count(")") > MAX_OPEN:
        open_ones = []
        for place, character in enumerate(text, 1):
            if character == "(":
                open_ones.append(place)
            elif character == ")" and open_ones:
                open_ones.pop()
        if len(open_ones) > MAX_OPEN:
            raise InputError(
                f"The text cannot be read: {len(open_ones):,} parentheses are never closed, the first of them at "
                f"position {open_ones[0]}."
            )


def check_counts(num_atoms: int, num_hydrogens: int = 0) -> None:
    """Refuse too many atoms.

    Raises:
        InputError: there are more than ``MAX_HEAVY_ATOMS``, or more than ``MAX_ATOMS`` with the hydrogens.
    """
    if num_atoms - num_hydrogens > MAX_HEAVY_ATOMS:
        raise InputError(
            f"The molecule has {num_atoms - num_hydrogens:,} heavy atoms; at most {MAX_HEAVY_ATOMS:,} are read."
        )
    if num_atoms > MAX_ATOMS:
        raise InputError(f"The molecule has {num_atoms:,} atoms with its hydrogens; at most {MAX_ATOMS:,} are read.")


def is_dear(raw: Chem.Mol) -> bool:
    """Whether reading the rest of a molecule may cost much. Its atoms and rings are counted, no more.

    Args:
        raw: as the parser gives it, not sanitised.

    Raises:
        InputError: it has too many atoms or rings.
    """
    num_atoms, num_bonds = raw.GetNumAtoms(), raw.GetNumBonds()
    num_hydrogens = sum(atom.GetAtomicNum() == 1 for atom in raw.GetAtoms()) if num_atoms > MAX_HEAVY_ATOMS else 0
    check_counts(num_atoms, num_hydrogens)
    if num_atoms >= DEAR_ATOMS:
        return True
    num_rings = num_bonds - num_atoms + len(Chem.GetMolFrags(raw))
    if num_rings > MAX_RINGS:
        raise InputError(f"The molecule has {num_rings:,} rings; at most {MAX_RINGS:,} are read.")
    return num_rings >= DEAR_RINGS or (num_rings > 0 and _cyclic_atoms(raw) >= DEAR_RING_ATOMS)


def check_rings(mol: Chem.Mol) -> None:
    """Refuse a ring that is too large; the ring search was done.

    Raises:
        InputError: it has more than ``MAX_RING_ATOMS``.
    """
    largest = max(map(len, mol.GetRingInfo().AtomRings()), default=0)
    if largest > MAX_RING_ATOMS:
        raise InputError(f"The molecule has a ring of {largest:,} atoms; rings of at most {MAX_RING_ATOMS:,} are read.")


def _cyclic_atoms(raw: Chem.Mol) -> int:
    """Atoms in rings and on the ways between rings: what is left when ends are taken away again and again."""
    neighbours: list[set[int]] = [set() for _ in range(raw.GetNumAtoms())]
    for bond in map(raw.GetBondWithIdx, range(raw.GetNumBonds())):
        begin, end = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
        neighbours[begin].add(end)
        neighbours[end].add(begin)
    ends = [atom for atom, own in enumerate(neighbours) if len(own) == 1]
    while ends:
        atom = ends.pop()
        for other in neighbours[atom]:
            neighbours[other].discard(atom)
            if len(neighbours[other]) == 1:
                ends.append(other)
        neighbours[atom] = set()
    return sum(bool(own) for own in neighbours)
