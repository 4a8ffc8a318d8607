"""Numbers about one explainer's answer."""

from typing import Annotated

import numpy as np
import torch

from ..errors import InputError
from ..explainers.registry import explainer_class
from ..metrics.ranking import random_average_precision
from ..settings import settings_of
from .arguments import Atom, ExplainerName, whole
from .atoms import named, overlap, strongest
from .atoms import rank as rank_of
from .engine import Answer, Engine
from .fact import fact
from .facts_molecule import prediction_of
from .lesson import Situation

Count = Annotated[int, whole(1, 100_000)]


@fact
def auroc(engine, situation, explainer: ExplainerName):
    return engine.answer(situation, explainer).scores.auroc


@fact
def ap(engine, situation, explainer: ExplainerName):
    return engine.answer(situation, explainer).scores.average_precision


@fact
def ap_baseline(engine, situation):
    truth = engine.truth(situation)
    return float(truth.mean()) if truth.any() else None


@fact
def ap_random(engine, situation):
    truth = engine.truth(situation)
    return random_average_precision(len(truth), int(truth.sum())) if truth.any() else None


@fact
def perfect(engine, situation, explainer: ExplainerName):
    found = engine.answer(situation, explainer).scores.perfect
    return None if found is None else "perfect" if found else "not perfect"


@fact
def iqr(engine, situation, explainer: ExplainerName):
    found = engine.answer(situation, explainer).scores.iqr_pass
    return None if found is None else "passes" if found else "fails"


@fact
def null(engine, situation, explainer: ExplainerName):
    return "null" if engine.answer(situation, explainer).is_null else "not null"


@fact(usual=4)
def score(engine, situation, explainer: ExplainerName, atom: Atom):
    return float(engine.answer(situation, explainer).atoms[atom])


@fact(usual=4)
def signed(engine, situation, explainer: ExplainerName, atom: Atom):
    return float(engine.answer(situation, explainer).signed_atoms[atom])


@fact
def rank(engine, situation, explainer: ExplainerName, atom: Atom):
    return str(rank_of(engine.answer(situation, explainer).atoms, atom))


@fact
def top(engine, situation, explainer: ExplainerName, count: Count | None = None):
    most = int(engine.truth(situation).sum()) if count is None else count
    return named(engine.labels(situation), strongest(engine.answer(situation, explainer).atoms, most))


@fact
def strongest_outside(engine, situation, explainer: ExplainerName):
    return _extreme(engine, situation, explainer, inside=False)


@fact
def weakest_inside(engine, situation, explainer: ExplainerName):
    return _extreme(engine, situation, explainer, inside=True)


def _extreme(engine: Engine, situation: Situation, name: str, inside: bool) -> str:
    atoms, truth = engine.answer(situation, name).atoms, engine.truth(situation)
    places = np.flatnonzero(truth == inside)
    if not len(places):
        raise InputError(f"every atom is {'outside' if inside else 'inside'} the ground truth.")
    values = atoms[places]
    return engine.labels(situation)[places[values.argmin() if inside else values.argmax()]]


def total_of(answer: Answer) -> float:
    """The sum of all attributions, atoms and bonds."""
    bonds = 0.0 if answer.signed_bonds is None else answer.signed_bonds.sum()
    return float(answer.signed_atoms.sum() + bonds)


@fact
def total(engine, situation, explainer: ExplainerName):
    return total_of(engine.answer(situation, explainer))


@fact
def gap(engine, situation, explainer: ExplainerName):
    data, model = engine.data(situation), engine.network(situation)
    with torch.no_grad():
        nothing = float(model(torch.zeros_like(data.x), data.edge_index, torch.zeros_like(data.edge_attr)))
    return total_of(engine.answer(situation, explainer)) - (prediction_of(engine, situation) - nothing)


@fact
def setting(engine, situation, explainer: ExplainerName, name: str):
    known = settings_of(explainer_class(explainer))
    if name not in known:
        raise InputError(f"{explainer} has no setting '{name[:40]}'; it has {', '.join(known) or 'none'}.")
    return known[name].text(situation.settings_of(explainer).get(name, known[name].default))


@fact(usual=2)
def jaccard(engine, situation, explainer: ExplainerName):
    return _agreement(engine, situation, explainer).jaccard


@fact
def hits(engine, situation, explainer: ExplainerName):
    return str(len(_agreement(engine, situation, explainer).hits))


def _agreement(engine: Engine, situation: Situation, name: str):
    truth = np.flatnonzero(engine.truth(situation)).tolist()
    return overlap(strongest(engine.answer(situation, name).atoms, len(truth)), truth)
