"""Run an explainer, and check what it gives back before anything is built on it."""

import time

import numpy as np
from torch import nn
from torch_geometric.data import Batch

from ..errors import InputError
from ..progress import Stopped
from .attribution import Attribution
from .plugins import one_line
from .protocol import Explainer
from .registry import is_added


def attribute(explainer: Explainer, model: nn.Module, batch: Batch) -> list[Attribution]:
    """The explainer's answers, one a graph of the batch, in order.

    Raises:
        InputError: the explainer refuses a graph; or a user's own explainer fails, or answers what is no answer.
    """
    if not is_added(explainer.name):
        return explainer.attribute(model, batch)
    start = time.perf_counter()
    try:
        answers = explainer.attribute(model, batch)
    except (InputError, Stopped):
        raise
    except Exception as error:
        raise InputError(f"The explainer {explainer.name!r} {one_line(error)}.") from error
    seconds = (time.perf_counter() - start) / batch.num_graphs
    _check(explainer.name, answers, batch)
    return [answer if answer.seconds else answer.timed(seconds) for answer in answers]


def _check(name: str, answers: list[Attribution], batch: Batch) -> None:
    if not isinstance(answers, list) or not all(isinstance(answer, Attribution) for answer in answers):
        raise InputError(f"The explainer {name!r} must return a list of Attribution.")
    if len(answers) != batch.num_graphs:
        raise InputError(f"The explainer {name!r} gave {len(answers)} answers for {batch.num_graphs} molecules.")
    for place, (answer, graph) in enumerate(zip(answers, batch.to_data_list(), strict=True), start=1):
        for what, values, wanted in (("atoms", answer.atoms, graph.x), ("bonds", answer.bonds, graph.edge_attr)):
            if what == "bonds" and values is None:
                continue
            where = f"The explainer {name!r} gave {what} of molecule {place}"
            if not isinstance(values, np.ndarray) or values.shape != tuple(wanted.shape):
                shape = getattr(values, "shape", type(values).__name__)
                raise InputError(f"{where} as {shape}, not as an array {list(wanted.shape)}.")
            if not np.isfinite(values).all():
                raise InputError(f"{where} with numbers that are not finite.")
