"""Which activations an atom moves."""

import numpy as np
import pytest

from wombat_core.errors import InputError
from wombat_core.molecules import find_molecule
from wombat_core.molecules.encoding import encode
from wombat_core.paths.influence import influence
from wombat_core.paths.one_atom import one_atom
from wombat_core.whitebox.build import build

FIGURE_5 = "NC(=O)NN=C1CCCC(C(=O)O)C1"


def test_the_bystander_of_figure_6_feeds_the_deciding_activation():
    model, data = build("5", "r2"), encode(find_molecule(FIGURE_5))
    found = influence(model, data, 7, 0.98)
    assert found.first[0] == ("A.6", 13)
    assert [int(name.split(".")[1]) for name, _ in found.first] == sorted((6, 5, 4, 3, 2), reverse=True)
    assert ("C.2", 9) in influence(model, data, 8, 0.98).moved


def test_all_that_is_named_moves_and_nothing_else_does():
    model, data = build("12", "r1"), encode(find_molecule("CCCC=O"))
    for atom in range(5):
        found = influence(model, data, atom, 0.98)
        names = [name for layer in model.convolutions for name in layer.channel_names]
        every = [(name, place) for name in names for place in range(5)]
        moved = one_atom(model, data, atom, 0.98, np.array([0, 0.98, 1]), every).watched
        assert set(found.moved) == {watched for watched, values in moved.items() if np.ptp(values) > 1e-12}


def test_what_cannot_be_followed():
    data = encode(find_molecule("NC(=O)C(F)C"))
    with pytest.raises(InputError, match="all-zero"):
        influence(build("flucarb"), data, 0)
    with pytest.raises(InputError, match="Alpha"):
        influence(build("12"), data, 0, 2.0)
