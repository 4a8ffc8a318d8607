"""All views of steps, by name. A new one is a function under ``@view`` in one of these files, and a line in README."""

from collections.abc import Sequence

from ..errors import InputError
from . import views_cards, views_layers, views_path, views_published, views_scores, views_wirings
from .arguments import check_arguments
from .blocks import Block
from .engine import Engine
from .lesson import Step, View
from .view import VIEWS

__all__ = [
    "VIEWS",
    "blocks_of",
    "check_view",
    "views_cards",
    "views_layers",
    "views_path",
    "views_published",
    "views_scores",
    "views_wirings",
]


def check_view(view: View, step: Step, engine: Engine) -> dict:
    """The options of a view, ready for it.

    Raises:
        InputError: there is no such view, an option is wrong or missing, or it needs explainers.
    """
    kind, what = VIEWS[view.name], f"the view {view.name}"
    found = check_arguments(kind.blocks, view.options, engine, step.situation, what, "option")
    if kind.explains and not step.explainers:
        raise InputError(f"{what} needs 'explainers'.")
    if kind.check:
        kind.check(engine, step, **found)
    return found


def blocks_of(view: View, step: Step, engine: Engine) -> Sequence[Block]:
    """What a view shows.

    Raises:
        InputError: as :func:`check_view`, or it cannot be computed.
        NotYet: an explainer has no answer yet (cards wait by themselves, tables do not).
    """
    return VIEWS[view.name].blocks(engine, step, **check_view(view, step, engine))
