"""The Layers page in each of its states, without a browser, and the core call that its links rest on."""

import json
from functools import partial

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from pages.shared.state import State, changed, params_of, parse
from pages.shared.text import compact
from tests import app as tested
from wombat_core.molecules import find_molecule
from wombat_core.molecules.encoding import encode
from wombat_core.molecules.positives import positives
from wombat_core.whitebox.decision import decision
from wombat_core.whitebox.flow import sources, targets
from wombat_core.whitebox.model import Whitebox

FIGURE_5 = "NC(=O)NN=C1CCCC(C(=O)O)C1"

opened = partial(tested.opened, "layers")


def contents(app: AppTest) -> list[dict]:
    return [json.loads(element.proto.json) for element in app.main if element.type == "bidi_component"]


def strip(app: AppTest) -> dict:
    [found] = [one for one in contents(app) if "play" in one]
    return found


def table(app: AppTest) -> dict:
    [found] = [one for one in contents(app) if "columns" in one and "rows" in one]
    return found


def molecule_card(app: AppTest) -> dict:
    [found] = [one for one in contents(app) if "cards" in one]
    return found


def texts(app: AppTest) -> str:
    return "\n".join(element.value for kind in (app.markdown, app.caption, app.latex) for element in kind)


def value_at(app: AppTest, row: str, column: str) -> str | None:
    shown = table(app)
    place = shown["rows"].index(row), [name for name, _ in shown["columns"]].index(column)
    return next((text for r, c, text, _ in shown["cells"] if (r, c) == place), None)


def press(app: AppTest, label: str) -> AppTest:
    [button] = [button for button in app.main.button if button.label == label]
    return button.click().run()


def address(app: AppTest, name: str) -> str:
    value = app.query_params[name]
    return value[0] if isinstance(value, list) else value


def test_figure_5_at_layer_3():
    app = opened(layer="3", channel="D")
    assert app.subheader[0].value == "Layer 3 of 6: 6 of 6 channels find atoms"
    [row] = strip(app)["rows"]
    assert [cell["title"] for cell in row["cells"]] == [f"layer {i}" for i in range(1, 7)]
    assert row["readouts"] == [["r1", "16"], ["r2", "1"]]
    assert [5, "D", True] in row["cells"][2]["marks"]
    assert [8, "C", False] in row["cells"][2]["marks"], "C8 looks right but carries nothing to the readout"
    assert strip(app)["selected"] == ["5", 3]
    assert table(app)["selected"] == [5, 3] and value_at(app, "C5", "D.3") == "1"
    assert molecule_card(app)["selected"] == 5
    assert "D.3" in molecule_card(app)["cards"][0]["svg"]
    assert "**D.3 at C5 = 1**" in texts(app)
    assert "an `E.2` atom, single bond to a `D.2` atom" in texts(app)
    [equations] = [one.value for one in app.latex if "m_{13" in one.value]
    assert r"=1\cdot 1\cdot 1=1" in equations and "N4 is no D.2, double bond" in equations
    assert r"\mathbf{1}" in equations


def test_links_go_on_and_back():
    app = opened(layer="3", channel="D", atom="5")
    app = press(app, "C.4 at C5")
    assert (address(app, "layer"), address(app, "channel"), address(app, "atom")) == ("4", "C", "5")
    assert "**C.4 at C5 = " in texts(app)
    app = press(app, "D.3 at C5")
    assert "**D.3 at C5 = 1**" in texts(app)


def test_the_readout_says_what_decided():
    app = opened(layer="readout", readout="r1")
    assert "C13 reaches the maximum, p = 16." in texts(app)
    assert "14 atoms carried a value there: the whole ground truth, and the bystander C7." in texts(app)
    assert table(app)["columns"][-1][0] == "p" and value_at(app, "C13", "p") == "16"
    assert molecule_card(app)["cards"][0]["title"] == "What decided"
    assert any(r"\max" in one.value for one in app.latex)
    app = press(app, "A.6 at C13")
    assert "**A.6 at C13 = 16**" in texts(app)
    app = press(app, "Readout")
    assert address(app, "layer") == "readout"


