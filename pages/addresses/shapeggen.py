"""What the ShapeGGen page shows, as a value beside the ``State`` in the address."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pages.shared.address import Address, param
from pages.shared.codecs import FLAG, TEXT, choice, several, whole

from .shapeggen_codecs import (
    CHANGES,
    METRICS,
    directions,
    flips,
    method_names,
    methods_of,
    pair_readings,
    presets,
    rules,
    studies,
    tasks,
    tasks_of,
)

if TYPE_CHECKING:
    from wombat_core.shapeggen import Parameters

VIEWS = ("generate", "explain", "compare")
NETWORKS = ("gin", "gcn")
MASKS = ("node", "edge", "feature")
QUICK = ("random", "saliency", "grad-cam", "guided-backprop", "integrated-gradients")
MOST_NODES = 2000
SEED = whole(0, 2**31 - 1)
NODE = whole(0, 999_999)


@dataclass(frozen=True)
class ShapeGGenState:
    """Everything that a link to the page carries, beside the presentation mode of the ``State``.

    ``rule`` to ``copies`` say how masks and metrics are read, see ``wombat_core.shapeggen.evaluate.Options``.
    """

    view: str = param("generate", choice(lambda: VIEWS), "generate, explain or compare", "shape")
    preset: str = param("SG-Base-500", choice(presets), "name of the graph's parameters")
    changes: tuple[tuple[str, Any], ...] = param((), CHANGES, "parameters that differ from the preset's")
    graph_seed: int = param(0, SEED, "of the graph")
    network: str = param("gin", choice(lambda: NETWORKS), "kind of the network")
    epochs: int = param(0, whole(0, 100_000), "of its training; 0 for the paper's")
    train_seed: int = param(0, SEED, "of its initial weights")
    node: int | None = param(None, NODE, "the node that is explained, or None: the first test node")
    neighbour: int | None = param(None, NODE, "a node of its neighbourhood that is selected, or None", "near")
    methods: tuple[str, ...] = param(QUICK, several(choice(method_names), methods_of), "explainers")
    mask: str = param("node", choice(lambda: MASKS), "which masks are shown")
    binary: bool = param(False, FLAG, "the top quarter in place of raw scores")
    test_nodes: int = param(30, whole(1, MOST_NODES), "how many nodes are compared")
    rule: str = param("top-25%", choice(rules), "masks from scores")
    direction: str = param("printed", choice(directions), "of the divergence in GEF")
    flip: str = param("node", choice(flips), "where the protected feature is changed in GECF")
    copies: int = param(5, whole(1, 100), "perturbed graphs in GES")
    study: str = param(METRICS, choice(studies), '"metrics", a study of wombat_core.shapeggen.studies, or "molecules"')
    pairs: str = param("different-label", choice(pair_readings), "how the graphs of a study were made homophilic")
    cell: str = param("", TEXT, 'explainer and metric of the chosen cell with a colon between them, or ""', "picked")
    tasks: tuple[str, ...] = param(("benzene",), several(choice(tasks), tasks_of), "GraphXAI's molecular tasks")

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


def changed(state: ShapeGGenState, /, **changes: Any) -> ShapeGGenState:
    """The value after a change; nodes belong to their graph, a selected neighbour to its node."""

    def differs(*names: str) -> bool:
        return any(changes.get(name, getattr(state, name)) != getattr(state, name) for name in names)

    if differs("preset"):
        changes = {"changes": (), **changes}
    if differs("preset", "graph_seed", "changes"):
        changes = {"node": None, "neighbour": None, **changes}
    if differs("node"):
        changes = {"neighbour": None, **changes}
    return replace(state, **changes)


SHAPEGGEN = Address(ShapeGGenState, "shapeggen", changed)
