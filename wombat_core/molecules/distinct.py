"""Which molecules of a set are the same: repeated ones are no independent observations."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from rdkit import Chem, rdBase

from ..errors import InputError
from .bounds import DEAR_ATOMS
from .molecule import Molecule, from_smiles
from .parse_problems import shorten
from .sets import Entry

At = TypeVar("At")
Item = TypeVar("Item")
_KEPT = 5


def molecule_key(molecule: Molecule) -> str:
    """Equal for the same molecule, however it is written: without stereochemistry, isotopes and map numbers.

    The networks see none of these.
    """
    if molecule.num_atoms >= DEAR_ATOMS:
        return molecule.smiles
    mol = Chem.Mol(molecule.mol)
    for atom in mol.GetAtoms():
        atom.SetAtomMapNum(0)
        atom.SetIsotope(0)
    with rdBase.BlockLogs():
        return Chem.MolToSmiles(mol, isomericSmiles=False)


class Distinct:
    """Counts molecules and the different ones among them.

    Attributes:
        total: molecules so far.
        unreadable: texts that were none.
    """

    def __init__(self) -> None:
        self.total = 0
        self._first: dict[str, object] = {}
        self._groups: dict[str, list[object]] = {}

    def __len__(self) -> int:
        """How many different molecules there were."""
        return len(self._first)

    def is_new(self, which: Molecule | str, place: object) -> bool:
        """Whether a molecule was not there before; a text that is no molecule always is."""
        try:
            key = molecule_key(from_smiles(which) if isinstance(which, str) else which)
        except InputError:
            return True
        self.total += 1
        if key not in self._first:
            self._first[key] = place
            return True
        if key in self._groups or len(self._groups) < _KEPT:
            group = self._groups.setdefault(key, [self._first[key]])
            if len(group) <= _KEPT:
                group.append(place)
        return False

    def once(self, items: Iterable[tuple[At, Item]]) -> Iterator[tuple[At, Item]]:
        """The items without those molecules that were there before; what is no molecule stays."""
        for place, item in items:
            if not isinstance(item, Molecule) or self.is_new(item, place):
                yield place, item

    def entries(self, items: Iterator[Entry]) -> Iterator[Entry]:
        """The entries of a set, each molecule once."""
        return (entry for entry in items if self.is_new(entry.smiles, entry.place))

    def sentence(self, left_out: bool) -> str | None:
        """What there is to tell of repeated molecules, or None where there are none.

        Args:
            left_out: whether they were left out.
        """
        repeats = self.total - len(self)
        if not repeats:
            return None
        key, places = next(iter(self._groups.items()))
        shown = ", ".join(map(str, places[:_KEPT])) + (", …" if len(places) > _KEPT else "")
        example = f"{shorten(key, 40)} at {shown}"
        if left_out:
            return f"{repeats:,} repeated molecules were left out ({example})."
        return (
            f"Of {self.total:,} molecules {len(self):,} {'is' if len(self) == 1 else 'are'} distinct; the others are "
            f"repeats ({example}), and counts and standard errors take them for more. --unique takes each once."
        )
