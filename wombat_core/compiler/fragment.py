"""A part of a molecule as a SMARTS: the way from a click on atoms to a motif."""

from collections.abc import Iterable

from rdkit import Chem

from ..errors import InputError
from ..molecules.molecule import Molecule

_BONDS = {
    Chem.BondType.SINGLE: "-",
    Chem.BondType.DOUBLE: "=",
    Chem.BondType.TRIPLE: "#",
    Chem.BondType.AROMATIC: ":",
}
_AROMATIC = frozenset({5, 6, 7, 8, 15, 16, 33, 34})
"""Elements that a SMARTS writes in small letters where they are aromatic."""


def fragment_smarts(
    molecule: Molecule,
    atoms: Iterable[int],
    *,
    hydrogens: bool = False,
    degree: bool = False,
    charge: bool = True,
    bonds: bool = True,
) -> str:
    """The chosen atoms and all bonds between them as a SMARTS that matches the molecule there.

    Args:
        molecule: the molecule.
        atoms: indices of its atoms, in any order; they must hang together.
        hydrogens: whether each atom keeps its number of hydrogens (H).
        degree: whether each atom keeps its number of heavy neighbours (D).
        charge: whether charged atoms keep their charge.
        bonds: whether bonds keep their order; else any bond will do, and an atom may be aromatic or not.

    Raises:
        InputError: no atom, an atom that is not there, or atoms that do not hang together.
    """
    chosen, mol = sorted(set(atoms)), molecule.mol
    if not chosen:
        raise InputError("Choose at least one atom.")
    for atom in (chosen[0], chosen[-1]):
        if not 0 <= atom < mol.GetNumAtoms():
            raise InputError(f"The molecule has no atom {atom}; its atoms are 0 to {mol.GetNumAtoms() - 1}.")
    inside = [bond for bond in mol.GetBonds() if bond.GetBeginAtomIdx() in chosen and bond.GetEndAtomIdx() in chosen]
    if (apart := _apart(chosen, inside)) is not None:
        symbol = mol.GetAtomWithIdx(apart).GetSymbol()
        raise InputError(
            f"The chosen atoms do not hang together: no chosen bond leads from {symbol}{apart} to the first one. "
            "Choose the atoms between them too."
        )
    symbols = [_atom(atom, hydrogens, degree, charge, bonds) for atom in mol.GetAtoms()]
    signs = [_BONDS.get(bond.GetBondType(), "~") if bonds else "~" for bond in mol.GetBonds()]
    return Chem.MolFragmentToSmiles(
        mol,
        atomsToUse=chosen,
        bondsToUse=[bond.GetIdx() for bond in inside],
        atomSymbols=symbols,
        bondSymbols=signs,
        isomericSmiles=False,
        canonical=False,
        rootedAtAtom=chosen[0],
    )


def _apart(chosen: list[int], inside: list[Chem.Bond]) -> int | None:
    """An atom that does not hang together with the first one, or None."""
    reached, front = {chosen[0]}, [chosen[0]]
    while front:
        atom = front.pop()
        for bond in inside:
            if atom in (bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()):
                other = bond.GetOtherAtomIdx(atom)
                if other not in reached:
                    reached.add(other)
                    front.append(other)
    return next((atom for atom in chosen if atom not in reached), None)


def _atom(atom: Chem.Atom, hydrogens: bool, degree: bool, charge: bool, bonds: bool) -> str:
    number = atom.GetAtomicNum()
    if not bonds or number == 0:
        text = f"#{number}"
    else:
        text = atom.GetSymbol()
        if atom.GetIsAromatic() and number in _AROMATIC:
            text = text.lower()
    text += f"H{atom.GetTotalNumHs()}" if hydrogens else ""
    text += f"D{atom.GetDegree()}" if degree else ""
    return f"[{text}{f'{atom.GetFormalCharge():+d}' if charge and atom.GetFormalCharge() else ''}]"
