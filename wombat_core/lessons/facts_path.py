"""Numbers inside the network: activations, F with features scaled, what is gathered along the path."""

from typing import Literal

import numpy as np
import torch

from ..errors import InputError
from ..paths.baselines import zero
from ..paths.line import Line
from ..paths.rise import rise
from ..paths.watch import check_watched
from ..whitebox.model import is_positive
from .arguments import Alpha, Atom, channels
from .engine import Engine
from .fact import fact
from .lesson import Situation


def _layers(engine: Engine, situation: Situation, alpha: float, atom: int | None, scale: float):
    """Every layer's activations with all features at alpha, one atom's at another scale; and the line."""
    data = engine.data(situation)
    line = Line(channels(engine, situation), data, zero(data))
    atoms = torch.full((1, line.num_atoms), alpha, dtype=torch.float64)
    if atom is not None:
        atoms[0, atom] = scale
    with torch.no_grad():
        return line, line.activations(atoms, torch.full((1, line.num_edges), alpha, dtype=torch.float64))


@fact(usual=4)
def activation(
    engine, situation, channel: str, place: Atom, alpha: Alpha = 1.0, atom: Atom | None = None, scale: Alpha = 1.0
):
    model = channels(engine, situation)
    check_watched((channel, place), model, engine.molecule(situation.molecule).num_atoms)
    layer = int(channel.partition(".")[2])
    index = model.convolutions[layer - 1].channel_names.index(channel)
    _, found = _layers(engine, situation, alpha, atom, scale)
    return float(found[layer - 1][0, place, index])


@fact
def product(engine, situation, atom: Atom):
    channels(engine, situation)
    return float(engine.trace(situation).products[atom])


@fact(usual=4)
def f_at(engine, situation, alpha: Alpha, atom: Atom | None = None, scale: Alpha = 1.0):
    line, found = _layers(engine, situation, alpha, atom, scale)
    return float(line.outputs(found[-1], situation.readout)[0])


@fact(usual=4)
def f_without(engine, situation, atom: Atom, and_atom: Atom | None = None):
    return blanked(engine, situation, [one for one in (atom, and_atom) if one is not None])


def blanked(engine: Engine, situation: Situation, atoms: list[int]) -> float:
    """F with the features of some atoms at zero and all else whole."""
    data, model = engine.data(situation), engine.network(situation)
    x = data.x.clone()
    x[atoms] = 0
    with torch.no_grad():
        return float(model(x, data.edge_index, data.edge_attr))


@fact
def needed(engine, situation, kind: Literal["atoms", "bonds"] | None = None):
    atoms, bonds = needed_of(engine, situation)
    return str(atoms + bonds if kind is None else {"atoms": atoms, "bonds": bonds}[kind])


def needed_of(engine: Engine, situation: Situation) -> tuple[int, int]:
    """How many atoms, and how many directions of bonds, F falls to 0.5 or less without, one at a time."""
    data, model = engine.data(situation), engine.network(situation)
    found = []
    for size, blank in ((data.num_nodes, "x"), (data.num_edges, "edge_attr")):
        count = 0
        for place in range(size):
            own = {"x": data.x.clone(), "edge_attr": data.edge_attr.clone()}
            own[blank][place] = 0
            with torch.no_grad():
                count += not is_positive(float(model(own["x"], data.edge_index, own["edge_attr"])))
        found.append(count)
    return found[0], found[1]


def rise_of(engine: Engine, situation: Situation) -> tuple[float, float]:
    """The alphas between which F gains 99 % of its value.

    Raises:
        InputError: F ends as it began.
    """
    path = engine.path(situation)
    found = rise(path.alphas, path.outputs[path.model.readout])
    if found is None:
        raise InputError("F ends as it began along the path.")
    return found


@fact
def rise_from(engine, situation):
    return np.floor(1000 * rise_of(engine, situation)[0] + 1e-9) / 1000


@fact
def rise_to(engine, situation):
    return np.ceil(1000 * rise_of(engine, situation)[1] - 1e-9) / 1000


@fact(usual=4)
def gathered(engine, situation, atom: Atom, alpha: Alpha):
    path = engine.path(situation)
    return np.interp(alpha, path.alphas, path.gathered_atoms[:, atom])
