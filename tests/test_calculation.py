"""Single activations taken apart: their numbers, reasons and LaTeX."""

import pytest

from wombat_core.errors import InputError
from wombat_core.molecules.encoding import encode
from wombat_core.molecules.molecule import from_smiles
from wombat_core.molecules.positives import positives
from wombat_core.whitebox.calculation import calculate, readout_latex
from wombat_core.whitebox.catalogue import patterns
from wombat_core.whitebox.equations import latex_number, update_latex
from wombat_core.whitebox.model import Whitebox

FIGURE_5 = "NC(=O)NN=C1CCCC(C(=O)O)C1"
CHANNELLED = [id for id, pattern in patterns().items() if pattern.layers]
NEGATIVES = ["C", "CC(C)=O", "c1ccccc1O", "CS(=O)(=O)NC#N", "[Na+].[Cl-]", "F[As-](F)(F)(F)(F)F", "OC1CC1C(Cl)(Cl)Cl"]


def traced(pattern: str, smiles: str, alpha: float = 1.0):
    model, data = Whitebox(pattern), encode(from_smiles(smiles))
    data.x, data.edge_attr = data.x * alpha, data.edge_attr * alpha
    return model, data, model.trace(data.x, data.edge_index, data.edge_attr)


@pytest.mark.parametrize("alpha", [1.0, 0.98])
@pytest.mark.parametrize("id", CHANNELLED)
def test_every_number_agrees_with_the_trace(id, alpha):
    smiles = [*positives()[int(id.split("-")[0])][:2], *NEGATIVES]
    nonzero = 0
    for text in smiles:
        model, data, trace = traced(id, text, alpha)
        for layer in trace.layers:
            for channel, name in enumerate(layer.channels):
                for atom in range(0, data.num_nodes, 1 if data.num_nodes < 15 else 4):
                    found = calculate(model, data, trace, layer.layer, channel, atom)
                    assert found.name == name
                    assert found.value == pytest.approx(float(layer.activations[atom, channel]), rel=1e-5, abs=1e-6)
                    assert found.total == pytest.approx(sum(m.value for m in found.messages), rel=1e-5)
                    senders = data.edge_index[0, data.edge_index[1] == atom].tolist()
                    assert [message.neighbour for message in found.messages] == senders
                    for m in found.messages:
                        assert m.value == pytest.approx(m.own.value * m.other.value * m.bond.value, rel=1e-5)
                        assert bool(m.reason) == (m.value == 0)
                        for factor in (m.own, m.other, m.bond):
                            total = sum(i.weight * i.value for i in factor.inputs)
                            assert factor.value == pytest.approx(max(0, total), rel=1e-5, abs=1e-6)
                    assert len(found.latex) == len(senders) + 1
                    nonzero += found.value > 0
    assert nonzero > 0


def test_the_sketched_calculation():
    model, data, trace = traced("5", FIGURE_5)
    found = calculate(model, data, trace, 3, "D.3", 5)
    assert (found.name, found.label, found.value, found.bias) == ("D.3", "C5", 1, 0)
    assert found.reading.sentence == "an `E.2` atom, single bond to a `D.2` atom"
    reasons = {message.label: message.reason for message in found.messages}
    assert reasons == {"N4": "N4 is no D.2, double bond", "C6": "C6 is no D.2", "C13": ""}
    assert found.latex[2] == (
        r"m_{13\to 5}=\operatorname{relu}(\mathrm{E.2}_{5})\cdot\operatorname{relu}(\mathrm{D.2}_{13})"
        r"\cdot\operatorname{relu}(\mathrm{single}_{13,5})=1\cdot 1\cdot 1=1"
    )
    assert found.latex[-1] == r"\mathrm{D.3}_{5}=\operatorname{relu}(0+0+1+0)=1"


@pytest.mark.parametrize("channel", ["D.3", "d", "D", 3])
def test_a_channel_by_name_letter_or_index(channel):
    model, data, trace = traced("5", FIGURE_5)
    assert calculate(model, data, trace, 3, channel, 5).name == "D.3"


def reason(pattern, smiles, layer, channel, atom, neighbour):
    model, data, trace = traced(pattern, smiles)
    found = calculate(model, data, trace, layer, channel, atom)
    return next(message.reason for message in found.messages if message.neighbour == neighbour)


