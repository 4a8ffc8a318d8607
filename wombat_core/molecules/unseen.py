"""What an input says of a molecule beyond atoms and bonds, which the networks never see: refused or told."""

import re
from collections.abc import Sequence

from rdkit import Chem

from ..errors import InputError
from .parse_problems import shorten

_POLYMERS = {"SRU", "COP", "CRO", "MOD", "GRA", "MON", "MER", "GEN", "ANY", "ALT", "RAN", "BLO"}
_MIXTURES = {"MIX", "FOR", "COM"}
_KNOWN_LINES = re.findall(
    r"\w+",
    "CHG RAD ISO RGP SUB UNS RBC LIN ALS APO AAL STY SST SLB SCN SDS SAL SBL SPA SMT SDI SBV SDT SDD SCD SED SPL SNC "
    "CRS PXA SAP SCL SBT BRS ZBO ZCH HYD MRV LOG END V30 STE",
)


def check_labels(mol: Chem.Mol, lines: Sequence[str]) -> None:
    """Refuse what stands for other atoms than it names.

    Args:
        mol: a molecule from a MOL block, hydrogens and all.
        lines: the block.

    Raises:
        InputError: an atom carries an alias or an abbreviation of more than itself, or the record is a query.
    """
    for atom in mol.GetAtoms():
        where = f"atom {atom.GetIdx() + 1} of the record ({atom.GetSymbol()})"
        label = atom.GetProp("molFileAlias").strip() if atom.HasProp("molFileAlias") else ""
        if label and _means_more(label, atom):
            raise InputError(
                f"{where} has the label '{shorten(label, 20)}' (an alias), which stands for more than that atom; "
                "draw the atoms that the abbreviation stands for."
            )
        if atom.HasQuery() and atom.GetAtomicNum() and not atom.HasProp("dummyLabel"):
            raise InputError(f"{where} carries a query, as in a substructure to search for; the record is no molecule.")
    for group in Chem.GetMolSubstanceGroups(mol):
        kind = group.GetProp("TYPE") if group.HasProp("TYPE") else ""
        label = group.GetProp("LABEL").strip() if group.HasProp("LABEL") else ""
        own = list(group.GetAtoms())
        if kind == "SUP" and len(own) == 1 and _means_more(label, mol.GetAtomWithIdx(own[0])):
            raise InputError(
                f"atom {own[0] + 1} of the record is the abbreviation '{shorten(label, 20)}', whose atoms "
                "are not in it; expand the abbreviation."
            )
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if re.match(r"G  [ \d]{3}[ \d]{1,3}\s*$", line):
            label = shorten(following.strip(), 20)
            raise InputError(f"an atom of the record is the abbreviation '{label}' (a group); expand the abbreviation.")


def _means_more(label: str, atom: Chem.Atom) -> bool:
    """Whether a label names other atoms than its own and hydrogens, such as "OMe"; "1" and "a" name none."""
    if not label or not atom.GetAtomicNum():
        return False
    bare = re.sub(r"\^?\{?\d*[+-]+\}?|[+-]\d?|[\d\s\\Sn]*$", "", label) or label
    own = re.fullmatch(rf"(\d*H\d*)?\d*{re.escape(atom.GetSymbol())}\d*(H\d*)?", bare)
    return own is None and re.search(r"[A-Z]", label) is not None


def unseen(mol: Chem.Mol, lines: Sequence[str] = ()) -> list[str]:
    """Sentences about what the networks do not see. Atoms are counted without hydrogens, from 0, as on the pages.

    Args:
        mol: hydrogens and all.
        lines: of its MOL block, if it comes from one.
    """
    numbers, count = {}, 0
    for atom in mol.GetAtoms():
        numbers[atom.GetIdx()] = count
        count += atom.GetAtomicNum() != 1
    notes = [*_of_atoms(mol, numbers), *_of_bonds(mol, numbers), *_of_groups(mol)]
    if mol.HasProp("_molLinkNodes"):
        notes.append("A link node says that an atom may repeat; it is taken once.")
    unknown = {line[3:6] for line in lines if re.match(r"M  [A-Z]{3}", line)} - set(_KNOWN_LINES)
    if unknown:
        listed = ", ".join(f"'M  {name}'" for name in sorted(unknown)[:5])
        notes.append(f"Lines of the record are not known and were left out: {listed}.")
    return notes


