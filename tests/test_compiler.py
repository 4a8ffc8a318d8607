"""The compiler for trees: sizes, answers, refusals, and the other ways to compile the same motif."""

import pathlib
import time

import pytest
import torch
import yaml
from rdkit import Chem

from wombat_core.compiler import compile_smarts, pattern_of
from wombat_core.compiler.files import from_yaml, to_yaml
from wombat_core.compiler.smarts_error import SmartsError
from wombat_core.compiler.styles import STYLES
from wombat_core.errors import InputError
from wombat_core.explainers.gradient import InputXGradient, Saliency
from wombat_core.explainers.integrated import IntegratedGradients
from wombat_core.explanation import explain
from wombat_core.molecules import from_smiles
from wombat_core.molecules.encoding import encode_batch
from wombat_core.molecules.positives import positives
from wombat_core.whitebox.catalogue import pattern
from wombat_core.whitebox.model import Whitebox

CASES = yaml.safe_load((pathlib.Path(__file__).parent / "data" / "compiler_cases.yaml").read_text(encoding="utf-8"))
ROOM = 2
"""Channels a network may have beyond those of the prototype."""


def answers(network: Whitebox, *smiles: str) -> list[bool]:
    molecules = [from_smiles(each) for each in smiles]
    batch = encode_batch(molecules)
    with torch.no_grad():
        found = network(batch.x, batch.edge_index, batch.edge_attr, batch.batch)
    return (found > 0.5).tolist()


@pytest.mark.parametrize("case", CASES["exact"], ids=lambda case: case["name"])
def test_motifs_are_small(case):
    compiled = compile_smarts(case["smarts"])
    layers, channels = case["sizes"]
    assert compiled.num_layers <= layers
    assert compiled.num_channels <= channels + ROOM


@pytest.mark.parametrize(("id", "sizes"), CASES["patterns"].items())
def test_the_fourteen_are_small(id, sizes):
    compiled = compile_smarts(pattern(id).smarts)
    assert compiled.num_layers <= sizes[0]
    assert compiled.num_channels <= sizes[1] + ROOM


@pytest.mark.parametrize("case", CASES["behaviour"], ids=lambda case: case["smarts"])
def test_answers(case):
    for readout in ("r1", "r2"):
        network = Whitebox(compile_smarts(case["smarts"]), readout)
        assert answers(network, *case["yes"]) == [True] * len(case["yes"])
        assert answers(network, *case["no"]) == [False] * len(case["no"])
        if "counterexample" in case:
            assert answers(network, case["counterexample"]) == [True]


def test_what_cannot_be_seen_is_noted():
    for case in CASES["noted"]:
        compiled = compile_smarts(case["smarts"])
        assert compiled.origin.notes
        network = Whitebox(compiled)
        if "counterexample" in case:
            assert answers(network, case["counterexample"]) == [True]
        if "misses" in case:
            assert answers(network, case["misses"]) == [False]


@pytest.mark.parametrize(
    "smarts", [*CASES["refused"], "C" * 10_000, "C" * 200, "C(" + "C)(" * 29 + "C)C", "C>>O", "[C:1]C", "Cé", "[!*]"]
)
def test_refused_in_one_sentence_and_in_time(smarts):
    begun = time.monotonic()
    with pytest.raises(SmartsError) as caught:
        compile_smarts(smarts)
    assert time.monotonic() - begun < 6
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


def test_match_everything_compiles():
    assert answers(Whitebox(compile_smarts("[!#1]")), "CC", "c1ccccc1") == [True, True]
    assert answers(Whitebox(compile_smarts("*~*")), "CC") == [True]


MOLECULES = (
    *("CCC(=O)O", "CCOC(C)=O", "CC(C)(C)C", "NC(=O)CC", "CCN(CC)CC"),
    *("OC(=O)CCCCC(=O)O", "CC=O", "CCCC", "C[N+](=O)[O-]"),
)


@pytest.mark.parametrize(
    "smarts", ["[#6][CX3](=O)[OX2H0][#6]", "CCCC", "[CHD3][CH2][CH2][CH3]", "N([CH2][CH3])[CH2][CH3]"]
)
def test_styles_and_roots_agree(smarts):
    query = Chem.MolFromSmarts(smarts)
    expected = [from_smiles(each).mol.HasSubstructMatch(query) for each in MOLECULES]
    compiled = [compile_smarts(smarts, style=style) for style in STYLES]
    compiled += [compile_smarts(smarts, root=root) for root in range(query.GetNumAtoms())]
    for each in compiled:
        for readout in ("r1", "r2"):
            assert answers(Whitebox(each, readout), *MOLECULES) == expected, (each.origin, readout)
    assert len({each.layers for each in compiled}) >= 4


@pytest.mark.parametrize("id", ["6", "10", "11", "12", "14"])
def test_attributions_equal_those_of_the_hand_made(id):
    compiled, own = Whitebox(compile_smarts(pattern(id).smarts)), Whitebox(id)
    molecules = [from_smiles(smiles) for smiles in positives()[int(id)][:3]]
    for explainer in (IntegratedGradients(), Saliency(), InputXGradient()):
        for ours, theirs in zip(*(explain(molecules, each, explainer) for each in (compiled, own)), strict=True):
            assert ours.attribution.atom_scores == pytest.approx(theirs.attribution.atom_scores, abs=1e-6)


def test_yaml_round_trip_and_changed_weights():
    compiled = compile_smarts("[SX4](=[OX1])(=[OX1])[NX3]", style="deep")
    again = from_yaml(to_yaml(compiled))
    assert again.layers == compiled.layers
    assert (again.smarts, again.origin) == (compiled.smarts, compiled.origin)
    for known in (compiled, pattern("12"), pattern("12-leaf"), compile_smarts("C1CC1", encoding="wombat+")):
        assert from_yaml(to_yaml(known)) == known
    changed = from_yaml(to_yaml(compiled).replace(", 0]", ", -1]", 1))
    assert changed.layers != compiled.layers and changed.id == f"file:{compiled.title}"
    for root in (4, -1, True, "x"):
        with pytest.raises(InputError, match=f"The root '{root}' is no atom of the SMARTS; its atoms are 0, 1, 2, 3"):
            from_yaml(to_yaml(compiled).replace(f"root: {compiled.origin.root}\n", f"root: {root}\n"))
    with pytest.raises(InputError, match=r"reads Q\.1"):
        from_yaml("smarts: CC\nlayers:\n  - A: [C, C, '-', 0]\n  - A: [Q, A, '-', 0]\n")


def test_a_pattern_is_named_by_its_smarts_everywhere():
    compiled = pattern_of("smarts:CCO|style=deep|root=0")
    assert (compiled.origin.style, compiled.origin.root) == ("deep", 0)
    assert pattern(compiled.id) is compiled
    assert pattern_of("5") is pattern("5")
    with pytest.raises(InputError, match="no option"):
        pattern_of("smarts:CCO|colour=red")
    with pytest.raises(InputError, match="no pattern"):
        pattern_of("15")
