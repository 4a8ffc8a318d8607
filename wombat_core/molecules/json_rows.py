"""JSON as rows: an array of objects, or one object a line, as this program writes them."""

import json
from collections.abc import Iterator
from typing import TextIO

from ..errors import InputError
from .headers import key
from .parse_problems import shorten
from .rows import Row

_MOLECULE = ("smiles", "canonicalsmiles", "isomericsmiles", "smi", "inchi", "name", "cas")


def looks_like_json(start: str) -> bool:
    """Whether a text begins as JSON does; a SMILES may begin with a bracket, but not with these."""
    bare = start.lstrip("\ufeff \t\r\n")
    return bare.startswith("{") or (bare.startswith("[") and bare[1:].lstrip()[:1] in ("{", '"', "]"))


def json_rows(text: TextIO, filename: str) -> tuple[Iterator[Row], int]:
    """The objects as rows under a header of the keys of all, and how many columns that has.

    Raises:
        InputError: it is no JSON, or holds no objects or texts to read molecules from.
    """
    content = text.read()
    found = _whole(content) or _by_line(content)
    if not found:
        raise InputError(f"{filename} is JSON that is not valid, or without a list of objects; give one object a line.")
    if all(isinstance(value, str) for _, value in found):
        found = [(line, {"name": value}) for line, value in found]
    objects = [(line, value) for line, value in found if isinstance(value, dict)]
    # Values of the program's own records, such as lists of attributions, are no columns.
    headers = list(dict.fromkeys(k for _, value in objects for k, cell in value.items() if isinstance(cell, str)))
    if not any(key(header) in _MOLECULE for header in headers):
        listed = ", ".join(f"'{shorten(header, 30)}'" for header in headers[:10]) or "none"
        raise InputError(f"{filename} is JSON without molecules: no object has a 'smiles', its texts are {listed}.")

    def rows() -> Iterator[Row]:
        yield Row(0, headers)
        for line, value in objects:
            cells = (value.get(header) for header in headers)
            yield Row(line, [cell if isinstance(cell, str) else "" for cell in cells])

    return rows(), len(headers)


def _whole(content: str) -> list[tuple[int, object]] | None:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, dict):
        lists = [own for own in value.values() if isinstance(own, list) and own and isinstance(own[0], dict)]
        value = lists[0] if lists else [value]
    return list(enumerate(value, 1)) if isinstance(value, list) and value else None


def _by_line(content: str) -> list[tuple[int, object]] | None:
    found: list[tuple[int, object]] = []
    for number, line in enumerate(content.splitlines(), 1):
        if line.strip():
            try:
                found.append((number, json.loads(line)))
            except (ValueError, RecursionError):
                return None
    return found or None
