"""Why a network that has no misses fires where RDKit finds no match: two atoms of the SMARTS meet in one atom.

The network asks for a locally injective homomorphism: every atom of the SMARTS has an image, bonds go to bonds, and
the neighbours of an atom have different images. A match asks for different images of all atoms.
"""

from dataclasses import dataclass

from rdkit import Chem

MOST_STEPS = 20_000


@dataclass(frozen=True)
class Reason:
    """Why one molecule is a false positive.

    Attributes:
        sentence: for people.
        image: the molecule's atom for every atom of the SMARTS, or None where no homomorphism was found.
        shared: atoms of the SMARTS with the same image, the first such pair, or None.
    """

    sentence: str
    image: tuple[int, ...] | None = None
    shared: tuple[int, int] | None = None

    @property
    def meeting(self) -> int | None:
        """The molecule's atom in which the two branches meet."""
        return self.image[self.shared[0]] if self.image is not None and self.shared else None


def reason(mol: Chem.Mol, motif: Chem.Mol) -> Reason:
    """Search the homomorphism, within ``MOST_STEPS`` steps."""
    image = homomorphism(mol, motif)
    if image is None:
        if motif.GetNumAtoms() > motif.GetNumBonds():
            return Reason("An atom fits the network that does not fit the SMARTS: a condition is not asked for.")
        return Reason("A walk along the SMARTS leaves its ring and closes in another.")
    first: dict[int, int] = {}
    for atom, place in enumerate(image):
        if place in first:
            symbol = mol.GetAtomWithIdx(place).GetSymbol()
            return Reason(
                f"Atoms {first[place] + 1} and {atom + 1} of the SMARTS both fall on {symbol}{place} of the molecule.",
                image,
                (first[place], atom),
            )
        first[place] = atom
    return Reason("The SMARTS fits atom by atom and bond by bond.", image)


def homomorphism(mol: Chem.Mol, motif: Chem.Mol) -> tuple[int, ...] | None:
    """A locally injective homomorphism, the molecule's atom for every atom of the SMARTS, or None."""
    allowed = [_fitting(mol, atom) for atom in motif.GetAtoms()]
    order = _order(motif)
    image: dict[int, int] = {}
    steps = 0

    def fits(atom: int, place: int) -> bool:
        for neighbour in motif.GetAtomWithIdx(atom).GetNeighbors():
            other = neighbour.GetIdx()
            if other not in image:
                continue
            bond = mol.GetBondBetweenAtoms(place, image[other])
            if bond is None or not motif.GetBondBetweenAtoms(atom, other).Match(bond):
                return False
            for sibling in neighbour.GetNeighbors():
                if sibling.GetIdx() != atom and image.get(sibling.GetIdx()) == place:
                    return False
        # What is placed already may be two neighbours of this atom.
        around = [image[n.GetIdx()] for n in motif.GetAtomWithIdx(atom).GetNeighbors() if n.GetIdx() in image]
        return len(around) == len(set(around))

    def place_from(number: int) -> bool:
        nonlocal steps
        if number == len(order):
            return True
        atom, before = order[number]
        places = (
            allowed[atom]
            if before is None
            else {n.GetIdx() for n in mol.GetAtomWithIdx(image[before]).GetNeighbors()} & allowed[atom]
        )
        for place in sorted(places):
            steps += 1
            if steps > MOST_STEPS:
                return False
            if fits(atom, place):
                image[atom] = place
                if place_from(number + 1):
                    return True
                del image[atom]
        return False

    return tuple(image[atom] for atom in range(motif.GetNumAtoms())) if place_from(0) else None


def _fitting(mol: Chem.Mol, atom: Chem.Atom) -> set[int]:
    alone = Chem.MolFromSmarts(atom.GetSmarts())
    return {match[0] for match in mol.GetSubstructMatches(alone, maxMatches=mol.GetNumAtoms() + 1)}


def _order(motif: Chem.Mol) -> list[tuple[int, int | None]]:
    """Atoms of the SMARTS, each after a neighbour of it (None for the first of a part)."""
    order: list[tuple[int, int | None]] = []
    seen: set[int] = set()
    for start in range(motif.GetNumAtoms()):
        front: list[tuple[int, int | None]] = [(start, None)]
        while front:
            atom, before = front.pop()
            if atom in seen:
                continue
            seen.add(atom)
            order.append((atom, before))
            front += [(n.GetIdx(), atom) for n in motif.GetAtomWithIdx(atom).GetNeighbors() if n.GetIdx() not in seen]
    return order
