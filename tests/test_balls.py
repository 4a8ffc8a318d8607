"""SMARTS with rings: no match is missed, and the networks compute what balls mean."""

from functools import cache

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from rdkit import Chem

from wombat_core.compiler.address import pattern_of
from wombat_core.compiler.balls import Balls, Count
from wombat_core.compiler.compile import compile_smarts
from wombat_core.compiler.files import from_yaml, to_yaml
from wombat_core.compiler.query import read_query
from wombat_core.compiler.ring_labels import Kind, Label
from wombat_core.compiler.ring_query import ring_query
from wombat_core.compiler.rings import compile_rings, default_depth
from wombat_core.compiler.smarts_error import SmartsError
from wombat_core.errors import InputError
from wombat_core.explainers.registry import explainer as make_explainer
from wombat_core.explanation import explain
from wombat_core.molecules import from_smiles
from wombat_core.molecules.encoding import encode, encode_batch
from wombat_core.molecules.features import WOMBAT_PLUS
from wombat_core.paths.baselines import baseline, names
from wombat_core.whitebox.model import Whitebox

ENCODINGS = ("wombat", "wombat+")
# Layers and channels that the design reached; two channels more are allowed.
CASES = {
    "c1ccccc1": (5, 9),
    "c1ccsc1": (2, 7),
    "C1CC1": (2, 3),
    "O=C1CCN1": (2, 12),
    "C1COCCN1": (3, 16),
    "c1ccc2c(c1)cc[nH]2": (3, 36),
}
SMILES = (
    "CC(=O)Oc1ccccc1C(=O)O",
    "c1ccc2c(c1)cc[nH]2",
    "C1COCCN1c1ccncc1",
    "O=C1CCN1C2CC2",
    "CC1(C2CCC1(C(=O)C2)C)C",
    "C1CC2CCC1C2",
    "c1ccc2ccccc2c1",
    "c1ccsc1-c1cccs1",
    "CC1(C(N2C(S1)C(C2=O)NC(=O)Cc1ccccc1)C)C(=O)O",
    "CN1C=NC2=C1C(=O)N(C(=O)N2C)C",
    "C1CCC2(CC1)OCCO2",
    "C[N+]1=CC=CC=C1",
    "c1ccc2c(c1)c1ccccc12",
    "ClC1=CC=C(C=C1)C(Cl)=O",
    "CC1CCC(CC1)C(C)C",
    "C1CC1C1CC1",
    "CCO",
    "CC(C)CC(C)(C)C",
)


@cache
def molecules():
    return [from_smiles(text) for text in SMILES]


@cache
def batch(encoding: str):
    return encode_batch(molecules(), encoding)


def positives(pattern, readout: str = "r1") -> set[str]:
    data = batch(pattern.encoding)
    values = Whitebox(pattern, readout)(data.x, data.edge_index, data.edge_attr, data.batch)
    return {text for text, value in zip(SMILES, values.tolist(), strict=True) if value > 0.5}


def matches(smarts: str) -> set[str]:
    query = Chem.MolFromSmarts(smarts)
    return {one.smiles for one in molecules() if one.mol.HasSubstructMatch(query)}


@pytest.mark.parametrize("smarts", CASES)
def test_known_rings_are_small_and_right(smarts):
    pattern = compile_smarts(smarts, encoding="wombat+")
    layers, channels = CASES[smarts]
    assert pattern.encoding == "wombat+"
    assert pattern.num_layers <= layers and pattern.num_channels <= channels + 2
    assert positives(pattern) == positives(pattern, "r2") == matches(smarts)


