"""The ground truth of compiled whiteboxes: the atoms that decide, and none where network and RDKit differ."""

import json

import numpy as np
import pytest

import wombat_core as wombat
from wombat_core.compiler import compile_smarts
from wombat_core.explainers.coalitions import Coalitions
from wombat_core.ground_truth import ground_truth, no_truth_reason
from wombat_core.molecules import from_smiles
from wombat_core.molecules.encoding import encode
from wombat_core.whitebox.catalogue import pattern
from wombat_core.whitebox.model import Whitebox, is_positive


def pivotal(molecule, chosen) -> np.ndarray:
    """Atoms whose features change the decision in some coalition (absent atoms have zero features)."""
    bits = np.arange(molecule.num_atoms)
    number = np.arange(1 << molecule.num_atoms)
    values = Coalitions(Whitebox(chosen), encode(molecule)).values((number[:, None] >> bits & 1).astype(bool))
    positive = values > 0.5
    return np.array([(positive[number | 1 << bit] != positive[number & ~(1 << bit)]).any() for bit in bits])


@pytest.mark.parametrize(
    ("smarts", "smiles"),
    [
        ("[CX3H1](=O)[#6]", "CCC(C)C=O"),
        ("C(=O)O[CX4]", "CCC(=O)OC(C)C"),
        ("S(=O)(=O)N", "CCS(=O)(=O)NC"),
        ("C(=O)[NH2]", "CCC(=O)N"),
        ("[N+](=O)[O-]", "CCC[N+](=O)[O-]"),
        ("[NX3;H2,H1;!$(NC=O)]", "CCNCCO"),
        ("[OX2H][$(C=O)]", "CCC(=O)O"),
        ("[NX3;$(NC=O)]", "CCNC(=O)CC"),
        ("[CD3](=O)", "CCC(=O)CC"),
        ("[CX4](O)O", "CC(OC)OC"),
        ("[c;H1]", "Cc1ccccc1"),
        ("[OX2H1]", "CCCO"),
        ("N#C", "CCC#N"),
    ],
)
def test_ground_truth_is_the_atoms_that_decide_in_some_coalition(smarts, smiles):
    molecule, chosen = from_smiles(smiles), compile_smarts(smarts)
    truth = ground_truth(molecule, chosen)
    assert truth.any()
    assert np.flatnonzero(truth).tolist() == np.flatnonzero(pivotal(molecule, chosen)).tolist()


def test_checks_that_an_atom_is_not_aromatic_add_no_atoms():
    assert np.flatnonzero(ground_truth(from_smiles("CCCO"), compile_smarts("[CH2]O"))).tolist() == [2, 3]


def test_hand_made_and_compiled_agree_on_the_degree():
    molecule = from_smiles("CC(O)C(N)CF")
    made = compile_smarts(pattern(6).smarts)
    assert (ground_truth(molecule, made) == ground_truth(molecule, pattern(6))).all()


def test_rings_have_their_matched_atoms_and_the_neighbours_of_a_degree():
    truth = ground_truth(from_smiles("CCC1CCOCC1"), compile_smarts("[CD3]1CCOCC1"))
    assert np.flatnonzero(~truth).tolist() == [0]


DIFFERING = [
    ("OCCO", "CC1CO1", "The network finds the motif here and RDKit does not"),
    ("[I]", "CC[N+](C)(C)C.[I-]", "RDKit finds the motif here and the network does not"),
]


@pytest.mark.parametrize(("smarts", "smiles", "says"), DIFFERING)
def test_where_network_and_rdkit_differ_there_is_no_ground_truth_and_no_score(smarts, smiles, says):
    model = wombat.load(compile_smarts(smarts))
    found = wombat.explain(smiles, model, "saliency")
    assert found.no_truth.startswith(says)
    assert not found.truth.any()
    assert found.verdict.startswith("no ground truth")
    scores = found.scores
    assert {scores.auroc, scores.average_precision, scores.ap_baseline, scores.perfect, scores.iqr_pass} == {None}
    assert set(scores.why) == {"auroc", "average_precision", "ap_baseline", "perfect", "iqr_pass"}
    assert set(scores.why.values()) == {found.no_truth}
    assert found.subject.contains_motif != is_positive(found.prediction)
    assert not ground_truth(from_smiles(smiles), model.pattern).any()


@pytest.mark.parametrize(("smarts", "smiles", "says"), DIFFERING)
def test_the_terminal_says_so(smarts, smiles, says, capsys):
    from wombat_core.cli import main

    assert main(["predict", "--smarts", smarts, "--json", smiles]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["no_ground_truth"].startswith(says)
    assert main(["explain", "--smarts", smarts, "--explainer", "saliency", "--json", smiles]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["no_ground_truth"] == record["undefined"]["auroc"]
    assert sum(record["ground_truth"]) == 0 and record["auroc"] is None
    assert main(["explain", "--smarts", smarts, "--explainer", "saliency", smiles]) == 0
    assert says in capsys.readouterr().out


def test_where_they_agree_nothing_is_said():
    assert no_truth_reason(from_smiles("OCCO"), compile_smarts("OCCO")) is None
    assert no_truth_reason(from_smiles("CCCC"), compile_smarts("OCCO")) is None
    # Hand-made networks are not asked: outside the benchmark they may differ.
    assert no_truth_reason(from_smiles("C"), pattern(12)) is None
