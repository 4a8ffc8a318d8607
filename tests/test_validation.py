from collections import Counter

import pytest

from wombat_core.errors import InputError
from wombat_core.ground_truth import contains_motif
from wombat_core.molecules import from_smiles
from wombat_core.molecules.library import library_rows
from wombat_core.molecules.positives import positives
from wombat_core.screening.validation import CHUNK, validate, validate_library
from wombat_core.whitebox.catalogue import fourteen, pattern, patterns

LIBRARY_POSITIVES = [4, 2, 0, 10, 0, 5694, 591, 1052, 174, 21346, 8962, 1382, 297, 1572]
"""Design: positives of patterns 1 to 14 among the 70,140 usable molecules of chemicals 1.5.2."""


@pytest.mark.slow
def test_the_whole_library_agrees():
    tally = validate_library(fourteen())
    assert tally.disagreements == []
    assert [tally.positives[entry.id] for entry in fourteen()] == LIBRARY_POSITIVES
    assert tally.molecules == 71347
    assert tally.left_out == {"no_bonds": 1077, "valence": 111, "unreadable": 19}
    assert all(tally.positives[entry.id] + tally.negatives[entry.id] == 70140 for entry in fourteen())


def test_every_published_positive_is_one_and_agrees():
    for id, smiles in positives().items():
        tally = validate(enumerate(smiles, start=1), [pattern(id)])
        assert tally.positives[str(id)] == len(smiles) and not tally.disagreements


def test_labels_are_those_of_a_plain_search():
    rows = [row for number, row in enumerate(library_rows()) if number % 200 == 0]
    tally = validate(((1, row.smiles) for row in rows), list(patterns().values()))
    assert tally.disagreements == []
    assert not tally.left_out["unreadable"]
    usable = [from_smiles(row.smiles) for row in rows]
    from wombat_core.molecules.usability import exclusion_key

    usable = [molecule for molecule in usable if exclusion_key(molecule) is None]
    for entry in patterns().values():
        assert tally.positives[entry.id] == sum(contains_motif(molecule, entry) for molecule in usable)


def test_what_cannot_be_encoded_is_left_out_alone():
    heavy = from_smiles("CC")
    atom = heavy.mol.GetAtomWithIdx(0)
    atom.SetNoImplicit(True)
    atom.SetNumExplicitHs(12)
    tally = validate([(1, "CC=O"), (2, heavy), (3, InputError("unreadable")), (4, "CCC=O")], [pattern(12)])
    assert tally.positives["12"] == 2 and tally.left_out["encoding"] == 1
    assert [line for line, _ in sorted(tally.errors)] == [2, 3]


def test_processes_count_as_one_does():
    sources = [(number, smiles) for number, smiles in enumerate(["CC=O", "CCC", "C1CC"] * 700)]
    alone, together = (validate(sources, [pattern(12)], jobs) for jobs in (1, 2))
    assert alone == together and isinstance(alone.positives, Counter)


def test_processes_take_molecules_as_they_need_them():
    taken = 0

    def sources():
        nonlocal taken
        for number in range(40 * CHUNK):
            taken += 1
            yield number, "CC=O"

    with pytest.raises(KeyError):
        validate(sources(), [pattern("12")], 2, lambda done: {}["the listener fails"])
    assert taken <= 10 * CHUNK
