"""Paths against the paper's figures, and against autograd on the whitebox."""

import json

import numpy as np
import pytest
import torch

from wombat_core.errors import InputError
from wombat_core.molecules.encoding import encode, encode_batch
from wombat_core.molecules.molecule import from_smiles
from wombat_core.paths.baselines import baseline, mean_atom, names, without_element
from wombat_core.paths.breakpoints import breakpoints
from wombat_core.paths.one_atom import one_atom
from wombat_core.paths.path import interpolate
from wombat_core.paths.ray import Ray
from wombat_core.paths.records import interpolate_record
from wombat_core.paths.watch import parse_watch
from wombat_core.whitebox.build import build
from wombat_core.whitebox.catalogue import Pattern, patterns
from wombat_core.whitebox.model import Whitebox
from wombat_core.whitebox.notation import read_channel

FIGURE_6 = from_smiles("NC(=O)NN=C1CCCC(C(=O)O)C1")
FIGURE_6C = [0.1207944, 0.1234454, 0.1260855]
FIGURE_S2 = from_smiles("CC[N+](C)(CC)CCOC(=O)C(c1ccccc1)C1(O)CCCCC1C.[Br-]")
WHITEBOXES = [id for id, pattern in patterns().items() if pattern.layers]
VARIED = "CC(C)C(=O)CC(C)(C)CC(C)C.OC(C=O)C(Cl)CCCl.CS(=O)(=O)C(C)C.CCN(CC)CCOC(=O)C(C)C"


def test_figure_6c():
    scales = [0.98, 0.99, 0.9998]
    moved = one_atom(Whitebox("5"), encode(FIGURE_6), 7, 0.98, scales, [("A.6", 13), ("C.2", 9)])
    assert moved.watched["A.6", 13] == pytest.approx(FIGURE_6C, abs=2e-6)
    assert moved.watched["C.2", 9][0] == pytest.approx(1.4243529, abs=2e-6)
    assert moved.outputs["r1"] == pytest.approx(moved.watched["A.6", 13])


def test_published_values_are_single_precision():
    """Paths are in double precision; the last digits of the published values come out in single precision only."""
    data, model, found = encode(FIGURE_6), Whitebox("5", "r2"), []
    for scale in (0.98, 0.99, 0.9998):
        x = 0.98 * data.x
        x[7] = scale * data.x[7]
        found.append(model.activations(x, data.edge_index, 0.98 * data.edge_attr)[-1][13, 0].item())
    assert found == pytest.approx(FIGURE_6C, abs=6e-8)


def test_path_of_figure_6_under_r2():
    path = interpolate(Whitebox("5", "r2"), encode(FIGURE_6), np.array([0.98, 0.985, 0.99, 0.995, 1]))
    assert path.outputs["r2"] == pytest.approx([0.1207944, 0.4307102, 1, 1, 1], abs=2e-6)
    assert path.atom_gradients[:, 7] == pytest.approx([0.2629488, 0.9170766, 0, 0, 0], abs=2e-6)
    assert path.outputs["r1"][-1] == pytest.approx(16)


def test_figure_s2b():
    scales = [0, 0.02, 0.05, 0.0556, 0.2, 0.35, 0.5, 0.6, 1]
    moved = one_atom(Whitebox("4"), encode(FIGURE_S2), 3, 1.0, scales)
    expected = np.array([8, 5.12, 0.8, 0, 0, 0, 0, 1.6, 8])
    assert moved.outputs["r1"] == pytest.approx(expected, abs=1e-9)
    assert moved.outputs["r2"] == pytest.approx(np.minimum(expected, 1), abs=1e-9)


