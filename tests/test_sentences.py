"""The sentences of all channels, read back and compared with the weights."""

import re

import numpy as np
import pytest
import torch
from rdkit import Chem

from wombat_core.molecules.encoding import encode_batch
from wombat_core.molecules.features import feature_names
from wombat_core.molecules.library import library_rows
from wombat_core.molecules.molecule import from_smiles
from wombat_core.molecules.positives import positives
from wombat_core.molecules.usability import exclusion_key
from wombat_core.whitebox.catalogue import patterns
from wombat_core.whitebox.model import Whitebox
from wombat_core.whitebox.notation import read_channel
from wombat_core.whitebox.sentences import read, readings

CHANNELLED = [id for id, pattern in patterns().items() if pattern.layers]
ELEMENTS = {"carbon": "C", "nitrogen": "N", "oxygen": "O", "sulfur": "S", "chlorine": "Cl"}
BONDS = ["single", "double", "triple", "aromatic"]


def sentence_of(pattern: str, name: str) -> str:
    found = {reading.name: reading.sentence for layer in readings(patterns()[pattern]) for reading in layer}
    return found[name]


def channel_weights(words: str, letters: list[str], layer: int) -> np.ndarray:
    """Read "a `B.1` atom that is not `A.1`" and the like."""
    wanted, _, excluded = words.partition(" that is not " if " that is not " in words else " that are not ")
    assert re.fullmatch(r"(an? )?`\w\.\d`( or `\w\.\d`)* atoms?( \(adding up\))?", wanted), words
    weights = np.zeros(len(letters))
    for text, weight in ((wanted, 1), (excluded, -10)):
        for letter, depth in re.findall(r"`(\w)\.(\d)`", text):
            assert int(depth) == layer - 1
            weights[letters.index(letter)] = weight
    return weights


def feature_weights(words: str) -> np.ndarray:
    """Read "a carbon with exactly 1 hydrogen" and the like."""
    weights = np.zeros(110)
    words = re.sub(r"^an? ", "", words)
    kind, _, hydrogens = words.partition(" with ")
    counts = []
    if hydrogens:
        pattern = r"(no|exactly \d|\d(?:, \d)* or \d) hydrogens?"
        counts = [0] if hydrogens == "no hydrogens" else [int(n) for n in re.findall(r"\d", hydrogens)]
        assert re.fullmatch(pattern, hydrogens), words
    if re.fullmatch(r"(any atom|atoms) \(counting 2( each)?: element and hydrogens\)", kind):
        weights[:] = 1
    elif kind in ("atom of any element", "atoms of any element"):
        weights[:100] = 1
    elif kind in ("atom", "atoms"):
        weights[[100 + n for n in counts]] = 1
        return weights
    else:
        symbol = ELEMENTS[kind.removesuffix("s") if kind not in ELEMENTS else kind]
        weights[feature_names().index(symbol)] = 1
    if counts:
        weights[100:] = -10
        weights[[100 + n for n in counts]] = 0
    return weights


def parse(sentence: str, letters: list[str] | None, layer: int):
    """Weight rows and bias of a sentence."""
    inputs = 110 if letters is None else len(letters)
    if constant := re.fullmatch(r"always (\d+), on every atom", sentence):
        return np.zeros(inputs), np.zeros(inputs), np.zeros(4), float(constant[1])
    parts = re.fullmatch(
        r"(?P<own>.+), (?P<bond>(single|double|triple|aromatic|any) bond|(single|double|triple|aromatic) bonds"
        r"|bonds of any kind) to (at least (?P<count>\d+) )?(?P<neighbour>.+)",
        sentence,
    )
    assert parts, sentence
    count = int(parts["count"] or 1)
    assert ("bonds" in parts["bond"]) == (count > 1)
    bond = np.array([float(kind in parts["bond"] or "any" in parts["bond"]) for kind in BONDS])

    def atoms(words):
        return feature_weights(words) if letters is None else channel_weights(words, letters, layer)

    return atoms(parts["own"]), atoms(parts["neighbour"]), bond, 1.0 - count


@pytest.mark.parametrize("id", CHANNELLED)
def test_every_sentence_gives_the_weights_back(id):
    model = Whitebox(id)
    letters = None
    for depth, (convolution, layer) in enumerate(
        zip(model.convolutions, readings(model.pattern), strict=True), start=1
    ):
        for index, reading in enumerate(layer):
            own, neighbour, bond, bias = parse(reading.sentence, letters, depth)
            assert reading.name == convolution.channel_names[index]
            np.testing.assert_array_equal(convolution.own[index], own, reading.sentence)
            np.testing.assert_array_equal(convolution.neighbour[index], neighbour, reading.sentence)
            np.testing.assert_array_equal(convolution.bond[index], bond, reading.sentence)
            assert float(convolution.bias[index]) == bias, reading.sentence
            assert reading.sum_above == -bias
        letters = [name[0] for name in convolution.channel_names]


