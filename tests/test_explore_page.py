"""The Explore page in each of its states, without a browser."""

import io
import json
import subprocess
import sys
import time

import pytest
from rdkit import Chem
from streamlit.testing.v1 import AppTest

from pages.parts.explore.export import case_record, figure_cards, figure_legend
from pages.shared import engine, jobs
from pages.shared.state import EXAMPLE, State, params_of, parse
from pages.shared.state_codecs import with_setting
from pages.shared.text import plain
from pages.shared.upload import as_typed, list_molecules
from tests.app import opened
from tests.browser import ROOT
from wombat_core.explainers import pg_training, registry
from wombat_core.explainers.subgraphx import SubgraphX
from wombat_core.molecules.columns import ColumnError

FIVE = ["Integrated gradients", "Saliency", "Input × gradient", "Shapley value sampling", "Random"]


def cards(app: AppTest) -> list[dict]:
    return content(app)["cards"]


def content(app: AppTest) -> dict:
    [component] = [element for element in app.main if element.type == "bidi_component"]
    return json.loads(component.proto.json)


def card(app: AppTest, title: str) -> dict:
    [found] = [one for one in cards(app) if one["title"] == title]
    return found


def headline(app: AppTest) -> str:
    return app.subheader[0].value


def verdict(app: AppTest) -> str:
    return app.main.markdown[0].value


def caption(one: dict) -> str:
    return " ".join(f"{part['label']} {part['value']} {part['hint']}" for part in one["caption"])


def test_an_ordinary_positive():
    app = opened()
    assert headline(app) == "Pattern 5 finds its motif; does the explainer?"
    assert "green-badge[contains the motif]" in verdict(app)
    assert "r1 = 16" in verdict(app) and "r2 = 1.00" in verdict(app) and "14 heavy atoms" in verdict(app)
    assert [one["title"] for one in cards(app)] == ["Ground truth", *FIVE]
    assert card(app, "Ground truth")["message"].startswith("13 of 14 atoms")
    integrated = card(app, "Integrated gradients")
    assert integrated["badge"] == {"text": "not perfect", "tone": "bad"}
    assert "AUROC 0.923" in caption(integrated) and "AP 0.995 (baseline 0.929, random 0.941)" in caption(integrated)
    assert "C7 above N0" in caption(integrated)
    layouts = {json.dumps(one["positions"]) for one in cards(app)}
    assert len(layouts) == 1, "every card has the same layout"
    assert not app.error and not app.warning


def test_a_null_explanation_says_why():
    saliency = card(opened(), "Saliency")
    assert saliency["badge"]["text"] == "null"
    assert saliency["message"].startswith("Null explanation, every atom scored alike: r2 is saturated")


def test_a_perfect_explanation():
    app = opened(molecule="citronellal", pattern="12", readout="r1", explainers="saliency")
    assert [one["title"] for one in cards(app)] == ["Ground truth", "Saliency"]
    assert card(app, "Saliency")["badge"] == {"text": "perfect", "tone": "good"}


def test_a_negative_is_judged_by_the_iqr_criterion():
    app = opened(molecule="caffeine")
    assert "finds nothing here" in headline(app)
    assert "without the motif" in verdict(app) and "r1 = 0.00" in verdict(app)
    badges = [one["badge"]["text"] for one in cards(app)[1:]]
    assert set(badges) <= {"IQR pass", "IQR fail"}
    assert all("AUROC" not in caption(one) and "nan" not in json.dumps(one["caption"]) for one in cards(app))
    assert "F stays 0" in card(app, "Integrated gradients")["message"]


def test_every_atom_ground_truth_has_a_reason_in_place_of_a_score():
    app = opened(molecule="ClCC", pattern="14", readout="r1", explainers="integrated-gradients,random")
    random = card(app, "Random")
    assert card(app, "Ground truth")["message"].startswith("Every atom")
    assert random["badge"]["text"] == "not scored"
    assert "nothing to rank them above" in random["message"]
    assert "AUROC" not in caption(random)


@pytest.mark.parametrize("molecule, reason", [("O", "no bonds"), ("C[O+](C)C", "valence of 3")])
def test_a_molecule_that_the_benchmark_leaves_out_is_still_shown(molecule, reason):
    app = opened(molecule=molecule, explainers="saliency,random")
    assert "left out of the benchmark" in verdict(app) and reason in verdict(app)
    assert [one["title"] for one in cards(app)] == ["Ground truth", "Saliency", "Random"]
    assert not app.error


