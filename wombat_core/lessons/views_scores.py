"""Views that are tables of predictions and scores."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import numpy as np

from .. import progress
from ..errors import InputError
from ..metrics.ranking import random_average_precision
from ..molecules.positives import positives
from ..studies.sample_size import pattern_size
from ..studies.wirings import wiring_title
from ..whitebox.model import is_positive
from .arguments import Atom, ExplainerName, PatternId, Readout, several, whole, with_setting
from .atoms import rank
from .blocks import Block, Card, Cards, Table
from .engine import Answer, Engine
from .fact import number
from .facts_path import blanked
from .lesson import Situation, Step
from .view import view

SAMPLING = "shapley-value-sampling"
SAMPLES = (20, 100, 500)
SEEDS = 10
Counts = Annotated[tuple[Annotated[int, whole(1, 2000)], ...], several(6)]
Patterns = Annotated[tuple[PatternId, ...], several(6)]


@view("prediction")
def prediction_table(engine: Engine, step: Step, patterns: Patterns = ()) -> list[Block]:
    """The molecule; F under both readouts, the verdict and the label, a row a whitebox."""
    rows = []
    for own in _situations(step.situation, patterns):
        readouts = {name: float(value) for name, value in engine.trace(own).readouts.items()}
        used = readouts.get(own.readout, next(iter(readouts.values())))
        told = ["–" if name not in readouts else number(readouts[name], None) for name in ("r1", "r2")]
        if not {"r1", "r2"} & set(readouts):
            told = [f"{number(used, None)} (its own readout)", "–"]
        verdict = "positive" if is_positive(used) else "negative"
        motif = "contains it" if engine.truth(own).any() else "does not"
        rows.append((wiring_title(engine.network(own).pattern), *told, verdict, motif))
    head = ("whitebox", "F, r1", "F, r2", f"verdict ({step.situation.readout})", "motif")
    return [Cards((Card(step.situation, "molecule"),), 1), Table(head, tuple(rows))]


@view("scores", explains=True)
def scores_table(
    engine: Engine, step: Step, readouts: Annotated[tuple[Readout, ...], several(2)] = (), patterns: Patterns = ()
) -> list[Block]:
    """The scores of every explainer."""
    rows = []
    several, both = len(patterns) > 1, len(readouts) > 1
    for own in _situations(step.situation, patterns):
        for readout in readouts or (own.readout,):
            situation = replace(own, readout=readout)
            for name in step.explainers:
                answer = engine.answer(situation, name)
                place = [wiring_title(engine.network(situation).pattern)] * several + [readout] * both
                rows.append((answer.title, *place, *_scores(answer, engine.truth(situation))))
    head = (
        "explainer",
        *["whitebox"] * several,
        *["readout"] * both,
        "AUROC",
        "AP",
        "AP, constant",
        "AP, random",
        "verdict",
    )
    note = "AP, constant and random: what an answer without any knowledge gets, the same for every atom, or by chance."
    return [Table(head, tuple(rows), texts=1 + several + both, note=note)]


def verdict(answer: Answer) -> str:
    """The verdict on an answer in a word or two."""
    scores = answer.scores
    if scores.iqr_pass is not None:
        return "IQR pass" if scores.iqr_pass else "IQR fail"
    if answer.is_null:
        return "null"
    if scores.perfect is None:
        return "not scored"
    return "perfect" if scores.perfect else "not perfect"


def _scores(answer: Answer, truth: np.ndarray) -> tuple[str, ...]:
    chance = random_average_precision(len(truth), int(truth.sum())) if truth.any() else None
    found = answer.scores.auroc, answer.scores.average_precision, answer.scores.ap_baseline, chance
    return (*("–" if value is None else f"{value:.3f}" for value in found), verdict(answer))


@view("table", explains=True)
def atom_table(engine: Engine, step: Step, atoms: Annotated[tuple[Atom, ...], several(200)] = ()) -> list[Block]:
    """Every atom's scores and ranks."""
    situation = step.situation
    answers = [engine.answer(situation, name) for name in step.explainers]
    labels, truth = engine.labels(situation), engine.truth(situation)
    rows = []
    for atom in atoms or range(len(labels)):
        scores = [f"{number(answer.atoms[atom], None, 4)} (rank {rank(answer.atoms, atom)})" for answer in answers]
        rows.append((labels[atom], "yes" if truth[atom] else "no", *scores))
    return [Table(("atom", "ground truth", *(answer.title for answer in answers)), tuple(rows), texts=2)]


