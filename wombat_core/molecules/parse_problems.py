"""RDKit's reasons for refusing a molecule, in plain words and with the place."""

import re
from collections.abc import Sequence

from rdkit import Chem, rdBase

from ..errors import InputError

SHOWN_CHARACTERS = 60
LAST_ELEMENT = 118
"""The highest atomic number in RDKit's periodic table."""

_NO_REASON = "RDKit cannot sanitise it"

_NUMBERED_ATOM = re.compile(r"\[\d*#(\d+)")
_ATOM = re.compile(r"\[[^\]]*\]|Cl|Br|[BCNOPSFIbcnops*]")
_BRACKET_OR_RING = re.compile(r"\[[^\]]*\]|%\((\d+)\)|%(\d\d)|(\d)")
_TIMESTAMP = re.compile(r"^\[\d\d:\d\d:\d\d\] ?(?:ERROR: )?", re.MULTILINE)


def shorten(text: str, limit: int = SHOWN_CHARACTERS) -> str:
    """``text`` cut to at most ``limit`` characters, so that long input is never echoed whole.

    Characters that cannot be shown are replaced.
    """
    text = text if len(text) <= limit else f"{text[: limit - 1]}…"
    return text if text.isprintable() else "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def as_clause(error: InputError) -> str:
    """The sentence of ``error``, to stand behind a colon."""
    sentence = str(error)
    return f"t{sentence[1:]}" if sentence.startswith(("The ", "There ")) else sentence


def log_text(log: rdBase.CaptureErrorLog) -> str:
    """What RDKit wrote, also where it quotes input that is not UTF-8."""
    try:
        return log.messages
    except UnicodeDecodeError as error:
        return error.object.decode(errors="replace")


class SmilesError(InputError):
    """A text that RDKit cannot parse as SMILES."""


def smiles_error(smiles: str) -> SmilesError:
    """The error for a SMILES that RDKit refuses: one sentence with place and reason."""
    return SmilesError(f"The SMILES '{shorten(smiles)}' cannot be read: {smiles_reason(smiles)}.")


def check_atomic_numbers(smiles: str) -> None:
    """Refuse atoms such as ``[#119]``; RDKit counts on from 0 behind 255, so that ``[#262]`` is carbon to it.

    Raises:
        SmilesError: an atomic number is above ``LAST_ELEMENT``.
    """
    for match in _NUMBERED_ATOM.finditer(smiles):
        if len(match[1].lstrip("0")) > 3 or int(match[1]) > LAST_ELEMENT:
            index = len(_ATOM.findall(smiles, 0, match.start()))
            raise SmilesError(
                f"The SMILES '{shorten(smiles)}' cannot be read: atom {index} (position {match.start() + 1}) has the "
                f"atomic number {shorten(match[1], 12)}, and no element above {LAST_ELEMENT} is known."
            )


def smiles_reason(smiles: str) -> str:
    """Why RDKit refuses ``smiles``. Positions count characters from 1, atoms from 0."""
    params = Chem.SmilesParserParams()
    params.sanitize = False
    params.removeHs = False
    params.parseName = False
    with rdBase.BlockLogs(), rdBase.CaptureErrorLog() as log:
        mol = Chem.MolFromSmiles(smiles, params)
    if mol is None:
        return _syntax_reason(smiles, log_text(log))
    positions = [match.start() + 1 for match in _ATOM.finditer(smiles)]
    return chemistry_reason(mol, positions if len(positions) == mol.GetNumAtoms() else ())


def chemistry_reason(mol: Chem.Mol, positions: Sequence[int] = ()) -> str:
    """Why RDKit cannot sanitise a molecule: the first problem, with the atoms named. Never raises.

    Args:
        mol: the unsanitised molecule.
        positions: for each atom its character position in the SMILES, or nothing.
    """
    if reason := _unknown_element(mol):
        return reason
    with rdBase.BlockLogs():
        try:
            return _first_problem(mol, _problems(mol), positions)
        except Exception:  # RDKit's broken preconditions come as errors of several types
            return _NO_REASON


def _unknown_element(mol: Chem.Mol) -> str | None:
    """The first atom beyond RDKit's periodic table, of which RDKit cannot even tell the symbol."""
    for index, atom in enumerate(mol.GetAtoms()):
        if (number := atom.GetAtomicNum()) > LAST_ELEMENT:
            return f"atom {index} has the atomic number {number}, and no element above {LAST_ELEMENT} is known"
    return None


def _problems(mol: Chem.Mol) -> list:
    """What keeps the molecule from being sanitised; some of it only shows when it is tried."""
    if problems := Chem.DetectChemistryProblems(mol):
        return list(problems)
    try:
        Chem.SanitizeMol(Chem.Mol(mol))
    except Chem.MolSanitizeException as error:
        return [error.cause]  # pyright: ignore[reportAttributeAccessIssue] (RDKit's stub leaves it out)
    return []


