"""Pictures of the molecule on a page, cached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wombat_core.drawing.colours import common_limit, format_value
from wombat_core.errors import InputError

from . import engine
from .memory import remembered

if TYPE_CHECKING:
    import numpy as np

    from wombat_core.drawing.depiction import Depiction

    from .engine import Case, ExplainerAnswer
    from .state import State

WIDTH, HEIGHT = 300, 200
MAX_DRAWN = 1000
"""Heavy atoms of the largest molecule that is drawn; the layout of larger ones takes many seconds."""
_MANY_VALUES = 60


def not_drawn(case: Case) -> str | None:
    """Why there is no picture of the molecule, or None where there is one."""
    if case.molecule.num_atoms > MAX_DRAWN:
        return f"Molecules of more than {MAX_DRAWN:,} heavy atoms are not drawn."
    molecule = case.molecule

    def problem() -> str | None:
        from wombat_core.drawing.layout import layout

        try:
            layout(molecule)
        except InputError as error:
            return str(error)
        return None

    return engine.get_engine().once("not drawn", (molecule.smiles, molecule.smiles_order), problem)


def scale_limit(answers: list[ExplainerAnswer], state: State) -> float | None:
    """The value with the strongest colour on all cards, or None where each card has its own."""
    return (
        common_limit(*(values for answer in answers for values in _coloured(answer, state))) if state.common else None
    )


def own_limit(answer: ExplainerAnswer, state: State) -> float:
    """The largest value on a card."""
    return common_limit(*_coloured(answer, state))


def truth_picture(case: Case, state: State, height: int = HEIGHT) -> Depiction:
    """The ground truth alone; its rings are what the card is about and cannot be switched off."""
    return _depict(state.molecule, None, None, None, False, case.truth, state.numbers, None, height)


def answer_picture(
    case: Case, answer: ExplainerAnswer, state: State, limit: float | None, height: int = HEIGHT
) -> Depiction:
    """An explainer's heatmap in the common layout."""
    values = answer.shown(state.signed)
    notes = tuple(map(format_value, values)) if state.values and len(values) <= _MANY_VALUES else None
    return _depict(
        state.molecule,
        values,
        answer.shown_bonds(state.signed) if state.bonds else None,
        own_limit(answer, state) if limit is None else limit,
        state.signed,
        case.truth if state.rings else None,
        state.numbers,
        notes,
        height,
    )


def _coloured(answer: ExplainerAnswer, state: State) -> list:
    return [answer.shown(state.signed), answer.shown_bonds(state.signed) if state.bonds else None]


@remembered(200)
def _depict(
    text: str,
    scores: np.ndarray | None,
    bond_scores: np.ndarray | None,
    limit: float | None,
    signed: bool,
    truth: np.ndarray | None,
    numbers: bool,
    notes: tuple[str, ...] | None,
    height: int,
) -> Depiction:
    from wombat_core.drawing.depiction import depict

    return depict(
        engine.find(text).molecule,
        width=WIDTH,
        height=height,
        scores=scores,
        bond_scores=bond_scores,
        limit=limit,
        signed=signed,
        ground_truth=truth,
        numbers=numbers,
        notes=notes,
    )