def _of_atoms(mol: Chem.Mol, numbers: dict[int, int]) -> list[str]:
    placeholders, labels, points, isotopes, values = [], [], [], [], []
    maps = 0
    for atom in mol.GetAtoms():
        index, number = numbers[atom.GetIdx()], atom.GetAtomicNum()
        if number == 0:
            called = _first(atom, "dummyLabel", "atomLabel", "molFileAlias")
            placeholders.append(f"{index} ({shorten(called, 12)})" if called and called != "*" else str(index))
        elif called := _first(atom, "molFileAlias", "atomLabel"):
            labels.append(f"'{shorten(called, 20)}' at atom {index}")
        if atom.HasProp("molAttchpt"):
            points.append(str(index))
        maps += atom.GetAtomMapNum() > 0
        if number > 1 and atom.GetIsotope():
            isotopes.append(f"{atom.GetIsotope()}{atom.GetSymbol()} at atom {index}")
        if value := _first(atom, "molFileValue"):
            values.append(f"'{shorten(value, 20)}' at atom {index}")
    notes = []
    if placeholders:
        are = "is a placeholder" if len(placeholders) == 1 else "are placeholders"
        notes.append(
            f"{_atoms(placeholders)} {are} (an R group, lone pair, polymer or any atom): "
            "the networks see no element there."
        )
    if labels:
        notes.append(f"Labels are not read: {_list(labels)}.")
    if points:
        notes.append(f"The attachment point at {_atoms(points, 'atom')} is not read: hydrogen takes its place.")
    if isotopes:
        notes.append(f"Isotopes are not seen by the networks: {_list(isotopes)}.")
    if maps:
        notes.append(
            "The molecule's own map numbers, written :1 and so on, are not the atoms' numbers, which begin at 0."
        )
    if values:
        notes.append(f"Values are not read: {_list(values)}.")
    return notes


def _of_bonds(mol: Chem.Mol, numbers: dict[int, int]) -> list[str]:
    vague, many = [], []
    for bond in mol.GetBonds():
        ends = f"{numbers[bond.GetBeginAtomIdx()]} and {numbers[bond.GetEndAtomIdx()]}"
        if bond.HasQuery():
            vague.append(ends)
        if bond.HasProp("_MolFileBondEndPts"):
            many.append(ends)
    notes = []
    if vague:
        notes.append(
            f"The bond between atoms {_list(vague)} has no definite order (a query): the networks see no type."
        )
    if many:
        notes.append(
            f"The bond between atoms {_list(many)} goes to one of several atoms; the record does not say to which."
        )
    return notes


def _of_groups(mol: Chem.Mol) -> list[str]:
    notes = []
    for group in Chem.GetMolSubstanceGroups(mol):
        kind = group.GetProp("TYPE") if group.HasProp("TYPE") else ""
        label = group.GetProp("LABEL") if group.HasProp("LABEL") else ""
        if kind in _POLYMERS:
            named = f" ({shorten(label, 12)})" if label else ""
            notes.append(f"The brackets of a polymer{named} are not read: the repeat unit is taken once.")
        elif kind in _MIXTURES:
            notes.append("The brackets of a mixture are not read: all its parts are taken together.")
        elif kind == "MUL":
            times = group.GetProp("MULT") if group.HasProp("MULT") else ""
            often = shorten(times, 6) or "several"
            notes.append(f"Brackets say that a part is there {often} times; the atoms are taken as they are.")
        elif kind == "DAT" and group.HasProp("FIELDNAME"):
            notes.append(f"The data '{shorten(group.GetProp('FIELDNAME'), 20)}' of a group of atoms is not read.")
    return list(dict.fromkeys(notes))


def _first(atom: Chem.Atom, *names: str) -> str:
    return next((found for name in names if atom.HasProp(name) and (found := str(atom.GetProp(name)).strip())), "")


def _atoms(listed: list[str], word: str = "Atom") -> str:
    return f"{word}{'' if len(listed) == 1 else 's'} {_list(listed)}"


def _list(listed: list[str]) -> str:
    shown = ", ".join(listed[:4])
    return f"{shown} and {len(listed) - 4} more" if len(listed) > 4 else shown
