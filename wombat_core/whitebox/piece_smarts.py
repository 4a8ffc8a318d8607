"""What a channel asks of an atom, as a SMARTS with that atom first.

Branches of a SMARTS are different atoms, and none walks back; conditions of a network are independent of each other. A
condition is a branch where that comes to the same, and a recursive ``$(...)`` where it does not.
"""

from rdkit import Chem

from ..molecules.usability import MAX_VALENCE
from .asked import BONDS, COUNTS, ELEMENTS, Ask, Atom, apart, counts_as, most_neighbours

_SIGNS = "-=#:"
_NEVER_AROMATIC = frozenset((9, 17, 35, 53))


def alternatives_smarts(atoms: tuple[Atom, ...]) -> str:
    """The SMARTS of atoms that are one of these."""
    if len(atoms) == 1:
        return atom_smarts(atoms[0])
    return "[" + ",".join(f"$({atom_smarts(atom)})" for atom in atoms) + "]"


def atom_smarts(atom: Atom) -> str:
    """The SMARTS of one atom with its branches."""
    return _write(atom, None)


def branches(atom: Atom, reader: tuple[Atom, frozenset[int]] | None = None) -> tuple[list[tuple[Ask, int]], list[Ask]]:
    """The conditions on neighbours, as branches and as what stays a condition of its own.

    Args:
        atom: whose.
        reader: the neighbour whose branch it is, and the bond to it.

    Returns:
        ((condition, how many branches), ...), [conditions that are no branches].
    """
    wanted, inside = [], []
    for ask in atom.asks:
        least = ask.least
        if reader is not None:
            there = Ask((reader[0],), reader[1])
            if counts_as(there, ask):
                least -= 1
            elif not apart(there, ask):
                inside.append(ask)
                continue
        if least > 0:
            wanted.append([ask, least])
    # Those that ask for most come first: they count for the wider ones.
    kept: list[list] = []
    for own in wanted:
        others = [other for other in wanted if other is not own]
        if any(not (counts_as(own[0], o[0]) or counts_as(o[0], own[0]) or apart(own[0], o[0])) for o in others):
            inside.append(own[0])
        else:
            kept.append(own)
    found = []
    for own in kept:
        narrower = [o for o in kept if o is not own and counts_as(o[0], own[0]) and not counts_as(own[0], o[0])]
        tops = [o for o in narrower if not any(p is not o and counts_as(o[0], p[0]) for p in narrower)]
        least = own[1] - sum(_needed(o, kept) for o in tops)
        if least > 0:
            found.append((own[0], least))
    return found, inside


def _needed(own, kept) -> int:
    """How many neighbours a condition and those that count for it take together."""
    narrower = [o for o in kept if o is not own and counts_as(o[0], own[0]) and not counts_as(own[0], o[0])]
    tops = [o for o in narrower if not any(p is not o and counts_as(o[0], p[0]) for p in narrower)]
    return max(own[1], sum(_needed(o, kept) for o in tops))


def _write(atom: Atom, reader: tuple[Atom, frozenset[int]] | None) -> str:
    own, degree = split_degree(atom)
    below, inside = branches(own, reader)
    head = _head(own, degree, inside)
    parts = []
    for ask, least in below:
        parts += [_bond(ask.bonds) + _target(ask, atom, reader)] * least
    return head + "".join(f"({part})" for part in parts[:-1]) + (parts[-1] if parts else "")


def _by_itself(atoms: tuple[Atom, ...]) -> str:
    """One of these, which may look back at any atom."""
    if len(atoms) == 1 and not branches(split_degree(atoms[0])[0])[0]:
        return atom_smarts(atoms[0])
    return "[" + ",".join(f"$({atom_smarts(atom)})" for atom in atoms) + "]"


def _target(ask: Ask, atom: Atom, reader: tuple[Atom, frozenset[int]] | None) -> str:
    target, *others = ask.target
    if others:
        return _by_itself(ask.target)
    known = atom
    if reader is not None:
        there = Ask((Atom(reader[0].elements, reader[0].hydrogens),), reader[1])
        known = Atom(atom.elements, atom.hydrogens, (*atom.asks, there), atom.never, atom.more)
    return _write(target, (known, ask.bonds))


def split_degree(atom: Atom) -> tuple[Atom, int]:
    """An atom without its conditions on neighbours of any kind, and how many neighbours these ask for.

    Single bonds count as any bonds where valence leaves no room for others.
    """
    kept, degree = [], 0
    for ask in atom.asks:
        full = ask.bonds == frozenset((0,)) and ask.least >= most_neighbours(atom, BONDS) and _limited(atom)
        if ask.is_any and (ask.bonds == BONDS or full):
            degree = max(degree, ask.least)
        else:
            kept.append(ask)
    # Neighbours that are written out anyway need no number, but are independent of it.
    return Atom(atom.elements, atom.hydrogens, tuple(kept), atom.never, atom.more), degree


def _limited(atom: Atom) -> bool:
    rooms = {MAX_VALENCE.get(e, 0) - h for e in atom.elements for h in atom.hydrogens}
    return atom.elements <= set(MAX_VALENCE) and len(rooms) == 1


def _head(atom: Atom, degree: int, inside: list[Ask]) -> str:
    parts = [_elements(atom)]
    if atom.hydrogens != COUNTS:
        parts.append(",".join(f"H{h}" for h in sorted(atom.hydrogens)))
    if degree > 1:
        full = _limited(atom) and degree == most_neighbours(atom, BONDS)
        parts.append(f"D{degree}" if full else f"D{{{degree}-}}")
    parts += atom.more
    for ask in inside:
        branch = _bond(ask.bonds) + _by_itself(ask.target)
        parts.append("$(*" + f"({branch})" * (ask.least - 1) + branch + ")")
    parts += [f"!$({atom_smarts(own)})" for own in atom.never]
    if len(parts) == 1 and parts[0] in ("*", "F", "Cl", "Br", "I"):
        return parts[0]
    return "[" + ";".join(parts) + "]"


def _elements(atom: Atom) -> str:
    if len(atom.elements) >= len(ELEMENTS) - 1:
        return "*"
    if len(atom.elements) > len(ELEMENTS) // 2:
        missing = sorted(ELEMENTS - atom.elements - {0})
        return "&".join(f"!#{slot}" for slot in missing)
    table = Chem.GetPeriodicTable()
    return ",".join(
        table.GetElementSymbol(slot) if slot in _NEVER_AROMATIC or _is_aliphatic(slot, atom) else f"#{slot}"
        for slot in sorted(atom.elements)
    )


def _is_aliphatic(slot: int, atom: Atom) -> bool:
    """Whether so many hydrogens leave no room for two aromatic bonds."""
    least = min(atom.hydrogens, default=0)
    return (slot, least) in ((6, 2), (6, 3), (6, 4), (7, 2), (7, 3), (8, 1), (8, 2), (16, 1), (16, 2))


def _bond(bonds: frozenset[int]) -> str:
    return "~" if bonds == BONDS else ",".join(_SIGNS[kind] for kind in sorted(bonds))
