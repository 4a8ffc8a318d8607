"""A file or a pipe, opened: seekable, of bearable size, and text in a known encoding."""

import codecs
import io
import tempfile
from pathlib import Path
from typing import IO

from ..errors import InputError
from .parse_problems import shorten

MAX_FILE_BYTES = 200_000_000
"""Largest file that is read, in bytes."""

_CHUNK = 1 << 20
_MAGIC = {
    b"\x1f\x8b": "compressed (gzip); unpack it first",
    b"BZh": "compressed (bzip2); unpack it first",
    b"\xfd7zXZ": "compressed (xz); unpack it first",
    b"7z\xbc\xaf": "a 7z archive; unpack it first",
    b"\x28\xb5\x2f\xfd": "compressed (zstd); unpack it first",
    b"Rar!": "a RAR archive; unpack it first",
    b"%PDF": "a PDF, not a text file with molecules",
    b"VjCD": "a ChemDraw drawing (CDX); save it as MOL or SDF",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook or Word document; save it as XLSX or CSV",
    b"PAR1": "a Parquet table; save it as CSV",
    b"ARROW1": "an Arrow table; save it as CSV",
    b"\x89PNG": "a picture (PNG), that is binary data without a structure in it",
    b"\xff\xd8\xff": "a picture (JPEG), that is binary data without a structure in it",
    b"GIF8": "a picture (GIF), that is binary data without a structure in it",
}


def open_input(path: Path) -> IO[bytes]:
    """A path opened for reading; a pipe among the files (FIFO) is kept, so that it can be read twice."""
    shown = shorten(str(path), 255)
    if path.is_dir():
        raise InputError(f"{shown} is a folder, not a file.")
    try:
        file = open(path, "rb")  # noqa: SIM115
    except FileNotFoundError:
        raise InputError(f"The file {shown} does not exist.") from None
    except (OSError, ValueError) as error:
        raise InputError(f"The file {shown} cannot be opened: {getattr(error, 'strerror', error)}.") from None
    if file.seekable():
        return file
    with file:
        return seekable(file)


def seekable(file: IO[bytes]) -> IO[bytes]:
    """The file itself, or what a pipe holds: the format is found by looking ahead, so its content is kept."""
    if file.seekable():
        return file
    kept = tempfile.SpooledTemporaryFile(max_size=_CHUNK * 16)  # noqa: SIM115
    size = 0
    while size <= MAX_FILE_BYTES and (chunk := file.read(_CHUNK)):
        size += kept.write(chunk)
    return kept


def check_size(file: IO[bytes], filename: str) -> None:
    """Raise InputError: the file is empty or too large."""
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    if size == 0:
        raise InputError(f"{filename} is empty.")
    if size > MAX_FILE_BYTES:
        raise InputError(f"{filename} has more than {MAX_FILE_BYTES // 1_000_000} MB, the most that is read.")


def encoding_of(file: IO[bytes], filename: str) -> str:
    """The encoding the text is in: "utf-8-sig", "utf-16" or, of what is neither, "latin-1".

    Raises:
        InputError: the file holds no text.
    """
    start = file.read(4096)
    file.seek(0)
    for magic, what in _MAGIC.items():
        if start.startswith(magic):
            raise InputError(f"{filename} is {what}.")
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif unmarked := _unmarked_utf16(start):
        encoding = unmarked
    elif sum(byte < 32 and byte not in b"\t\n\r\f\x1a" for byte in start) > max(len(start) / 100, 8):
        raise InputError(f"{filename} is not a text file: it contains binary data.")
    else:
        encoding = "utf-8-sig"
    if _decodes(file, encoding):
        return encoding
    if encoding.startswith("utf-16"):
        raise InputError(f"{filename} begins like UTF-16 text but cannot be decoded as such.")
    return "latin-1"


def _unmarked_utf16(start: bytes) -> str | None:
    """UTF-16 of plain characters has every second byte zero, also without the mark at its beginning."""
    pairs = len(start) // 2
    if pairs < 4:
        return None
    for encoding, zero, other in (("utf-16-le", start[1::2], start[::2]), ("utf-16-be", start[::2], start[1::2])):
        if zero.count(0) > 0.9 * pairs and not other.count(0):
            return encoding
    return None


def _decodes(file: IO[bytes], encoding: str) -> bool:
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


def as_text(file: IO[bytes], encoding: str, newline: str | None) -> io.TextIOWrapper:
    """The file as text; closing that leaves the file open, so that an uploaded one can be read again."""
    return io.TextIOWrapper(io.BufferedReader(_Unclosed(file)), encoding=encoding, newline=newline)


class _Unclosed(io.RawIOBase):
    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)