@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_no_match_is_missed(encoding, data):
    """Any connected piece with a ring of a molecule: the network fires wherever RDKit finds it."""
    molecule = data.draw(st.sampled_from([one for one in molecules() if one.mol.GetRingInfo().NumRings()])).mol
    ring = set(data.draw(st.sampled_from(list(molecule.GetRingInfo().AtomRings()))))
    for _ in range(data.draw(st.integers(0, 4))):
        near = {n.GetIdx() for atom in ring for n in molecule.GetAtomWithIdx(atom).GetNeighbors()} - ring
        if near:
            ring.add(data.draw(st.sampled_from(sorted(near))))
    smarts = Chem.MolFragmentToSmarts(molecule, sorted(ring))
    depth = data.draw(st.one_of(st.none(), st.integers(1, 6)))
    try:
        pattern = compile_smarts(smarts, encoding=encoding, depth=depth)
    except SmartsError as error:
        assert "more than" in str(error) or "charge" in str(error), smarts
        return
    found = positives(pattern)
    assert found >= matches(smarts), smarts
    assert found == positives(pattern, "r2")


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("smarts", ["c1ccncc1", "C1CC1C", "[!#1]c1ccc(Cl)cc1", "C1CCC2CCCCC2C1", "O=C1CCN1"])
def test_channels_compute_what_balls_mean(encoding, smarts):
    """The last layer's product is positive at exactly the atoms in the root's ball."""
    query = ring_query(read_query(smarts), encoding)
    pattern = compile_smarts(smarts, encoding=encoding)
    _, root, _ = compile_rings(read_query(smarts), encoding=encoding)
    balls = Balls(query)
    balls.grow(pattern.num_layers)
    for molecule in molecules():
        data = encode(molecule, encoding)
        products = Whitebox(pattern).trace(data.x, data.edge_index, data.edge_attr).products
        expected = _members(balls, pattern.num_layers, root, data)
        assert (products > 0).tolist() == expected, molecule.smiles


def _members(balls: Balls, radius: int, root: int, data) -> list[bool]:
    """Which atoms are in the root's ball, read off its definition."""
    inside: list[list[list[bool]]] = []
    for depth in range(radius + 1):
        inside.append([])
        for ball in balls.table[depth]:
            flags = [_fits(ball.label, row) for row in data.x.numpy()]
            for atom, fits in enumerate(flags):
                if not fits or depth == 0:
                    continue
                flags[atom] = (
                    inside[depth - 1][ball.before][atom]
                    and all(_counts(count, atom, inside[depth - 1], data) for count in ball.counts)
                    and all((len(_found(one.kind, atom, None, data)) >= one.least) == one.wanted for one in ball.around)
                )
            inside[-1].append(flags)
    return inside[radius][balls.at[radius][root]]


def _counts(count: Count, atom: int, before: list[list[bool]], data) -> bool:
    return len(set().union(*(_found(kind, atom, before[number], data) for kind, number in count.terms))) >= count.least


def _found(kind: Kind, atom: int, inside: list[bool] | None, data) -> set[int]:
    found = set()
    for edge in (data.edge_index[1] == atom).nonzero().flatten().tolist():
        features = data.edge_attr[edge]
        types = any(features[kind_] > 0 for kind_ in kind.types)
        held = all(
            (features[WOMBAT_PLUS.bond_slots[word.removeprefix("!")]] > 0) != word.startswith("!")
            for (word,) in kind.conditions
        )
        other = int(data.edge_index[0, edge])
        if types and held and (inside is None or inside[other]):
            found.add(other)
    return found


def _fits(label: Label, row) -> bool:
    return (
        any(row[slot] for slot in label.elements)
        and any(row[100 + count] for count in label.hydrogens)
        and all(
            any((row[WOMBAT_PLUS.atom_slots[word.removeprefix("!")]] > 0) != word.startswith("!") for word in words)
            for words in label.conditions
        )
    )


@pytest.mark.parametrize(
    "smarts",
    ["[R]C", "C@C", "C!@C", "[r5]", "[R2]", "[x3]", "[n+]C", "[+]", "[O-]C", "[a]", "[#6;A]", "[R0]", "C@[N;R]"],
)
def test_rings_charges_and_aromaticity_are_exact_on_wombat_plus(smarts):
    pattern = compile_smarts(smarts, encoding="wombat+")
    assert positives(pattern) == matches(smarts)


@pytest.mark.parametrize("readout", ["r1", "r2"])
@pytest.mark.parametrize("explainer", ["integrated-gradients", "saliency"])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_attributions_of_ball_networks(encoding, explainer, readout):
    pattern = compile_smarts("C1COCCN1", encoding=encoding)
    (found,) = explain([from_smiles("C1COCCN1CCCl")], Whitebox(pattern, readout), make_explainer(explainer))
    scores = torch.as_tensor(found.attribution.atom_scores)
    assert found.truth.tolist() == [True] * 6 + [False] * 3
    assert bool(torch.isfinite(scores).all())
    if (explainer, readout) == ("saliency", "r2"):
        # p = 1 at the root, where relu(1 - p) is flat, as on hand-made networks.
        assert found.prediction == 1 and float(scores.abs().max()) == 0
        return
    assert float(scores[:6].min()) > float(scores[6:].max())


