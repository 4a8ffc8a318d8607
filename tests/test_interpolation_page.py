"""The Interpolation page in each of its states, without a browser."""

import json
from functools import partial

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.interpolation import path_engine
from pages.parts.interpolation.export import path_frame, path_record
from pages.parts.interpolation.steps import sentence
from pages.parts.interpolation.words import signed
from pages.shared.state import EXAMPLE, State, changed, params_of, parse
from pages.shared.state_codecs import zoom_range
from tests import app as tested

BYSTANDER = "CC[N+](C)(CC)CCOC(=O)C(c1ccccc1)C1(O)CCCCC1C.[Br-]"
CURSOR = "#0f766e"

opened = partial(tested.opened, "interpolation")


def charts(app: AppTest) -> dict[str, dict]:
    """The figures by key."""
    found = {}
    for element in app.main:
        if element.type == "plotly_chart":
            key = element.proto.id.rsplit("-None", 1)[0] if not element.key else element.key
            found[key] = json.loads(element.proto.spec or element.proto.figure.spec)
    return found


def card(app: AppTest) -> dict:
    [found] = [
        json.loads(one.proto.json) for one in app.main if one.type == "bidi_component" and "cards" in one.proto.json
    ]
    return found["cards"][0]


def texts(app: AppTest) -> str:
    kinds = (app.main.markdown, app.main.caption, app.main.info, app.main.warning, app.main.error)
    return "\n".join(element.value for kind in kinds for element in kind).replace("\\", "")


def cursor(figure: dict) -> float:
    [found] = [shape["x0"] for shape in figure["layout"]["shapes"] if shape["line"]["color"] == CURSOR]
    return found


def test_the_path_of_figure_5():
    app = opened(zoom="0.9-1", atom="7")
    assert app.subheader[0].value == "Where along the path does C7 get its blame?"
    found = charts(app)
    assert len(found) == 4
    assert {cursor(figure) for figure in found.values()} == {0.98}
    assert all(figure["layout"]["xaxis"]["title"]["text"] == "α" for figure in found.values())
    assert card(app)["title"] == "Gathered up to α = 0.98"
    message = card(app)["message"]
    assert "F gains 99 % of its value between α = 0.970 and 0.989." in message
    assert "exact integral: all atoms and bonds sum to 1, the gain of F." in message
    assert "A.6 of C13: 0.1208 → 0.1261 as C7 goes 0.98 → 1." in texts(app)
    assert "The prediction needs none of it: F is 1 without C7 as well." in texts(app)
    assert "| 50 | 1.302 | +0.302 | 0.923 |" in texts(app)
    assert "| **exact** | **1.000** | **0** | **0.923** |" in texts(app)
    assert not app.error and not app.warning


def test_the_cursor_and_the_colours_follow_alpha():
    start, end = opened(zoom="0.9-1", alpha="0.97"), opened(zoom="0.9-1", alpha="0.985")
    assert {cursor(figure) for figure in charts(end).values()} == {0.985}
    assert card(start)["title"] != card(end)["title"]
    assert card(opened(alpha="0.97", common="1"))["svg"] != card(opened(alpha="0.985", common="1"))["svg"]


def test_alpha_outside_the_zoom_moves_to_its_edge():
    assert {cursor(figure) for figure in charts(opened(zoom="0.9-0.95", alpha="0.98")).values()} == {0.95}


def test_the_slider_writes_the_address():
    app = opened(zoom="0.9-1")
    app.main.slider[0].set_value(0.985).run()
    assert not app.exception
    assert app.query_params["alpha"] == ["0.985"] or app.query_params["alpha"] == "0.985"
    assert {cursor(figure) for figure in charts(app).values()} == {0.985}


def test_the_other_charts():
    found = charts(opened(readout="r1", beside_f="slope", beside_heat="gradients", log="0"))
    titles = [figure["layout"]["yaxis"]["title"]["text"] for figure in found.values()]
    assert titles == ["F, r1", "dF/dα, r1", "", "gradient × input"]


