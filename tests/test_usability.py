"""Which molecules the benchmark leaves out."""

import random
from collections import Counter
from datetime import date

import numpy as np
import pytest
from rdkit import Chem

from wombat_core.errors import InputError
from wombat_core.molecules.arrays import LEFT_OUT
from wombat_core.molecules.library import library_rows
from wombat_core.molecules.library_arrays import library_arrays
from wombat_core.molecules.molecule import from_smiles
from wombat_core.molecules.usability import exclusion_key, exclusions


@pytest.mark.parametrize("smiles", ["CCO", "C[N+](C)(C)C", "CS(=O)(=O)O", "CP(=O)(O)O", "N->[Fe]", "*C"])
def test_usable(smiles):
    assert exclusions(from_smiles(smiles)) == ()
    assert exclusion_key(from_smiles(smiles)) is None


@pytest.mark.parametrize("smiles", ["C", "[Na+].[Cl-]", "O.O", "*"])
def test_no_bonds(smiles):
    assert exclusions(from_smiles(smiles)) == ("It has no bonds.",)
    assert exclusion_key(from_smiles(smiles)) == "no_bonds"


def test_valence_counts_hydrogens_and_names_the_atom():
    assert exclusions(from_smiles("C[OH+]C")) == ("O1 has a valence of 3 (the benchmark allows 2).",)
    assert exclusion_key(from_smiles("C[OH+]C")) == "valence"
    assert len(exclusions(from_smiles("[C-]#[O+].[C-]#[O+].[Ni]"))) == 2
    assert exclusions(from_smiles("[OH3+]")) == (
        "It has no bonds.",
        "O0 has a valence of 3 (the benchmark allows 2).",
    )


@pytest.mark.parametrize(
    ("smiles", "sentence"),
    [
        ("CN(C)(C)(C)C", "N1 has a valence of 5 (the benchmark allows 4)."),
        ("CC(C)(C)(C)C", "C1 has a valence of 5 (the benchmark allows 4)."),
        ("FS(F)(F)(F)(F)(F)F", "S1 has a valence of 7 (the benchmark allows 6)."),
    ],
)
def test_limits_of_each_element(smiles, sentence):
    mol = Chem.MolFromSmiles(smiles, sanitize=False)
    mol.UpdatePropertyCache(strict=False)
    assert exclusions(mol) == (sentence,)


@pytest.mark.slow
def test_the_library_has_70140_usable_molecules():
    """Two of the unreadable rows are hydrogen only. What the arrays say of a row is what a search of the row says."""
    arrays = library_arrays(1)
    reasons = [LEFT_OUT[number] or None for number in arrays.left_out]
    assert Counter(reasons) == {None: 70140, "no_bonds": 1077, "valence": 111, "unreadable": 19}
    sample = random.Random(date.today().isoformat()).sample(range(len(arrays)), 1500)
    left_out = np.flatnonzero(arrays.left_out)
    rows = dict(enumerate(library_rows()))
    for place in {*sample, *left_out[::4].tolist()}:
        try:
            reason = exclusion_key(from_smiles(rows[place].smiles))
        except InputError:
            reason = "unreadable"
        assert reasons[place] == reason
