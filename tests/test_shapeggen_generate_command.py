"""``shapeggen generate`` in the terminal, and the files it writes."""

import argparse
import json
from dataclasses import fields

import networkx as nx
import numpy as np
import pytest

from wombat_core.cli import main
from wombat_core.commands import shapeggen_parameters
from wombat_core.shapeggen import PRESETS, Parameters, generate, generator
from wombat_core.shapeggen.parameters import READINGS

QUICK = ["shapeggen", "generate", "--homophily", "0"]


def test_json_holds_parameters_statistics_and_the_published_numbers(capsys):
    assert main([*QUICK, "--preset", "SG-Base-500", "--seed", "3", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    parameters = PRESETS["SG-Base-500"].changed(seed=3, homophily=0.0)
    assert record["parameters"] == parameters.as_dict()
    assert record["statistics"] == generate(parameters).statistics.as_dict()
    assert record["published"] is None


def test_options_change_the_preset(capsys):
    arguments = ["--motif", "0-1,1-2", "--subgraphs", "30", "--p", "0.3", "--informative", "3", "--connection", "p"]
    assert main([*QUICK, *arguments, "--truth", "one-hop", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["parameters"]
    chosen = {"motif": "0-1,1-2", "num_subgraphs": 30, "p": 0.3, "num_informative": 3, "truth": "one-hop"}
    assert {name: found[name] for name in chosen} == chosen and found["connection"] == "p"


def test_table_stands_beside_the_papers(capsys, monkeypatch):
    small = generate(PRESETS["SG-Base-500"].changed(homophily=0.0))
    monkeypatch.setattr(generator, "generate", lambda parameters: small)
    assert main(["shapeggen", "generate", "--preset", "SG-Base"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("paper, table 6")
    (nodes,) = (line.split() for line in lines if line.startswith("nodes"))
    assert nodes == ["nodes", "500", "13,150"]


def test_a_small_preset_stands_beside_its_large_one(capsys):
    """Table 6: SG-SmallEx has 15,505 nodes."""
    arguments = ["shapeggen", "generate", "--preset", "SG-SmallEx-500"]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    (nodes,) = (line.split() for line in out.splitlines() if line.startswith("nodes"))
    assert nodes[2] == "15,505" and "times larger; compare shares" in out and "connection 2p" in out
    assert main([*arguments, "--connection", "p", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["published"], record["remark"]) == (None, None)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--p", "1.5"], "p takes a number from 0 to 1"),
        (["--preset", "SG"], "no preset 'SG'"),
        (["--motif", "horse"], "no motif 'horse'"),
        (["--out", "graph.pt"], "must end in"),
        (["--out", "graph.json", "--with-truth"], ".npz files only"),
        (["--with-truth"], "needs --out FILE.npz"),
        (["--out", "nowhere/graph.npz"], "no folder 'nowhere'"),
    ],
)
def test_wrong_input_is_one_sentence_and_exit_code_2(arguments, sentence, capsys):
    assert main([*QUICK, *arguments]) == 2
    output = capsys.readouterr()
    assert sentence in output.err and output.err.count("\n") == 1 and not output.out


def test_every_parameter_is_an_option():
    parser = argparse.ArgumentParser()
    shapeggen_parameters.add_parameters(parser)
    known = {action.dest: action for action in parser._actions}
    assert {field.name for field in fields(Parameters)} <= set(known)
    assert {name: known[name].choices for name in READINGS} == READINGS


def test_arrays_hold_graph_and_masks(tmp_path, capsys):
    path = tmp_path / "graph.npz"
    assert main([*QUICK, "--out", str(path), "--with-truth"]) == 0
    assert str(path) in capsys.readouterr().out
    graph = generate(PRESETS["SG-Base-500"].changed(homophily=0.0))
    with np.load(path, allow_pickle=False) as arrays:
        assert np.array_equal(arrays["x"], graph.data.x.numpy())
        assert json.loads(str(arrays["parameters"])) == graph.parameters.as_dict()
        truth, nodes = graph.truth(17), slice(*arrays["truth_node_start"][17:19])
        assert arrays["truth_nodes"][nodes].tolist() == truth.nodes.tolist()
        assert arrays["truth_node_mask"][nodes].tolist() == truth.node_mask.tolist()
        edges = slice(*arrays["truth_edge_start"][17:19])
        assert arrays["truth_edges"][edges].tolist() == truth.edges.tolist()
        assert arrays["truth_edge_mask"][edges].tolist() == truth.edge_mask.tolist()


def test_json_and_graphml_hold_the_same_graph(tmp_path, capsys):
    for name in ("graph.json", "graph.graphml"):
        assert main([*QUICK, "--out", str(tmp_path / name)]) == 0
    graph = generate(PRESETS["SG-Base-500"].changed(homophily=0.0))
    record = json.loads((tmp_path / "graph.json").read_text())
    network = nx.read_graphml(tmp_path / "graph.graphml", node_type=int)
    assert len(record["edges"]) == network.number_of_edges() == graph.data.num_edges // 2
    for node in (0, 41, 499):
        row, same = record["nodes"][node], network.nodes[node]
        assert row["label"] == same["label"] == int(graph.data.y[node])
        assert row["split"] == same["split"] and row["split"] in ("train", "val", "test")
        assert (-1 if row["motif"] is None else row["motif"]) == same["motif"]
        assert row["features"][graph.protected] == same[f"protected_{graph.protected}"]


def test_an_unwritable_file_is_one_sentence(tmp_path, capsys, monkeypatch):
    def refuse(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez_compressed", refuse)
    assert main([*QUICK, "--out", str(tmp_path / "graph.npz")]) == 2
    assert "cannot be written: No space left" in capsys.readouterr().err
