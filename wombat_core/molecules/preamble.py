"""What stands above a table's header: an instruction to spreadsheets, remarks, a title."""

import re
from collections.abc import Sequence

LOOKED_AT = 60
"""Lines in which the header is looked for."""

Lines = list[tuple[int, str]]


def separator_line(text: str) -> str | None:
    """The separator that a line such as ``sep=;`` names, or None; spreadsheets write it and read it."""
    found = re.fullmatch(r'\ufeff?"?sep ?=("?)(\\t|tab|.)\1"?[;,\t ]*', text.rstrip("\r\n"), re.IGNORECASE | re.DOTALL)
    if not found:
        return None
    return "\t" if found[2].lower() in ("\\t", "tab") else found[2]


def without_remarks(lines: Lines, is_header_line) -> Lines:
    """The lines without the remarks at their beginning; a header behind a number sign stays, without the sign."""
    kept: Lines = []
    for number, text in lines:
        bare = text.strip()
        if not kept and (not bare or bare.startswith(("#", "//", "%"))):
            behind = bare.lstrip("#/% ")
            if bare.startswith("#") and is_header_line(behind):
                kept.append((number, behind + "\n"))
            continue
        kept.append((number, text))
    return kept


def header_row(rows: Sequence[Sequence[str]], width: int, is_header) -> int | None:
    """The index of the header among the first rows, or None where there is none that says so."""
    for index, cells in enumerate(rows[:20]):
        if (width == 1 or len(cells) > 1) and is_header(cells):
            return index
    return None
