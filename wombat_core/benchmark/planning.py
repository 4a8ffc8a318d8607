"""A plan from what people ask for, checked before any molecule is read."""

from collections.abc import Sequence
from pathlib import Path

from ..errors import InputError
from ..explainers.protocol import Explainer
from ..registry import check_name
from ..whitebox.catalogue import Pattern, pattern
from .plan import FILE, READOUTS, SETS, Plan
from .rows import settings_json
from .sources import check
from .versions import file_digest, versions


def make_plan(
    patterns: Sequence[Pattern | str],
    readouts: Sequence[str],
    explainers: Sequence[Explainer],
    molecules: str = "positives",
    *,
    limit: int | None = None,
    seed: int = 0,
    column: str | None = None,
    plugins: Sequence[str] = (),
    unique: bool = False,
) -> Plan:
    """A plan, checked as far as can be done before any molecule is read.

    Args:
        molecules: one of ``SETS``, or the path of a file.
        unique: leave out repeated molecules.
        plugins: files (already loaded) that registered explainers; processes load them again.

    Raises:
        InputError: unknown pattern, readout or set; positives of a pattern that has none; a file that is not there.
    """
    ids = tuple(dict.fromkeys(each if isinstance(each, str) else each.id for each in patterns))
    for id in ids:
        pattern(id)
    for readout in readouts:
        check_name("readout", readout, READOUTS)
    for what, chosen in (("pattern", ids), ("readout", readouts), ("explainer", explainers)):
        if not chosen:
            raise InputError(f"The benchmark needs at least one {what}.")
    own = {}
    if molecules not in SETS:
        path = Path(molecules)
        if not path.is_file():
            raise InputError(f"There is no set or file of molecules {molecules[:200]!r}; sets are {', '.join(SETS)}.")
        own = {"file": str(path.resolve()), "digest": file_digest(path), "column": column}
    elif column is not None:
        raise InputError("A SMILES column goes with a file of molecules, not with a set.")
    plan = Plan(
        patterns=ids,
        readouts=tuple(dict.fromkeys(readouts)),
        explainers=tuple(dict.fromkeys((each.name, settings_json(each)) for each in explainers)),
        expensive=tuple(dict.fromkeys(each.name for each in explainers if each.expensive)),
        molecules=FILE if own else molecules,
        limit=limit,
        seed=seed,
        plugins=tuple((str(Path(path).resolve()), file_digest(path)) for path in plugins),
        versions=tuple(versions().items()),
        unique=unique,
        **own,
    )
    check(plan)
    return plan
