"""The piece of the motif of every channel, beside what the channel is positive on."""

import random
from functools import cache

import numpy as np
import pytest
from rdkit import Chem

from wombat_core.compiler import compile_smarts
from wombat_core.molecules.encoding import encode_batch
from wombat_core.molecules.library import library_rows
from wombat_core.molecules.molecule import from_smiles
from wombat_core.molecules.usability import exclusion_key
from wombat_core.whitebox.catalogue import pattern, patterns
from wombat_core.whitebox.model import Whitebox
from wombat_core.whitebox.pieces import pieces
from wombat_core.whitebox.unfolding import LARGE_VALUES

CHANNELLED = [id for id, entry in patterns().items() if entry.layers]
COMPILED = ["[CX3H1](=O)[#6]", "CC(=O)OC", "S(=O)(=O)N", "[NX3;H2,H1;!$(NC=O)]", "C(C)(C)(C)C", "OCCO", "[N;+0]C"]
OWN = [
    "CC(C)(Cl)CC(C)(C)Cl",
    "CCCCCCCC(=O)NNC(=O)C(C)C",
    "CC(C)C(=O)CC(C)(C)CC(C)(C)C",
    "CC(C)C(=O)OCCN(CC)CC",
    "CC(CC(C)=NNC(C)=O)C(=O)O",
    "C[N+](C)(C)CC",
    "CS(=O)(=O)C(C)C",
    "CC(NC(C)=O)C(Cl)(Cl)Cl",
    "C[N+](=O)[O-]",
    "CCNC",
    "CC(C)(C)C",
]


@cache
def molecules():
    """Eleven molecules that have the motifs, and some of the library without rings."""
    smiles = [row.smiles for row in library_rows() if row.smiles.isascii() and len(row.smiles) < 40]
    acyclic = [text for text in smiles if "." not in text and not any(sign.isdigit() for sign in text)]
    chosen = map(from_smiles, [*OWN, *random.Random(7).sample(acyclic, 40)])
    return [molecule for molecule in chosen if exclusion_key(molecule) is None]


@cache
def matched(smarts: str) -> np.ndarray:
    """Atoms at which a match has its first atom, of all molecules one after the other."""
    query, found, first = Chem.MolFromSmarts(smarts), [], 0
    for molecule in molecules():
        matches = molecule.mol.GetSubstructMatches(query, uniquify=False, maxMatches=100_000)
        found += [first + match[0] for match in matches]
        first += molecule.num_atoms
    marked = np.zeros(first, dtype=bool)
    marked[found] = True
    return marked


def compared(chosen):
    """(channel, piece, whether it is positive where the piece matches and nowhere else) of every written piece."""
    data = encode_batch(molecules())
    layers = Whitebox(chosen).activations(data.x.float(), data.edge_index, data.edge_attr.float())
    for channels, own, table in zip(chosen.layers, pieces(chosen), layers, strict=True):
        assert len(channels) == len(own)
        for place, (channel, piece) in enumerate(zip(channels, own, strict=True)):
            if piece.smarts is not None:
                yield channel, piece, np.array_equal(table[:, place].numpy() > 0, matched(piece.smarts))


@pytest.mark.parametrize("id", CHANNELLED)
def test_channels_of_hand_made_networks_are_positive_exactly_where_their_piece_matches(id):
    found = list(compared(pattern(id)))
    assert len(found) == pattern(id).num_channels
    assert [channel.name for channel, _, same in found if not same] == []


def test_pieces_that_are_not_exact_in_general_are_those_that_count_large_values():
    noted = {
        id: [
            channel.name
            for layer, own in zip(patterns()[id].layers, pieces(patterns()[id]), strict=True)
            for channel, piece in zip(layer, own, strict=True)
            if piece.reason
        ]
        for id in CHANNELLED
    }
    assert {id: names for id, names in noted.items() if names} == {
        "3": ["B.5", "A.6", "B.6", "A.7"],
        "4": ["A.2", "B.2", "A.3", "A.4"],
        "9": ["A.2", "A.3"],
    }
    assert {piece.reason for id in noted for layer in pieces(patterns()[id]) for piece in layer} == {None, LARGE_VALUES}


@pytest.mark.parametrize("smarts", COMPILED)
@pytest.mark.parametrize("style", ["small", "unit", "smoothing"])
def test_channels_of_compiled_networks_are_positive_exactly_where_their_piece_matches(smarts, style):
    found = list(compared(compile_smarts(smarts, style=style)))
    assert found
    assert [channel.name for channel, piece, same in found if not same and piece.is_exact] == []


@pytest.mark.parametrize(
    ("id", "name", "smarts", "words"),
    [
        ("12", "A.1", "[#6;H1]=[#8]", "a carbon with 1 hydrogen, with a double bond to an oxygen"),
        ("6", "A.1", "[#6;H1;D3]", "a carbon with 1 hydrogen and 3 neighbours"),
        ("7", "A.3", "[C;H2](-[#6;H1;D3])-[C;H2]-[C;H3]", None),
        ("12-moving", "B.2", "*", "any atom: a constant that joins conditions"),
    ],
)
def test_the_piece_in_smarts_and_in_words(id, name, smarts, words):
    chosen = pattern(id)
    found = {
        channel.name: piece
        for layer, own in zip(chosen.layers, pieces(chosen), strict=True)
        for channel, piece in zip(layer, own, strict=True)
    }
    assert found[name].smarts == smarts
    assert words is None or found[name].words == words


def test_what_a_channel_rules_out_is_said():
    assert pieces(pattern("9"))[0][1].role == "rules out atoms"
    compiled = pieces(compile_smarts("CCCC"))
    assert any(piece.role == "limits a count to 1" for layer in compiled for piece in layer)


def test_a_ball_stands_for_the_atoms_it_has_seen():
    chosen = compile_smarts("C1CCOCC1")
    own = pieces(chosen)
    assert [len(layer) for layer in own] == [len(layer) for layer in chosen.layers]
    query = Chem.MolFromSmarts("C1CCOCC1")
    for layer, listed in zip(own, chosen.origin.balls, strict=True):
        for piece, (atoms, radius) in zip(layer, listed, strict=True):
            if atoms:
                distances = Chem.GetDistanceMatrix(query)[atoms[0]]
                assert piece.atoms == tuple(np.flatnonzero(distances <= radius))
                fragment = Chem.MolFromSmarts(piece.smarts)
                assert fragment.GetNumAtoms() == len(piece.atoms)
                first = query.GetAtomWithIdx(atoms[0])
                assert fragment.GetAtomWithIdx(0).GetAtomicNum() == first.GetAtomicNum()
                assert query.HasSubstructMatch(fragment)


def test_another_kind_of_network_has_no_pieces():
    assert pieces(pattern("flucarb")) == ()
