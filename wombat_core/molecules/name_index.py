"""Where in the PubChem identifiers each name, CAS number and InChIKey stands."""

import re
from array import array
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Indel

from .library import LIBRARY_FILE, LibraryRow, identifiers_file, parse_row
from .spelling import spellings

IDENTIFIER_FILES = (
    LIBRARY_FILE,
    "chemical identifiers pubchem small.tsv",
    "chemical identifiers example user db.tsv",
    "Inorganic db.tsv",
    "Anion db.tsv",
    "Cation db.tsv",
)
"""The identifiers that ``chemicals`` itself searches; water, aspirin and the like are in the small ones."""

_INCHI_KEY = 6
_FIRST_NAME = 7  # columns from here on are names: IUPAC, common, synonyms
LEAST_LIKENESS = 0.6
"""Names less alike are not offered."""
_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789-,' ()"


class Hit(NamedTuple):
    """A row that carries a name; ``is_main`` when it is its IUPAC or its common name."""

    row: LibraryRow
    is_main: bool


def normalise(name: str) -> str:
    """Names are compared in lower case with single blanks."""
    return " ".join(name.lower().split())


class NameIndex:
    """Hashes of all names, sorted, beside the place of their row: some 10 MB for 770,000 names.

    Rows stay on disk. A hit is verified in its row, so equal hashes do no harm.
    """

    def __init__(self, paths: list[Path]) -> None:
        self._paths = paths
        self._by_cas: dict[str, int] = {}
        self._by_inchi_key: dict[int, int] = {}
        hashes, rows, counts = array("q"), array("q"), array("q")
        for number, path in enumerate(paths):
            start = number << 32
            with open(path, "rb") as file:
                for line in file:
                    fields = line.decode().lower().rstrip("\n").split("\t")
                    if fields[4]:
                        names = fields[_FIRST_NAME:]
                        self._by_cas[fields[1]] = start
                        self._by_inchi_key.setdefault(hash(fields[_INCHI_KEY]), start)
                        hashes.extend(map(hash, names))
                        rows.append(start)
                        counts.append(len(names))
                    start += len(line)
        keys = np.frombuffer(hashes, dtype=np.int64)
        order = np.argsort(keys)
        self._keys = keys[order]
        self._rows = np.repeat(np.frombuffer(rows, dtype=np.int64), counts)[order]

    def __len__(self) -> int:
        """Number of molecules."""
        return len(self._by_cas)

    def cas(self, number: str) -> LibraryRow | None:
        """The molecule whose current CAS number is ``number``."""
        place = self._by_cas.get(number)
        return None if place is None else parse_row(self._line(place))

    def inchi_key(self, key: str) -> LibraryRow | None:
        """The first molecule, in the order of the files, with the InChIKey ``key`` (in capitals)."""
        place = self._by_inchi_key.get(hash(key.lower()))
        line = "" if place is None else self._line(place)
        return parse_row(line) if line and line.split("\t", _FIRST_NAME)[_INCHI_KEY] == key else None

    def name(self, text: str) -> list[Hit]:
        """Every molecule that carries the name in one of its spellings, main names first, then as in the files."""
        return next((hits for wanted in spellings(text) if (hits := self._named(wanted))), [])

    def _named(self, wanted: str) -> list[Hit]:
        first, last = (np.searchsorted(self._keys, hash(wanted), side) for side in ("left", "right"))
        hits = []
        for place in sorted(set(self._rows[first:last].tolist())):
            line = self._line(place)
            names = line.rstrip("\n").lower().split("\t")[_FIRST_NAME:]
            if wanted and wanted in names:
                hits.append(Hit(parse_row(line), wanted in names[:2]))
        return sorted(hits, key=lambda hit: not hit.is_main)

    def nearest(self, text: str, count: int = 5) -> tuple[str, ...]:
        """Names most like ``text``, best first and never the text itself; reads the files once (about 0.2 s).

        Candidates are all names one edit away, and those that share its beginning or its end.
        """
        wanted = normalise(text)[:80]
        if len(wanted) < 3:
            return ()
        # What begins or ends alike may be no name at all: files hold SMILES and InChI as well.
        candidates = self._one_edit_away(wanted) | set(self._names_among(self._same_ends(wanted)))
        candidates -= {wanted, normalise(text)}
        likeness = partial(_likeness, wanted)
        best = sorted(
            ((likeness(name), name) for name in candidates), key=lambda pair: (-pair[0], len(pair[1]), pair[1])
        )
        return tuple(name for score, name in best[:count] if score >= LEAST_LIKENESS)

    def _one_edit_away(self, text: str) -> set[str]:
        splits = [(text[:i], text[i:]) for i in range(len(text) + 1)]
        edits = {a + b[1:] for a, b in splits if b} | {a + c + b for a, b in splits for c in _ALPHABET}
        edits |= {a + c + b[1:] for a, b in splits if b for c in _ALPHABET}
        edits |= {a + b[1] + b[0] + b[2:] for a, b in splits if len(b) > 1}
        return set(self._names_among(edits - {""}))

    def _names_among(self, texts: set[str]) -> list[str]:
        words = list(texts)
        keys = np.array([hash(word) for word in words], dtype=np.int64)
        places = np.searchsorted(self._keys, keys).clip(max=len(self._keys) - 1)
        return [words[i] for i in np.flatnonzero(self._keys[places] == keys)]

    def _same_ends(self, text: str) -> set[str]:
        size = 4 if len(text) > 9 else min(3, max(2, len(text) // 2))
        shortest, longest = max(1, len(text) * 2 // 3), len(text) * 3 // 2 + 2
        head = re.escape(text[:size].encode())
        tail = re.escape(text[-size:].encode())
        beginning = re.compile(rb"\t(" + head + rb"[^\t\n]{0,%d})(?=[\t\n])" % (longest - size))
        ending = re.compile(tail + rb"(?=[\t\n])")
        found: set[bytes] = set()
        for path in self._paths:
            data = path.read_bytes().lower()
            found.update(beginning.findall(data))
            for match in ending.finditer(data):
                start = data.rfind(b"\t", max(0, match.end() - longest - 1), match.start())
                if start >= 0 and match.end() - start > shortest:
                    found.add(data[start + 1 : match.end()])
        return {name.decode(errors="ignore") for name in found}

    def _line(self, place: int) -> str:
        with open(self._paths[place >> 32], "rb") as file:
            file.seek(place & 0xFFFFFFFF)
            return file.readline().decode()


def _likeness(a: str, b: str) -> float:
    """The share of letters in common, in order, less a little for a difference in length."""
    return Indel.normalized_similarity(a, b) - 0.02 * abs(len(a) - len(b))


@cache
def name_index() -> NameIndex:
    """The index over the installed identifiers, built at the first call (about a second).

    Raises:
        InputError: the library is not installed.
    """
    return NameIndex([identifiers_file(name) for name in IDENTIFIER_FILES])
