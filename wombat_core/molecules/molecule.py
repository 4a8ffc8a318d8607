"""The molecule every other part of the explorer works on."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rdkit import Chem, rdBase

from ..bounded import bounded
from ..errors import InputError
from .bounds import MAX_HEAVY_ATOMS, SHORT, TOO_DEAR, check_counts, check_parentheses, check_rings, is_dear
from .parse_problems import SmilesError, check_atomic_numbers, chemistry_reason, plain_log, shorten, smiles_error
from .spelling import split_name, trimmed
from .unseen import check_labels, unseen

__all__ = ["MAX_HEAVY_ATOMS", "MAX_SMILES_CHARACTERS", "Molecule", "from_rdkit", "from_smiles"]

MAX_SMILES_CHARACTERS = 100_000
MAX_NAME_CHARACTERS = 200


@dataclass(frozen=True, eq=False, repr=False)
class Molecule:
    """A molecule in the atom order of its input, without hydrogens.

    Attributes:
        mol: RDKit molecule; all hydrogens removed (``Chem.RemoveAllHs``), atom order as entered.
        smiles: a SMILES. Its heavy atoms come in the order of ``mol`` when the molecule was entered
            as SMILES; for molecules from MOL and SDF records the two orders may differ, see
            ``smiles_order``.
        name: a name to show, or None.
        origin: where it came from, for people ("SMILES", "PubChem name", "a.csv, line 3").
        notes: sentences about what was changed on the way in (hydrogens removed, ...).
        smiles_order: [num_atoms] for the i-th heavy atom of ``smiles`` its index in ``mol``, or None
            where the two orders agree.
    """

    mol: Chem.Mol
    smiles: str
    name: str | None = None
    origin: str = "SMILES"
    notes: tuple[str, ...] = ()
    smiles_order: tuple[int, ...] | None = None

    def __repr__(self) -> str:
        named = "" if self.name is None else f"{self.name}, "
        return f"<Molecule {named}{shorten(self.smiles)}, {self.num_atoms} heavy atoms>"

    @property
    def num_atoms(self) -> int:
        return self.mol.GetNumAtoms()

    @property
    def num_bonds(self) -> int:
        return self.mol.GetNumBonds()

    def as_record(self) -> dict:
        """For JSON: ``smiles``, ``smiles_order`` where its atoms come in another order than ``mol``'s, ``notes``."""
        order = {} if self.smiles_order is None else {"smiles_order": list(self.smiles_order)}
        return {"smiles": self.smiles, **order, **({"notes": list(self.notes)} if self.notes else {})}

    def in_smiles_order(self) -> "Molecule":
        """The same molecule with its atoms in the order of ``smiles``.

        Pages that keep only the SMILES (in a URL) use it, so that atom numbers stay the same when
        the address is opened again.
        """
        return replace(self, mol=from_smiles(self.smiles).mol, smiles_order=None)


def from_smiles(smiles: str, name: str | None = None, origin: str = "SMILES") -> Molecule:
    """Read a SMILES; what follows a blank is its name, as in SMI files.

    Args:
        smiles: SMILES or CXSMILES. Several fragments, dummy atoms ``*``, isotopes, dative and
            zero-order bonds and elements above 99 are fine.
        name: a name to show; wins over one inside ``smiles``.
        origin: where the text came from.

    Raises:
        SmilesError: RDKit cannot parse the text; the sentence says where and why.
        InputError: the text is empty or too long, or the molecule has no heavy atom, more than
            ``MAX_HEAVY_ATOMS``, or rings and branches that cost more to read than a molecule is given
            (see :mod:`wombat_core.molecules.bounds`).
    """
    text = trimmed(smiles)
    if not text:
        raise InputError("There is no SMILES: the text is empty.")
    if len(text) > MAX_SMILES_CHARACTERS:
        raise InputError(f"The SMILES has {len(text):,} characters; at most {MAX_SMILES_CHARACTERS:,} are read.")
    if len(text.splitlines()) > 1:
        raise InputError("The text has several lines; enter one molecule, or use a file for many.")
    text, rest = split_name(text)
    if not text.isascii():
        place, character = next((i, c) for i, c in enumerate(text, 1) if not c.isascii())
        raise SmilesError(
            f"The SMILES '{shorten(text)}' cannot be read: '{shorten(character)}' at position {place} "
            "is not a character of SMILES."
        )
    notes = []
    if rest and name is None:
        name = rest
        notes.append(f"The text after the blank, '{shorten(rest)}', was taken as the molecule's name.")
    check_atomic_numbers(text)
    check_parentheses(text)
    arguments = (text, name, origin, notes)
    if len(text) > SHORT:
        with rdBase.BlockLogs():
            raw = Chem.MolFromSmiles(text, _RAW_PARSER)
        if raw is None:
            raise smiles_error(text)
        if is_dear(raw):
            return bounded(_read_dear, *arguments, sentence=TOO_DEAR)
    return _read(*arguments)


