"""A whole catalogue compiled and certified, motif by motif, over processes; a run that was ended goes on."""

import json
import re
import time
from collections.abc import Callable, Sequence
from contextvars import Context
from functools import partial
from pathlib import Path

import numpy as np
import torch

from ..errors import InputError
from ..molecules.levels import library_inputs
from ..molecules.library_arrays import library_arrays, over
from ..progress import Stopped, report
from ..screening.motif_search import contains
from ..screening.validation import predictions
from ..whitebox.build import build
from ..whitebox.catalogue import Pattern
from ..whitebox.readouts import THRESHOLD
from .catalogues import Motif
from .certify import certify
from .compile import compile_smarts

EXAMPLES = 3

Compile = Callable[[str], Pattern]

_ISOTOPE = re.compile(r"\[\d")


def certify_motifs(
    motifs: Sequence[Motif],
    out: Path,
    jobs: int = 1,
    compile_: Compile | None = None,
    *,
    encoding: str = "wombat",
    brief: bool = False,
) -> int:
    """Append a JSON line a motif to a file: its certificate, or why it does not compile, with the seconds of both.

    Motifs that the file has already are left out. Reports its progress and can be stopped; what is done is kept.

    Args:
        motifs: what to certify.
        out: the file; made where there is none.
        jobs: processes.
        compile_: SMARTS to whitebox; the compiler's where None.
        encoding: what the networks read; a file holds motifs of one encoding.
        brief: in place of the certificate its counts and its verdict (see :func:`verdict_of`), several times faster.

    Returns:
        How many were added.

    Raises:
        InputError: the file cannot be written.
        Stopped: the listener wants no more.
    """
    done = _done(out)
    todo = [motif for motif in motifs if (motif.catalogue, motif.key) not in done]
    if not todo:
        return 0
    library_inputs(encoding, jobs)  # made once, before the processes ask for it
    added, stop = 0, None
    work = partial(_certified, compile_, encoding, brief)
    try:
        with open(out, "a", encoding="utf-8") as file:
            # A stop lets the few motifs under way come to their end.
            for line in over(jobs, work)(motif for motif in todo if stop is None):
                file.write(line + "\n")
                file.flush()
                added += 1
                try:
                    if stop is None:
                        report(added / len(todo))
                except Stopped as error:
                    stop = error
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}.") from None
    if stop is not None:
        raise stop
    return added


def _certified(compile_: Compile | None, encoding: str, brief: bool, motif: Motif) -> str:
    if compile_ is None:
        compile_ = partial(compile_smarts, encoding=encoding)

    record: dict = {"catalogue": motif.catalogue, "key": motif.key, "name": motif.name, "smarts": motif.smarts}
    if encoding != "wombat":
        record["encoding"] = encoding
    start = time.perf_counter()
    try:
        entry = compile_(motif.smarts)
    except InputError as error:
        return json.dumps(record | {"error": str(error)}, ensure_ascii=False)
    compiled = time.perf_counter()
    # Within a context of its own nobody listens: the progress told is that of the catalogue.
    if brief:
        record |= Context().run(verdict_of, entry)
        seconds = {"compile": round(compiled - start, 4), "certify": round(time.perf_counter() - compiled, 4)}
        return json.dumps(record | {"seconds": seconds}, ensure_ascii=False)
    found = Context().run(partial(certify, entry, jobs=1))
    example = smallest_positive(entry)
    seconds = {"compile": round(compiled - start, 4), "certify": round(time.perf_counter() - compiled, 4)}
    record |= {"example": example, "seconds": seconds, "certificate": found.to_dict()}
    return json.dumps(record, ensure_ascii=False)


def verdict_of(entry: Pattern) -> dict:
    """Network against RDKit on every usable molecule of the library, in numbers.

    Returns:
        ``layers``, ``channels``, ``positives``, ``false_positives``, ``misses``, ``without_bonds`` (of the misses,
        those with an atom without bonds), ``examples`` (SMILES of the smallest false positives and misses) and
        ``verdict``: "exact" (agrees everywhere), "untested" (the same, but no molecule has the motif), "misses" or
        "false positives".
        Both readouts are asked: a molecule counts where either is wrong.
    """
    torch.set_num_threads(1)
    arrays = library_arrays(1)
    labels = contains(arrays, entry.motifs) & arrays.usable
    found = predictions(build(entry), arrays, library_inputs(entry.encoding, 1)).values()
    false = np.stack([(value > THRESHOLD) & arrays.usable & ~labels for value in found]).any(axis=0)
    missed = np.stack([~(value > THRESHOLD) & labels for value in found]).any(axis=0)
    lonely = sum(
        any(atom.GetDegree() == 0 for atom in arrays.mol(int(place)).GetAtoms()) for place in np.flatnonzero(missed)
    )
    wrong = np.flatnonzero(false | missed)
    smallest = wrong[np.argsort(arrays.num_atoms[wrong], kind="stable")][:EXAMPLES]
    agrees = "exact" if labels.any() else "untested"
    return {
        "layers": entry.num_layers,
        "channels": entry.num_channels,
        "positives": int(labels.sum()),
        "false_positives": int(false.sum()),
        "misses": int(missed.sum()),
        "without_bonds": lonely,
        "examples": [arrays.texts(place)[0] for place in smallest],
        "verdict": "misses" if missed.any() else "false positives" if false.any() else agrees,
    }


def summary(out: Path) -> str:
    """What a file of :func:`certify_motifs` says, in a line: how many motifs are exact."""
    records = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    verdicts = [(record.get("certificate") or record).get("verdict") for record in records]
    untested, refused = verdicts.count("untested"), sum("error" in record for record in records)
    exact = verdicts.count("exact") + untested
    return (
        f"{exact:,} exact of {len(records):,} ({untested:,} of them without a molecule that has the motif); "
        f"{refused:,} do not compile."
    )


def smallest_positive(entry: Pattern) -> dict | None:
    """The smallest usable molecule of the library with the motif: name, CAS number and SMILES; None where none has.

    Of several, one without isotopes, whose name has the fewest figures, then the shortest name.
    """
    arrays = library_arrays()
    places = np.flatnonzero(contains(arrays, entry.motifs) & arrays.usable)
    if not len(places):
        return None
    sizes = arrays.num_atoms[places]
    smallest = map(arrays.texts, places[sizes == sizes.min()].tolist())
    smiles, name, cas = min(smallest, key=_plainness)
    return {"name": name, "cas": cas, "smiles": smiles}


def _plainness(texts: tuple[str, str, str]) -> tuple[bool, bool, int, int, str]:
    smiles, name, _ = texts
    return bool(_ISOTOPE.search(smiles)), not name, sum(map(str.isdecimal, name)), len(name), smiles


def _done(out: Path) -> set[tuple[str, str]]:
    """Motifs that the file has; a last line that was cut off is taken away, so that the run can go on."""
    if not out.exists():
        return set()
    found, whole = set(), []
    for line in out.read_text(encoding="utf-8").splitlines():
        try:
            record = json.loads(line)
            found.add((record["catalogue"], record["key"]))
        except (ValueError, KeyError, TypeError):
            continue
        whole.append(line)
    out.write_text("".join(f"{line}\n" for line in whole), encoding="utf-8")
    return found
