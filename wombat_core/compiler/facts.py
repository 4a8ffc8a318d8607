"""What certificates say of the motifs with a chemist's names, as shipped: ``catalogues/certified.jsonl``.

Made by ``wombat catalogue certify motifs --facts``; a test makes some of its lines again.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..data import data_file
from ..errors import InputError
from ..progress import each
from .catalogues import FOLDER, Motif
from .compile import compile_smarts
from .query import read_query

if TYPE_CHECKING:  # what is shipped is read without torch
    from ..whitebox.catalogue import Pattern

FILE = "certified.jsonl"


@dataclass(frozen=True)
class Facts:
    """What is known of a motif's compiled whitebox.

    Attributes:
        verdict: of its certificate over the library; encoding: what the network reads; layers, channels: its size.
        molecules: usable ones of the library; positives: those that have the motif.
        false_positives, misses: of the network, under the worse readout.
        example: the smallest molecule that has it: name, CAS number and SMILES; None where there is none.
    """

    verdict: str
    encoding: str
    layers: int
    channels: int
    molecules: int
    positives: int
    false_positives: int
    misses: int
    example: dict[str, str] | None


def facts_of(motif: Motif) -> Facts | None:
    """What the shipped file says of a motif; None where it says nothing, or speaks of another SMARTS."""
    record = _shipped().get((motif.catalogue, motif.key, motif.smarts))
    return None if record is None or "error" in record else Facts(**{name: record[name] for name in _NAMES})


def find_facts(motifs: Sequence[Motif], jobs: int = 1) -> list[dict]:
    """Compile and certify motifs over the library: the lines of that file. Reports its progress and can be stopped.

    Raises:
        InputError: the library is not installed.
        Stopped: the listener wants no more.
    """
    return each(motifs, partial(_record, jobs=jobs))


def write_facts(records: Iterable[dict], out: Path) -> None:
    """Write the file, sorted by catalogue and key.

    Raises:
        InputError: it cannot be written.
    """
    lines = sorted(records, key=lambda record: (record["catalogue"], record["key"]))
    try:
        out.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}.") from None


def compile_as_fits(smarts: str) -> "Pattern":
    """Compiled on the paper's features; on ``wombat+`` where the SMARTS has rings or asks for what only that shows.

    Raises:
        InputError: it compiles on neither; the sentence is that of the paper's features.
    """
    if read_query(smarts).num_rings:
        return compile_smarts(smarts, encoding="wombat+")
    try:
        return compile_smarts(smarts)
    except InputError as error:
        try:
            return compile_smarts(smarts, encoding="wombat+")
        except InputError:
            raise error from None


def _record(motif: Motif, jobs: int) -> dict:
    """A line of that file: no times, no hashes, the same at every run."""
    from .batch import smallest_positive
    from .certify import certify

    record = {"catalogue": motif.catalogue, "key": motif.key, "smarts": motif.smarts}
    try:
        entry = compile_as_fits(motif.smarts)
    except InputError as error:
        return record | {"error": str(error)}
    found = certify(entry, jobs=jobs)
    worst = max(found.readouts.values(), key=lambda one: one.false_positives + one.misses)
    return record | {
        "verdict": found.verdict,
        "encoding": found.encoding,
        "layers": found.layers,
        "channels": found.channels,
        "molecules": found.usable,
        "positives": found.positives,
        "false_positives": worst.false_positives,
        "misses": worst.misses,
        "example": smallest_positive(entry),
    }


_NAMES = tuple(Facts.__dataclass_fields__)


@cache
def _shipped() -> dict[tuple[str, str, str], dict]:
    file = data_file(FOLDER) / FILE
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else ()
    records = map(json.loads, lines)
    return {(record["catalogue"], record["key"], record["smarts"]): record for record in records}