def test_another_baseline_is_called_a_choice_and_its_gap_is_shown():
    app = opened(baseline="mean-atom", points="101", zoom="0-1")
    assert "trapezoidal rule" in card(app)["message"] and "a choice" in card(app)["message"]
    app = opened(baseline="without-N")
    assert "without its n atoms, a choice" in card(app)["message"].lower()


def test_a_baseline_that_the_molecule_does_not_have_is_one_sentence():
    app = opened(molecule="CC=O", pattern="12", baseline="without-Xe")
    [warning] = [element.value.replace("\\", "") for element in app.main.warning]
    assert warning.startswith("The address says baseline=without-Xe, but the baselines for this molecule")
    assert "zero, mean-atom, bonds-kept, without-C, without-O; the default is shown instead." in warning
    assert not app.main.error and len(charts(app)) == 4 and "a choice" not in card(app)["message"]
    app = opened(molecule="NC(=O)C(F)C", pattern="flucarb", baseline="mean-atom", part="convergence")
    assert "the only baseline for this molecule and network is zero" in texts(app) and not app.main.error


def test_very_large_numbers_are_powers_of_ten_and_their_rounding_is_no_gap():
    large = {"molecule": "CC(=O)C=O", "pattern": "12-smoothing", "readout": "r1"}
    app = opened(**large)
    assert "| **exact** | **1.244×10¹⁶** | **0** | **1.000** |" in texts(app)
    assert "sum to 1.24×10¹⁶, the gain of F" in card(app)["message"]
    assert "e+" not in texts(app) + json.dumps(card(app)["caption"])
    for figure in charts(app).values():
        assert figure["layout"]["yaxis"]["exponentformat"] == "power"
    steps = texts(opened(part="convergence", **large))
    assert "| **exact** | **∞** | **1.2445×10¹⁶** | **0** | **1.000** |" in steps
    assert "sum to **1.244×10¹⁶**" in steps and "e+" not in steps


@pytest.mark.parametrize(
    "gap, gain, text",
    [
        (18.0, 1.2e16, "0"),
        (0.302, 1.0, "+0.302"),
        (-2.5e7, 1e15, "\N{MINUS SIGN}2.500×10⁷"),
        (-1e-3, 1e3, "\N{MINUS SIGN}0.001"),
    ],
)
def test_a_gap_is_told_beside_what_f_gains(gap, gain, text):
    assert signed(gap, gain) == text


def test_the_automatic_zoom_shows_the_alpha_of_the_address():
    for alpha in (0.0, 0.5, 0.955):
        figures = charts(opened(alpha=str(alpha))).values()
        assert {cursor(figure) for figure in figures} == {alpha}
        assert all(figure["layout"]["xaxis"]["range"][0] <= alpha for figure in figures)
    assert path_engine.with_cursor((0.1, 0.4), State().alpha) == (0.1, 0.4), "the default alpha widens nothing"
    assert path_engine.with_cursor((0.1, 0.4), 0.52) == (0.1, 0.55)
    assert path_engine.with_cursor((0.1, 0.4), 1.0) == (0.1, 1.0)


def test_one_atom_claims_to_hold_nothing_where_nothing_moves():
    assert "held at" not in card(opened(part="one-atom"))["message"]
    assert "held at" in card(opened(part="one-atom", atom="7"))["message"]
    app = opened(molecule="NC(=O)C(F)C", pattern="flucarb", part="one-atom", atom="1")
    assert "held at" not in card(app)["message"]


@pytest.mark.parametrize("atom", [{}, {"atom": "7"}])
def test_an_activation_that_cannot_be_followed_is_told_with_and_without_an_atom(atom):
    app = opened(part="one-atom", watch="Z.9:99,A.6:13", **atom)
    [warning] = [element.value.replace("\\", "") for element in app.main.warning]
    assert "has no channel Z.9" in warning
    titles = [figure["layout"]["yaxis"]["title"]["text"] for figure in charts(app).values()]
    assert titles == (["F, r2", "F, r1", "A.6 of C13"] if atom else []), "the usable one is followed"


