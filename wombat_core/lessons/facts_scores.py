"""Numbers about one explainer's answer."""

import numpy as np
import torch

from ..errors import InputError
from ..explainers.registry import explainer_class
from ..explainers.settings import settings_of
from ..metrics.ranking import random_average_precision
from .atoms import named, overlap, rank, strongest
from .engine import Answer, Engine
from .fact import atom_of, fact, number
from .facts_molecule import prediction
from .lesson import Situation


def _score(value: float | None, digits: int | None) -> str:
    return "undefined" if value is None else number(value, digits)


@fact("auroc E")
def _auroc(engine, situation, words, digits) -> str:
    return _score(engine.answer(situation, words[0]).scores.auroc, digits)


@fact("ap E")
def _ap(engine, situation, words, digits) -> str:
    return _score(engine.answer(situation, words[0]).scores.average_precision, digits)


@fact("ap-baseline")
def _ap_baseline(engine, situation, words, digits) -> str:
    truth = engine.truth(situation)
    return _score(float(truth.mean()) if truth.any() else None, digits)


@fact("ap-random")
def _ap_random(engine, situation, words, digits) -> str:
    truth = engine.truth(situation)
    return _score(random_average_precision(len(truth), int(truth.sum())) if truth.any() else None, digits)


@fact("perfect E")
def _perfect(engine, situation, words, digits) -> str:
    found = engine.answer(situation, words[0]).scores.perfect
    return "undefined" if found is None else "perfect" if found else "not perfect"


@fact("iqr E")
def _iqr(engine, situation, words, digits) -> str:
    found = engine.answer(situation, words[0]).scores.iqr_pass
    return "undefined" if found is None else "passes" if found else "fails"


@fact("null E")
def _null(engine, situation, words, digits) -> str:
    return "null" if engine.answer(situation, words[0]).is_null else "not null"


@fact("score E ATOM")
def _importance(engine, situation, words, digits) -> str:
    atom = atom_of(engine, situation, words[1])
    return number(float(engine.answer(situation, words[0]).atoms[atom]), digits, usual=4)


@fact("signed E ATOM")
def _signed(engine, situation, words, digits) -> str:
    atom = atom_of(engine, situation, words[1])
    return number(float(engine.answer(situation, words[0]).signed_atoms[atom]), digits, usual=4)


@fact("rank E ATOM")
def _rank(engine, situation, words, digits) -> str:
    atom = atom_of(engine, situation, words[1])
    return str(rank(engine.answer(situation, words[0]).atoms, atom))


@fact("top E COUNT", optional=1)
def _top(engine, situation, words, digits) -> str:
    if len(words) > 1 and not words[1].isdecimal():
        raise InputError(f"'{words[1][:20]}' is no number of atoms.")
    count = int(words[1]) if len(words) > 1 else int(engine.truth(situation).sum())
    return named(engine.labels(situation), strongest(engine.answer(situation, words[0]).atoms, count))


@fact("strongest-outside E")
def _strongest_outside(engine, situation, words, digits) -> str:
    return _extreme(engine, situation, words[0], inside=False)


@fact("weakest-inside E")
def _weakest_inside(engine, situation, words, digits) -> str:
    return _extreme(engine, situation, words[0], inside=True)


def _extreme(engine: Engine, situation: Situation, name: str, inside: bool) -> str:
    atoms, truth = engine.answer(situation, name).atoms, engine.truth(situation)
    places = np.flatnonzero(truth == inside)
    if not len(places):
        raise InputError(f"every atom is {'outside' if inside else 'inside'} the ground truth.")
    values = atoms[places]
    return engine.labels(situation)[places[values.argmin() if inside else values.argmax()]]


def total(answer: Answer) -> float:
    """The sum of all attributions, atoms and bonds."""
    bonds = 0.0 if answer.signed_bonds is None else answer.signed_bonds.sum()
    return float(answer.signed_atoms.sum() + bonds)


@fact("total E")
def _total(engine, situation, words, digits) -> str:
    return number(total(engine.answer(situation, words[0])), digits)


@fact("gap E")
def _gap(engine, situation, words, digits) -> str:
    data = engine.data(situation)
    model = engine.network(situation)
    with torch.no_grad():
        nothing = float(model(torch.zeros_like(data.x), data.edge_index, torch.zeros_like(data.edge_attr)))
    gain = prediction(engine, situation) - nothing
    return number(total(engine.answer(situation, words[0])) - gain, digits)


@fact("setting E NAME")
def _setting(engine, situation, words, digits) -> str:
    known = settings_of(explainer_class(words[0]))
    if words[1] not in known:
        raise InputError(f"{words[0]} has no setting '{words[1][:40]}'; it has {', '.join(known) or 'none'}.")
    return known[words[1]].text(situation.settings_of(words[0]).get(words[1], known[words[1]].default))


@fact("jaccard E")
def _jaccard(engine, situation, words, digits) -> str:
    return number(_agreement(engine, situation, words[0]).jaccard, digits, usual=2)


@fact("hits E")
def _hits(engine, situation, words, digits) -> str:
    return str(len(_agreement(engine, situation, words[0]).hits))


def _agreement(engine: Engine, situation: Situation, name: str):
    truth = np.flatnonzero(engine.truth(situation)).tolist()
    return overlap(strongest(engine.answer(situation, name).atoms, len(truth)), truth)