@pytest.mark.parametrize("readout", ["r1", "r2"])
@pytest.mark.parametrize("pattern", WHITEBOXES)
def test_path_equals_autograd_on_the_whitebox(pattern, readout):
    data = encode(from_smiles(VARIED))
    model = Whitebox(pattern, readout)
    alphas = np.array([0.31, 0.87, 0.93, 0.97, 1])
    path = interpolate(model, data, alphas)
    assert path.outputs[readout][-1] == pytest.approx(float(model(data.x, data.edge_index, data.edge_attr)[0]))
    double = Whitebox(pattern, readout).double()
    for point, alpha in enumerate(alphas):
        inputs = [(alpha * tensor.double()).requires_grad_() for tensor in (data.x, data.edge_attr)]
        value = double(inputs[0], data.edge_index, inputs[1])[0]
        atoms, bonds = torch.autograd.grad(value, inputs)
        atoms = (atoms * data.x).sum(dim=1).numpy()
        bonds = (bonds * data.edge_attr).sum(dim=1).view(-1, 2).sum(dim=1).numpy()
        assert path.outputs[readout][point] == pytest.approx(value.item(), rel=1e-9, abs=1e-12)
        assert path.bond_gradients[point].sum() == pytest.approx(bonds.sum(), rel=1e-7, abs=1e-9)
        assert path.slope[point] == pytest.approx(atoms.sum() + bonds.sum(), rel=1e-7, abs=1e-9)
        if readout == "r2":
            assert path.atom_gradients[point] == pytest.approx(atoms, rel=1e-7, abs=1e-9)
            assert path.bond_gradients[point] == pytest.approx(bonds, rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("points", [2, 11, 1001])
@pytest.mark.parametrize("pattern, readout", [("5", "r1"), ("5", "r2"), ("12-smoothing", "r2"), ("10", "r1")])
def test_gathered_attributions_sum_to_f_at_every_alpha(pattern, readout, points):
    path = interpolate(Whitebox(pattern, readout), encode(FIGURE_6), np.linspace(0, 1, points))
    total = path.gathered_atoms.sum(axis=1) + path.gathered_bonds.sum(axis=1)
    assert path.gathered_how == "exact"
    assert total == pytest.approx(path.outputs[readout] - path.outputs[readout][0], rel=1e-6, abs=1e-6)


def test_gathered_starts_at_zero_even_where_the_grid_does_not():
    model, data = Whitebox("5", "r2"), encode(FIGURE_6)
    whole = interpolate(model, data, np.linspace(0, 1, 101))
    zoomed = interpolate(model, data, np.linspace(0.9, 0.99, 10))
    assert zoomed.gathered_atoms == pytest.approx(whole.gathered_atoms[90:100], abs=1e-7)
    assert zoomed.gathered_atoms[-2].any()


def test_kinks_of_figure_6():
    kinks = interpolate(Whitebox("5", "r2"), encode(FIGURE_6)).kinks
    # D.1 opens where 2 alpha^3 = 1, C.1 and E.1 where 3 alpha^3 = 2.
    assert kinks[:2] == pytest.approx([(1 / 2) ** (1 / 3), (2 / 3) ** (1 / 3)], abs=1e-10)
    path = interpolate(Whitebox("5", "r2"), encode(FIGURE_6), np.array([kinks[-1] - 1e-6, kinks[-1] + 1e-6]))
    assert path.outputs["r2"][0] < 1 - 1e-5
    assert path.outputs["r2"][1] == 1


def test_kink_under_r1_where_another_atom_becomes_the_largest():
    """On tert-butanol ``p`` of the oxygen is 4 alpha^7 and that of the middle carbon (12 alpha^3 - 6) alpha^4."""
    specs = [
        {"A": ["O", "C", "-", 0], "B": ["C", "*", "-", -2], "C": ["C", "*", "-", 0]},
        {"A": ["A+B", "C", "-", 0]},
    ]
    layers = [
        tuple(read_channel(letter, depth, spec) for letter, spec in layer.items())
        for depth, layer in enumerate(specs, start=1)
    ]
    path = interpolate(Whitebox(Pattern("made-up", "", "", tuple(layers)), "r1"), encode(from_smiles("CC(C)(C)O")))
    assert path.kinks == pytest.approx([(1 / 2) ** (1 / 3), (3 / 4) ** (1 / 3)], abs=1e-10)
    assert path.outputs["r1"][-1] == pytest.approx(6)
    assert path.gathered_atoms[-1].sum() + path.gathered_bonds[-1].sum() == pytest.approx(6, abs=1e-9)
    # Gradient times input of the oxygen is 5 alpha^6 until the carbon takes over, then 3 alpha^6.
    takeover = (3 / 4) ** (7 / 3)
    assert path.gathered_atoms[-1][4] == pytest.approx(5 / 7 * takeover + 3 / 7 * (1 - takeover), abs=1e-9)


def test_kinks_of_two_equal_atoms_are_found_once():
    ray = Ray(Whitebox("13", "r1"), encode_batch([from_smiles("C[N+](C)(C)CC[N+](C)(C)C")]))
    assert breakpoints(ray)[0] == pytest.approx([(2 / 3) ** (1 / 3), (3 / 4) ** (1 / 3)], abs=1e-10)


def test_activations_at_any_alpha():
    path = interpolate(Whitebox("5", "r2"), encode(FIGURE_6), np.array([0.0, 1.0]))
    trace = path.activations_at(0.98)
    assert trace.layers[-1].activations[13, 0].item() == pytest.approx(0.1207944, abs=2e-6)
    assert trace.readouts["r2"].item() == pytest.approx(0.1207944, abs=2e-6)
    assert not any(layer.activations.any() for layer in path.activations_at(0).layers)
    with pytest.raises(InputError, match=r"Alpha is 1.5"):
        path.activations_at(1.5)


@pytest.mark.parametrize("name", ["mean-atom", "without-C", "without-O"])
@pytest.mark.parametrize("pattern, readout", [("5", "r2"), ("12-moving", "r2"), ("12", "r1")])
def test_other_baselines(pattern, readout, name):
    data = encode(from_smiles("NC(=O)NN=C1CC(C=O)CC(C(=O)O)C1"))
    model, chosen = Whitebox(pattern, readout), baseline(name, data)
    path = interpolate(model, data, np.linspace(0, 1, 2001), chosen)
    assert path.gathered_how == "trapezoid"
    double = Whitebox(pattern, readout).double()
    at_start = double(chosen.x, data.edge_index, chosen.edge_attr).item()
    assert path.outputs[readout][0] == pytest.approx(at_start, abs=1e-12)
    inputs = [
        (start + 0.985 * (end.double() - start)).requires_grad_()
        for start, end in ((chosen.x, data.x), (chosen.edge_attr, data.edge_attr))
    ]
    atoms, bonds = torch.autograd.grad(double(inputs[0], data.edge_index, inputs[1]).sum(), inputs)
    assert path.alphas[1970] == 0.985
    assert path.atom_gradients[1970] == pytest.approx((atoms * (data.x - chosen.x)).sum(dim=1).numpy(), abs=1e-9)
    bonds = (bonds * (data.edge_attr - chosen.edge_attr)).sum(dim=1).view(-1, 2).sum(dim=1)
    assert path.bond_gradients[1970] == pytest.approx(bonds.numpy(), abs=1e-9)
    assert path.outputs[readout][-1] >= 1 - 1e-12
    total = path.gathered_atoms[-1].sum() + path.gathered_bonds[-1].sum()
    assert path.gap == pytest.approx(total - path.outputs[readout][-1] + at_start)
    assert abs(path.gap) < 0.1


def test_a_rise_between_two_alphas_shows_in_the_gap():
    data = encode(from_smiles("CC(C=O)C(C)C=O"))
    path = interpolate(Whitebox("12-smoothing", "r2"), data, baseline=without_element(data, "O"))
    assert path.gap < -0.5
    assert abs(interpolate(Whitebox("12-smoothing", "r2"), data).gap) < 1e-6


def test_a_network_of_another_kind():
    model, data = build("flucarb"), encode(from_smiles("CC(=O)CF"))
    path = interpolate(model, data, np.linspace(0, 1, 11))
    assert list(path.outputs) == ["sigmoid"]
    assert path.outputs["sigmoid"][-1] == pytest.approx(model(data.x, data.edge_index, data.edge_attr).item(), abs=1e-6)
    assert path.kinks is None
    assert abs(path.gap) < 1e-6
    with pytest.raises(InputError, match="all-zero"):
        interpolate(model, data, baseline=mean_atom(data))
    with pytest.raises(InputError, match="all-zero"):
        one_atom(model, data, 0)
    with pytest.raises(InputError, match="no channels"):
        parse_watch("A.1:0", model, FIGURE_6)


def test_baselines_are_what_they_say():
    data = encode(FIGURE_6)
    assert names(data) == ["zero", "mean-atom", "bonds-kept", "without-C", "without-N", "without-O"]
    mean = mean_atom(data)
    assert mean.x[:, 6] == pytest.approx([921309 / 1272848] * 14)
    assert mean.x[0].sum() == pytest.approx(2, abs=1e-3)
    assert mean.edge_attr.sum(dim=1) == pytest.approx([1] * 28)
    removed = without_element(data, "O")
    gone = [index for index, atom in enumerate(FIGURE_6.mol.GetAtoms()) if atom.GetSymbol() == "O"]
    assert (removed.x.sum(dim=1) == 0).nonzero()[:, 0].tolist() == gone
    assert removed.edge_attr.equal(data.edge_attr.double())


@pytest.mark.slow
def test_library_counts():
    import yaml

    from wombat_core.molecules.library_arrays import library_arrays
    from wombat_core.paths.baselines import COUNTS_FILE

    arrays = library_arrays()
    molecules = int(arrays.usable.sum())
    kind = arrays.kind[np.repeat(arrays.usable, np.diff(arrays.atom_start))]
    bond = arrays.bond[np.repeat(arrays.usable, np.diff(arrays.bond_start))]
    atoms, bonds = len(kind), len(bond) // 2
    elements, hydrogens = arrays.kinds[kind, :2].T
    features = np.concatenate([np.bincount(elements, minlength=200)[:100], np.bincount(hydrogens, minlength=10)])
    kinds = np.bincount(bond[bond >= 0], minlength=4) / 2
    counts = yaml.safe_load(COUNTS_FILE.read_text(encoding="utf-8"))
    assert (molecules, atoms, bonds) == (counts["molecules"], counts["atoms"], sum(counts["bonds"].values()))
    mean = mean_atom(encode(FIGURE_6))
    assert features / atoms == pytest.approx(mean.x[0].numpy(), abs=1e-12)
    assert kinds / bonds == pytest.approx(mean.edge_attr[0].numpy(), abs=1e-12)


@pytest.mark.parametrize("smiles", ["C", "[Na+].[Cl-]", "C=C"])
def test_nothing_to_walk_through(smiles):
    data = encode(from_smiles(smiles))
    path = interpolate(Whitebox("5", "r2"), data)
    assert path.atom_gradients.shape == path.gathered_atoms.shape == (101, len(data.x))
    assert not path.slope.any()
    assert not path.gathered_atoms.any()
    elsewhere = interpolate(Whitebox("5", "r2"), data, baseline=mean_atom(data))
    assert elsewhere.bond_gradients.shape == (101, len(data.edge_attr) // 2)
    assert one_atom(Whitebox("5"), data, 0).outputs["r1"].tolist() == [0] * 101


def test_records_are_json():
    model = Whitebox("5", "r2")
    record = json.loads(json.dumps(interpolate_record(FIGURE_6, model, points=5)))
    assert record["alphas"] == [0, 0.25, 0.5, 0.75, 1]
    assert record["outputs"]["r1"][-1] == pytest.approx(16)
    assert np.shape(record["gradient_times_input"]) == (5, 14)
    watch = [parse_watch("A.6:13", model, FIGURE_6)]
    record = json.loads(json.dumps(interpolate_record(FIGURE_6, model, points=51, atom=7, watch=watch)))
    assert record["scales"][49] == 0.98
    assert record["outputs"]["r2"][49] == pytest.approx(0.1207944, abs=1e-6)
    assert record["watched"][0]["channel"] == "A.6"
    assert record["watched"][0]["activations"] == pytest.approx(record["outputs"]["r1"])


@pytest.mark.parametrize("text", ["A.6:13", " a6 : 13 "])
def test_watch_is_read(text):
    assert parse_watch(text, Whitebox("5"), FIGURE_6) == ("A.6", 13)


@pytest.mark.parametrize(
    "text, reason",
    [("13", "names no activation"), ("A.7:13", "has no channel A.7"), ("A.6:14", "no atom 14"), ("", "no activation")],
)
def test_watch_is_refused_in_a_sentence(text, reason):
    with pytest.raises(InputError, match=reason):
        parse_watch(text, Whitebox("5"), FIGURE_6)


@pytest.mark.parametrize(
    "call, reason",
    [
        (lambda model, data: interpolate(model, data, np.array([0, 0.5, 0.5])), "ascend"),
        (lambda model, data: interpolate(model, data, np.array([0, 1.1])), "between 0 and 1"),
        (lambda model, data: interpolate(model, data, np.array([np.nan])), "between 0 and 1"),
        (lambda model, data: interpolate(model, data, np.zeros(0)), "needs 1 to"),
        (lambda model, data: one_atom(model, data, 14), "no atom 14"),
        (lambda model, data: one_atom(model, data, 0, scales=[2]), "between 0 and 1"),
        (lambda model, data: one_atom(model, data, 0, watch=[("Q.1", 0)]), "no channel Q.1"),
        (lambda model, data: baseline("without-Br", data), "without-O"),
        (lambda model, data: without_element(data, "Br"), "no atom 'Br'"),
        (lambda model, data: interpolate_record(FIGURE_6, model, points=1), "1 points"),
        (lambda model, data: interpolate_record(FIGURE_6, model, watch=[("A.1", 0)]), "name the atom"),
    ],
)
def test_bad_input_gets_a_sentence(call, reason):
    with pytest.raises(InputError, match=reason):
        call(Whitebox("5"), encode(FIGURE_6))