@pytest.mark.parametrize("part", ["path", "activations", "one-atom", "convergence"])
@pytest.mark.parametrize(
    "molecule, pattern",
    [
        ("caffeine", "12"),
        ("C", "12"),
        ("[Na+].[Cl-]", "10"),
        ("CC=O", "12"),
        ("NC(=O)C(F)C", "flucarb"),
        ("C", "flucarb"),
    ],
)
def test_awkward_molecules_get_sentences(molecule, pattern, part):
    app = opened(molecule=molecule, pattern=pattern, part=part, atom="0")
    assert not app.main.error and not app.main.warning


def test_no_motif_is_said_in_place_of_charts():
    app = opened(molecule="caffeine", pattern="12")
    assert app.subheader[0].value == "Nothing happens along this path"
    assert not charts(app)
    assert "F is 0 at every α" in texts(app) and "does not contain the motif" in texts(app)
    assert "without bonds no message flows" in texts(opened(molecule="C", pattern="12"))


def test_undefined_auroc_is_said():
    app = opened(molecule="caffeine", pattern="12", part="convergence")
    assert "AUROC is undefined: the molecule has no ground-truth atom." in texts(app)
    assert "| exact | – |" not in texts(app)
    app = opened(molecule="CC=O", pattern="12", part="convergence")
    assert "every atom is ground truth" in texts(app)


def test_an_unusable_molecule_is_one_sentence():
    app = opened(molecule="C1CC(")
    assert len(app.main.error) == 1 and not charts(app)


def test_an_atom_outside_the_molecule_is_one_sentence():
    app = opened(molecule="CC=O", pattern="12", atom="99")
    assert [warning.value for warning in app.main.warning] == [
        "The address selects atom 99, but the molecule's atoms are 0 to 2."
    ]


def test_one_atom_asks_for_an_atom_and_then_shows_it():
    assert "Click an atom" in texts(opened(part="one-atom"))
    app = opened(part="one-atom", atom="7", zoom="0.9-1", watch="A.6:13,C.2:9")
    titles = [figure["layout"]["yaxis"]["title"]["text"] for figure in charts(app).values()]
    assert titles == ["F, r2", "F, r1", "A.6 of C13", "C.2 of C9"]
    assert "A.6 of C13: 0.1208 → 0.1261 as C7 goes 0.98 → 1." in texts(app)


def test_a_bystander_matters_only_in_between():
    app = opened(molecule=BYSTANDER, pattern="4", readout="r1", part="one-atom", atom="3", held="1")
    assert "F (r1) is 8 without C3 and with it, but 0 to 8 in between" in texts(app)


def test_an_activation_that_is_not_there_is_one_sentence():
    app = opened(part="one-atom", atom="7", watch="A.9:1")
    assert "has no channel A.9" in texts(app)
    app = opened(part="one-atom", atom="7", watch="A.1:99")
    assert "no atom 99" in texts(app)


def test_a_network_that_is_no_whitebox_says_why_one_atom_cannot_move():
    app = opened(molecule="NC(=O)C(F)C", pattern="flucarb", part="one-atom", atom="1")
    assert "can only be followed from an all-zero input" in texts(app)
    found = charts(opened(molecule="NC(=O)C(F)C", pattern="flucarb"))
    assert next(iter(found.values()))["layout"]["yaxis"]["title"]["text"] == "F, sigmoid"


def test_convergence_has_a_table_with_the_exact_integral_last():
    app = opened(part="convergence")
    [table] = [element.value for element in app.main.markdown if element.value.startswith("| rule")]
    lines = table.splitlines()
    assert len(lines) == 2 + 9 + 1
    assert "| Gauss-Legendre | 50 | 1.3019 | +0.302 | 0.923 |" in lines
    assert lines[-1].startswith("| **exact** |") and "**1.0000**" in lines[-1]
    assert "the ranking error is the method's, not the quadrature's" in texts(app)
    assert len(charts(app)) == 2
    every = charts(opened(part="convergence", rules="1"))
    assert {trace["name"] for trace in next(iter(every.values()))["data"]} > {"Gauss-Legendre", "trapezoid"}


