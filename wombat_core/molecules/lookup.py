"""From what a user types to a molecule: a SMILES, a CAS number, a name, an InChI or an InChIKey."""

import re
from dataclasses import replace

from rdkit import Chem, rdBase

from ..bounded import bounded
from ..errors import InputError
from .bounds import SHORT, TOO_DEAR
from .foreign import database_of, foreign_text
from .library import LibraryRow
from .molecule import Molecule, from_smiles
from .name_index import Hit, name_index
from .parse_problems import SmilesError, as_clause, shorten
from .spelling import plain_signs, trimmed, unwrapped

_INCHI_KEY = re.compile(r"(?:InChIKey=)?([A-Z]{14}-[A-Z]{10}-[A-Z])", re.IGNORECASE)
_CAS = re.compile(r"(?:cas(?:[- ]?(?:rn|no\.?|number))?[:\s]*)?0*(\d{2,7})-(\d\d)-(\d)", re.IGNORECASE)
_LONGEST_NAME = 500
_LONGEST_INCHI = 20_000


class UnknownNameError(InputError):
    """A text is no SMILES and no, or no unambiguous, name or CAS number.

    Attributes:
        suggestions: texts to offer instead, best first; each can be given to ``find_molecule``.
    """

    def __init__(self, sentence: str, suggestions: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.suggestions = suggestions


def find_molecule(text: str, suggest: bool = True) -> Molecule:
    """The molecule a text stands for: read as SMILES, else as CAS number, else as name.

    InChIs and InChIKeys are known by their form and never taken for anything else; atoms of an InChI
    come in the order of RDKit's SMILES of it. Names, CAS numbers and InChIKeys are those of PubChem in
    the package ``chemicals``, in any case. A name that several stereoisomers share gives the first of
    them and a note, since the whiteboxes do not see stereochemistry; one that is the main name of only
    one molecule gives that one and a note. Where nothing fits, quotation marks around the text, a comma
    at its end and the like are left out, which a note says.

    Args:
        text: what was typed, piped or read.
        suggest: whether to look for names like an unknown one (0.2 s).

    Raises:
        UnknownNameError: nothing fits, or several different molecules carry the name.
        InputError: the text is empty, or is meant as SMILES or InChI and RDKit cannot parse it.
    """
    text = trimmed(text)
    if not text:
        raise InputError("There is no molecule: enter a SMILES, a name or a CAS number.")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise InputError(f"The text '{shorten(text)}' cannot be read: it is not in UTF-8.")
    if text[:6].lower() == "inchi=":
        inchi, *named = text.split(maxsplit=1)
        molecule = _by_inchi(inchi)
        return replace(molecule, name=shorten(named[0])) if named else molecule
    if key := _INCHI_KEY.fullmatch(text):
        return _by_inchi_key(key[1].upper())
    if is_name_with_blanks(text) and (hits := _rows_named(text)):
        # "SMILES name" is also how SMI files write a line, so names with blanks come first.
        return _choose(text, hits)
    try:
        return from_smiles(text)
    except SmilesError as error:
        smiles_error = error
    if len(text) > _LONGEST_NAME:
        raise smiles_error
    if cas := _CAS.fullmatch(plain_signs(text)):
        return _by_cas("-".join(cas.groups()))
    if _is_element_symbol(text):
        named = tuple(hit.row.cas for hit in _rows_named(text))
        raise UnknownNameError(
            f"'{text}' is the symbol of an element, which a SMILES writes in brackets: [{text}].",
            (f"[{text}]", *named),
        )
    if hits := _rows_named(text):
        return _choose(text, hits)
    if around := unwrapped(text):
        return _unwrapped(*around, suggest)
    if not text.isascii() and (plain := plain_signs(text)) != text and plain.isascii() and looks_like_smiles(plain):
        molecule = from_smiles(plain)
        return replace(molecule, notes=(*molecule.notes, f"Read as '{shorten(plain)}', with plain signs."))
    if notation := foreign_text(text):
        raise InputError(f"'{shorten(text)}' is {notation[1]}.")
    if (database := database_of(text)) is not None:
        of = f" of {database}" if database else ""
        raise UnknownNameError(
            f"'{shorten(text)}' looks like an identifier{of}, a database's name for a molecule; identifiers are not "
            "known here, enter the SMILES, a name or a CAS number."
        )
    if is_smarts(text):
        raise SmilesError(f"'{shorten(text)}' is a SMARTS, which describes many molecules; enter the SMILES of one.")
    if looks_like_smiles(text):
        raise smiles_error
    suggestions = name_index().nearest(text) if suggest else ()
    offer = f"; the nearest names are {', '.join(map(shorten, suggestions))}" if suggestions else ""
    raise UnknownNameError(
        f"'{shorten(text)}' is neither a SMILES nor a name or CAS number known here{offer}.", suggestions
    )


def is_name_with_blanks(text: str) -> bool:
    """Whether a text may be a name of several words, the first of which happens to be a SMILES: "CO poisoning"."""
    first, *rest = text.split(maxsplit=1)
    return bool(rest) and len(text) <= _LONGEST_NAME and first.isalpha()


def _unwrapped(inner: str, what: str, suggest: bool) -> Molecule:
    molecule = find_molecule(inner, suggest)
    note = f"Left out: {what}."
    return replace(molecule, notes=(*molecule.notes, note))


def is_smarts(text: str) -> bool:
    """Whether a text that is no SMILES describes a pattern: it has signs that only SMARTS has, and parses as one."""
    if len(text) > _LONGEST_NAME or not re.search(r"\[[^\]]*(\d*[,;!&]|[XDvRrx]\d|\$\(|#\d)|\[[*Aa][;,&]|~", text):
        return False
    with rdBase.BlockLogs():
        return Chem.MolFromSmarts(text) is not None


def looks_like_smiles(text: str) -> bool:
    """Whether a text that does not parse was still meant as SMILES rather than as a name."""
    if re.search(r"[\s,;']", text):
        return False
    outside = re.sub(r"\[[^\]]*\]?", "", text).replace("Cl", "C").replace("Br", "B")
    letters = [c for c in outside if c.isalpha()]
    fitting = sum(c in "BCNOPSFIHbcnops" for c in letters)
    if "[" in text and fitting == len(letters):
        return True
    if not letters:
        return False
    marked = bool(re.search(r"[=#()\[\]@/\\%$*]|[A-Za-z]\d", text))
    all_atoms = all(c in "BCNOPSFIH" for c in letters) and len(letters) > 1
    return all_atoms or (marked and fitting / len(letters) >= 0.75)


def _rows_named(text: str) -> list[Hit]:
    return name_index().name(text)


def _by_inchi(text: str) -> Molecule:
    if len(text) > _LONGEST_INCHI:
        raise InputError(f"The InChI has {len(text):,} characters; at most {_LONGEST_INCHI:,} are read.")
    # A short one may stand for many atoms: it counts components.
    is_short = len(text) <= SHORT and not re.search(r"\d{3}", text[6:])
    smiles, again = _inchi_smiles(text) if is_short else bounded(_inchi_smiles, text, sentence=TOO_DEAR)
    if smiles is None:
        raise InputError(f"The InChI '{shorten(text)}' cannot be read: it is incomplete or misspelt.")
    molecule = from_smiles(smiles, origin="InChI")
    formulas = [inchi.split("/")[1] if "/" in inchi else "" for inchi in (text, again)]
    if formulas[0] == formulas[1]:
        return molecule
    # Some salts, and InChIs whose layers do not fit together.
    note = (
        f"The InChI's formula is {shorten(formulas[0])}, but RDKit reads {shorten(formulas[1]) or 'another'} from it."
    )
    return replace(molecule, notes=(*molecule.notes, note))


def _inchi_smiles(text: str) -> tuple[str | None, str]:
    """RDKit's SMILES of an InChI, or None, and the InChI of what was read."""
    with rdBase.BlockLogs():
        try:
            mol = Chem.MolFromInchi(f"InChI={text[6:]}")
            return (None, "") if mol is None else (Chem.MolToSmiles(mol), Chem.MolToInchi(mol))
        except (ValueError, RuntimeError):
            return None, ""


def _by_inchi_key(key: str) -> Molecule:
    index = name_index()
    if row := index.inchi_key(key):
        return _molecule(row, "PubChem InChIKey")
    raise UnknownNameError(
        f"The InChIKey {key} is not among the {len(index):,} molecules known here, and a key alone does not tell "
        "the structure; enter a SMILES or an InChI instead."
    )


def _by_cas(number: str) -> Molecule:
    index = name_index()
    if row := index.cas(number):
        return _molecule(row, "PubChem CAS number")
    digits = number.replace("-", "")
    check = sum(place * int(digit) for place, digit in enumerate(reversed(digits[:-1]), 1)) % 10
    if check != int(digits[-1]):
        raise UnknownNameError(
            f"{number} is not a CAS number: its last digit, which checks the others, would be {check}.",
            (f"{number[:-1]}{check}",) if index.cas(f"{number[:-1]}{check}") else (),
        )
    # Withdrawn numbers stand among the synonyms.
    if hits := index.name(number):
        return _choose(number, hits)
    raise UnknownNameError(f"The CAS number {number} is not among the {len(index):,} molecules known here.")


def _choose(text: str, hits: list[Hit]) -> Molecule:
    """One molecule of those that carry the name ``text``."""
    main = [hit for hit in hits if hit.is_main]
    candidates = main or hits
    if len({_constitution(hit.row.smiles) for hit in candidates}) > 1:
        rows = [hit.row for hit in candidates]
        listed = "; ".join(f"{row.cas} {shorten(row.name)}" for row in rows[:5])
        more = f"; and {len(rows) - 5} more" if len(rows) > 5 else ""
        raise UnknownNameError(
            f"'{shorten(text)}' is a name of {len(rows)} different molecules: {listed}{more}.",
            tuple(row.cas for row in rows),
        )
    # Without a label: the name of a compound does not mean its isotopologue.
    row = min((hit.row for hit in candidates), key=lambda row: bool(re.search(r"\[\d", row.smiles)))
    molecule = _molecule(row, "PubChem name")
    others = [hit.row for hit in hits if hit.row.cas != row.cas]
    if not others:
        return molecule
    listed = ", ".join(f"{other.cas} {shorten(other.name)}" for other in others[:3])
    note = (
        f"Other molecules carry the name '{shorten(text)}' too ({listed}{', …' if len(others) > 3 else ''}); "
        f"this is {row.cas} {shorten(row.name)}."
    )
    return replace(molecule, notes=(*molecule.notes, note))


def _molecule(row: LibraryRow, origin: str) -> Molecule:
    try:
        return from_smiles(row.smiles, row.name, origin)
    except InputError as error:
        raise InputError(f"PubChem's {shorten(row.name)} ({row.cas}) cannot be used: {as_clause(error)}") from None


def _constitution(smiles: str) -> str:
    """A key that is equal for stereoisomers."""
    with rdBase.BlockLogs():
        mol = Chem.MolFromSmiles(smiles)
    return smiles if mol is None else Chem.MolToSmiles(mol, isomericSmiles=False)


def _is_element_symbol(text: str) -> bool:
    table = Chem.GetPeriodicTable()
    return len(text) <= 2 and text in {table.GetElementSymbol(number) for number in range(1, 119)}
