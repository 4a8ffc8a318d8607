"""The explainers of GraphXAI's tables, with settings for neighbourhoods of some fifty nodes."""

from collections.abc import Sequence

from ..errors import InputError
from ..explainers.protocol import Explainer
from ..explainers.registry import explainer, explainer_class

GRAPHXAI = (
    "random",
    "saliency",
    "grad-cam",
    "guided-backprop",
    "integrated-gradients",
    "gnn-explainer",
    "pgm-explainer",
    "pg-explainer",
    "subgraphx",
)
"""In the order of the paper's tables, where saliency is called Grad."""
QUICK = GRAPHXAI[:5]
"""Those that take no long time: gradients of many neighbourhoods at once."""

SETTINGS = {
    "pg-explainer": {"positives": 40, "negatives": 20, "epochs": 5},
    "subgraphx": {"rollouts": 3, "samples": 5, "expand_atoms": 6, "largest": 0.25},
}
"""Where the defaults, which are WOMBAT's for molecules, take long: with them SubgraphX needs minutes for a node. Its
answer holds at most a quarter of the nodes, as many as other masks. The paper names no settings ("authors'
recommendations")."""


def node_explainer(name: str, **settings) -> Explainer:
    """An explainer with the settings for neighbourhoods; others where ``settings`` say so.

    Raises:
        InputError: no such explainer, or exact Shapley values, which are for small graphs.
    """
    if name == "shapley-exact":
        raise InputError("Exact Shapley values are for graphs of at most 20 nodes; neighbourhoods have more.")
    explainer_class(name)
    return explainer(name, **(SETTINGS.get(name, {}) | settings))


_SECONDS = {
    "random": 0.0004,
    "saliency": 0.0004,
    "grad-cam": 0.0004,
    "guided-backprop": 0.0004,
    "integrated-gradients": 0.004,
    "gnn-explainer": 0.14,
    "pgm-explainer": 0.03,
    "pg-explainer": 0.002,
    "subgraphx": 0.4,
}
"""For one node of SG-Base, on one core of a small machine with nothing else to do."""
_FIRST = {"pg-explainer": 2.0}
"""What training takes the first time."""


def explaining_seconds(name: str, nodes: int, rounds: int = 1) -> float:
    """About how long an explainer takes for so many nodes, each explained ``rounds`` times.

    One of another name than the paper's counts as integrated gradients does.
    """
    return _FIRST.get(name, 0.0) + rounds * nodes * _SECONDS.get(name, _SECONDS["integrated-gradients"])


def evaluation_seconds(names: Sequence[str], nodes: int, metrics: Sequence[str], copies: int = 5) -> float:
    """About how long :func:`~wombat_core.shapeggen.evaluate.evaluate` takes with explainers of the paper's tables.

    GES explains ``copies`` more graphs for every node, GECF one more.
    """
    rounds = 1 + ("GES" in metrics) * copies + ("GECF" in metrics)
    return sum(explaining_seconds(name, nodes, rounds) for name in names)
