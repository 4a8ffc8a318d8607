"""Molecules that a run's file holds several times."""

from itertools import islice

from ..molecules.distinct import Distinct
from .plan import FILE
from .store import Store

MOST = 100_000
"""Molecules that are looked at."""


def repeats(store: Store) -> str | None:
    """What there is to tell of repeated molecules, which are no independent observations; None where there are none.

    The molecules are those of the first whitebox and explainer, which all others share.
    """
    if store.plan.molecules != FILE or store.plan.unique:
        return None
    seen = Distinct()
    for row in islice(store.rows(0), MOST):
        seen.is_new(row.smiles, f"line or record {row.place}")
    return seen.sentence(left_out=False)