def test_only_hydrogens_more_than_nine_hydrogens_and_a_heavy_element():
    assert "no heavy atoms" in opened(molecule="[H][H]").error[0].value
    app = opened(molecule="[CH10]", explainers="saliency")
    assert app.error or headline(app) == "Pattern 5 cannot read this molecule"
    assert not opened(molecule="[Og]", explainers="saliency").error


@pytest.mark.parametrize(
    "molecule, sentence",
    [
        ("", "enter a SMILES, a name or a CAS number"),
        ("   ", "enter a SMILES, a name or a CAS number"),
        ("C1CC(", "position 5"),
        ("C1CC", "never closed"),
        ("CC(C)(C)(C)C", "valence of 5"),
        ("c1cccc1", "alternating"),
        ("xyzzyplugh", "neither a SMILES nor a name"),
        ("100-00-1", "last digit"),
    ],
)
def test_bad_text_gives_one_sentence_and_the_sidebar_stays(molecule, sentence):
    app = opened(molecule=molecule)
    assert headline(app) == "Pattern 5 needs a molecule"
    [error] = app.error
    assert sentence in error.value.replace("\\", "")
    assert "Traceback" not in error.value
    app.text_input(key="state-molecule").set_value("ethanol").run()
    assert not app.error and len(cards(app)) == 6


def test_an_unknown_name_offers_names_as_buttons():
    app = opened(molecule="carnitin")
    offered = [button for button in app.button if button.label == "carnitine"]
    assert len(offered) == 1
    offered[0].click().run()
    assert app.query_params["molecule"] in ("carnitine", ["carnitine"])
    assert app.text_input(key="state-molecule").value == "carnitine"
    assert len(cards(app)) == 6


def test_five_hundred_atoms_wait_for_leave():
    app = opened(molecule="CC(=O)CC(C)C" + "C" * 493, pattern="8", readout="r1")
    waiting = card(app, "Shapley value sampling")
    assert waiting["badge"]["text"] == "not run yet" and "It runs only when asked for" in waiting["message"]
    assert card(app, "Integrated gradients")["svg"], "the others are shown"
    assert any("500 heavy atoms" in one.value for one in app.main.markdown)
    linked = opened(molecule="CC(=O)CC(C)C" + "C" * 493, pattern="8", readout="r1", anyway="1")
    assert not linked.warning and not card(linked, "Shapley value sampling")["svg"], "a link starts nothing long"
    app.button(key="run-shapley-value-sampling").click().run()
    assert waited(app, "Shapley value sampling")["svg"]


