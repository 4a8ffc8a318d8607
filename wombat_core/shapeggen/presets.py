"""The paper's graphs by name, smaller ones with the same settings, and what the paper reports of them."""

from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import yaml

from ..data import data_file
from ..registry import Registry
from .parameters import Parameters

DEMO = "-500"
"""Behind a preset's name: the same settings, about 500 nodes."""


@dataclass(frozen=True)
class Published:
    """What the paper reports of one of its graphs.

    Attributes:
        table: the number of its table.
        nodes: how many.
        edges: both directions counted.
        classes: nodes of class 0, 1, ...
        mean_degree: edges over nodes.
        degree_error: what the table prints behind its plus-minus sign.
    """

    table: int
    nodes: int
    edges: int
    classes: tuple[int, ...]
    mean_degree: float
    degree_error: float

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"classes": list(self.classes)}


@cache
def _facts() -> dict[str, dict]:
    text = data_file("shapeggen_presets.yaml").read_text(encoding="utf-8")
    return yaml.safe_load(text)


def _presets() -> dict[str, Parameters]:
    found = {name: Parameters(**facts["parameters"]) for name, facts in _facts().items()}
    small = {name + DEMO: found[name].changed(**facts["demo"]) for name, facts in _facts().items()}
    return found | small


PRESETS: Registry[Parameters] = Registry("preset", _presets())
"""Parameters by name: the paper's six graphs, then the same with about 500 nodes."""


def preset(name: str) -> Parameters:
    """The parameters of a preset.

    Raises:
        InputError: there is none of that name.
    """
    return PRESETS[name]


def summary(name: str) -> str:
    """What a preset is, in a sentence or two."""
    text = _facts()[name.removesuffix(DEMO)]["summary"]
    return f"{text} About 500 nodes." if name.endswith(DEMO) else text


def published(name: str) -> Published | None:
    """What the paper reports of the graph of that name; None for a preset that its tables do not have."""
    facts = _facts().get(name, {}).get("published")
    if facts is None:
        return None
    return Published(**(facts | {"classes": tuple(facts["classes"])}))


def published_of(parameters: Parameters) -> Published | None:
    """What the paper reports of the graph with these parameters, or of the large graph with the same settings where
    they are those of a smaller one (``published_remark`` then says so), whatever their seed; None where it has none."""
    for name in _facts():
        if is_of(parameters, name):
            return published(name)
    return None


def is_of(parameters: Parameters, name: str) -> bool:
    """Whether these are the parameters of one of the paper's graphs, by name, in all but size and seed."""
    return any(PRESETS[own].changed(seed=parameters.seed) == parameters for own in (name, name + DEMO))


def published_remark(nodes: int, paper: Published) -> str:
    """What to keep in mind where a graph of so many nodes stands beside the paper's, in a sentence, or ""."""
    if nodes >= paper.nodes / 2:
        return ""
    return f"The paper's graph is {paper.nodes / nodes:.0f} times larger; compare shares and the mean degree."
