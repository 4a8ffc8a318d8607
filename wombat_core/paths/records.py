"""A walk along the path as a plain dictionary: one JSON object a molecule, for the terminal and for export."""

from collections.abc import Sequence

import numpy as np

from ..errors import InputError
from ..molecules.molecule import Molecule
from ..subject import Subject
from ..whitebox.build import Network
from .one_atom import one_atom
from .path import MAX_POINTS, interpolate
from .watch import Watched


def interpolate_record(
    molecule: Molecule | Subject,
    model: Network,
    points: int = 101,
    atom: int | None = None,
    alpha: float = 0.98,
    watch: Sequence[Watched] = (),
) -> dict:
    """The path from an all-zero input, or with ``atom`` one atom's scaling with all else at ``alpha``.

    Returns:
        Without ``atom``: ``alphas`` [points], ``outputs`` {"r1", "r2"} [points], ``slope`` (dF/dalpha) [points],
        ``gradient_times_input`` [points][atoms] and ``bond_gradient_times_input`` [points][bonds] under the model's
        readout, ``kinks``. With it: ``scales`` [points], ``outputs``, and ``watched``, one {"channel", "atom",
        "activations"} each.

    Raises:
        InputError: points outside 2 to 20,000, activations to watch without an atom to move, or as in
            :func:`one_atom`.
    """
    if not 2 <= points <= MAX_POINTS:
        raise InputError(f"{points:,} points were asked for; choose 2 to {MAX_POINTS:,}.")
    if watch and atom is None:
        raise InputError("Activations can only be watched while an atom is scaled; name the atom as well.")
    grid = np.linspace(0, 1, points)
    subject = Subject.of(molecule, model.pattern)
    molecule, data = subject.molecule, subject.graph
    named = {} if molecule.name is None else {"name": molecule.name}
    head = {**molecule.as_record(), **named, "pattern": model.pattern.id, "readout": model.readout}
    if atom is None:
        path = interpolate(model, data, grid)
        return {
            **head,
            "alphas": grid.tolist(),
            "outputs": {name: values.tolist() for name, values in path.outputs.items()},
            "slope": path.slope.tolist(),
            "gradient_times_input": path.atom_gradients.tolist(),
            "bond_gradient_times_input": path.bond_gradients.tolist(),
            "kinks": None if path.kinks is None else path.kinks.tolist(),
        }
    moved = one_atom(model, data, atom, alpha, grid, watch)
    return {
        **head,
        "atom": atom,
        "alpha": moved.alpha,
        "scales": grid.tolist(),
        "outputs": {name: values.tolist() for name, values in moved.outputs.items()},
        "watched": [
            {"channel": channel, "atom": place, "activations": values.tolist()}
            for (channel, place), values in moved.watched.items()
        ],
    }
