"""What the paper reports of explainers, its Tables 1 to 5, as data."""

from dataclasses import dataclass
from functools import cache

import yaml

from ..data import data_file
from ..errors import InputError
from .parameters import Parameters
from .presets import is_of

FILE = data_file("shapeggen_published.yaml")
NODE_METRICS = ("GEA", "GEF", "GES", "GECF", "GEGF")
MOLECULE_METRICS = ("GEA", "GEF")
MOLECULE_TABLE = 5


@dataclass(frozen=True)
class PublishedValue:
    """A printed number.

    Attributes:
        table: its table.
        mean, spread: "mean ± spread"; the paper does not say what the spread is over.
    """

    table: int
    mean: float
    spread: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} ± {self.spread:.3f}"


@cache
def _facts() -> dict:
    return yaml.safe_load(FILE.read_text(encoding="utf-8"))


def node_table(network: str, mask: str) -> int | None:
    """The number of the table for this network and kind of mask on SG-Base, or None where the paper has none."""
    for number, table in _facts()["node_tables"].items():
        if (table["network"], table["mask"]) == (network, mask):
            return number
    return None


def node_value(network: str, mask: str, explainer: str, metric: str) -> PublishedValue | None:
    """The printed number of Tables 1 to 4, all on SG-Base; None where there is none."""
    number = node_table(network, mask)
    if number is None or metric not in NODE_METRICS:
        return None
    row = _facts()["node_tables"][number]["rows"].get(explainer)
    return None if row is None else PublishedValue(number, *row[NODE_METRICS.index(metric)])


def comparable(
    parameters: Parameters, rule: str = "top-25%", direction: str = "printed"
) -> tuple[tuple[str, ...], str]:
    """The metrics whose printed numbers of Tables 1 to 4 may stand beside ours.

    Args:
        parameters: of the graph.
        rule, direction: how masks and GEF are read, see :class:`~wombat_core.shapeggen.options.Options`.

    Returns:
        The metrics, and why the others are left out, in a sentence; "" where none is.
    """
    if not is_of(parameters, "SG-Base"):
        return (), "The paper's Tables 1 to 4 are of SG-Base with its own settings, so no number of theirs stands here."
    if rule != "top-25%":
        return (), f"The paper's masks are the top 25 %, not {rule}, so no number of its Tables 1 to 4 stands here."
    if direction != "printed":
        others = tuple(metric for metric in NODE_METRICS if metric != "GEF")
        return others, "GEF is not as Eq. 5 prints it, so the paper's GEF does not stand here."
    return NODE_METRICS, ""


def molecule_value(task: str, explainer: str, metric: str) -> PublishedValue | None:
    """The printed number of Table 5; None where there is none (all of alkane-carbonyl, for one).

    Raises:
        InputError: no such metric.
    """
    if metric not in MOLECULE_METRICS:
        raise InputError(f"Table 5 has no metric {str(metric)[:40]!r}; choose GEA or GEF.")
    row = _facts()["molecule_table"].get(task, {}).get(explainer)
    return None if row is None else PublishedValue(MOLECULE_TABLE, *row[MOLECULE_METRICS.index(metric)])
