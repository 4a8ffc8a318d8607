"""Numbers inside the network: activations, F with features scaled, what is gathered along the path."""

import numpy as np
import torch

from ..errors import InputError
from ..paths.baselines import zero
from ..paths.line import Line
from ..paths.path import check_alpha
from ..paths.rise import rise
from ..paths.watch import check_watched
from ..whitebox.model import Whitebox, is_positive
from .engine import Engine
from .fact import atom_of, fact, number
from .lesson import Situation


def _alpha(word: str) -> float:
    try:
        return check_alpha(float(word))
    except ValueError:
        raise InputError(f"'{word[:20]}' is no alpha, a number from 0 to 1.") from None


def _whitebox(engine: Engine, situation: Situation) -> Whitebox:
    model = engine.network(situation)
    if not isinstance(model, Whitebox):
        raise InputError(f"{model.pattern.title} has no channels of the paper's kind.")
    return model


def _layers(engine: Engine, situation: Situation, alpha: float, atom: int | None, scale: float):
    """Every layer's activations with all features at alpha, one atom's at another scale; and the line."""
    data = engine.data(situation)
    line = Line(_whitebox(engine, situation), data, zero(data))
    atoms = torch.full((1, line.num_atoms), check_alpha(alpha), dtype=torch.float64)
    if atom is not None:
        atoms[0, atom_of(engine, situation, atom)] = check_alpha(scale)
    with torch.no_grad():
        return line, line.activations(atoms, torch.full((1, line.num_edges), alpha, dtype=torch.float64))


@fact("activation CHANNEL ATOM", named=("alpha", "atom", "scale"))
def _activation(engine, situation, words, digits, alpha=1.0, atom=None, scale=1.0) -> str:
    model = _whitebox(engine, situation)
    place = atom_of(engine, situation, words[1])
    check_watched((words[0], place), model, engine.molecule(situation.molecule).num_atoms)
    layer = int(words[0].partition(".")[2])
    channel = model.convolutions[layer - 1].channel_names.index(words[0])
    _, found = _layers(engine, situation, alpha, atom, scale)
    return number(float(found[layer - 1][0, place, channel]), digits, usual=4)


@fact("product ATOM")
def _product(engine, situation, words, digits) -> str:
    _whitebox(engine, situation)
    place = atom_of(engine, situation, words[0])
    return number(float(engine.trace(situation).products[place]), digits)


@fact("f-at ALPHA", named=("atom", "scale"))
def _f_at(engine, situation, words, digits, atom=None, scale=1.0) -> str:
    line, found = _layers(engine, situation, _alpha(words[0]), atom, scale)
    return number(float(line.outputs(found[-1], situation.readout)[0]), digits, usual=4)


@fact("f-without ATOM")
def _f_without(engine, situation, words, digits) -> str:
    return number(f_without(engine, situation, atom_of(engine, situation, words[0])), digits, usual=4)


def f_without(engine: Engine, situation: Situation, atom: int) -> float:
    """F with one atom's features at zero and all else whole."""
    data, model = engine.data(situation), engine.network(situation)
    x = data.x.clone()
    x[atom] = 0
    with torch.no_grad():
        return float(model(x, data.edge_index, data.edge_attr))


@fact("needed KIND", optional=1)
def _needed(engine, situation, words, digits) -> str:
    atoms, bonds = needed(engine, situation)
    counts = {"atoms": atoms, "bonds": bonds}
    if words and words[0] not in counts:
        raise InputError(f"'{words[0][:20]}' is neither atoms nor bonds.")
    return str(counts[words[0]] if words else atoms + bonds)


def needed(engine: Engine, situation: Situation) -> tuple[int, int]:
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


@fact("rise-from")
def _rise_from(engine, situation, words, digits) -> str:
    return number(np.floor(1000 * rise_of(engine, situation)[0] + 1e-9) / 1000, digits)


@fact("rise-to")
def _rise_to(engine, situation, words, digits) -> str:
    return number(np.ceil(1000 * rise_of(engine, situation)[1] - 1e-9) / 1000, digits)


@fact("gathered ATOM ALPHA")
def _gathered(engine, situation, words, digits) -> str:
    atom, alpha = atom_of(engine, situation, words[0]), _alpha(words[1])
    path = engine.path(situation)
    return number(float(np.interp(alpha, path.alphas, path.gathered_atoms[:, atom])), digits, usual=4)