def test_a_near_miss_is_marked_and_told():
    app = opened(molecule="caffeine", layer="3")
    assert app.subheader[0].value == "Layer 3 of 6: A.3 is missing"
    assert "the closest is C6" in texts(app)
    assert strip(app)["rows"][0]["cells"][2]["missing"] == "A.3 missing"
    assert table(app)["marked"][0][:2] == [6, 0]
    assert "no A.3" in molecule_card(app)["cards"][0]["svg"]
    app = opened(molecule="caffeine", layer="readout")
    assert "no atom has all channels" in app.subheader[0].value
    assert "**A.3 at C6 = 0**" in texts(press(app, "no A.3 at C6"))


def test_the_variants_side_by_side():
    app = opened(molecule="citronellal", pattern="12", compare="1")
    rows = strip(app)["rows"]
    assert [row["id"] for row in rows] == ["12", "12-leaf", "12-moving", "12-smoothing"]
    assert [len(row["cells"]) for row in rows] == [1, 2, 3, 6]
    assert all(row["readouts"][1] == ["r2", "1"] for row in rows)
    assert "All call it positive" in texts(app)
    assert len(opened(pattern="5", compare="1").main.toggle) == 0, "only Pattern 12 has variants"


def test_another_whitebox_forgets_layer_and_channel():
    state = State(layer=5, channel="B", atom=3)
    assert changed(state, pattern="6") == State(pattern="6", atom=3)
    assert changed(state, layer=2) == State(layer=2, atom=3)
    assert changed(state, layer=2, channel="C").channel == "C"
    assert changed(state, pattern="12", layer=1, compare=False) == State(pattern="12", atom=3)
    assert params_of(State(layer=0)) == {"layer": "readout"} and parse({"layer": "readout"})[0].layer == 0


@pytest.mark.parametrize(
    "params, sentence",
    [
        ({"layer": "0"}, "whole number from 1 to 99, or readout"),
        ({"layer": "x"}, "whole number from 1 to 99, or readout"),
        ({"channel": "d"}, "the letter of a channel"),
        ({"channel": "AB"}, "has no channel AB; choose A to G"),
        ({"layer": "7"}, "Pattern 5 has no layer 7; its layers are 1 to 6"),
        ({"layer": "3", "channel": "G"}, "Layer 3 of Pattern 5 has no channel G; choose A to F"),
        ({"atom": "14"}, "the molecule's atoms are 0 to 13"),
    ],
)
def test_a_bad_address_gives_a_sentence_and_the_page(params, sentence):
    app = opened(**params)
    [warning] = app.warning
    assert sentence in warning.value.replace("\\", "")
    assert len(strip(app)["rows"][0]["cells"]) == 6


@pytest.mark.parametrize(
    "molecule, sentence",
    [("O", "The molecule has no bonds"), ("C", "The molecule has no bonds"), ("[Na+].[Cl-]", "no bonds")],
)
def test_without_bonds_the_page_says_so(molecule, sentence):
    app = opened(molecule=molecule, layer="2")
    assert sentence in texts(app)
    assert "has no neighbours, so no message arrives" in texts(app)
    assert not app.error


@pytest.mark.parametrize("molecule", ["", "C1CC(", "xyzzyplugh", "[H][H]", "[CH10]"])
def test_what_is_no_molecule_gives_one_sentence(molecule):
    app = opened(molecule=molecule)
    assert len(app.error) == 1 and "Traceback" not in app.error[0].value
    assert not contents(app)


