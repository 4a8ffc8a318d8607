"""What the text of a file is, by its content first and by the ending of its name where that leaves it open."""

import re

from .headers import is_header
from .json_rows import looks_like_json
from .lines import content_lines, first_words_fit, plan_lines
from .preamble import separator_line
from .rows import DELIMITERS, Dialect, as_characters

STRUCTURES, TABLE, LINES, MOLECULES_IN_JSON = "structures", "table", "lines", "json"
_TABLES = {".csv", ".tsv", ".tab"}
_STRUCTURE_FILES = {".sdf", ".sd", ".mol", ".mdl"}
_MARKS = re.compile(r"^M\s\s?END\s*$|^.{9,} V[23]000\s*$|^\$\$\$\$", re.MULTILINE | re.IGNORECASE)


def format_of(start: str, ending: str, column: str | None) -> tuple[str, str | None]:
    """Which of the four formats a text has, and the separator of a table where lines tell it.

    Args:
        start: the beginning of the text, with ``\\n`` at the line ends.
        ending: of the file's name, with its dot, in lower case.
        column: the column that is asked for, or None.
    """
    if looks_like_json(start):
        return MOLECULES_IN_JSON, None
    if re.match(r"\s*(\$RXN|\$RDFILE|@<TRIPOS>|\$MDL)", start):
        return (STRUCTURES if ending in _STRUCTURE_FILES and start.startswith("$RXN") else LINES), None
    if ending in _TABLES:
        return (LINES if _split_by_blanks(start) else TABLE), None
    if _MARKS.search(start):
        return STRUCTURES, None
    if ending in _STRUCTURE_FILES and not _is_something_else(start):
        return STRUCTURES, None
    lines = start.splitlines()
    if lines and separator_line(lines[0]):
        return TABLE, None
    return _lines_or_table(start, lines, column)


def _is_something_else(start: str) -> bool:
    """Whether a file that is called MOL or SDF holds lines of SMILES or another format."""
    from .foreign import foreign_file

    if foreign_file(start):
        return True
    first = list(content_lines(enumerate(start.splitlines()[:60], 1)))
    return bool(first) and all(len(line.split()) < 4 for _, line in first) and first_words_fit(first, plan_lines(first))


def _split_by_blanks(start: str) -> bool:
    """Whether what is called a table has blanks between its cells: its header says so."""
    first = list(content_lines(enumerate(start.splitlines()[:60], 1)))
    if not first or any(delimiter in first[0][1] for delimiter in DELIMITERS):
        return False
    return len(first[0][1].split()) > 1 and plan_lines(first).header is not None


def _lines_or_table(start: str, lines: list[str], column: str | None) -> tuple[str, str | None]:
    numbered = list(enumerate(lines[:60] if len(start) >= 1 << 16 or len(lines) > 60 else lines, 1))
    first = list(content_lines(numbered))
    wanted = None if column is None else column.strip().lower()
    remarks = [line.lstrip("# ") for line in lines[:20] if line.lstrip().startswith("#")]
    for line in [content for _, content in first[:20]] + remarks:
        for delimiter in DELIMITERS:
            cells = as_characters(line, Dialect(delimiter))
            named = wanted is not None and wanted in [cell.strip(" \"'").lower() for cell in cells]
            if len(cells) > 1 and (named or is_header([cell.strip(" \"'") for cell in cells])) and delimiter in line:
                return TABLE, delimiter
    plan = plan_lines(first)
    if first_words_fit(first, plan):
        return LINES, None
    delimiter = _split_by(first)
    return (TABLE, delimiter) if delimiter else (LINES, None)


def _split_by(first: list[tuple[int, str]]) -> str | None:
    """What separates cells of which one is a SMILES or InChI in half of the lines, or None."""
    from .cells import is_inchi, is_smiles

    for delimiter in DELIMITERS:
        rows = [as_characters(content, Dialect(delimiter)) for _, content in first]
        width = max((len(cells) for cells in rows), default=1)
        if width < 2 or sum(len(cells) == width for cells in rows) < 0.8 * len(rows):
            continue
        for i in range(width):
            own = [cells[i].strip() for cells in rows if i < len(cells)]
            if sum(is_smiles(cell) or is_inchi(cell) for cell in own) >= 0.5 * len(rows):
                return delimiter
    return None