@view("blanked")
def blanked_table(engine: Engine, step: Step, atoms: Annotated[tuple[Atom, ...], several(200)] = ()) -> list[Block]:
    """F with every atom blanked, one at a time, beside what the explainers say of it."""
    situation = step.situation
    answers = [engine.answer(situation, name) for name in step.explainers]
    labels, truth = engine.labels(situation), engine.truth(situation)
    rows = []
    for atom in atoms or range(len(labels)):
        left = number(blanked(engine, situation, [atom]), None, 4)
        scores = [number(answer.atoms[atom], None, 4) for answer in answers]
        rows.append((labels[atom], "yes" if truth[atom] else "no", left, *scores))
    head = ("atom", "ground truth", "F without it", *(answer.title for answer in answers))
    note = "F without it: with this atom's features at zero, all else whole."
    return [Table(head, tuple(rows), texts=2, note=note)]


def _takes_samples(engine: Engine, step: Step, explainer: str = SAMPLING, **others) -> None:
    with_setting(step.situation, explainer, "samples", 1)


@view("samples", check=_takes_samples)
def samples_table(
    engine: Engine,
    step: Step,
    samples: Counts = SAMPLES,
    seeds: Annotated[int, whole(1, 50)] = SEEDS,
    explainer: ExplainerName = SAMPLING,
    patterns: Patterns = (),
) -> list[Block]:
    """Mean AUROC and share of perfect answers over several seeds, against the number of samples (Figure S7)."""
    situations = [_published(step.situation, id) for id in patterns] or [step.situation]
    cells = [(own, count) for own in situations for count in samples]

    def measured(cell: tuple[Situation, int]) -> str:
        own, count = with_setting(cell[0], explainer, "samples", cell[1]), cell[1]
        found = [engine.answer(with_setting(own, explainer, "seed", seed), explainer).scores for seed in range(seeds)]
        if found[0].auroc is None:
            raise InputError(f"AUROC is undefined on this molecule, so {count} samples cannot be judged.")
        perfect = sum(bool(scores.perfect) for scores in found)
        return f"{np.mean([scores.auroc for scores in found if scores.auroc is not None]):.3f} ({perfect} of {seeds})"

    told = iter(progress.each(cells, measured))
    rows = tuple((*_size(engine, own), *(next(told) for _ in samples)) for own in situations)
    head = ("whitebox", "atoms of the motif", *(f"{count} samples" for count in samples))
    note = f"{engine.title(explainer)}: mean AUROC over {seeds} seeds, and how many of them gave a perfect answer."
    return [Table(head, rows, note=note)]


def _size(engine: Engine, situation: Situation) -> tuple[str, str]:
    pattern = engine.network(situation).pattern
    return pattern.title, str(pattern_size(pattern))


def _published(situation: Situation, id: str) -> Situation:
    number = id.partition("-")[0]
    known = positives().get(int(number), []) if number.isdecimal() else []
    if not known:
        raise InputError(f"there is no published molecule with the motif of pattern {id}.")
    return replace(situation, pattern=id, molecule=known[0])


def _situations(situation: Situation, patterns: Sequence[str]) -> list[Situation]:
    return [replace(situation, pattern=id) for id in patterns] or [situation]


def card_answers(cards: Cards) -> list[tuple[Situation, str]]:
    """The answers that cards show."""
    return [(card.situation, card.explainer) for card in cards.cards if card.kind == "answer"]
