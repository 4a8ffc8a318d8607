"""Reading a SMARTS: what is allowed of every atom, and every refusal as a sentence with its place."""

import pytest

from wombat_core.compiler.address import pattern_of, split_patterns
from wombat_core.compiler.compile import ISOLATED_NOTE, compile_smarts
from wombat_core.compiler.query import read_query, refuse_ring_queries
from wombat_core.compiler.smarts_error import SmartsError
from wombat_core.errors import InputError


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
        ("C(", "The SMARTS 'C(' cannot be read: the bracket ( at position 2 is not closed.", (1, 2)),
        ("C1CC", "ring 1, opened at position 2, is not closed", (1, 2)),
        ("CC)C", "the bracket ) at position 3 was not opened", (2, 3)),
        ("CC(C)Xy", "what begins at position 6 is no SMARTS", (5, 7)),
        ("C\nN", r"The SMARTS 'C\nN' cannot be read: '\n' at position 2 is not", (1, 2)),
        ("C\0N", r"The SMARTS 'C\x00N' cannot be read", (1, 2)),
        ("[$(" * 40 + "CO" + ")]" * 40, "nests recursive SMARTS more than 3 deep", (0, 202)),
        ("C(" * 500 + "C" + ")" * 500, "too many brackets", None),
        ("C" * 10_000, "10,000 characters", None),
        ("C" * 200, "200 atoms", None),
        ("C(" + "C)(" * 29 + "C)C", "31 branches", (0, 1)),
        ("C>>O", "reaction", (1, 2)),
        ("[C:1]O", "map number 1", (0, 5)),
        ("Cé", "position 2", (1, 2)),
        ("C C", "blank at position 2", (1, 2)),
        ("[Na+].[Cl-]", "2 parts", (6, 11)),
        ("[13CH3]C", "Atom 1 of the SMARTS ([13CH3]) asks for an isotope", (0, 7)),
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


@pytest.mark.parametrize(
    ("smarts", "elements"),
    [
        ("[" + ",".join("CNOS"[place % 4] for place in range(600)) + "]C", {6, 7, 8, 16}),
        ("[" + ",".join(f"#{6 + place % 90}" for place in range(450)) + "]C", set(range(6, 96))),
        ("[" + "!" * 500 + "C]C", {6}),
        ("[C,N;" + ";".join(["!N", "!O"] * 200) + "]C", {6}),
    ],
)
def test_long_lists_are_read_whole(smarts, elements):
    """RDKit nests "a, b, c" one in the other, deeper than Python calls itself."""
    atom = read_query(smarts).atoms[0]
    assert frozenset().union(*(box.allowed("elements") for box in atom.boxes)) == elements


def test_long_lists_of_bonds_are_read_whole():
    (bond,) = read_query("C" + ",".join("-="[place % 2] for place in range(600)) + "C").bonds
    assert bond.types == {0, 1}


@pytest.mark.parametrize(
    ("smarts", "options", "sentence"),
    [
        ("[k5]CC", {"encoding": "wombat+"}, "Atom 1 of the SMARTS ([k5]) asks for ring size (k), which"),
        (
            "[R]O",
            {"encoding": "wombat+", "style": "deep"},
            "The style deep is not for wombat+; with it choose small, unit",
        ),
    ],
)
def test_sentences_of_wombat_plus(smarts, options, sentence):
    with pytest.raises(InputError) as caught:
        compile_smarts(smarts, **options)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("smarts", "alone"),
    [("[I-]", True), ("[CX4]", True), ("[CD2]", False), ("[CH0X2]", False), ("[$(CO)]", False), ("C=O", False)],
)
def test_atoms_without_bonds_are_spoken_of_where_the_motif_can_be_one(smarts, alone):
    assert (ISOLATED_NOTE in compile_smarts(smarts).origin.notes) == alone


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("5,smarts:[O,N]=C", ["5", "smarts:[O,N]=C"]),
        ("smarts:C-,=C|root=1, 12-leaf", ["smarts:C-,=C|root=1", "12-leaf"]),
        ("smarts:[$(C[O,N])]=C|encoding=wombat+,smarts:CO", ["smarts:[$(C[O,N])]=C|encoding=wombat+", "smarts:CO"]),
        ("1-5,all", ["1-5", "all"]),
        ("smarts:CO,5", ["smarts:CO", "5"]),
    ],
)
def test_a_list_of_patterns_is_split_outside_of_smarts(text, ids):
    assert split_patterns(text) == ids


@pytest.mark.parametrize(
    ("id", "sentence"),
    [
        ("CO|root=-1", "The root '-1' is no atom of the SMARTS; its atoms are 0, 1 (from 0)."),
        ("CO|root=0|root=1", "The root of the SMARTS is given twice."),
        ("C1CC1|depth=x", "The depth 'x' is no number of layers from 1 to 12."),
        ("CO|style=", "There is no style ''"),
        ("C||", "Behind a vertical bar in 'C||' stands no option; write style=deep,"),
        ("CO|root", "'root' is no option of a compiled pattern"),
    ],
)
def test_options_with_a_wrong_value_say_what_it_may_be(id, sentence):
    with pytest.raises(InputError) as caught:
        pattern_of("smarts:" + id)
    assert sentence in str(caught.value)
