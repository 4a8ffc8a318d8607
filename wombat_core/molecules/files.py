"""Molecules from CSV, TSV, SMI, MOL and SDF files, one at a time."""

import codecs
import csv
import io
import re
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from rdkit import Chem, rdBase

from ..errors import InputError
from .columns import Table, open_table
from .molecule import Molecule, from_rdkit, from_smiles
from .parse_problems import as_clause, log_text, plain_log, shorten

MAX_FILE_BYTES = 200_000_000
"""Largest file that is read, in bytes."""

Record = tuple[int, Molecule | InputError]

_TABLES = {".csv", ".tsv", ".tab"}
_STRUCTURES = {".sdf", ".sd", ".mol", ".mdl"}
_CHUNK = 1 << 20
_LATIN_NOTE = "The file is not UTF-8; it was read as Latin-1."
_MAGIC = {
    b"PK\x03\x04": "a ZIP archive or an Excel workbook",
    b"\x1f\x8b": "compressed (gzip)",
    b"%PDF": "a PDF",
}


def read_molecules(source, filename: str | None = None, column: str | None = None) -> Iterator[Record]:
    """Stream the molecules of a file.

    Args:
        source: a path, or an open file (binary, or a text file with ``.buffer`` such as ``sys.stdin``).
        filename: name to show; its ending decides the format (csv, tsv, sdf, mol; anything else is one
            SMILES a line with an optional name behind it, unless the content is an SDF's). Defaults to
            the name of the path.
        column: the SMILES column of a CSV or TSV file, by header or as "column 2"; found by itself if None.

    Returns:
        An iterator of (number, molecule or the error that stands in its place). The number is the line
        in the file (from 1, the header counts), for MOL and SDF files the record (from 1).

    Raises:
        InputError: at once, when the file as a whole cannot be used: missing, a folder, empty, above
            ``MAX_FILE_BYTES``, not text, without the wanted column.
        ColumnError: at once, when the SMILES column cannot be told; ``columns`` lists the choices.
    """
    if isinstance(source, str | Path):
        file, filename = _open(Path(source)), filename or Path(source).name
    else:
        file, filename = _seekable(getattr(source, "buffer", source)), filename or "the input"
    filename = shorten(filename, 255)
    try:
        encoding = _check(file, filename)
        records = _records(file, filename, column, encoding)
    except BaseException:
        if isinstance(source, str | Path):
            file.close()
        raise
    notes = (_LATIN_NOTE,) if encoding == "latin-1" else ()
    return _stream(records, filename, notes, file if isinstance(source, str | Path) else None)


def _stream(records: Iterator[Record], filename: str, notes: tuple[str, ...], file: BinaryIO | None):
    found = False
    try:
        for number, result in records:
            found = True
            if notes and isinstance(result, Molecule):
                result = replace(result, notes=(*result.notes, *notes))
            yield number, result
    finally:
        if file is not None:
            file.close()
    if not found:
        yield 1, InputError(f"{filename} contains no molecule.")


def _records(file: BinaryIO, filename: str, column: str | None, encoding: str) -> Iterator[Record]:
    ending = Path(filename).suffix.lower()
    if ending in _STRUCTURES or (ending not in _TABLES and _is_structure(file, encoding)):
        return _read_structures(_as_utf8(file, encoding), filename)
    is_table = ending in _TABLES or _has_table_header(file, encoding)
    text = io.TextIOWrapper(io.BufferedReader(_Unclosed(file)), encoding=encoding, newline="")
    if is_table:
        return _read_table(open_table(text, filename, column), filename)
    return _read_lines(text, filename)


def _read_table(table: Table, filename: str) -> Iterator[Record]:
    for line, row in table.rows:
        place = f"{filename}, line {line}"
        if isinstance(row, csv.Error):
            yield line, InputError(f"{place}: the line cannot be read as CSV ({row}).")
        elif table.smiles >= len(row):
            yield line, InputError(f"{place}: the line has {len(row)} cells, none in the SMILES column.")
        elif not (smiles := row[table.smiles].strip()):
            yield line, InputError(f"{place}: the SMILES cell is empty.")
        else:
            name = row[table.name].strip() if table.name is not None and table.name < len(row) else None
            yield line, _molecule(smiles, name or None, place)


def _read_lines(text: io.TextIOWrapper, filename: str) -> Iterator[Record]:
    for line, content in enumerate(text, 1):
        content = content.strip()
        if not content or content.startswith("#"):
            continue
        smiles, *rest = content.split(maxsplit=1)
        if line == 1 and smiles.lower() in {"smiles", "smi", "canonical_smiles", "isomeric_smiles"}:
            continue
        # What begins with | belongs to the SMILES (CXSMILES); from_smiles reads it.
        is_name = rest and not rest[0].startswith("|")
        place = f"{filename}, line {line}"
        yield line, _molecule(smiles if is_name else content, rest[0] if is_name else None, place)