def test_what_takes_longer_than_a_link_may_start_offers_a_button(nothing_kept, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(jobs, "SOON", -1.0)
        app = opened(explainers="integrated-gradients", steps="1999")
    offered = card(app, "Integrated gradients")
    assert offered["badge"]["text"] == "not run yet" and not offered["svg"]
    app.button(key="run-integrated-gradients").click().run()
    assert waited(app, "Integrated gradients")["svg"]


def test_a_huge_molecule_is_scored_but_not_drawn():
    app = opened(molecule="CC(=O)CC(C)C" + "C" * 1993, pattern="8", readout="r1", explainers="saliency")
    saliency = card(app, "Saliency")
    assert not saliency["svg"] and "not drawn" in saliency["message"]
    assert "AUROC" in caption(saliency)
    app.query_params["view"] = "export"
    app.run()
    labels = {button.label for button in app.get("download_button")}
    assert labels == {"Attributions, CSV", "Whole case, JSON"}


def test_a_failing_explainer_fails_on_its_own_card(monkeypatch, caplog):
    from wombat_core.explainers.control import Random

    def fail(self, model, batch):
        raise RuntimeError("secret detail")

    monkeypatch.setattr(Random, "attribute", fail)
    app = opened(molecule="CCCCCCCC(=O)Cl", pattern="6")
    failed = card(app, "Random")
    assert failed["badge"]["text"] == "failed" and "unexpected error" in failed["message"]
    assert "secret" not in json.dumps(content(app))
    assert card(app, "Saliency")["svg"]
    assert "secret detail" in caplog.text, "the log has it"


EXPENSIVE = "subgraphx,gnn-explainer"


def waited(app: AppTest, title: str) -> dict:
    """The card of an explainer once its run is over."""
    for _ in range(120):
        if card(app, title)["badge"]["text"] != "running":
            return card(app, title)
        time.sleep(0.25)
        app.run()
    raise AssertionError(f"{title} still runs")


@pytest.fixture
def nothing_kept(tmp_path, monkeypatch):
    """Nobody has asked for anything before."""
    monkeypatch.setenv("WOMBAT_CACHE", str(tmp_path))
    monkeypatch.setattr(pg_training, "_remembered", {})
    jobs.forget_jobs()


def test_an_expensive_explainer_runs_when_asked_and_is_kept_for_all_sessions(nothing_kept):
    app = opened(explainers=f"saliency,{EXPENSIVE}")
    waiting = card(app, "SubgraphX")
    assert waiting["badge"]["text"] == "not run yet" and not waiting["svg"]
    assert waiting["message"].endswith("It runs only when asked for; it takes under 1 s.")
    assert card(app, "Saliency")["svg"], "the others are shown"
    app.button(key="run-subgraphx").click().run()
    found = waited(app, "SubgraphX")
    assert found["svg"] and "AUROC" in caption(found) and not card(app, "GNNExplainer")["svg"]
    other = opened(explainers=f"saliency,{EXPENSIVE}")
    assert card(other, "SubgraphX")["svg"] == found["svg"]
    assert not card(opened(explainers="subgraphx", seed="1"), "SubgraphX")["svg"], "another seed, another answer"
    other.button(key="run-gnn-explainer").click().run()
    null = waited(other, "GNNExplainer")
    assert null["badge"]["text"] == "null" and "scored alike: all masks start near one half" in null["message"]
    assert not [button for button in other.button if str(button.key).startswith("run")], "nothing is left to run"


def test_a_run_is_stopped_and_says_so(nothing_kept):
    app = opened(explainers="saliency,pg-explainer")
    assert "the first time for this whitebox and readout (training), then kept" in card(app, "PGExplainer")["message"]
    app.button(key="run-pg-explainer").click().run()
    assert card(app, "PGExplainer")["badge"]["text"] == "running"
    assert card(app, "Saliency")["svg"]
    app.button(key="stop-pg-explainer").click().run()
    stopped = waited(app, "PGExplainer")
    assert stopped["badge"]["text"] == "stopped" and "stopped at" in stopped["message"]
    assert app.button(key="run-pg-explainer").label.startswith("Run PGExplainer again")


def test_a_run_that_fails_or_cannot_begin_says_why_on_its_card(nothing_kept, monkeypatch, caplog):
    def fail(self, model, batch):
        raise RuntimeError("secret detail")

    monkeypatch.setattr(SubgraphX, "attribute", fail)
    app = opened(
        molecule="carvone", pattern="12", explainers="saliency,shapley-exact,subgraphx", set="shapley-exact.max_atoms:9"
    )
    assert card(app, "Shapley values, exact")["badge"]["text"] == "failed"
    assert "this one has 11, the limit is 9" in card(app, "Shapley values, exact")["message"]
    app.button(key="run-subgraphx").click().run()
    failed = waited(app, "SubgraphX")
    assert failed["badge"]["text"] == "failed" and "unexpected error" in failed["message"]
    assert "secret" not in json.dumps(content(app)) and "secret detail" in caplog.text
    assert card(app, "Saliency")["svg"]


def test_settings_of_one_explainer_travel_in_the_address():
    asked = "grad-cam.relu:false,gnn-explainer.epochs:50"
    state, problems = parse({"set": asked})
    assert problems == [] and state.settings("gnn-explainer")["epochs"] == 50 and "epochs" not in state.settings()
    assert params_of(state) == {"set": "gnn-explainer.epochs:50,grad-cam.relu:false"}
    assert parse({"set": "gnn-explainer.epochs:100"}) == (State(), []), "a default is no change"
    assert with_setting(state.set, "gnn-explainer", "epochs", 100) == (("grad-cam", "relu", False),)


@pytest.mark.parametrize(
    "text, reason",
    [
        ("gnn-explainer.epochs:0", "epochs takes a whole number from 1 to 10,000, not '0'"),
        ("gnn-explainer.lr:nan", "lr takes a number from 0.0 to 100.0"),
        ("integrated-gradients.method:x", "one of gausslegendre"),
        ("saliency.epochs:3", "settings of saliency here are none"),
        ("subgraphx.samples:3", "settings of subgraphx here are rollouts"),
        ("nobody.epochs:3", "one of integrated-gradients"),
        ("epochs", "such as gnn-explainer.epochs:50"),
    ],
)
def test_bad_settings_in_the_address_get_a_sentence(text, reason):
    state, [problem] = parse({"set": text})
    assert state == State() and reason in problem


def test_explainers_that_failed_to_load_are_named_in_the_sidebar(monkeypatch):
    monkeypatch.setattr(registry, "_PROBLEMS", ["mine.py, line 1, fails."])
    assert "mine.py, line 1, fails" in opened(explainers="saliency").sidebar.warning[0].value.replace("\\", "")


def test_a_bad_address_says_so_and_shows_the_rest():
    app = opened(pattern="77", readout="r1", atom="99")
    assert len(app.warning) == 2
    assert "pattern" in app.warning[0].value.replace("\\", "")
    assert "atom 99" in app.warning[1].value
    assert content(app)["selected"] is None
    assert "r1" in app.sidebar.caption[1].value


def test_the_address_restores_the_widgets_and_the_widgets_write_it():
    app = opened(molecule="carnitine", pattern="13", readout="r1", explainers="saliency", numbers="1", atom="2")
    assert app.text_input(key="state-molecule").value == "carnitine"
    assert app.selectbox(key="state-pattern").value == "13"
    assert app.checkbox(key="state-numbers").value is True
    assert content(app)["selected"] == 2
    app.checkbox(key="state-numbers").uncheck().run()
    app.checkbox(key="state-signed").check().run()
    app.selectbox(key="state-pattern").select("8").run()
    assert "numbers" not in app.query_params
    assert {name: str(value).strip("[]'") for name, value in dict(app.query_params).items()} == {
        "molecule": "carnitine",
        "pattern": "8",
        "readout": "r1",
        "explainers": "saliency",
        "signed": "1",
        "atom": "2",
    }
    app.text_input(key="state-molecule").set_value("choline").run()
    assert "atom" not in app.query_params, "the atom belonged to the other molecule"


def test_presentation_mode_has_no_controls_but_a_way_out():
    app = opened(present="1")
    assert [button.label for button in app.button] == ["Leave presentation"]
    assert not app.text_input and not app.checkbox and not app.dataframe
    assert content(app)["big"] is True
    app.button(key="leave").click().run()
    assert "present" not in app.query_params
    assert app.text_input(key="state-molecule").value == EXAMPLE


def test_one_scale_for_all_cards_or_one_each():
    assert "max" in caption(card(opened(), "Random"))
    app = opened(common="1")
    assert "max" not in caption(card(app, "Random"))


def test_no_explainers_leaves_the_ground_truth():
    assert [one["title"] for one in cards(opened(explainers="none"))] == ["Ground truth"]


def test_the_table_and_the_tooltip_say_the_same():
    app = opened(explainers="integrated-gradients", atom="7")
    frame = app.dataframe[0].value
    assert len(frame) == 14 and frame["ground truth"].tolist().count("no") == 1
    lines = dict(content(app)["atoms"][7]["lines"])
    assert lines["ground truth"] == "no" and lines["hydrogens"] == "2"
    assert lines["Integrated gradients"] == "0.0111 (rank 13 of 14)"
    assert round(frame["Integrated gradients"][7], 4) == 0.0111


def test_the_3d_view_says_when_there_are_no_coordinates():
    app = opened(view="3d", molecule="C" * 300, explainers="saliency")
    assert "3D coordinates" in app.info[0].value
    assert not app.error


def test_export_holds_the_whole_case():
    state = State(explainers=("integrated-gradients", "saliency"))
    case, answers = engine.case(state.molecule, state.pattern), engine.answers(state)
    record = json.loads(json.dumps(case_record(case, answers, state), allow_nan=False))
    assert record["predictions"] == {"r1": 16.0, "r2": 1.0}
    assert sum(record["ground_truth"]) == 13
    assert [one["explainer"] for one in record["explanations"]] == list(state.explainers)
    titles = [one.title for one in figure_cards(case, answers, state, None)]
    assert titles == ["Ground truth", "Integrated gradients", "Saliency"]
    assert (record["address"]["readout"], record["address"]["steps"], record["address"]["atom"]) == ("r2", 50, None)
    labels = {button.label for button in opened(view="export").get("download_button")}
    assert {"SVG", "PNG", "Figure, SVG", "Figure, PNG", "Attributions, CSV", "Whole case, JSON"} <= labels


def test_a_long_file_is_listed_with_its_bad_lines():
    text = "smiles,name\n" + "CCO,ethanol\nC1CC,broken\n" * 2000
    listing = list_molecules(io.BytesIO(text.encode()), "many.csv")
    assert len(listing.smiles) == 2000 and len(listing.problems) == 2000
    assert listing.names[0] == "ethanol" and listing.numbers[:2] == [2, 4]
    assert "line 3" in listing.problems[0]


def test_the_figure_shows_the_range_of_its_colours():
    state = State(explainers=("integrated-gradients",))
    case, answers = engine.case(state.molecule, state.pattern), engine.answers(state)
    own = figure_legend(answers, state, None)
    assert own.limit == 1 and "Each card has its own scale" in own.note
    assert "max 0.184" in " ".join(figure_cards(case, answers, state, None)[1].captions)
    common = figure_legend(answers, state, 0.25)
    assert common.limit == 0.25 and not common.note
    assert figure_legend([], state, None).limit is None


def test_without_explainers_there_is_no_scale():
    assert any("own scale" in caption.value for caption in opened().caption)
    assert not any("own scale" in caption.value for caption in opened(explainers="none").caption)


def test_many_bad_values_of_the_address_are_one_warning():
    app = opened(readout="r9", view="zz", steps="x", rings="7", layer="zz")
    assert len(app.warning) == 1
    assert all(f"{name}=" in app.warning[0].value.replace("\\", "") for name in ("readout", "view", "steps", "rings"))


def test_a_molecule_of_a_file_keeps_its_name():
    assert as_typed("CCO", "ethanol  of wine") == "CCO ethanol of wine"
    assert as_typed("CCO", "") == "CCO"
    assert as_typed("CCO", "|no name|") == "CCO"
    app = opened(molecule=as_typed("OCC", "spirit"))
    assert any("spirit" in line.value for line in app.markdown)


def test_a_listing_says_how_the_file_was_read():
    listing = list_molecules(io.BytesIO("smiles,name\nCCO,caf\xe9\n".encode("latin-1")), "old.csv")
    assert listing.names == ["caf\xe9"] and "Latin-1" in listing.notes[0] and not listing.structures
    block = Chem.MolToMolBlock(Chem.MolFromSmiles("CCO")) + "$$$$\n"
    listing = list_molecules(io.BytesIO(block.encode()), "one.sdf")
    assert listing.structures and not listing.notes and listing.smiles == ["CCO"]


def test_columns_of_one_name_are_offered_by_their_places():
    content = b"smiles,smiles\nCC=O,CCO\nCCC=O,CCCO\n"
    with pytest.raises(ColumnError) as caught:
        list_molecules(io.BytesIO(content), "d.csv")
    assert caught.value.columns == ("smiles (column 1)", "smiles (column 2)")
    assert list_molecules(io.BytesIO(content), "d.csv", caught.value.columns[1]).smiles == ["CCO", "CCCO"]


def test_a_listing_has_the_notes_on_each_molecule():
    listing = list_molecules(io.BytesIO(b"CC=O\n[13CH3]C=O\n"), "a.smi")
    assert listing.remarks == ["", "Isotopes are not seen by the networks: 13C at atom 0."]


def test_text_of_people_is_never_markup():
    assert plain("<b>:red[x] $a$ `c` *d*\n# e") == r"\<b\>\:red\[x\] \$a\$ \`c\` \*d\* \# e"


def test_importing_the_first_page_loads_nothing_heavy():
    heavy = ("torch", "captum", "rdkit", "sklearn", "py3Dmol")
    code = f"import sys, pages.explore, pages.shared.sidebar; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_titles_of_explainers_are_those_of_their_classes():
    from pages.shared.text import title_of
    from wombat_core.explainers.registry import explainer_class, names

    assert {name: title_of(name) for name in names()} == {name: explainer_class(name).title for name in names()}
