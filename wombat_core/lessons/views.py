"""The views of steps, by name: each turns a situation and options into blocks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..errors import InputError
from . import options as o
from . import views_layers, views_path, views_published, views_scores
from .blocks import Block, Card, Cards, Train
from .engine import Engine
from .lesson import Step, View
from .options import Option


@dataclass(frozen=True)
class Kind:
    """A view: how its blocks are made, its options, and those it must have."""

    blocks: Callable[..., Sequence[Block]]
    options: Mapping[str, Option]
    needed: tuple[str, ...] = ()
    explains: bool = False


def _none(engine, step) -> list[Block]:
    return []


def _molecule(engine, step) -> list[Block]:
    return [Cards((Card(step.situation, "molecule"),), 1)]


def _truth(engine, step) -> list[Block]:
    return [Cards((Card(step.situation, "truth"),), 1)]


def _heatmaps(engine, step, columns=3) -> list[Block]:
    cards = [Card(step.situation, "answer", name) for name in step.explainers]
    return [Cards((Card(step.situation, "truth"), *cards), columns)]


def _compare_readouts(engine: Engine, step) -> list[Block]:
    cards = [Card(step.situation, "truth")]
    for name in step.explainers:
        for readout in ("r1", "r2"):
            own = replace(step.situation, readout=readout)
            cards.append(Card(own, "answer", name, f"{engine.title(name)}, {readout}"))
    return [Cards(tuple(cards), 3)]


def _compare_patterns(engine: Engine, step, patterns) -> list[Block]:
    found: list[Block] = []
    for name in step.explainers:
        cards = [Card(step.situation, "truth")]
        for id in patterns:
            own = replace(step.situation, pattern=id)
            title = engine.network(own).pattern.title
            title = title if len(step.explainers) == 1 else f"{engine.title(name)}: {title}"
            cards.append(Card(own, "answer", name, title))
        found.append(Cards(tuple(cards), 3))
    return found


def _compare_settings(engine: Engine, step, explainer, setting, values) -> list[Block]:
    cards = [Card(step.situation, "truth")]
    for value in values:
        own = o.with_setting(step.situation, explainer, setting, value)
        cards.append(Card(own, "answer", explainer, f"{engine.title(explainer)}, {setting.replace('_', ' ')} {value}"))
    return [Cards(tuple(cards), 3)]


def _compare_molecules(engine: Engine, step, molecules) -> list[Block]:
    found: list[Block] = []
    for text in molecules:
        own = replace(step.situation, molecule=text)
        name = engine.molecule(text).name or ("Ground truth" if len(text) > 30 else text)
        answers = [Card(own, "answer", explainer) for explainer in step.explainers]
        found.append(Cards((Card(own, "truth", title=name), *answers), 3))
    return found


def _train(engine, step, epochs=None, molecules=None) -> list[Block]:
    given = {"epochs": epochs, "molecules": molecules}
    options = {name: value for name, value in given.items() if value is not None}
    return [Train(step.situation, step.explainers, options)]


_COUNTS = o.several(o.whole(1, 2000), 6)
_PATTERNS = o.several(o.pattern_id, 6)

VIEWS: dict[str, Kind] = {
    "none": Kind(_none, {}),
    "molecule": Kind(_molecule, {}),
    "truth": Kind(_truth, {}),
    "heatmaps": Kind(_heatmaps, {"columns": o.whole(1, 4)}, explains=True),
    "compare-readouts": Kind(_compare_readouts, {}, explains=True),
    "compare-patterns": Kind(_compare_patterns, {"patterns": _PATTERNS}, ("patterns",), explains=True),
    "compare-settings": Kind(
        _compare_settings,
        {"explainer": o.explainer, "setting": o.word, "values": o.several(o.anything, 6)},
        ("explainer", "setting", "values"),
    ),
    "compare-molecules": Kind(
        _compare_molecules, {"molecules": o.several(o.molecule, 6)}, ("molecules",), explains=True
    ),
    "prediction": Kind(views_scores.prediction_table, {"patterns": _PATTERNS}),
    "scores": Kind(
        views_scores.scores_table, {"readouts": o.several(o.readout, 2), "patterns": _PATTERNS}, explains=True
    ),
    "table": Kind(views_scores.atom_table, {"atoms": o.several(o.atom, 200)}, explains=True),
    "blanked": Kind(views_scores.blanked_table, {"atoms": o.several(o.atom, 200)}),
    "published": Kind(views_published.published, {"table": o.published_table}, ("table",)),
    "samples": Kind(
        views_scores.samples_table,
        {"samples": _COUNTS, "seeds": o.whole(1, 50), "explainer": o.explainer, "patterns": _PATTERNS},
    ),
    "layers": Kind(views_layers.layers, {"layer": o.layer, "channel": o.letter, "atom": o.atom}),
    "path": Kind(views_path.path, {"atom": o.atom, "zoom": o.zoom, "alpha": o.alpha}),
    "one-atom": Kind(
        views_path.moved_atom,
        {"atom": o.atom, "held": o.alpha, "zoom": o.zoom, "watch": o.several(o.watched, 4)},
        ("atom",),
    ),
    "convergence": Kind(views_path.steps, {"steps": o.several(o.whole(2, 20_000), 8)}),
    "train": Kind(_train, {"epochs": o.whole(5, 300), "molecules": o.whole(20, 2000)}, explains=True),
}


def check_view(view: View, step: Step, engine: Engine) -> dict:
    """The options of a view, ready for it.

    Raises:
        InputError: there is no such view, an option is wrong or missing, or it needs explainers.
    """
    if view.name not in VIEWS:
        raise InputError(f"there is no view '{view.name[:40]}'; choose from {', '.join(VIEWS)}.")
    kind = VIEWS[view.name]
    try:
        found = o.read_options(view.options, kind.options, engine, step.situation)
    except InputError as error:
        raise InputError(f"the view {view.name}: {error}") from None
    for name in kind.needed:
        if name not in found:
            raise InputError(f"the view {view.name} needs the option '{name}'.")
    if kind.explains and not step.explainers:
        raise InputError(f"the view {view.name} needs 'explainers'.")
    if view.name == "compare-settings":
        for value in found["values"]:
            o.with_setting(step.situation, found["explainer"], found["setting"], value)
    if view.name == "samples":
        o.with_setting(step.situation, found.get("explainer", views_scores.SAMPLING), "samples", 1)
    return found


def blocks_of(view: View, step: Step, engine: Engine) -> Sequence[Block]:
    """What a view shows.

    Raises:
        InputError: as :func:`check_view`, or it cannot be computed.
        NotYet: an explainer has no answer yet (cards wait by themselves, tables do not).
    """
    return VIEWS[view.name].blocks(engine, step, **check_view(view, step, engine))
