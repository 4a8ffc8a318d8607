"""The records of MOL and SDF files, each parsed by itself: a broken one harms no other."""

import io
import re
from collections.abc import Iterator
from typing import TextIO

from rdkit import Chem, rdBase

from ..bounded import bounded
from ..errors import InputError
from .bounds import TOO_DEAR, check_counts, check_rings
from .mol_repair import in_columns, repaired
from .molecule import Molecule, from_rdkit
from .parse_problems import chemistry_reason, log_text, plain_log, shorten
from .record import Record, read_at

MAX_CHARACTERS = 5_000_000
"""Of one record without its data fields."""
_SHORT = 15_000
"""Characters of a record that cannot be dear: some 200 lines."""
_ATOM_LINE = re.compile(r"^M  V30 \d+ (\S+) +\S+ +\S+ +\S+ +\d+", re.MULTILINE)
"""Of the form V3000; the other has at most 999 atoms."""
_HYDROGENS = {"H", "D", "T"}
_COUNTS_LINE = 4
_END = re.compile(r"M\s+END\s*$", re.IGNORECASE)
_CUT = "the record ends before its {} does"
_EXPLAINED = (
    (r"EOF hit while reading (atom|bond)s", lambda found: _CUT.format(f"{found[1]} list")),
    (r"EOF", lambda _: "the record ends too early"),
    (r"Element '\s*' not found", lambda _: "an atom has no element symbol"),
    (r"bond already exists", lambda _: "two atoms are bonded twice"),
    (r"self-bond", lambda _: "an atom is bonded to itself"),
    (r"getBeginAtomIdx|getEndAtomIdx|bookmark", lambda _: "a bond names an atom that the record does not have"),
    (r"Range Error\s+idx", lambda _: "a line names an atom that the record does not have"),
    (r"unexpected blank line", lambda _: "there is a blank line before 'M  END', or that line is missing"),
    (r"[Cc]annot process coordinates", lambda _: "the coordinates of an atom are no numbers"),
    (
        r"Bad (atom|bond) line",
        lambda found: f"the line of a{'n' if found[1] == 'atom' else ''} {found[1]} is not valid",
    ),
    (r"does not start with 'M  V30 '", lambda _: "a line does not begin with 'M  V30 '"),
)


def read_structures(text: TextIO, filename: str) -> Iterator[Record]:
    """The records of an SDF, or the one of a MOL file, numbered from 1.

    Args:
        text: the file, with any line ends.
        filename: its name as shown in places ("a.sdf, record 2").
    """
    for number, (first_line, block) in enumerate(_blocks(text), 1):
        place = f"{filename}, record {number}"
        yield number, read_at(place, _read_bounded, block, first_line, place)


def _read_bounded(block: str, first_line: int, place: str) -> Molecule:
    """The molecule of a record, whose size is looked at before its rings are.

    Raises:
        InputError: it is none, or too large.
    """
    if len(block) > MAX_CHARACTERS:
        raise InputError(f"the record has more than {MAX_CHARACTERS // 1_000_000} MB, the most that is read.")
    if len(block) <= _SHORT:
        return _read(block, first_line, place)
    # Not even unsanitised: RDKit's reader looks for the rings by itself.
    symbols = _ATOM_LINE.findall(block)
    check_counts(len(symbols), sum(symbol in _HYDROGENS for symbol in symbols))
    return bounded(_read_dear, block, first_line, place, sentence=TOO_DEAR)


def _read_dear(block: str, first_line: int, place: str) -> Molecule:
    molecule = _read(block, first_line, place)
    check_rings(molecule.mol)
    return molecule


def _read(block: str, first_line: int, place: str) -> Molecule:
    mol, block, added = _parsed(block)
    if mol is None:
        raise InputError(f"{_reason(block, first_line - added)}.")
    name = mol.GetProp("_Name").strip() if mol.HasProp("_Name") else ""
    return from_rdkit(mol, name or None, place, block.split("\n"))


def _parsed(block: str) -> tuple[Chem.Mol | None, str, int]:
    """The molecule of a block, the form of the block that it was read from, how many lines were put in front."""
    with rdBase.BlockLogs():
        mol = Chem.MolFromMolBlock(block, sanitize=True, removeHs=False)
        if mol is not None or block.startswith("$RXN"):
            return mol, block, 0
        mended, added = repaired(block)
        for form in (mended, in_columns(mended)):
            if (
                form
                and form != block
                and (mol := Chem.MolFromMolBlock(form, sanitize=True, removeHs=False)) is not None
            ):
                return mol, form, added
    return None, block, 0


def _blocks(text: TextIO) -> Iterator[tuple[int, str]]:
    """(first line, content) of what stands between lines of ``$$$$``, without the data fields."""
    first_line, block, ended, size = 1, [], False, 0
    for line, content in enumerate(text, 1):
        if content.lstrip().startswith("$$$$"):
            yield first_line, "".join(block)
            first_line, block, ended, size = line + 1, [], False, 0
        elif not ended and size <= MAX_CHARACTERS:
            block.append(content)
            size += len(content)
            ended = _END.match(content) is not None
    if any(map(str.strip, block)):
        yield first_line, "".join(block)


def _reason(block: str, first_line: int) -> str:
    """Why RDKit refuses a record, in plain words; lines are counted in the file."""
    if not block.strip():
        return "the record is empty"
    if block.startswith("$RXN"):
        return "the record is a reaction, not a molecule"
    with rdBase.BlockLogs(), rdBase.CaptureErrorLog() as log:
        mol = next(Chem.ForwardSDMolSupplier(io.BytesIO(block.encode()), sanitize=False, removeHs=False), None)
    if mol is not None:
        return chemistry_reason(mol)
    if len(block.splitlines()) < _COUNTS_LINE:
        return _CUT.replace(" does", "").format("line with the numbers of atoms and bonds")
    written = log_text(log)
    line = None if "****" in written else re.search(r"[Ll]ine ?(\d+)", written)
    return _explained(written, block, first_line, int(line[1]) if line else None)


def _explained(written: str, block: str, first_line: int, line: int | None) -> str:
    where = f" (line {first_line + line - 1})" if line else ""
    if unknown := re.search(r"Element '\s*(\S+)\s*' not found", written):
        symbol = unknown[1]
        lines = block.split("\n")
        found = next((i for i, cells in enumerate(lines) if i >= _COUNTS_LINE and symbol in cells.split()), None)
        where = "" if found is None else f" (line {first_line + found})"
        return f"'{shorten(symbol, 12)}' is no element{where}"
    for pattern, explain in _EXPLAINED:
        if found := re.search(pattern, written):
            return explain(found) + where
    if line == _COUNTS_LINE:
        return f"the line with the numbers of atoms and bonds is missing or not valid{where}"
    if number := re.search(r"[Cc]annot convert '(.*?)' to", written):
        return f"'{shorten(number[1].strip(), 12)}' is no number{where}"
    if "****" in written or not written.strip():
        return "RDKit cannot read its atoms and bonds"
    return re.sub(r",? (?:found )?(?:on|at) line ?\d+", "", plain_log(written)) + where
