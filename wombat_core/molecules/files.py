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

from ..errors import InputError
from .columns import TextTable, open_table
from .molecule import Molecule, from_smiles
from .parse_problems import shorten
from .record import Record, RecordError, read_at
from .structures import read_structures

MAX_FILE_BYTES = 200_000_000
"""Largest file that is read, in bytes."""

_TABLES = {".csv", ".tsv", ".tab"}
_STRUCTURES = {".sdf", ".sd", ".mol", ".mdl"}
_CHUNK = 1 << 20
LATIN_NOTE = "The file is not UTF-8; it was read as Latin-1."
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
        in the file (from 1, the header counts), for MOL and SDF files the record (from 1). The place in
        words is the molecule's ``origin`` or the ``RecordError``'s ``place``; both say when the file
        was read as Latin-1, which the molecule's ``notes`` explain.

    Raises:
        InputError: at once, when the file as a whole cannot be used: missing, a folder, empty, above
            ``MAX_FILE_BYTES``, not text, without the wanted column or without columns at all.
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
    notes = (LATIN_NOTE,) if encoding == "latin-1" else ()
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
    shown = f"{filename} (read as Latin-1)" if encoding == "latin-1" else filename
    is_structure = ending in _STRUCTURES or (ending not in _TABLES and _is_structure(file, encoding))
    is_table = not is_structure and (ending in _TABLES or _has_table_header(file, encoding, column))
    text = io.TextIOWrapper(io.BufferedReader(_Unclosed(file)), encoding=encoding, newline=None if is_structure else "")
    if is_table:
        return _read_table(open_table(text, filename, column), shown)
    if column is not None:
        kind = "MOL or SDF records" if is_structure else "one SMILES a line"
        raise InputError(f"{filename} has no columns, so '{shorten(column)}' cannot be one: it holds {kind}.")
    return read_structures(text, shown) if is_structure else _read_lines(text, shown)


def _read_table(table: TextTable, filename: str) -> Iterator[Record]:
    for line, row in table.rows:
        place = f"{filename}, line {line}"
        if isinstance(row, csv.Error):
            yield line, RecordError(place, f"the line cannot be read as CSV ({row}).")
        elif table.smiles >= len(row):
            yield line, RecordError(place, f"the line has {len(row)} cells, none in the SMILES column.")
        elif not (smiles := row[table.smiles].strip()):
            yield line, RecordError(place, "the SMILES cell is empty.")
        else:
            name = row[table.name].strip() if table.name is not None and table.name < len(row) else None
            yield line, read_at(place, from_smiles, smiles, name or None, place)


def _read_lines(lines: io.TextIOWrapper, filename: str) -> Iterator[Record]:
    for line, content in enumerate(lines, 1):
        content = content.strip()
        if not content or content.startswith("#"):
            continue
        smiles, *rest = content.split(maxsplit=1)
        if line == 1 and smiles.lower() in {"smiles", "smi", "canonical_smiles", "isomeric_smiles"}:
            continue
        # What begins with | belongs to the SMILES (CXSMILES); from_smiles reads it.
        is_name = rest and not rest[0].startswith("|")
        place = f"{filename}, line {line}"
        text = smiles if is_name else content
        yield line, read_at(place, from_smiles, text, rest[0] if is_name else None, place)


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


def _has_table_header(file: BinaryIO, encoding: str, column: str | None) -> bool:
    """Whether the first line names the wanted or a SMILES column among others, whatever the file's ending."""
    start = file.read(1 << 12).decode(encoding, errors="ignore").lstrip()
    file.seek(0)
    line = start.splitlines()[0].lower() if start else ""
    cells = [cell.strip(' "') for cell in re.split(r"[,;\t]", line)]
    wanted = column is not None and column.strip().lower() in cells
    return len(cells) > 1 and ("smiles" in line or wanted)


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
