"""Numbers about one explainer's answers on all published molecules with the motif."""

import numpy as np

from ..errors import InputError
from ..explainers.registry import explainer_class
from ..metrics.scores import Scores
from .arguments import ExplainerName
from .engine import Engine
from .fact import fact
from .lesson import Situation


@fact
def mean_auroc(engine, situation, explainer: ExplainerName):
    known = [scores.auroc for scores in _scores(engine, situation, explainer) if scores.auroc is not None]
    return float(np.mean(known))


@fact
def num_perfect(engine, situation, explainer: ExplainerName):
    return str(sum(bool(scores.perfect) for scores in _scores(engine, situation, explainer)))


@fact
def num_scored(engine, situation, explainer: ExplainerName):
    return str(len(_scores(engine, situation, explainer)))


def _scores(engine: Engine, situation: Situation, name: str) -> list[Scores]:
    if explainer_class(name).expensive:
        raise InputError(f"{name} takes too long for all published molecules.")
    return engine.published(situation, name)