def _first_problem(mol: Chem.Mol, problems: list, positions: Sequence[int]) -> str:
    def name(index: int) -> str:
        symbol = f"{mol.GetAtomWithIdx(index).GetSymbol()}{index}"
        return f"{symbol} (position {positions[index]})" if positions else symbol

    if not problems:
        return _NO_REASON
    problem = problems[0]
    kind = problem.GetType()
    if kind == "AtomValenceException":
        valence = re.search(r", (\d+), is greater than permitted", problem.Message())
        too_many = f"a valence of {valence[1]}, more" if valence else "a higher valence"
        return f"atom {name(problem.GetAtomIdx())} has {too_many} than its element and charge allow"
    if kind == "AtomKekulizeException":
        return f"atom {name(problem.GetAtomIdx())} is written as aromatic but is not in a ring"
    if kind == "KekulizeException":
        atoms = list(problem.GetAtomIndices())
        named = ", ".join(f"{mol.GetAtomWithIdx(i).GetSymbol()}{i}" for i in atoms[:8])
        named += ", …" if len(atoms) > 8 else ""
        places = [positions[i] for i in atoms] if positions else []
        where = f" (positions {min(places)} to {max(places)})" if len(places) > 1 else ""
        return (
            f"no alternating single and double bonds fit the aromatic atoms {named}{where}; "
            "an [nH] or a charge may be missing"
        )
    return plain_log(problem.Message())


def plain_log(log: str) -> str:
    """The first line of an RDKit log, without its time stamp and with atoms named as elsewhere."""
    lines = [line for line in _TIMESTAMP.sub("", log).splitlines() if line.strip()]
    if not lines:
        return "RDKit gives no reason"
    line = lines[0].removeprefix("SMILES Parse Error: ").split(" for input: ")[0].strip().rstrip(".")
    valence = re.search(r"Explicit valence for atom # (\d+) (\w+), (\d+), is greater than permitted", line)
    if valence:
        index, symbol, value = valence.groups()
        return f"atom {symbol}{index} has a valence of {value}, more than its element and charge allow"
    if kekulize := re.search(r"Unkekulized atoms: ([\d ]+)", line):
        atoms = ", ".join(kekulize[1].split())
        return f"no alternating single and double bonds fit the aromatic atoms {atoms}"
    if lonely := re.search(r"non-ring atom (\d+) marked aromatic", line):
        return f"atom {lonely[1]} is written as aromatic but is not in a ring"
    if short := re.search(r"Counts line too short: .* on line ?(\d+)", line):
        return f"the line with the numbers of atoms and bonds is missing or too short (line {short[1]})"
    return shorten(line[:1].lower() + line[1:], 150)


def _syntax_reason(smiles: str, log: str) -> str:
    if ">" in smiles.replace("->", ""):
        return f"'>' at position {smiles.index('>') + 1} belongs to a reaction, not to a molecule"
    if " |" in smiles:
        return f"its extension from '|' on (CXSMILES, position {smiles.index(' |') + 2}) is not valid"
    if "unclosed ring" in log:
        label, position = _open_rings(smiles)[0]
        return f"ring {label}, opened at position {position}, is never closed"
    place = re.search(r"check for mistakes around position (\d+)", log)
    if place is None:
        reason = plain_log(log)
        closure = re.search(r"ring closure (\d+)", reason)
        if closure and (position := _last_ring(smiles, closure[1])):
            reason += f" (position {position})"
        return reason
    position = int(place[1])
    character = smiles[position - 1] if position <= len(smiles) else ""
    if "extra open parentheses" in log:
        return f"the parenthesis '(' at position {position} is never closed"
    if "extra close parentheses" in log:
        return f"the parenthesis ')' at position {position} was never opened"
    return _character_reason(smiles, position, character)


def _character_reason(smiles: str, position: int, character: str) -> str:
    before = smiles[: position - 1]
    opened = smiles[:position].rfind("[")
    if opened > before.rfind("]"):
        closed = smiles.find("]", opened)
        if closed < 0:
            return f"the bracket '[' at position {opened + 1} is never closed"
        inside = smiles[opened + 1 : closed]
        symbol = re.match(r"\d*([A-Z][a-z]?|[a-z]+)", inside)
        if symbol and not _is_element(symbol[1]) and not _is_element(symbol[1][:1]):
            return f"'{shorten(symbol[1], 12)}' in the bracket at position {opened + 1} is not an element"
        if not inside:
            return f"the bracket at position {opened + 1} is empty"
        return f"'[{shorten(inside, 20)}]' at position {opened + 1} is not an atom (see position {position})"
    if character == "]":
        return f"the bracket ']' at position {position} was never opened"
    if position == len(smiles) and character in "=#$:-/\\.(~@":
        return f"nothing follows the '{character}' at position {position}"
    if position == 1 and character in "=#$:-/\\.()~@%0123456789":
        return f"a SMILES cannot begin with '{character}' (position 1)"
    if character.isalpha():
        hint = ", elements outside B, C, N, O, P, S, F, Cl, Br, I need brackets"
        return f"'{character}' at position {position} is not an atom that can stand here{hint}"
    return f"'{shorten(character)}' at position {position} cannot stand here"


def _is_element(symbol: str) -> bool:
    with rdBase.BlockLogs():
        try:
            return Chem.GetPeriodicTable().GetAtomicNumber(symbol.capitalize()) > 0
        except RuntimeError:
            return False


def _rings(smiles: str):
    for match in _BRACKET_OR_RING.finditer(smiles):
        if label := next((group for group in match.groups() if group), None):
            yield str(int(label)), match.start() + 1


def _open_rings(smiles: str) -> list[tuple[str, int]]:
    """Ring labels that are opened and not closed, with the position of the label."""
    opened: dict[str, int] = {}
    for label, position in _rings(smiles):
        if opened.pop(label, None) is None:
            opened[label] = position
    return list(opened.items()) or [("closure", len(smiles))]


def _last_ring(smiles: str, label: str) -> int | None:
    return next((position for found, position in reversed(list(_rings(smiles))) if found == label), None)
