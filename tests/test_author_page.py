"""The Author page, and what it is made of: fragments, the nearest SMARTS that compiles, pieces of a motif."""

import pytest

from pages.addresses.author import AUTHOR, AuthorState
from pages.parts.author.channels import channel_cards
from pages.parts.author.draft import open_draft
from pages.parts.author.failure import span_of, underlined
from pages.parts.author.radius import radius_rows
from pages.shared.state import State
from tests.app import opened
from wombat_core.compiler import pattern_of
from wombat_core.compiler.collected import collected
from wombat_core.compiler.fragment import fragment_smarts
from wombat_core.compiler.nearest import nearest
from wombat_core.errors import InputError
from wombat_core.ground_truth import query
from wombat_core.molecules.molecule import from_smiles
from wombat_core.whitebox.pieces import pieces

MOLECULE = "NC(=O)c1ccc[n+]([O-])c1"


@pytest.mark.parametrize("hydrogens", [True, False])
@pytest.mark.parametrize("degree", [True, False])
@pytest.mark.parametrize("bonds", [True, False])
@pytest.mark.parametrize("atoms", [[0], [2, 1, 0], [3, 4, 5, 6, 7, 9], list(range(10))])
def test_a_fragment_matches_its_molecule_at_its_atoms(atoms, hydrogens, degree, bonds):
    molecule = from_smiles(MOLECULE)
    smarts = fragment_smarts(molecule, atoms, hydrogens=hydrogens, degree=degree, bonds=bonds)
    found = molecule.mol.GetSubstructMatches(query(smarts), uniquify=False)
    assert set(atoms) in [set(match) for match in found]


def test_a_fragment_keeps_what_its_switches_say():
    molecule = from_smiles(MOLECULE)
    assert fragment_smarts(molecule, [1, 2]) == "[C]=[O]"
    assert fragment_smarts(molecule, [1, 2], hydrogens=True, degree=True) == "[CH0D3]=[OH0D1]"
    assert fragment_smarts(molecule, [1, 2], bonds=False) == "[#6]~[#8]"
    assert fragment_smarts(molecule, [7, 8], charge=False) == "[n]-[O]"
    assert fragment_smarts(molecule, [7, 8]) == "[n+1]-[O-1]"


@pytest.mark.parametrize("atoms, reason", [([], "at least one"), ([0, 5], "hang together"), ([99], "no atom 99")])
def test_atoms_that_are_no_fragment_are_refused(atoms, reason):
    with pytest.raises(InputError, match=reason):
        fragment_smarts(from_smiles(MOLECULE), atoms)


@pytest.mark.parametrize(
    "smarts, change, simpler",
    [
        ("[13C]=O", "without the isotope", "[C]=O"),
        ("[C:1]=O", "without the map number", "[C]=O"),
        ("C(=O", "with its bracket closed", "C(=O)"),
        ("C=O>>CO", "the first side of the reaction", "C=O"),
        ("[CX3;v4]=O", "with the encoding wombat+", "[CX3;v4]=O"),
    ],
)
def test_the_nearest_smarts_that_compiles(smarts, change, simpler):
    found = nearest(smarts)
    assert (found.change, found.smarts) == (change, simpler)
    assert found.pattern.num_layers >= 1


def test_a_ring_query_needs_the_other_encoding():
    assert nearest("[C;R]=O").encoding == "wombat+"
    assert nearest("") is None


def test_atoms_of_a_tree_by_the_layer_that_collects_them():
    found = collected(pattern_of("smarts:[CX3H1](=O)[#6]"))
    assert found.root == 0 and found.layers == (0, 1, 1)


def test_atoms_of_a_ring_by_their_distance():
    pattern = pattern_of("smarts:c1ccncc1")
    found = collected(pattern)
    assert found.root == 3 and found.layers == (3, 2, 1, 0, 1, 2)
    rows = dict(radius_rows(pattern, found.root))
    assert next(iter(rows)) == (3,) and list(rows)[-1] == ()
    assert [len(cells) for cells in rows.values()] == [pattern.num_layers] * len(rows)
    last = channel_cards(pattern, pattern.num_layers)
    assert [card["badge"]["text"] for card in last] == [f"atom 3, radius {pattern.num_layers}"]


def test_channels_stand_beside_their_piece():
    pattern = pattern_of("smarts:CC(=O)N")
    for layer, own in enumerate(pieces(pattern), start=1):
        cards = channel_cards(pattern, layer)
        assert len(cards) == len(own)
        for card, piece in zip(cards, own, strict=True):
            assert layer == 1 or card["message"].startswith(piece.words)
            assert card["svg"].startswith("<svg")
    constants = [card for card in channel_cards(pattern_of("smarts:c1ccncc1"), 1) if "svg" not in card]
    assert [(card["title"], card["badge"]["text"]) for card in constants] == [("E.1", "constant")]


def test_carets_stand_under_the_place():
    draft = open_draft(State(), AuthorState(smarts="CC[13C](=O)O"))
    assert underlined("CC[13C](=O)O", span_of(draft.error, "CC[13C](=O)O")) == "CC[13C](=O)O\n  ^^^^^"


def test_the_whitebox_of_all_pages_is_where_the_page_begins():
    draft = open_draft(State(pattern="smarts:C=O|style=deep|root=1"), AuthorState())
    assert (draft.page.smarts, draft.page.style, draft.page.root) == ("C=O", "deep", 1)
    assert draft.id == "smarts:C=O|style=deep|root=1" and not draft.is_example
    assert open_draft(State(), AuthorState()).is_example


def test_the_address():
    state = AuthorState(smarts="[C,N]=O", style="unit", root=1, encoding="wombat+", atoms=(3, 1), bonds=False)
    assert AUTHOR.parse(AUTHOR.params_of(state))[0].atoms == (1, 3)


def test_the_page_in_its_states(monkeypatch):
    # The library's arrays take minutes where no run has made them yet; what a certificate says has tests of its own.
    monkeypatch.setattr("pages.parts.author.certificate._certified", lambda pattern: None)
    app = opened("author")
    assert app.subheader[0].value == "aldehyde: 1 layer, 2 channels" and not app.error
    app.button(key="author-use").click().run()
    assert app.query_params["pattern"] in ("smarts:[CX3H1](=O)[#6]", ["smarts:[CX3H1](=O)[#6]"])
    failing = opened("author", **{"author.smarts": "CC[13C](=O)O"})
    assert "asks for an isotope" in failing.error[0].value and len(failing.error) == 1
    assert failing.code[0].value.endswith("\n  ^^^^^")
    failing.button(key="author-take-nearest").click().run()
    assert not failing.error and "layers" in failing.subheader[0].value
