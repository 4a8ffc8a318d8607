"""A whole catalogue compiled and certified, motif by motif, over processes; a run that was ended goes on."""

import json
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from ..errors import InputError
from ..molecules.levels import library_inputs
from ..molecules.library_arrays import library_arrays, over
from ..progress import Stopped, report
from ..whitebox.catalogue import Pattern
from .catalogues import Motif

Compile = Callable[[str], Pattern]


def certify_motifs(motifs: Sequence[Motif], out: Path, jobs: int = 1, compile_: Compile | None = None) -> int:
    """Append a JSON line a motif to a file: its certificate, or why it does not compile, with the seconds of both.

    Motifs that the file has already are left out. Reports its progress and can be stopped; what is done is kept.

    Args:
        motifs: what to certify.
        out: the file; made where there is none.
        jobs: processes.
        compile_: SMARTS to whitebox; the compiler's where None.

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
    library_inputs("wombat", jobs)  # made once, before the processes ask for it
    added, stop = 0, None
    work = partial(_certified, compile_)
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


def _certified(compile_: Compile | None, motif: Motif) -> str:
    from contextvars import Context

    from .certify import certify

    if compile_ is None:
        from .compile import compile_smarts as compile_

    record: dict = {"catalogue": motif.catalogue, "key": motif.key, "name": motif.name, "smarts": motif.smarts}
    start = time.perf_counter()
    try:
        entry = compile_(motif.smarts)
    except InputError as error:
        return json.dumps(record | {"error": str(error)}, ensure_ascii=False)
    compiled = time.perf_counter()
    # Within a context of its own nobody listens: the progress told is that of the catalogue.
    found = Context().run(partial(certify, entry, jobs=1))
    example = smallest_positive(entry)
    seconds = {"compile": round(compiled - start, 4), "certify": round(time.perf_counter() - compiled, 4)}
    record |= {"example": example, "seconds": seconds, "certificate": found.to_dict()}
    return json.dumps(record, ensure_ascii=False)


def smallest_positive(entry: Pattern) -> dict | None:
    """The smallest usable molecule of the library with the motif: name, CAS number and SMILES; None where none has."""
    import numpy as np

    from ..screening.motif_search import contains

    arrays = library_arrays()
    places = np.flatnonzero(contains(arrays, entry.motifs) & arrays.usable)
    if not len(places):
        return None
    place = int(places[np.argmin(arrays.num_atoms[places])])
    smiles, name, cas = arrays.texts(place)
    return {"name": name, "cas": cas, "smiles": smiles}


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