def _read_structures(file: BinaryIO, filename: str) -> Iterator[Record]:
    supplier = Chem.ForwardSDMolSupplier(file, sanitize=True, removeHs=False)
    number = 0
    while not supplier.atEnd():
        number += 1
        place = f"{filename}, record {number}"
        with rdBase.BlockLogs(), rdBase.CaptureErrorLog() as log:
            try:
                mol = next(supplier)
            except StopIteration:
                return
        if mol is not None:
            name = mol.GetProp("_Name").strip() if mol.HasProp("_Name") else ""
            yield number, _at(place, from_rdkit, mol, name or None, place)
        elif not (supplier.atEnd() and "too short: ''" in log_text(log)):  # blank lines at the end
            yield number, InputError(f"{place}: {_structure_reason(log_text(log))}.")


def _structure_reason(log: str) -> str:
    line = re.search(r"ending on line (\d+)", log)
    return plain_log(log) + (f" (the record ends at line {line[1]})" if line else "")


def _molecule(smiles: str, name: str | None, place: str) -> Molecule | InputError:
    return _at(place, from_smiles, smiles, name, place)


def _at(place: str, read, *arguments) -> Molecule | InputError:
    try:
        return read(*arguments)
    except InputError as error:
        return InputError(f"{place}: {as_clause(error)}")


def _open(path: Path) -> BinaryIO:
    if path.is_dir():
        raise InputError(f"{path} is a folder, not a file.")
    try:
        return open(path, "rb")
    except FileNotFoundError:
        raise InputError(f"The file {path} does not exist.") from None
    except OSError as error:
        raise InputError(f"The file {path} cannot be opened: {error.strerror}.") from None


def _seekable(file: BinaryIO) -> BinaryIO:
    if file.seekable():
        return file
    # A pipe: the format is found by looking ahead, so its content is kept.
    kept = tempfile.SpooledTemporaryFile(max_size=_CHUNK * 16)  # noqa: SIM115
    size = 0
    while size <= MAX_FILE_BYTES and (chunk := file.read(_CHUNK)):
        size += kept.write(chunk)
    return kept


def _check(file: BinaryIO, filename: str) -> str:
    """Check size and content; the encoding the text is in."""
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    if size == 0:
        raise InputError(f"{filename} is empty.")
    if size > MAX_FILE_BYTES:
        raise InputError(f"{filename} has more than {MAX_FILE_BYTES // 1_000_000} MB, the most that is read.")
    start = file.read(4096)
    file.seek(0)
    for magic, what in _MAGIC.items():
        if start.startswith(magic):
            raise InputError(f"{filename} is {what}, not a text file with molecules.")
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif sum(byte < 32 and byte not in b"\t\n\r\f\x1a" for byte in start) > len(start) / 100:
        raise InputError(f"{filename} is not a text file: it contains binary data.")
    else:
        encoding = "utf-8-sig"
    if _decodes(file, encoding):
        return encoding
    if encoding == "utf-16":
        raise InputError(f"{filename} begins like UTF-16 text but cannot be decoded as such.")
    return "latin-1"


def _decodes(file: BinaryIO, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for chunk in iter(lambda: file.read(_CHUNK), b""):
            decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    finally:
        file.seek(0)
    return True


def _is_structure(file: BinaryIO, encoding: str) -> bool:
    start = file.read(1 << 16).decode(encoding, errors="ignore")
    file.seek(0)
    return bool(re.search(r"^M  END|^.{33,} V[23]000\s*$", start, re.MULTILINE))


def _has_table_header(file: BinaryIO, encoding: str) -> bool:
    """Whether the first line names a SMILES column among others, whatever the file's ending."""
    start = file.read(1 << 12).decode(encoding, errors="ignore").lstrip()
    file.seek(0)
    line = start.splitlines()[0].lower() if start else ""
    return "smiles" in line and any(delimiter in line for delimiter in ",;\t")


def _as_utf8(file: BinaryIO, encoding: str) -> BinaryIO:
    """RDKit reads bytes: everything else than UTF-8 without a mark is transcoded first."""
    marked = file.read(3) == codecs.BOM_UTF8
    file.seek(0)
    if encoding == "utf-8-sig" and not marked:
        return file
    copy = tempfile.SpooledTemporaryFile(max_size=_CHUNK * 16)  # noqa: SIM115
    decoder = codecs.getincrementaldecoder(encoding)()
    for chunk in iter(lambda: file.read(_CHUNK), b""):
        copy.write(decoder.decode(chunk).encode())
    copy.seek(0)
    return copy


class _Unclosed(io.RawIOBase):
    """Reads from a file without closing it, so that an uploaded file can be read again."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)