def _read_dear(*arguments) -> Molecule:
    molecule = _read(*arguments)
    check_rings(molecule.mol)
    return molecule


def _read(text: str, name: str | None, origin: str, notes: list[str]) -> Molecule:
    # With its own log RDKit prints nothing; a second parse tells why the first failed.
    with rdBase.BlockLogs():
        mol = Chem.MolFromSmiles(text, _PARSER)
    if mol is None:
        raise smiles_error(text)
    if _TELLING.search(text):
        notes += unseen(mol)
    if _BARE_ATOMS.fullmatch(text):
        notes.append("Every atom is written in brackets and so without hydrogens; if SELFIES was meant, convert it.")
    return _finish(mol, text, name, origin, notes)


# What may say more than atoms and bonds: placeholders, CXSMILES, isotopes.
_TELLING = re.compile(r"\*|\[#0| \||\[\d+[^H\d]|:\d+\]")
_BARE_ATOMS = re.compile(r"(\[[A-Z][a-z]?\]){2,}")


def from_rdkit(
    mol: Chem.Mol, name: str | None = None, origin: str = "RDKit", lines: Sequence[str] | None = None
) -> Molecule:
    """A molecule from an RDKit one, its atoms in the order they have there.

    ``smiles`` is RDKit's own SMILES of it, whose atoms may come in another order than ``mol``'s;
    ``Molecule.smiles_order`` tells which, ``Molecule.in_smiles_order`` brings the two together.

    Args:
        mol: of any origin.
        name, origin: as :func:`from_smiles`.
        lines: of the MOL block it was read from, which may say more than RDKit keeps.

    Raises:
        InputError: RDKit cannot sanitise the molecule, it has no heavy atom, or it is above
            ``MAX_HEAVY_ATOMS``; a label of a MOL block stands for atoms that are not in it.
    """
    if lines is not None:
        check_labels(mol, lines)
    molecule = _finish(Chem.Mol(mol), "", name, origin, unseen(mol, lines or ()))
    smiles = Chem.MolToSmiles(molecule.mol)
    order = tuple(molecule.mol.GetPropsAsDict(True, True)["_smilesAtomOutputOrder"])
    return replace(molecule, smiles=smiles, smiles_order=None if order == tuple(range(len(order))) else order)


def _parser(sanitize: bool) -> Chem.SmilesParserParams:
    # Hydrogens stay at first: how many are removed is told to the user.
    params = Chem.SmilesParserParams()
    params.sanitize = sanitize
    params.removeHs = False
    params.parseName = False
    return params


_PARSER, _RAW_PARSER = _parser(True), _parser(False)


def _finish(mol: Chem.Mol, smiles: str, name: str | None, origin: str, notes: list[str]) -> Molecule:
    """Check the size, remove the hydrogens and say so."""
    num_hydrogens = mol.GetNumAtoms() - mol.GetNumHeavyAtoms()
    if num_hydrogens:
        # RDKit does not count dummy atoms as heavy; here they are atoms like others.
        hydrogens = [atom for atom in mol.GetAtoms() if atom.GetAtomicNum() == 1]
        num_hydrogens = len(hydrogens)
    num_heavy = mol.GetNumAtoms() - num_hydrogens
    if num_heavy == 0:
        what = f"'{shorten(smiles)}'" if smiles else "The molecule"
        raise InputError(f"{what} has no heavy atoms{', only hydrogens' if num_hydrogens else ''}.")
    check_counts(mol.GetNumAtoms(), num_hydrogens)
    if num_hydrogens or mol.NeedsUpdatePropertyCache():
        mol = _without_hydrogens(mol)
    if num_hydrogens:
        isotopes = sum(atom.GetIsotope() > 0 for atom in hydrogens)
        heavy = f" ({isotopes} of them deuterium or tritium)" if isotopes else ""
        were = "1 explicit hydrogen was" if num_hydrogens == 1 else f"{num_hydrogens} explicit hydrogens were"
        notes.insert(0, f"{were} removed{heavy}; atom numbers count the other atoms in the order of the input.")
    name = shorten(" ".join(name.split()), MAX_NAME_CHARACTERS) or None if name else None
    return Molecule(mol, smiles, name, origin, tuple(notes))


def _without_hydrogens(mol: Chem.Mol) -> Chem.Mol:
    with rdBase.BlockLogs():
        try:
            usable = not (mol.NeedsUpdatePropertyCache() and Chem.DetectChemistryProblems(mol))
        except RuntimeError:
            usable = False
        if not usable:
            raise InputError(f"The molecule cannot be used: {chemistry_reason(mol)}.")
        try:
            return Chem.RemoveAllHs(mol)
        except (ValueError, RuntimeError) as error:
            reason = plain_log(str(error))
            raise InputError(f"The molecule cannot be used: its hydrogens cannot be removed ({reason}).") from None
