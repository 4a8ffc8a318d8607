"""A network trained on the page, live, and then explained beside the whitebox with the same question."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from pages.shared import engine, jobs
from pages.shared.answer_cards import answer_card, atom_lines, truth_card
from pages.shared.chart_frame import show, style_of
from pages.shared.memory import remembered
from pages.shared.molecule_cards import molecule_cards
from pages.shared.text import number, plain, seconds
from wombat_core.drawing.line_charts import named_lines
from wombat_core.errors import InputError
from wombat_core.explainers.registry import explainer as make
from wombat_core.explainers.registry import explainer_class
from wombat_core.explanation import predict
from wombat_core.networks.motif import SETTINGS, train_on_motif
from wombat_core.networks.training import Curve

from .cards import plain_card, small_card
from .engine import PageEngine, state_of

if TYPE_CHECKING:
    from pages.shared.state import State
    from wombat_core.lessons.blocks import Train
    from wombat_core.lessons.lesson import Step
    from wombat_core.networks.motif import MotifTraining

HEIGHT = 120
CHART_HEIGHT, SMALL_CHART = 190, 130
_SEEDS = "lesson-train-seeds"


def is_trained(block: Train) -> bool:
    """Whether there is a trained network to show."""
    return _job(_name(block)).answer is not None


def train(block: Train, step: Step, key: str, present: bool, using: PageEngine) -> None:
    """A button, then the loss as it falls, then both networks' explanations."""
    state = state_of(block.situation, block.explainers, step.show, present=present)
    name = _name(block)
    job = _job(name)
    if job.answer is not None:
        _explained(block, job.answer, name, key, state, using)
    elif job.is_active:
        jobs.follow(
            jobs.Bar("lesson-train", (job,), lambda: _epochs(job)),
            watch=lambda: _loss(list(job.told.losses), job.told.epochs, key, state) if _done(job) else None,
        )
    else:
        jobs.problems({"": job})
        title = engine.pattern(block.situation.pattern).title
        st.markdown(
            f"A small GIN learns the labels of {plain(title)} from library molecules, half of them with the motif. "
            "It takes less than a minute on this machine."
        )
        again = " again" if job.state != "new" else ""
        st.button(f"Train{again}", on_click=_start, args=(block, name), type="primary", key="lesson-train")


def _name(block: Train) -> tuple:
    """The key of the training."""
    options = tuple(sorted(block.options.items()))
    seed = st.session_state.setdefault(_SEEDS, {}).get(block.situation.pattern, 0)
    return "lesson-train", block.situation.pattern, options, seed


def _start(block: Train, name: tuple) -> None:
    settings = replace(SETTINGS, epochs=block.options.get("epochs", SETTINGS.epochs), seed=name[-1])
    most = {"most": block.options["molecules"]} if "molecules" in block.options else {}
    pattern = block.situation.pattern
    job = _job(name)

    def work() -> MotifTraining:
        job.told = Curve()
        return train_on_motif(pattern, settings, curve=job.told, **most)

    jobs.start(job.of(work), patience=0.1)


def _again(pattern: str) -> None:
    seeds = st.session_state.setdefault(_SEEDS, {})
    seeds[pattern] = seeds.get(pattern, 0) + 1


def _job(name: tuple) -> jobs.Job:
    """Its answer is a ``MotifTraining``, what it tells a ``Curve``."""
    return jobs.get_job("training", name)


def _done(job: jobs.Job) -> int:
    """Epochs so far."""
    return len(job.told.losses) if job.told else 0


def _epochs(job: jobs.Job) -> str:
    return f"Epoch {_done(job)} of {job.told.epochs}" if _done(job) else "Choosing molecules from the library"


def _loss(losses: list[float], epochs: int, key: str, state: State, height: int = CHART_HEIGHT) -> None:
    style = style_of(state, height)
    figure = named_lines(
        np.arange(1, len(losses) + 1),
        {"loss": np.array(losses)},
        x_title="epoch",
        y_title="loss",
        style=style,
        zoom=(1, max(epochs, 2)),
    )
    show(figure, state, style, f"{key}-loss", "Loss of the training set, one point an epoch")


def _explained(
    block: Train,
    training: MotifTraining,
    name: tuple,
    key: str,
    state: State,
    using: PageEngine,
) -> None:
    """What was learnt beside the loss, and right below it every explainer on both networks."""
    situation = block.situation
    case = engine.case(situation.molecule, situation.pattern)
    model, scores = training.model, training.training.scores
    learnt = _prediction(situation.molecule, name, model)
    left, right = st.columns([1.45, 1], gap="medium", vertical_alignment="center")
    with right:
        _loss(list(training.training.losses), len(training.training.losses), key, state, SMALL_CHART)
    left.markdown(
        f"Trained in {seconds(training.training.seconds)} on {training.positives} molecules with the motif and "
        f"{training.negatives} without. On molecules it has not seen it is right in "
        f"**{100 * scores['test'].accuracy:.0f} %** of cases. On this molecule the hand-set network says "
        f"F = **{number(case.prediction(situation.readout))}**, the trained one **{learnt:.2f}**."
    )
    left.button(
        "Train another",
        on_click=_again,
        args=(situation.pattern,),
        key="lesson-train-another",
        help="From other initial weights",
    )
    hand_set = [using.page_answer(situation, explainer) for explainer in block.explainers]
    trained = [_trained_answer(situation, explainer, name, model) for explainer in block.explainers]
    hand_set, trained = (
        [replace(answer, title=f"{answer.title}, {which}") for answer in answers]
        for answers, which in ((hand_set, "hand-set"), (trained, "trained"))
    )
    answers = [answer for pair in zip(hand_set, trained, strict=True) for answer in pair]
    cards = [
        {**small_card(truth_card(case, state, HEIGHT)), "badge": None},
        *(_card(case, one, state) for one in answers),
    ]
    molecule_cards(
        cards,
        atom_lines(case, answers, state.signed),
        None,
        key=f"{key}-cards",
        columns=min(len(cards), 5),
        big=state.present,
        picture_height=HEIGHT,
    )


def _card(case: engine.Case, answer: engine.ExplainerAnswer, state: State) -> dict:
    return plain_card(answer_card(case, answer, state, None, HEIGHT), is_null=False, small=True)


@remembered(50)
def _prediction(text: str, name: tuple, _model) -> float:
    return predict([engine.find(text).molecule], _model)[0]


def _trained_answer(situation, explainer: str, name: tuple, model) -> engine.ExplainerAnswer:
    """An explainer's answer on the trained network, or why there is none."""
    kind = explainer_class(explainer)
    head = {"name": explainer, "title": kind.title, "summary": kind.summary}
    if kind.expensive:
        return engine.ExplainerAnswer(**head, problem="It takes long, and is not run on the trained network.")
    try:
        return engine.ExplainerAnswer(**head, **_computed(situation, explainer, name, model))
    except InputError as error:
        return engine.ExplainerAnswer(**head, problem=str(error))


@remembered(50)
def _computed(situation, explainer: str, name: tuple, _model) -> dict:
    settings = make(explainer, **situation.settings_of(explainer))
    return engine.explained(engine.find(situation.molecule).molecule, _model, settings)
