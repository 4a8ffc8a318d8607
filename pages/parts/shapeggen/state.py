"""What the ShapeGGen page shows, as a value beside the ``State`` in the address."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from pages.shared.address import Address
from pages.shared.codecs import FLAG, number, one_of, plain, text

if TYPE_CHECKING:
    from wombat_core.shapeggen import Parameters

VIEWS = ("generate", "explain", "compare")
NETWORKS = ("gin", "gcn")
MASKS = ("node", "edge", "feature")
MOLECULES = "molecules"
METRICS = "metrics"
QUICK = ("random", "saliency", "grad-cam", "guided-backprop", "integrated-gradients")
MOST_NODES = 2000

Changes = tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Shape:
    """Everything that a link to the page carries, beside the presentation mode of the ``State``.

    Attributes:
        shape: generate, explain or compare.
        preset: name of the graph's parameters.
        changes: parameters that differ from the preset's: name, value; their sum is not checked here.
        graph_seed: of the graph.
        network: "gin" or "gcn".
        epochs: of its training; 0 for the paper's.
        train_seed: of its initial weights.
        node: the node that is explained, or None: the first test node.
        near: a node of its neighbourhood that is selected, or None.
        methods: explainers.
        mask: "node", "edge" or "feature".
        binary: the top quarter in place of raw scores.
        test_nodes: how many nodes are compared.
        rule, direction, flip, copies: how masks and metrics are read, see ``wombat_core.shapeggen.evaluate.Options``.
        study: "metrics", a name of ``wombat_core.shapeggen.studies.STUDIES``, or "molecules".
        pairs: how the graphs of a study were made homophilic, see ``homophily_pairs`` of the parameters.
        picked: explainer and metric of the chosen cell with a colon between them, or "".
        tasks: GraphXAI's molecular tasks.
    """

    shape: str = "generate"
    preset: str = "SG-Base-500"
    changes: Changes = ()
    graph_seed: int = 0
    network: str = "gin"
    epochs: int = 0
    train_seed: int = 0
    node: int | None = None
    near: int | None = None
    methods: tuple[str, ...] = QUICK
    mask: str = "node"
    binary: bool = False
    test_nodes: int = 30
    rule: str = "top-25%"
    direction: str = "printed"
    flip: str = "node"
    copies: int = 5
    study: str = METRICS
    pairs: str = "different-label"
    picked: str = ""
    tasks: tuple[str, ...] = ("benzene",)

    @property
    def parameters(self) -> Parameters:
        """The graph's parameters.

        Raises:
            InputError: the changes do not go together with the preset.
        """
        from wombat_core.shapeggen import preset

        return preset(self.preset).changed(seed=self.graph_seed, **dict(self.changes))

    @property
    def comparable(self) -> tuple[tuple[str, ...], str]:
        """The metrics beside which the paper's numbers stand, and why the others are left out; see the core's."""
        from wombat_core.shapeggen.published_scores import comparable

        return comparable(self.parameters, self.rule, self.direction)


def changed(shape: Shape, /, **changes: Any) -> Shape:
    """The value after a change; nodes belong to their graph, a selected neighbour to its node."""

    def differs(*names: str) -> bool:
        return any(changes.get(name, getattr(shape, name)) != getattr(shape, name) for name in names)

    if differs("preset"):
        changes = {"changes": (), **changes}
    if differs("preset", "graph_seed", "changes"):
        changes = {"node": None, "near": None, **changes}
    if differs("node"):
        changes = {"near": None, **changes}
    return replace(shape, **changes)


def method_names() -> tuple[str, ...]:
    """Explainers of the page: the paper's, then those that users added."""
    from wombat_core.explainers.registry import is_added, names
    from wombat_core.shapeggen.node_explainers import GRAPHXAI

    return (*GRAPHXAI, *(name for name in names() if is_added(name)))


def methods_of(names) -> tuple[str, ...]:
    """Names in the paper's order, each once."""
    return tuple(name for name in method_names() if name in set(names))


def changes_of(preset: str, values: dict[str, Any]) -> Changes:
    """What of some values differs from the preset's."""
    from wombat_core.shapeggen import PRESETS

    own = PRESETS[preset].as_dict()
    return tuple((name, value) for name, value in values.items() if value != own[name])


def _presets() -> list[str]:
    from wombat_core.shapeggen import PRESETS

    return list(PRESETS)


def _changes(text: str) -> Changes:
    from wombat_core.shapeggen import Parameters

    defaults = Parameters().as_dict()
    del defaults["seed"]
    found: dict[str, Any] = {}
    for part in text.split(",") if text else ():
        name, colon, value = part.partition(":")
        if not colon or name not in defaults:
            raise ValueError(f"it must be parameters with commas between them, of {', '.join(defaults)}")
        kind = type(defaults[name])
        try:
            found[name] = kind(unquote(value))
        except ValueError:
            what = "whole number" if kind is int else "number"
            raise ValueError(f"{name} must be a {what}") from None
    return tuple(found.items())


def _of_changes(changes: Changes) -> str:
    return ",".join(f"{name}:{quote(str(value), safe='')}" for name, value in changes)


def _methods(text: str) -> tuple[str, ...]:
    names = [] if text in ("", "none") else text.split(",")
    for name in names:
        one_of(method_names)(name)
    return methods_of(names)


def _rules() -> tuple[str, ...]:
    from wombat_core.metrics.masks import RULES

    return RULES


def _directions() -> tuple[str, ...]:
    from wombat_core.metrics.faithfulness import DIRECTIONS

    return DIRECTIONS


def _pairs() -> tuple[str, ...]:
    from wombat_core.shapeggen.parameters import READINGS

    return READINGS["homophily_pairs"]


def _flips() -> tuple[str, ...]:
    from wombat_core.shapeggen.perturb import FLIPS

    return FLIPS


def studies() -> tuple[str, ...]:
    """What Compare can show."""
    from wombat_core.shapeggen.studies import STUDIES

    return (METRICS, *STUDIES, MOLECULES)


def tasks() -> list[str]:
    from wombat_core.studies.molecule_rules import TASKS

    return list(TASKS)


def tasks_of(names) -> tuple[str, ...]:
    return tuple(name for name in tasks() if name in set(names))


def _tasks(text: str) -> tuple[str, ...]:
    names = [] if text in ("", "none") else text.split(",")
    for name in names:
        one_of(tasks)(name)
    return tasks_of(names)


def _joined(names: tuple[str, ...]) -> str:
    return ",".join(names) or "none"


SHAPE = Address(
    Shape,
    {
        "shape": plain(one_of(lambda: VIEWS)),
        "preset": plain(one_of(_presets)),
        "changes": (_changes, _of_changes),
        "graph_seed": plain(number(0, 2**31 - 1)),
        "network": plain(one_of(lambda: NETWORKS)),
        "epochs": plain(number(0, 100_000)),
        "train_seed": plain(number(0, 2**31 - 1)),
        "node": plain(number(0, 999_999)),
        "near": plain(number(0, 999_999)),
        "methods": (_methods, _joined),
        "mask": plain(one_of(lambda: MASKS)),
        "binary": FLAG,
        "test_nodes": plain(number(1, MOST_NODES)),
        "rule": plain(one_of(_rules)),
        "direction": plain(one_of(_directions)),
        "flip": plain(one_of(_flips)),
        "copies": plain(number(1, 100)),
        "study": plain(one_of(studies)),
        "pairs": plain(one_of(_pairs)),
        "picked": plain(text),
        "tasks": (_tasks, _joined),
    },
    changed,
)