def test_every_channel_knows_its_atoms_and_radius():
    pattern = compile_smarts("n1ccccc1", encoding="wombat+")
    balls = pattern.origin.balls
    assert [len(layer) for layer in balls] == [len(layer) for layer in pattern.layers]
    for depth, (layer, own) in enumerate(zip(pattern.layers, balls, strict=True), start=1):
        for channel, (atoms, radius) in zip(layer, own, strict=True):
            assert radius == depth
            assert bool(atoms) == (channel.bond_term.text != "0")
    assert (1, 5) in {atoms for own in balls for atoms, _ in own}  # both neighbours of N ask for the same


def test_the_depth_is_a_ring_once_round():
    for size in range(3, 9):
        query = ring_query(read_query("C1" + "C" * (size - 1) + "1"), "wombat+")
        assert default_depth(query, 0) == size - 1
    assert compile_smarts("c1ccccc1", depth=3).num_layers == 3


@pytest.mark.parametrize("depth", [0, 13, -1, 1.5, True])
def test_a_bad_depth_is_one_sentence(depth):
    with pytest.raises(InputError, match="is no number of layers from 1 to 12"):
        compile_smarts("C1CC1", depth=depth)


def test_an_address_carries_encoding_and_depth():
    pattern = compile_smarts("c1ccccc1", encoding="wombat+", depth=3)
    again = pattern_of(pattern.id)
    assert again == pattern and again.encoding == "wombat+" and again.num_layers == 3
    assert pattern_of("smarts:C1CC1|encoding=wombat ").encoding == "wombat+"
    with pytest.raises(InputError, match="The depth 'x' is no number of layers from 1 to 12"):
        pattern_of("smarts:C1CC1|depth=x")


@pytest.mark.parametrize("style", ["deep", "moving", "smoothing"])
def test_styles_that_balls_do_not_have_are_refused(style):
    with pytest.raises(
        InputError, match=f"style {style} is for SMARTS without rings; with rings choose small, unit or leaf"
    ):
        compile_smarts("C1CC1", style=style)


@pytest.mark.parametrize(
    ("smarts", "layers"),
    [
        ("c1ccc2ccccc2c1", 7),  # 21 false positives in the library at six layers, none at seven
        ("c1ccc(cc1)c2ccccn2", 8),  # 206 at six
        ("c1cncnc1", 5),  # 10 at three
        ("C1CN2CCC1CC2", 5),  # 35 at three
        ("c1ccc2c(c1)cc[nH]2", 3),
        ("C1CCCCC1C", 7),
    ],
)
def test_several_rings_and_branches_are_looked_at_as_deep_as_they_must_be(smarts, layers):
    assert compile_smarts(smarts, encoding="wombat+").num_layers == layers


def test_a_file_names_an_encoding_that_there_is():
    text = to_yaml(compile_smarts("C1CC1", encoding="wombat+"))
    assert from_yaml(text).encoding == "wombat+"
    with pytest.raises(InputError, match="There is no encoding 'wombat#'"):
        from_yaml(text.replace("wombat+", "wombat#"))


def test_the_mean_atom_is_known_for_the_papers_features_only():
    data = encode(molecules()[0], "wombat+")
    assert "mean-atom" not in names(data) and "mean-atom" in names(encode(molecules()[0]))
    with pytest.raises(InputError, match="110 features only"):
        baseline("mean-atom", data)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("smarts", ["c1ccccc1[NX3;H2]", "[cX3]1ccccc1[OX2]", "[NX3]1CCOCC1", "c1cc[nX2]cc1"])
def test_connections_beside_a_ring(smarts, encoding):
    """Neighbours weigh by the atom's hydrogens; nothing is missed, and these molecules give no false positive."""
    pattern = compile_smarts(smarts, encoding=encoding)
    assert positives(pattern) == positives(pattern, "r2") == matches(smarts)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("size", range(3, 9))
