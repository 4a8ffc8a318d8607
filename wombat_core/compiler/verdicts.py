"""What the whole library says of the Klekota-Roth keys compiled for ``wombat+``: ``catalogues/klekota_roth.csv``.

Made by ``wombat catalogue certify klekota-roth --encoding wombat+ --brief --out FILE --table klekota_roth.csv``;
a test makes some of its lines again.
"""

import csv
import json
from collections import Counter
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from ..data import data_file
from ..errors import InputError
from .catalogues import FOLDER, Motif
from .query import read_query

TABLE = "klekota_roth.csv"
CATALOGUE, ENCODING = "klekota-roth", "wombat+"
AGREE = ("exact", "untested")
REFUSED = "refused"


@dataclass(frozen=True)
class Verdict:
    """A motif's compiled whitebox against RDKit on every usable molecule of the library, in numbers.

    Attributes:
        key: of the motif; rings: how many its SMARTS closes; encoding: what the network reads.
        verdict: "exact" (agrees everywhere), "untested" (the same, but no molecule has the motif), "false positives",
            "misses", or "refused" (it does not compile; all numbers are 0).
        layers, channels: of the network; positives: molecules with the motif.
        false_positives, misses: molecules; without_bonds: of the misses, those with an atom without bonds.
    """

    key: str
    rings: int
    verdict: str
    layers: int
    channels: int
    positives: int
    false_positives: int
    misses: int
    without_bonds: int
    encoding: str = ENCODING


_COLUMNS = tuple(field.name for field in fields(Verdict) if field.name != "encoding")


def verdict_on(motif: Motif) -> Verdict | None:
    """What the shipped table says of a motif; None where it is of another catalogue."""
    return shipped_verdicts().get(motif.key) if motif.catalogue == CATALOGUE else None


@cache
def shipped_verdicts() -> dict[str, Verdict]:
    """The shipped table, by key."""
    with open(data_file(FOLDER) / TABLE, encoding="utf-8", newline="") as lines:
        return {row["key"]: _verdict(row) for row in csv.DictReader(lines)}


def _verdict(row: dict[str, str]) -> Verdict:
    values: dict[str, Any] = {name: row[name] if name in ("key", "verdict") else int(row[name]) for name in _COLUMNS}
    return Verdict(**values)


def count_verdicts() -> dict[str, Counter[str]]:
    """How many keys the shipped table has of every verdict: of "trees", of "rings"."""
    found = {"trees": Counter(), "rings": Counter()}
    for own in shipped_verdicts().values():
        found["rings" if own.rings else "trees"][own.verdict] += 1
    return found


def write_table(lines: Path, out: Path) -> int:
    """Write the table of a file of ``certify_motifs`` with ``brief``, in the order of the keys; how many there are.

    Raises:
        InputError: the file is not of such lines, or the table cannot be written.
    """
    rows = []
    for line in lines.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if "verdict" not in record and "error" not in record:
            raise InputError(f"{lines} has whole certificates; --table is made of those of --brief.")
        numbers = [record.get(name, 0) for name in _COLUMNS[3:]]
        rings = read_query(record["smarts"]).num_rings
        rows.append(Verdict(record["key"], rings, record.get("verdict", REFUSED), *numbers))
    rows.sort(key=lambda row: (len(row.key), row.key))
    try:
        with open(out, "w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, _COLUMNS, extrasaction="ignore", lineterminator="\n")
            table.writeheader()
            table.writerows(map(asdict, rows))
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}.") from None
    return len(rows)
