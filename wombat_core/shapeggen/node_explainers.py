"""The explainers of GraphXAI's tables, with settings for neighbourhoods of some fifty nodes."""

from collections.abc import Sequence

from ..errors import InputError
from ..explainers.method import fact
from ..explainers.protocol import Explainer
from ..explainers.registry import explainer, explainer_class, names
from .node_metrics import METRICS

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


def node_explainers() -> list[str]:
    """The names of all explainers of the class of a node: the paper's, then the others, users' own last."""
    others = [name for name in names() if name not in GRAPHXAI]
    return [*GRAPHXAI, *(name for name in others if not fact(explainer_class(name), "node_refusal"))]


def node_explainer(name: str, **settings) -> Explainer:
    """An explainer with its settings for neighbourhoods; others where ``settings`` say so.

    Raises:
        InputError: no such explainer, none for nodes, or no such setting.
    """
    kind = explainer_class(name)
    if refusal := fact(kind, "node_refusal"):
        raise InputError(refusal)
    return explainer(name, **(dict(fact(kind, "node_settings")) | settings))


def explaining_seconds(name: str, nodes: int, rounds: int = 1) -> float:
    """About how long an explainer takes for so many nodes of SG-Base, each explained ``rounds`` times."""
    kind = explainer_class(name)
    return fact(kind, "first_seconds") + rounds * nodes * fact(kind, "node_seconds")


def evaluation_seconds(names: Sequence[str], nodes: int, metrics: Sequence[str], copies: int = 5) -> float:
    """About how long :func:`~wombat_core.shapeggen.evaluate.evaluate` takes with explainers of the paper's tables.

    GES and its like explain ``copies`` more graphs for every node, GECF one more.
    """
    known = [METRICS[name] for name in metrics]
    rounds = 1 + any(each.copies for each in known) * copies + any(each.flipped for each in known)
    return sum(explaining_seconds(name, nodes, rounds) for name in names)
