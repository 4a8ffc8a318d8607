"""The first sheet of an Excel workbook, as rows of text."""

import zipfile
from collections.abc import Iterator
from typing import IO

from ..errors import InputError
from .rows import Row

MAX_UNPACKED_BYTES = 200_000_000
"""Of a workbook's parts together."""
MAX_CELLS = 5_000_000
_NOT_A_WORKBOOK = "{} is a ZIP archive or a damaged Excel workbook, not a file with molecules."


def is_workbook(file: IO[bytes], filename: str) -> bool:
    """Whether a file is an XLSX workbook.

    Raises:
        InputError: it is an archive of another kind, or unpacks to more than is read.
    """
    start = file.read(4)
    file.seek(0)
    if start != b"PK\x03\x04":
        return False
    try:
        with zipfile.ZipFile(file) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise InputError(_NOT_A_WORKBOOK.format(filename)) from None
    finally:
        file.seek(0)
    names = {part.filename for part in parts}
    if "xl/workbook.xml" not in names:
        what = "an OpenDocument or other archive; save the table as XLSX or CSV" if "content.xml" in names else None
        raise InputError(f"{filename} is {what}." if what else _NOT_A_WORKBOOK.format(filename))
    if sum(part.file_size for part in parts) > MAX_UNPACKED_BYTES:
        raise InputError(
            f"{filename} unpacks to more than {MAX_UNPACKED_BYTES // 1_000_000} MB, the most that is read."
        )
    return True


def workbook_rows(file: IO[bytes], filename: str) -> tuple[Iterator[Row], int, tuple[str, ...]]:
    """The rows of the first sheet with any, how many columns it has, and notes on the other sheets.

    Raises:
        InputError: the workbook cannot be read, or has no rows.
    """
    import pandas as pd

    try:
        with pd.ExcelFile(file, engine="openpyxl") as book:
            frames = {}
            for name in map(str, book.sheet_names):
                form = {"header": None, "dtype": str, "keep_default_na": False, "nrows": MAX_CELLS // 100}
                frames[name] = pd.read_excel(book, sheet_name=name, **form)
                if not frames[name].empty:
                    break
            others = [name for name in map(str, book.sheet_names) if name not in frames]
    except Exception:  # openpyxl's errors on damaged workbooks are of many types
        raise InputError(_NOT_A_WORKBOOK.format(filename)) from None
    finally:
        file.seek(0)
    name, frame = list(frames.items())[-1]
    notes = (f"Only the sheet '{name[:40]}' of {filename} is read.",) if others else ()
    rows = (
        Row(line, [str(cell) for cell in cells])
        for line, cells in enumerate(frame.itertuples(index=False, name=None), 1)
        if any(str(cell).strip() for cell in cells)
    )
    return rows, len(frame.columns), notes
