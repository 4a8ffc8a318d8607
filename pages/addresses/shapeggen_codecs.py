"""How the parts of the ShapeGGen page's state are written: explainers, tasks, changed parameters."""

from typing import Any
from urllib.parse import quote, unquote

from pages.shared.codecs import Codec, in_order, several
from wombat_core.metrics.faithfulness import DIRECTIONS
from wombat_core.metrics.masks import RULES
from wombat_core.shapeggen.node_explainers import node_explainers

MOLECULES = "molecules"
METRICS = "metrics"

Changes = tuple[tuple[str, Any], ...]


def method_names() -> tuple[str, ...]:
    """Explainers of the page: the paper's, then the others, users' own last."""
    return tuple(node_explainers())


def studies() -> tuple[str, ...]:
    """What Compare can show."""
    from wombat_core.shapeggen.studies import STUDIES

    return (METRICS, *STUDIES, MOLECULES)


def tasks() -> list[str]:
    """GraphXAI's molecular tasks."""
    from wombat_core.studies.molecule_rules import TASKS

    return list(TASKS)


methods_of = in_order(method_names)
"""Names in the paper's order, each once."""
tasks_of = in_order(tasks)
"""Tasks in the paper's order, each once."""


def presets() -> list[str]:
    """Named parameters of a graph."""
    from wombat_core.shapeggen import PRESETS

    return list(PRESETS)


def rules() -> tuple[str, ...]:
    """Ways from scores to masks."""
    return RULES


def directions() -> tuple[str, ...]:
    """Ways to read the divergence of GEF."""
    return DIRECTIONS


def pair_readings() -> tuple[str, ...]:
    """Ways to make a graph homophilic."""
    from wombat_core.shapeggen.parameters import READINGS

    return READINGS["homophily_pairs"]


def flips() -> tuple[str, ...]:
    """Ways to change the protected feature."""
    from wombat_core.shapeggen.perturb import FLIPS

    return FLIPS


def changes_of(preset: str, values: dict[str, Any]) -> Changes:
    """What of some values differs from the preset's."""
    from wombat_core.shapeggen import PRESETS

    own = PRESETS[preset].as_dict()
    return tuple((name, value) for name, value in values.items() if value != own[name])


def _change(text: str) -> tuple[str, Any]:
    from wombat_core.shapeggen import Parameters

    defaults = Parameters().as_dict()
    del defaults["seed"]
    name, colon, value = text.partition(":")
    if not colon or name not in defaults:
        raise ValueError(f"it must be parameters with commas between them, of {', '.join(defaults)}")
    kind = type(defaults[name])
    try:
        return name, kind(unquote(value))
    except ValueError:
        what = "whole number" if kind is int else "number"
        raise ValueError(f"{name} must be a {what}") from None


CHANGES = several(
    Codec(_change, lambda change: f"{change[0]}:{quote(str(change[1]), safe='')}"),
    lambda changes: dict(changes).items(),
)