def test_reasons_by_hand():
    assert reason("12", "CC(C)=O", 1, "A", 1, 3) == "C1 has no hydrogens"
    assert reason("12", "CN=O", 1, "A", 1, 2) == "N1 is no carbon"
    assert reason("12", "CC=S", 1, "A", 1, 2) == "S2 is no oxygen"
    assert reason("12", "C=CO", 1, "A", 1, 2) == "single bond"
    assert reason("12", "CC=O", 1, "A", 1, 0) == "C0 is no oxygen, single bond"
    assert reason("11", "CC(C)O", 1, "B", 1, 3) == "O3 is no carbon"
    assert reason("11", "CCC(O)C", 1, "B", 2, 1) == "C1 has 2 hydrogens"
    assert reason("1", "CCO", 1, "G", 1, 0) == "C1 has 2 hydrogens"
    assert reason("3", "CCCC", 2, "A", 0, 1) == "C0 is no B.1, C1 is no A.1"
    assert reason("4", "C[N+](CC)(CC)CC", 2, "A", 1, 2) == "N1 is C.1 as well"
    assert reason("12-moving", "CC=O", 2, "B", 1, 0) == "no channel is read, no channel is read, no bond is read"
    assert reason("12-smoothing", "C->[Pt]", 1, "C", 1, 0) == "bond of another kind"


def test_no_neighbours():
    model, data, trace = traced("12", "C.CC=O")
    found = calculate(model, data, trace, 1, "A", 0)
    assert (found.messages, found.total, found.value) == ((), 0, 0)
    assert found.note == "C0 has no neighbours, so no message arrives."
    assert found.latex == (r"\mathrm{A.1}_{0}=\operatorname{relu}(0+0)=0",)


def test_bias_alone():
    model, data, trace = traced("12-moving", "CC=O")
    found = calculate(model, data, trace, 2, "B", 0)
    assert found.value == found.bias == 1
    assert found.latex[-1] == r"\mathrm{B.2}_{0}=\operatorname{relu}(0+1)=1"


def test_unknown_places_are_named():
    model, data, trace = traced("12", "CC=O")
    with pytest.raises(InputError, match="no layer 2"):
        calculate(model, data, trace, 2, "A", 0)
    with pytest.raises(InputError, match=r"no channel 'C'; choose one of A\.1, B\.1"):
        calculate(model, data, trace, 1, "C", 0)
    with pytest.raises(InputError, match="no atom 3; the atoms are numbered 0 to 2"):
        calculate(model, data, trace, 1, "A", 3)
    with pytest.raises(InputError, match="r1 or r2"):
        readout_latex(trace, "r3")


def test_readouts_with_numbers():
    _, _, trace = traced("5", FIGURE_5)
    assert readout_latex(trace, "r1") == (
        r"p_{13}=\mathrm{A.6}_{13}=16",
        r"F=\max_i p_i=\max(16_{(i=13)},\ 0\text{ (13 atoms)})=16",
    )
    assert readout_latex(trace, "r2")[-1].endswith(r"=\operatorname{relu}(1-\operatorname{relu}(1-16)\cdot 1^{13})=1")


def test_readout_of_two_channels_and_no_match():
    _, _, trace = traced("12", "CC=O")
    assert readout_latex(trace, "r1")[0] == r"p_{1}=\mathrm{A.1}_{1}\cdot\mathrm{B.1}_{1}=1\cdot 1=1"
    _, _, trace = traced("12", "CC(C)=O")
    assert readout_latex(trace, "r1") == (r"F=\max_i p_i=\max(0\text{ (4 atoms)})=0",)
    assert readout_latex(trace, "r2")[0].endswith(r"\operatorname{relu}(1-1^{4})=0")
    _, _, trace = traced("12", "C")
    assert readout_latex(trace, "r1") == (r"F=\max_i p_i=\max(0)=0",)


def test_many_equal_products_are_summarised():
    _, _, trace = traced("10", "CC(C)O" + ".CC(C)O" * 11)
    lines = readout_latex(trace, "r1")
    assert len(lines) == 10 and lines[8] == r"\ldots\text{ and 4 more}"
    assert r"\max(1\text{ (12 atoms)},\ 0\text{ (36 atoms)})=1" in lines[-1]
    assert r"\operatorname{relu}(1-1)^{12}\cdot 1^{36})=1" in readout_latex(trace, "r2")[-1]


def test_numbers_in_latex():
    assert [latex_number(v) for v in (16, 0.1207944, 691200, 1.5e-7, 12345678901, 1e20)] == [
        "16",
        "0.120794",
        "691200",
        r"1.5\cdot10^{-7}",
        r"1.23457\cdot10^{10}",
        r"1\cdot10^{20}",
    ]
    assert update_latex("A.1", 3, [1.0] * 9 + [0.0], -2, 7) == (r"\mathrm{A.1}_{3}=\operatorname{relu}(9\cdot 1+0-2)=7")


def test_figure_6_at_98_percent():
    model, data, trace = traced("5", FIGURE_5, 0.98)
    assert calculate(model, data, trace, 6, "A", 13).value == pytest.approx(0.1207944, abs=1e-6)
    assert calculate(model, data, trace, 2, "C", 9).value == pytest.approx(1.4243529, abs=1e-6)
