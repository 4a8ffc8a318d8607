"""A network trained on the page, live, and then explained beside the whitebox with the same question."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from pages.shared import engine, runs
from pages.shared.answer_cards import answer_card, atom_lines, truth_card
from pages.shared.chart_frame import show, style_of
from pages.shared.job_controls import POLL, progress_row
from pages.shared.molecule_cards import molecule_cards
from pages.shared.text import number, plain, seconds
from wombat_core.errors import InputError

from .cards import plain_card, small_card
from .engine import PageEngine, state_of

if TYPE_CHECKING:
    from pages.shared.state import State
    from wombat_core.lessons.blocks import Train
    from wombat_core.lessons.lesson import Step
    from wombat_core.networks.motif import MotifTraining

HEIGHT = 120
CHART_HEIGHT, SMALL_CHART = 190, 130
_SEEDS, _CURVES = "lesson-train-seeds", "lesson-train-curves"


def is_trained(block: Train) -> bool:
    """Whether there is a trained network to show."""
    return runs.kept(_name(block)) is not None


def train(block: Train, step: Step, key: str, present: bool, using: PageEngine) -> None:
    """A button, then the loss as it falls, then both networks' explanations."""
    state = state_of(block.situation, block.explainers, step.show, present=present)
    name = _name(block)
    run, found = runs.run_of(name), runs.kept(name)
    if found is not None:
        _explained(block, found["training"], name, key, state, using)
    elif run is not None and run.standing == "running":
        st.fragment(_follow, run_every=POLL)(name, key, state)
    else:
        if run is not None and run.problem:
            st.error(plain(run.problem))
        title = engine.pattern(block.situation.pattern).title
        st.markdown(
            f"A small GIN learns the labels of {plain(title)} from library molecules, half of them with the motif. "
            "It takes less than a minute on this machine."
        )
        again = " again" if run is not None else ""
        st.button(f"Train{again}", on_click=_start, args=(block, name), type="primary", key="lesson-train")


def _name(block: Train) -> tuple:
    """The key of the training."""
    options = tuple(sorted(block.options.items()))
    seed = st.session_state.setdefault(_SEEDS, {}).get(block.situation.pattern, 0)
    return "lesson-train", block.situation.pattern, options, seed


def _start(block: Train, name: tuple) -> None:
    from wombat_core.networks.motif import SETTINGS, train_on_motif
    from wombat_core.networks.training import Curve

    curve = st.session_state.setdefault(_CURVES, {})[name] = Curve()
    settings = replace(SETTINGS, epochs=block.options.get("epochs", SETTINGS.epochs), seed=name[-1])
    most = {"most": block.options["molecules"]} if "molecules" in block.options else {}
    pattern = block.situation.pattern
    runs.start(name, lambda: {"training": train_on_motif(pattern, settings, curve=curve, **most)}).wait(0.1)


def _again(pattern: str) -> None:
    seeds = st.session_state.setdefault(_SEEDS, {})
    seeds[pattern] = seeds.get(pattern, 0) + 1


def _follow(name: tuple, key: str, state: State) -> None:
    run = runs.run_of(name)
    if run is None or run.standing != "running":
        st.rerun()
    curve = st.session_state.get(_CURVES, {}).get(name)
    done = len(curve.losses) if curve else 0
    told = f"Epoch {done} of {curve.epochs}" if done else "Choosing molecules from the library"
    progress_row("lesson-train", "lesson-train-stop", run.share, told, run.stop)
    if done:
        _loss(list(curve.losses), curve.epochs, key, state)


def _loss(losses: list[float], epochs: int, key: str, state: State, height: int = CHART_HEIGHT) -> None:
    from wombat_core.drawing.line_charts import named_lines

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


def _card(case: engine.Case, answer: engine.Answer, state: State) -> dict:
    return plain_card(answer_card(case, answer, state, None, HEIGHT), is_null=False, small=True)


@st.cache_resource(max_entries=50, show_spinner=False)
def _prediction(text: str, name: tuple, _model) -> float:
    from wombat_core.explanation import predict

    return predict([engine.find(text).molecule], _model)[0]


def _trained_answer(situation, explainer: str, name: tuple, model) -> engine.Answer:
    """An explainer's answer on the trained network, or why there is none."""
    from wombat_core.explainers.registry import explainer_class

    kind = explainer_class(explainer)
    head = {"name": explainer, "title": kind.title, "summary": kind.summary}
    if kind.expensive:
        return engine.Answer(**head, problem="It takes long, and is not run on the trained network.")
    try:
        return engine.Answer(**head, **_computed(situation, explainer, name, model))
    except InputError as error:
        return engine.Answer(**head, problem=str(error))


@st.cache_resource(max_entries=50, show_spinner=False)
def _computed(situation, explainer: str, name: tuple, _model) -> dict:
    from wombat_core.explainers.registry import explainer as make

    settings = make(explainer, **situation.settings_of(explainer))
    return engine.explained(engine.find(situation.molecule).molecule, _model, settings)