@pytest.mark.parametrize(
    ("pattern", "name", "sentence"),
    [
        ("12", "A.1", "carbon with exactly 1 hydrogen, double bond to an oxygen"),
        ("3", "B.2", "a `B.1` atom that is not `A.1`, single bond to a `B.1` atom"),
        ("10", "A.1", "carbon with exactly 1 hydrogen, single bonds to at least 3 atoms of any element"),
        ("5", "F.1", "nitrogen with 0 or 1 hydrogens, double bond to a carbon"),
        ("1", "G.1", "an atom with exactly 1 hydrogen, single bond to any atom (counting 2: element and hydrogens)"),
        ("1", "E.1", "carbon, bonds of any kind to at least 3 atoms of any element"),
        ("4", "A.3", "a `C.2` atom, single bond to an `A.2` or `B.2` atom (adding up)"),
        ("4", "A.2", "a `B.1` atom that is not `C.1`, single bonds to at least 2 `A.1` atoms"),
        ("9", "A.2", "an `A.1` atom that is not `B.1`, double bonds to at least 2 `C.1` atoms"),
        ("12-moving", "B.2", "always 1, on every atom"),
        ("12-smoothing", "C.2", "a `C.1` atom, any bond to a `C.1` atom"),
    ],
)
def test_sentences_by_hand(pattern, name, sentence):
    assert sentence_of(pattern, name) == sentence


def test_plain_text_has_no_backquotes():
    assert readings(patterns()["6"])[1][0].plain == "an A.1 atom, single bond to an A.1 atom"


def test_only_the_sum_is_named_where_messages_can_exceed_one():
    carbon = read_channel("A", 1, ["C", "*", "-", -1])
    halogen = read_channel("B", 1, ["Cl", "*", "-", 0])
    counts_two = read(read_channel("A", 1, ["H1", "1", "-", -1]), None)
    assert counts_two.at_least is None
    assert counts_two.sentence.endswith("atoms (counting 2 each: element and hydrogens) (the sum must exceed 1)")
    # A carbon with four neighbours has A.1 = 3, so one of them can be enough.
    sums = read(read_channel("A", 2, ["A", "A", "-", -2]), (carbon, halogen))
    assert sums.at_least is None
    assert sums.sentence == "an `A.1` atom, single bonds to `A.1` atoms (the sum must exceed 2)"
    # The valence of chlorine is not among those the benchmark limits.
    assert read(read_channel("A", 2, ["A", "B", "-", -1]), (carbon, halogen)).at_least is None
    # Nothing bounds the activations of later layers.
    assert read(read_channel("A", 3, ["A", "A", "-", -1]), (carbon,)).at_least is None


def test_a_neighbour_spends_a_bond_on_its_receiver():
    # Alone, a CH2 could count two methyls; next to a nitrogen there is room for one.
    layer = (read_channel("A", 1, ["C;H2", "C;H3", "-", 0]), read_channel("B", 1, ["N", "C", "-", -2]))
    ethyl = read(read_channel("A", 2, ["B", "A", "-", -1]), layer)
    assert ethyl.at_least is None  # a quaternary nitrogen has B.1 = 2
    tertiary = (layer[0], layer[1], read_channel("C", 1, ["N", "C", "-", -3]))
    assert read(read_channel("A", 2, ["B-10C", "A", "-", -1]), tertiary).at_least == 2


@pytest.fixture(scope="module")
def molecules():
    smiles = [smiles for found in positives().values() for smiles in found]
    smiles += [row.smiles for number, row in enumerate(library_rows()) if number % 40 == 0]
    smiles += ["CC(C)C(=O)NNC(=O)" + "C" * n for n in range(1, 30)]
    return [m for m in map(from_smiles, smiles) if exclusion_key(m) is None]


@pytest.mark.parametrize("id", CHANNELLED)
def test_thresholds_and_exclusions_hold_on_molecules(id, molecules):
    """A channel is active exactly where so many neighbours send a message, and never beside an excluded one."""
    model = Whitebox(id)
    batch = encode_batch(molecules)
    sender, receiver = batch.edge_index
    z = batch.x.double()
    active = 0
    for convolution, layer in zip(model.convolutions.double(), readings(model.pattern), strict=True):
        own, neighbour = z @ convolution.own.T, z @ convolution.neighbour.T
        bond = batch.edge_attr.double() @ convolution.bond.T
        sends = (own[receiver] > 0) & (neighbour[sender] > 0) & (bond > 0)
        count = torch.zeros(len(z), len(layer)).index_add(0, receiver, sends.float())
        if z.shape[1] < 110:
            for weights in (convolution.own, convolution.neighbour):
                wanted, excluded = (z @ (weights == 1).double().T) > 0, (z @ (weights == -10).double().T) > 0
                assert torch.equal((z @ weights.T) > 0, wanted & ~excluded)
        z = convolution(z, batch.edge_index, batch.edge_attr.double())
        needed = torch.tensor([reading.at_least for reading in layer])
        assert torch.equal(z > 0, count >= needed)
        active += int((z > 0).sum())
    assert active > 0


def test_aromatic_atoms_have_at_most_three_neighbours():
    """What the thresholds assume about RDKit's aromaticity."""
    for number, row in enumerate(library_rows()):
        if number % 20 == 0:
            for atom in from_smiles(row.smiles).mol.GetAtoms():
                ring = any(bond.GetBondType() == Chem.BondType.AROMATIC for bond in atom.GetBonds())
                assert not ring or atom.GetTotalDegree() <= 3, row.smiles
