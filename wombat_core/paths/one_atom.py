"""Everything held still on the path, one atom moved (Figures 6b, 6c and S2b of the paper)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from ..errors import InputError
from ..molecules.graphs import Graph
from ..whitebox.build import Network
from ..whitebox.readouts import READOUTS
from .baselines import zero
from .line import Line
from .path import MAX_POINTS, check_alpha
from .watch import Watched, check_watched


@dataclass(frozen=True)
class OneAtom:
    """F and some activations while one atom's features are scaled.

    Attributes:
        atom: the atom that moves.
        alpha: what all other atoms and all bonds are held at.
        scales: [points]; the atom's features are ``scale * x``, whatever alpha is.
        outputs: F under "r1" and "r2", [points] each.
        watched: (channel name, atom) to that activation, [points].
    """

    atom: int
    alpha: float
    scales: np.ndarray
    outputs: dict[str, np.ndarray]
    watched: dict[Watched, np.ndarray]


def one_atom(
    model: Network,
    data: Graph,
    atom: int,
    alpha: float = 0.98,
    scales: np.ndarray | None = None,
    watch: Sequence[Watched] = (),
) -> OneAtom:
    """Scale one atom's features with all else at ``alpha``; at ``scale = alpha`` nothing is disturbed.

    Args:
        model: a whitebox.
        data: one encoded molecule.
        atom: its index.
        alpha: in [0, 1].
        scales: in [0, 1], in any order; 0, 0.01, ..., 1 where None.
        watch: activations to follow, such as ``("A.6", 13)``: channel A of layer 6 of atom 13.

    Raises:
        InputError: no such atom or channel, alpha or a scale outside [0, 1], no scales or more than 20,000.
    """
    line = Line(model, data, zero(data))
    if not 0 <= atom < len(data.x):
        raise InputError(f"There is no atom {atom}; the molecule has atoms 0 to {len(data.x) - 1}.")
    alpha = check_alpha(alpha)
    scales = np.linspace(0, 1, 101) if scales is None else np.asarray(scales, dtype=np.float64)
    if not 1 <= len(scales) <= MAX_POINTS:
        raise InputError(f"There are {len(scales):,} scales; give 1 to {MAX_POINTS:,}.")
    if not ((scales >= 0) & (scales <= 1)).all():
        raise InputError("The scales of the atom have to lie between 0 and 1.")
    for watched in watch:
        check_watched(watched, model, len(data.x))
    outputs = {name: [] for name in READOUTS}
    followed = {watched: [] for watched in watch}
    names = line.channels
    for chunk in torch.from_numpy(scales).split(line.points_at_once):
        atom_alphas = torch.full((len(chunk), line.num_atoms), alpha, dtype=torch.float64)
        atom_alphas[:, atom] = chunk
        with torch.no_grad():
            layers = line.activations(atom_alphas, torch.full((len(chunk), line.num_edges), alpha).double())
            for name in READOUTS:
                outputs[name].append(line.outputs(layers[-1], name).numpy())
        for (channel, place), found in followed.items():
            layer = next(index for index, own in enumerate(names) if channel in own)
            found.append(layers[layer][:, place, names[layer].index(channel)].numpy())
    return OneAtom(
        atom,
        alpha,
        scales,
        {name: np.concatenate(parts) for name, parts in outputs.items()},
        {watched: np.concatenate(parts) for watched, parts in followed.items()},
    )