def test_activations_at_an_alpha():
    app = opened(part="activations", layer="6", alpha="0.98", channel="A", zoom="0-1")
    assert card(app)["title"] == "A.6 at α = 0.98"
    [table] = [
        json.loads(one.proto.json) for one in app.main if one.type == "bidi_component" and "cards" not in one.proto.json
    ]
    assert "0.121" in json.dumps(table)


def test_presentation_keeps_the_slider_and_drops_the_controls():
    app = opened(present="1")
    assert len(app.main.slider) == 1 and not app.main.selectbox and len(charts(app)) == 4
    assert not app.sidebar.text_input


def test_the_files_hold_the_numbers():
    state = State(points=51, zoom="0-1")
    path, _ = path_engine.walk(state)
    frame = path_frame(state, path)
    assert len(frame) == len(path.alphas) and "gradient x input C7" in frame and "F r1" in frame
    assert frame["gathered C9"].iloc[-1] == pytest.approx(path.gathered_atoms[-1, 9])
    record = json.loads(json.dumps(path_record(state, path), allow_nan=False))
    assert record["smiles"] == EXAMPLE and record["completeness_gap"] == pytest.approx(0, abs=1e-4)
    assert np.shape(record["gradient_times_input"]) == (len(path.alphas), 14)


def test_values_between_the_points_are_linear():
    path, _ = path_engine.walk(State(points=51, zoom="0-1"))
    values = np.stack([path.alphas, 2 * path.alphas], axis=1)
    assert path_engine.at(path, values, 0.1234567) == pytest.approx([0.1234567, 0.2469134])
    assert path_engine.at(path, values, 0) == pytest.approx([0, 0])
    assert path_engine.at(path, values, 1) == pytest.approx([1, 2])


def test_the_words_about_steps():
    rows = path_engine.steps("caffeine", "12", "r2", False)
    assert sentence(rows).startswith("F does not change")
    rows = path_engine.steps(EXAMPLE, "5", "r2", False)
    assert "sum to **1.302**" in sentence(rows)


STATES = [
    State(part="one-atom", alpha=0.9855, held=1.0, zoom="0.95-1", points=1001, watch=("A.6:13", "C.2:9")),
    State(part="convergence", rules=True, log=False, baseline="without-Br", f_chart="slope", atom_chart="gradients"),
    State(alpha=0.0, zoom="0-1", baseline="mean-atom"),
]


@pytest.mark.parametrize("state", STATES)
def test_an_address_restores_the_page(state):
    assert parse(params_of(state)) == (state, [])


@pytest.mark.parametrize(
    "name, value, reason",
    [
        ("alpha", "1.5", "from 0 to 1"),
        ("alpha", "nan", "from 0 to 1"),
        ("alpha", "1e-3", "from 0 to 1"),
        ("held", "-0.1", "from 0 to 1"),
        ("zoom", "1-0", "such as 0.9-1"),
        ("zoom", "0.9", "such as 0.9-1"),
        ("zoom", "0.98-0.98", "0.001 wide"),
        ("points", "10", "from 11 to 2001"),
        ("points", "99999", "from 11 to 2001"),
        ("baseline", "noise", "mean-atom"),
        ("watch", "A6:1", "A.6:13,C.2:9"),
        ("watch", ",".join(f"A.1:{atom}" for atom in range(20)), "up to 8"),
        ("part", "paths", "one-atom"),
        ("f_chart", "x", "slope"),
    ],
)
def test_a_bad_part_of_the_address_is_one_sentence(name, value, reason):
    state, problems = parse({name: value})
    assert state == State()
    assert len(problems) == 1 and name in problems[0] and reason in problems[0]


def test_another_molecule_drops_what_belonged_to_the_first():
    state = State(watch=("A.6:13",), baseline="without-N", atom=7, alpha=0.9)
    assert changed(state, molecule="CCO") == State(molecule="CCO", alpha=0.9)
    assert changed(state, pattern="6").watch == ()
    assert zoom_range("0.9-1") == (0.9, 1.0)
