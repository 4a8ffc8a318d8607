"""Cached calls into the core for the Interpolation page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pages.shared import engine
from pages.shared.memory import remembered
from pages.shared.state import State
from pages.shared.state_codecs import AUTOMATIC, zoom_range
from wombat_core.errors import InputError
from wombat_core.paths.rise import changing_range

if TYPE_CHECKING:
    from torch_geometric.data import Data

    from wombat_core.paths.convergence import ConvergenceRow
    from wombat_core.paths.one_atom import OneAtom
    from wombat_core.paths.path import Path
    from wombat_core.whitebox.model import LayerTrace

COARSE = 101
SUMMARY_STEPS = (50, 100, 1000)
FEWEST = 11
MOST_WORK = 250_000
"""Points times atoms of a path, about a second of computing."""
FOLLOWED = 3
GRID, AIR = 0.05, 0.01
"""A range that is widened for the cursor ends on this grid, so far beyond it at least."""


def graph(text: str, id: str) -> Data:
    """The molecule as the whitebox of a pattern reads it.

    Raises:
        InputError: it cannot be encoded.
    """
    return engine.get_engine().graph(text, engine.pattern(id).encoding)


def walk(state: State) -> tuple[Path, tuple[float, float]]:
    """The path of the state, fine where the page looks, and the alphas its charts show.

    Raises:
        InputError: the molecule cannot be encoded, or there is no such baseline for it.
    """
    changing = _changing(state.molecule, state.pattern, state.baseline)
    zoom = with_cursor(changing, state.alpha) if state.zoom == AUTOMATIC else zoom_range(state.zoom)
    fine = tuple(dict.fromkeys([zoom, changing]))
    return _walk(state.molecule, state.pattern, state.readout, state.baseline, fine, points_of(state)), zoom


def points_of(state: State) -> int:
    """The points of the zoom: as many as the address asks for, fewer on a large molecule, so that it is soon shown."""
    size = graph(state.molecule, state.pattern).num_nodes or 1
    return max(FEWEST, min(state.points, (MOST_WORK // size - COARSE) // 2))


def with_cursor(zoom: tuple[float, float], alpha: float) -> tuple[float, float]:
    """The range, widened to show an alpha that was chosen; the default one may be moved into the range instead."""
    low, high = zoom
    if alpha == State().alpha or low <= alpha <= high:
        return zoom
    if alpha < low:
        return round(max(0.0, float(np.floor((alpha - AIR) / GRID)) * GRID), 6), high
    return low, round(min(1.0, float(np.ceil((alpha + AIR) / GRID)) * GRID), 6)


def _walk(text: str, id: str, readout: str, baseline: str, fine: tuple[tuple[float, float], ...], points: int) -> Path:
    alphas = np.concatenate([np.linspace(0, 1, COARSE), *(np.linspace(*ends, points) for ends in fine)])
    return engine.get_engine().path(text, id, readout, np.unique(alphas.round(9)), baseline)


@remembered(200)
def _changing(text: str, id: str, baseline: str) -> tuple[float, float]:
    path = _walk(text, id, "r2", baseline, ((0.0, 1.0),), 401)
    return changing_range(path.alphas, path.outputs.values())


def baselines(text: str, id: str) -> list[str]:
    """The baselines that the page offers for a molecule under a whitebox."""
    from wombat_core.paths.baselines import names
    from wombat_core.whitebox.model import Whitebox

    if not isinstance(engine.whitebox(id, "r2"), Whitebox):
        return ["zero"]
    return names(graph(text, id))


def at(path: Path, values: np.ndarray, alpha: float) -> np.ndarray:
    """Rows [points, ...] of a path at one alpha, linear between its points."""
    table = values.reshape(len(values), -1)
    right = int(np.clip(np.searchsorted(path.alphas, alpha), 1, len(path.alphas) - 1))
    start, end = path.alphas[right - 1 : right + 1]
    share = (alpha - start) / (end - start)
    return (table[right - 1] * (1 - share) + table[right] * share).reshape(values.shape[1:])


@remembered(100)
def steps(text: str, id: str, readout: str, every_rule: bool, short: bool = False) -> list[ConvergenceRow]:
    """Completeness and AUROC against steps; the exact integral is the last row."""
    from wombat_core.paths.convergence import METHODS, STEPS, convergence

    methods = METHODS if every_rule else METHODS[:1]
    return convergence(
        engine.whitebox(id, readout), engine.find(text).molecule, SUMMARY_STEPS if short else STEPS, methods
    )


@remembered(100)
def layers_at(text: str, id: str, readout: str, baseline: str, alpha: float) -> list[LayerTrace]:
    """Every layer's activations at one alpha, which need not be a point of the path."""
    path = engine.get_engine().path(text, id, readout, np.array([alpha]), baseline)
    return path.activations_at(alpha).layers


def refused(text: str, id: str, watch: tuple[str, ...]) -> dict[str, str]:
    """Activations, such as "A.6:13", that the whitebox or the molecule does not have, and why."""
    from wombat_core.paths.watch import parse_watch

    found, model, molecule = {}, engine.whitebox(id, "r2"), engine.find(text).molecule
    for name in watch:
        try:
            parse_watch(name, model, molecule)
        except InputError as error:
            found[name] = str(error)
    return found


def unmovable(text: str, id: str) -> str:
    """Why no atom can be moved on its own; empty where it can."""
    from wombat_core.paths.baselines import zero
    from wombat_core.paths.line import Line

    data = graph(text, id)
    try:
        Line(engine.whitebox(id, "r2"), data, zero(data))
    except InputError as error:
        return str(error)
    return ""


@remembered(60)
def moved(
    text: str,
    id: str,
    readout: str,
    atom: int,
    held: float,
    low: float,
    high: float,
    points: int,
    watch: tuple[str, ...],
) -> OneAtom:
    """One atom's features scaled from ``low`` to ``high``, all else held.

    Raises:
        InputError: the network is no whitebox, or has no such activation.
    """
    from wombat_core.paths.one_atom import one_atom
    from wombat_core.paths.watch import parse_watch

    model, molecule = engine.whitebox(id, readout), engine.find(text).molecule
    watched = [parse_watch(name, model, molecule) for name in watch]
    scales = np.unique(np.concatenate([np.linspace(low, high, points), [0.0, held, 1.0]]))
    return one_atom(model, graph(text, id), atom, held, scales, watched)


@remembered(100)
def followed(text: str, id: str, readout: str, atom: int, held: float) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Activations to follow while an atom is scaled, such as "A.6:13": a few to begin with, and all to choose from.

    Raises:
        InputError: the network is no whitebox.
    """
    from wombat_core.paths.influence import influence

    found = influence(engine.whitebox(id, readout), graph(text, id), atom, held)
    first, moved = ([f"{channel}:{place}" for channel, place in some] for some in (found.first, found.moved))
    return tuple(first[:FOLLOWED]), tuple(moved)
