"""Reading a SMARTS: what is allowed of every atom, and every refusal as a sentence with its place."""

import pytest

from wombat_core.compiler.query import read_query, refuse_ring_queries
from wombat_core.compiler.smarts_error import SmartsError


def test_boxes_are_what_rdkit_understood():
    query = read_query("[CX3H1](=O)[#6]")
    (box,) = query.atoms[0].boxes
    assert box.allowed("elements") == {6}
    assert box.allowed("hydrogens") == {1}
    assert box.allowed("connections") == {3}
    assert [sorted(bond.types) for bond in query.bonds] == [[1], [0, 3]]
    assert query.spans == ((0, 7), (9, 10), (11, 15))


def test_hydrogen_atoms_become_counts_and_keep_their_place():
    query = read_query("[H]C([H])([H])C")
    assert len(query.atoms) == 2
    assert query.original == (1, 4)
    assert query.atoms[0].boxes[0].allowed("hydrogens") == frozenset(range(3, 10))


def test_recursive_smarts_are_kept():
    (box,) = read_query("[NX3;H2,H1;!$(NC=O)]").atoms[0].boxes
    assert box.inside == (("NC=O", False),)
    assert box.allowed("hydrogens") == {1, 2}


@pytest.mark.parametrize(
    ("smarts", "sentence", "place"),
    [
        ("", "The SMARTS is empty.", None),
        ("C(", "The SMARTS 'C(' cannot be read.", None),
        ("C" * 10_000, "10,000 characters", None),
        ("C" * 200, "200 atoms", None),
        ("C(" + "C)(" * 29 + "C)C", "31 branches", (0, 1)),
        ("C>>O", "reaction", (1, 2)),
        ("[C:1]O", "map number 1", (0, 5)),
        ("Cé", "position 2", (1, 2)),
        ("C C", "blank at position 2", (1, 2)),
        ("[Na+].[Cl-]", "2 parts", (6, 11)),
        ("[13CH3]C", "isotope", (0, 7)),
        ("[^2]C", "hybridisation", (0, 4)),
        ("C[C;N]", "can match no atom", (1, 6)),
        ("C$C", "none of the types", None),
        ("[$(C1CC1)]C", "closes a ring", (0, 10)),
    ],
)
def test_bad_input_is_one_sentence_with_its_place(smarts, sentence, place):
    with pytest.raises(SmartsError) as caught:
        read_query(smarts)
    assert sentence in str(caught.value)
    assert caught.value.span == place
    assert str(caught.value).count("\n") == 0


@pytest.mark.parametrize(
    ("smarts", "words"),
    [("[R]C", "ring membership (R)"), ("[r5]", "ring size (r)"), ("C@C", "Bond 1-2"), ("C!@C", "@")],
)
def test_rings_are_read_but_refused_without_ring_features(smarts, words):
    query = read_query(smarts)
    with pytest.raises(SmartsError) as caught:
        refuse_ring_queries(query)
    assert words in str(caught.value)
