"""Numbers about one explainer's answers on all published molecules with the motif."""

import numpy as np

from ..errors import InputError
from ..explainers.registry import explainer as explainer_of
from ..explanation import explain
from ..metrics.scores import Scores
from ..studies.sample_size import published_positives
from .arguments import ExplainerName
from .engine import Engine
from .fact import fact
from .lesson import Situation


@fact
def mean_auroc(engine, situation, explainer: ExplainerName):
    return float(np.mean([scores.auroc for scores in _scores(engine, situation, explainer)]))


@fact
def num_perfect(engine, situation, explainer: ExplainerName):
    return str(sum(bool(scores.perfect) for scores in _scores(engine, situation, explainer)))


@fact
def num_scored(engine, situation, explainer: ExplainerName):
    return str(len(_scores(engine, situation, explainer)))


def _scores(engine: Engine, situation: Situation, name: str) -> list[Scores]:
    """The scores of every published molecule on which AUROC is defined."""
    own, model = explainer_of(name, **situation.settings_of(name)), engine.network(situation)
    if own.expensive:
        raise InputError(f"{name} takes too long for all published molecules.")
    molecules = published_positives(model.pattern)
    if not molecules:
        raise InputError("there is no published molecule with the motif.")

    def make() -> list[Scores]:
        found = [each.scores for each in explain(molecules, model, own)]
        return [scores for scores in found if scores.auroc is not None]

    return engine.core.once("published", (model.pattern, situation.readout, name, repr(own)), make)