def test_the_gine_whitebox_has_its_three_tables():
    app = opened(pattern="flucarb", molecule="CC(=O)CF", layer="3")
    assert not app.error
    [row] = strip(app)["rows"]
    assert [cell["title"] for cell in row["cells"]] == ["embedding h", "convolution z", "answer a"]
    assert value_at(app, "O2", "carbonyl") == "0.762"
    assert not opened(pattern="flucarb", molecule="CC(=O)CF", layer="readout").error


def test_every_whitebox_shows_every_layer_of_a_positive():
    for id in ("1", "4", "7", "8", "10", "11", "14"):
        smiles = positives()[int(id)][0]
        for layer in ("1", "2", "readout"):
            app = opened(pattern=id, molecule=smiles, layer=layer)
            assert not app.error and len(contents(app)) == 3


def test_large_molecules_are_shown_with_a_table_that_scrolls():
    app = opened(molecule="C" * 260, pattern="3", layer="2")
    assert len(table(app)["rows"]) == 260 and table(app)["height"] < 500
    assert not app.error


@pytest.mark.parametrize("pattern", ["3", "5", "12-smoothing"])
def test_flow_follows_decisions_both_ways(pattern):
    model = Whitebox(pattern, "r1")
    molecule = find_molecule(positives()[int(pattern.split("-")[0])][0])
    data = encode(molecule)
    trace = model.trace(data.x, data.edge_index, data.edge_attr)
    deciding = set(decision(model, data, trace).activations)
    assert deciding
    for activation in deciding:
        found = sources(model, data, trace, *activation)
        assert set(found) <= deciding, "what a deciding activation reads decides too"
        assert bool(found) == (activation[0] > 1)
        assert all(activation in targets(model, data, trace, *source) for source in found)
        if activation[0] < len(model.convolutions):
            assert set(targets(model, data, trace, *activation)) & deciding


def test_switching_a_source_off_changes_the_activation():
    model, data = Whitebox("5", "r1"), encode(find_molecule(FIGURE_5))
    trace = model.trace(data.x, data.edge_index, data.edge_attr)
    for layer, atom, channel in sources(model, data, trace, 3, 5, 3):
        z = trace.layers[layer - 1].activations.clone()
        z[atom, channel] = 0
        after = model.convolutions[2](z, data.edge_index, data.edge_attr)
        assert after[5, 3] == 0 != trace.layers[2].activations[5, 3]
    silent = torch.nonzero(trace.layers[1].activations == 0)[0].tolist()
    assert targets(model, data, trace, 2, *silent) == []


def test_numbers_are_short():
    assert [compact(value) for value in (0.0, 1.0, 16.0, 0.5033, -10.0)] == ["0", "1", "16", "0.5033", "−10"]
    assert compact(9760542960910336.0) == "9.76×10¹⁵" and compact(np.float32(2e-7)) == "2×10⁻⁷"


def test_the_gine_whitebox_is_calculated_with_its_numbers():
    place = {"pattern": "flucarb", "molecule": "O=C(CF)Nc1ccccc1"}
    app = opened(**place, layer="2", atom="1")
    assert "O0, double bond" in app.latex[1].value and r"z_{1}" in app.latex[1].value
    app = opened(**place, layer="3", atom="0")
    assert r"\tanh(1)=\mathbf{0.7616}" in app.latex[1].value
    app = opened(**place, layer="readout")
    assert "carbonyl: O0" in app.latex[1].value and "0.7616+0.7616-1.51" in app.latex[1].value
    assert "This network has its own readout" in "".join(one.value for one in app.sidebar.caption)
    assert not [one for one in app.sidebar.button_group if one.label == "Readout"]


def test_very_large_activations_are_powers_of_ten():
    app = opened(pattern="3", molecule="CCCCCCCC(=O)NNC(=O)C(C)C", layer="readout")
    assert value_at(app, "C5", "p") == value_at(app, "C5", "A.7") == "9.60×10⁹"
    assert "p = 9.60×10⁹" in molecule_card(app)["cards"][0]["svg"]
    assert "e+" not in json.dumps(contents(app))
