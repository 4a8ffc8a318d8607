"""Run an explainer, and check what it gives back before anything is built on it."""

import copy
import math
import time
from collections.abc import Iterator
from numbers import Real

import numpy as np
from torch import Tensor, nn

from ..errors import InputError
from ..molecules.graphs import GraphBatch
from .attribution import Attribution
from .contained import contained
from .protocol import Explainer, is_ours
from .seeding import graph_seed


def attribute(explainer: Explainer, model: nn.Module, batch: GraphBatch) -> list[Attribution]:
    """The explainer's answers, one a graph of the batch, in order.

    A user's own explainer gets copies of the network and of the graphs, and what it changes in the process is set back
    (see :func:`~wombat_core.explainers.contained.contained`); its answers are copied and say what it changed.

    Raises:
        InputError: the explainer refuses a graph; or a user's own explainer fails, changes what it is to explain, or
            answers what is no answer.
    """
    if is_ours(explainer):
        return explainer.attribute(model, batch)
    what = f"The explainer {explainer.name!r}"
    network, given = copy.deepcopy(model), batch.clone()
    tensors = {name: value for name, value in given.to_dict().items() if isinstance(value, Tensor)}
    seed = getattr(explainer, "seed", 0)
    start = time.perf_counter()
    draws = graph_seed(seed if isinstance(seed, int) else 0, batch)
    with contained(draws) as found, found.as_sentence(lambda error: what):
        answers = explainer.attribute(network, given)
        seconds = (time.perf_counter() - start) / batch.num_graphs
        _check(what, answers, batch)
    if any(_differ(value, batch[name]) for name, value in tensors.items()):
        raise InputError(
            f"{what} changed the encoded molecules in place, so that its answer is of others; it has to change copies "
            "(x = batch.x.clone())."
        )
    if any(_differ(own, value) for own, value in _weights(network, model)):
        raise InputError(
            f"{what} changed the network's weights, so that its answer is of another network; it has to change a copy "
            "(copy.deepcopy(model))."
        )
    notes = tuple(f"{what} changed {name}; it is set back." for name in found.changed)
    return [answer.detached(_seconds(answer) or seconds, notes) for answer in answers]


def _weights(network: nn.Module, model: nn.Module) -> Iterator[tuple[Tensor, Tensor]]:
    now = network.state_dict()
    return ((now[name], value) for name, value in model.state_dict().items() if name in now)


def _differ(now: Tensor, before: Tensor) -> bool:
    """Whether values differ, whatever their type."""
    return now.shape != before.shape or not bool((now == before).all())


def _seconds(answer: Attribution) -> float:
    """What the answer says of its time, 0 where that is no time."""
    own = answer.seconds
    return float(own) if isinstance(own, Real) and math.isfinite(own) and own > 0 else 0.0


def _check(what: str, answers: list[Attribution], batch: GraphBatch) -> None:
    if not isinstance(answers, list) or not all(isinstance(answer, Attribution) for answer in answers):
        raise InputError(f"{what} must return a list of Attribution.")
    if len(answers) != batch.num_graphs:
        raise InputError(f"{what} gave {len(answers)} answers for {batch.num_graphs} molecules.")
    for place, (answer, graph) in enumerate(zip(answers, batch.to_data_list(), strict=True), start=1):
        for kind, values, wanted in (("atoms", answer.atoms, graph.x), ("bonds", answer.bonds, graph.edge_attr)):
            if kind == "bonds" and values is None:
                continue
            where = f"{what} gave {kind} of molecule {place}"
            if not isinstance(values, np.ndarray) or values.shape != tuple(wanted.shape):
                shape = getattr(values, "shape", type(values).__name__)
                raise InputError(f"{where} as {shape}, not as an array {list(wanted.shape)}.")
            if values.dtype.kind not in "fiub":
                raise InputError(f"{where} as {values.dtype}, not as real numbers.")
            if not np.isfinite(values).all():
                raise InputError(f"{where} with numbers that are not finite.")
