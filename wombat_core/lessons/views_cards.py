"""Views of molecules: bare, with the ground truth, with what explainers say."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from ..studies.wirings import wiring_title
from .arguments import ExplainerName, MoleculeText, PatternId, several, whole, with_setting
from .blocks import Block, Card, Cards, Train
from .engine import Engine
from .view import view

Patterns = Annotated[tuple[PatternId, ...], several(6)]


@view("none")
def none(engine, step) -> list[Block]:
    return []


@view("molecule")
def molecule(engine, step) -> list[Block]:
    return [Cards((Card(step.situation, "molecule"),), 1)]


@view("truth")
def truth(engine, step) -> list[Block]:
    return [Cards((Card(step.situation, "truth"),), 1)]


@view("heatmaps", explains=True)
def heatmaps(engine, step, columns: Annotated[int, whole(1, 4)] = 3) -> list[Block]:
    cards = [Card(step.situation, "answer", name) for name in step.explainers]
    return [Cards((Card(step.situation, "truth"), *cards), columns)]


@view("compare-readouts", explains=True)
def compare_readouts(engine: Engine, step) -> list[Block]:
    cards = [Card(step.situation, "truth")]
    for name in step.explainers:
        for readout in ("r1", "r2"):
            own = replace(step.situation, readout=readout)
            cards.append(Card(own, "answer", name, f"{engine.title(name)}, {readout}"))
    return [Cards(tuple(cards), 3)]


@view("compare-patterns", explains=True)
def compare_patterns(engine: Engine, step, patterns: Patterns) -> list[Block]:
    found: list[Block] = []
    for name in step.explainers:
        cards = [Card(step.situation, "truth")]
        for id in patterns:
            own = replace(step.situation, pattern=id)
            title = wiring_title(engine.network(own).pattern)
            title = title if len(step.explainers) == 1 else f"{engine.title(name)}: {title}"
            cards.append(Card(own, "answer", name, title))
        found.append(Cards(tuple(cards), 3))
    return found


def _settings_are_known(engine, step, explainer: str, setting: str, values: Sequence) -> None:
    for value in values:
        with_setting(step.situation, explainer, setting, value)


@view("compare-settings", check=_settings_are_known)
def compare_settings(
    engine: Engine, step, explainer: ExplainerName, setting: str, values: Annotated[tuple[object, ...], several(6)]
) -> list[Block]:
    cards = [Card(step.situation, "truth")]
    for value in values:
        own = with_setting(step.situation, explainer, setting, value)
        cards.append(Card(own, "answer", explainer, f"{engine.title(explainer)}, {setting.replace('_', ' ')} {value}"))
    return [Cards(tuple(cards), 3)]


@view("compare-molecules", explains=True)
def compare_molecules(engine: Engine, step, molecules: Annotated[tuple[MoleculeText, ...], several(6)]) -> list[Block]:
    found: list[Block] = []
    for text in molecules:
        own = replace(step.situation, molecule=text)
        name = engine.molecule(text).name or ("Ground truth" if len(text) > 30 else text)
        answers = [Card(own, "answer", explainer) for explainer in step.explainers]
        found.append(Cards((Card(own, "truth", title=name), *answers), 3))
    return found


@view("train", explains=True)
def train(
    engine,
    step,
    epochs: Annotated[int, whole(5, 300)] | None = None,
    molecules: Annotated[int, whole(20, 2000)] | None = None,
) -> list[Block]:
    given = {"epochs": epochs, "molecules": molecules}
    options = {name: value for name, value in given.items() if value is not None}
    return [Train(step.situation, step.explainers, options)]