def test_ring_atoms_are_not_taken_for_a_substituent(size, encoding):
    """The substituent and the ring's own atoms can be of one kind, over bonds of different kinds."""
    ring = "C1" + "C" * (size - 1) + "1"
    smiles = (ring, ring + "C", "N" + ring, ring + "CO", "O=C1CCN1" + ring.replace("1", "2"))
    for substituent in ("[CX4]", "C", "[!#1]"):
        query = Chem.MolFromSmarts(ring + substituent)
        expected = [Chem.MolFromSmiles(text).HasSubstructMatch(query) for text in smiles]
        assert fires(compile_smarts(ring + substituent, encoding=encoding), smiles) == expected


def fires(pattern, smiles) -> list[bool]:
    data = encode_batch([from_smiles(text) for text in smiles], pattern.encoding)
    found = [
        (Whitebox(pattern, readout)(data.x, data.edge_index, data.edge_attr, data.batch) > 0.5).tolist()
        for readout in ("r1", "r2")
    ]
    assert found[0] == found[1]
    return found[0]


@pytest.mark.parametrize(
    "smarts",
    [
        *("[n,c]1ccccc1", "c1ccccc1[$(C=O)]", "c1ccccc1[!$(C=O)]", "c1ccccc1[C,N&H2]", "c1ccccc1[NX3,OX2]", "[R]"),
        *("c1ccccc1[v4,v6]", "C1CC1[D1,D3]", "[$(C=O),$(C#N)]c1ccccc1", "[r6;$(C=O)]", "[$(C),$(N);R]", "[v4;R]"),
        *("[C;R;D2,D4]", "[R;!$(C=O)]C", "c1[$(cC),$(cN)]cccc1", "C1CC1[v4]", "[c,C]1[c,C][c,C][c,C][c,C][c,C]1"),
    ],
)
def test_alternatives_recursive_parts_and_valences_beside_rings(smarts):
    pattern = compile_smarts(smarts, encoding="wombat+")
    assert positives(pattern) == positives(pattern, "r2") == matches(smarts)


@pytest.mark.parametrize(("smarts", "asked"), [("[$([R]C)]", "ring membership"), ("C[$(C@C)]", "ring bonds")])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_rings_inside_a_recursive_part_are_refused(smarts, asked, encoding):
    with pytest.raises(SmartsError, match=rf"The recursive SMARTS \$\(.*\) asks for {asked}"):
        compile_smarts(smarts, encoding=encoding)


@pytest.mark.parametrize("smarts", ["[nv3]", "[nv3]c", "[v3]", "[cv4]", "[nv3]1cccc1", "[v3;R]"])
def test_aromatic_atoms_have_the_valence_of_neutral_ones(smarts):
    """Pyrrole's nitrogen has three in RDKit, though its bonds and hydrogen make four."""
    smiles = ("c1cc[nH]c1", "Cn1cccc1", "c1ccncc1", "c1ccccc1", "CN1CCC1", "CCO")
    query = Chem.MolFromSmarts(smarts)
    expected = [Chem.MolFromSmiles(text).HasSubstructMatch(query) for text in smiles]
    assert fires(compile_smarts(smarts, encoding="wombat+"), smiles) == expected


def test_branches_are_looked_at_once():
    """A chain on a ring takes channels until it has been seen, not on every layer."""
    chain = compile_smarts("CCCCC1CC1", encoding="wombat+", root=4, depth=9)
    seen = [depth for own in chain.origin.balls for atoms, depth in own if atoms and 0 in atoms]
    assert max(seen) == 1
    assert fires(chain, ("CCCCC1CC1", "CCCC1CC1", "CC(C)CC1CC1", "CC(CC)C1CC1")) == [True, False, False, False]


def test_a_long_chain_of_like_atoms_compiles():
    """Directed branches cannot tell its atoms apart; balls can."""
    chain = compile_smarts("C" * 20)
    assert chain.origin.balls
    assert fires(chain, ("C" * 19, "C" * 20, "C" * 10 + "C(C)" + "C" * 8, "C" * 9 + "C(CCC)" + "C" * 10)) == [
        *(False, True, False, True),
    ]
