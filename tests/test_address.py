"""The address of every page: what is declared, what earlier links said, and changes that are still on their way."""

from dataclasses import fields

import pytest

from pages.addresses.benchmark import BENCHMARK, BenchmarkState
from pages.addresses.failures import FAILURES, FailuresState
from pages.addresses.shapeggen import SHAPEGGEN, ShapeGGenState
from pages.parts.lessons.state import ADDRESS as LESSONS
from pages.shared.codecs import Codec, choice, in_order, several
from pages.shared.state import ADDRESS, State
from pages.shared.unheard import Unheard

ALL = [ADDRESS, FAILURES, BENCHMARK, SHAPEGGEN, LESSONS]


@pytest.mark.parametrize("address", ALL, ids=lambda each: each.kind.__name__)
def test_a_parameter_is_declared_once_with_its_codec_and_meaning(address):
    assert set(address.parameters) == {field.name for field in fields(address.kind)}
    assert all(own.meaning for own in address.parameters.values())
    default = address.kind()
    for name, own in address.parameters.items():
        value = getattr(default, name)
        if value is not None and not (value == "" and name == "channel"):
            assert own.codec.decode(own.codec.encode(value)) == value, name


@pytest.mark.parametrize("address", [FAILURES, BENCHMARK, SHAPEGGEN], ids=lambda each: each.page)
def test_a_page_has_names_of_its_own(address):
    today = {address.name_of(name) for name in address.parameters}
    assert all(name.startswith(f"{address.page}.") for name in today)
    others = [name for other in ALL if other is not address for name in other.names]
    assert not today & set(others)
    # An earlier name must not mean something else in what all pages read.
    assert not set(address.names) & set(ADDRESS.names)


# The names and values are those of links that were written before pages had namespaces.
EARLIER = [
    (
        FAILURES,
        {
            "show": "search",
            "explainer": "saliency",
            "against": "none",
            "failure": "iqr",
            "among": "hard",
            "file": "ab12",
            "run": "my-run",
            "least": "5",
            "most": "40",
            "elements": "N,Cl",
            "charge": "motif",
            "ring": "in",
            "named": "acid & co",
            "sheet": "3",
        },
        FailuresState(
            "search",
            "saliency",
            "none",
            "iqr",
            "hard",
            "ab12",
            "my-run",
            5,
            40,
            ("N", "Cl"),
            "motif",
            "in",
            "acid & co",
            3,
        ),
    ),
    (
        BENCHMARK,
        {
            "board": "new",
            "run": "a",
            "score": "auroc",
            "cell": "5:saliency:r1",
            "chart": "1",
            "table": "S4",
            "over": "3,12-leaf",
            "under": "r2",
            "molecules": "library",
            "most_each": "0",
            "measure": "tversky",
        },
        BenchmarkState("new", "a", "auroc", "5:saliency:r1", True, "S4", ("3", "12-leaf"), ("r2",), "library", 0),
    ),
    (BENCHMARK, {"over": "none", "under": "none"}, BenchmarkState(patterns=(), readouts=())),
    (
        SHAPEGGEN,
        {
            "shape": "explain",
            "preset": "SG-Base-500",
            "changes": "p:0.3",
            "graph_seed": "2",
            "network": "gcn",
            "epochs": "30",
            "train_seed": "4",
            "node": "3",
            "near": "4",
            "methods": "random,saliency",
            "mask": "edge",
            "binary": "1",
            "test_nodes": "6",
            "copies": "3",
            "study": "molecules",
            "picked": "saliency:GEF",
            "tasks": "none",
        },
        ShapeGGenState(
            view="explain",
            changes=(("p", 0.3),),
            graph_seed=2,
            network="gcn",
            epochs=30,
            train_seed=4,
            node=3,
            neighbour=4,
            methods=("random", "saliency"),
            mask="edge",
            binary=True,
            test_nodes=6,
            copies=3,
            study="molecules",
            cell="saliency:GEF",
            tasks=(),
        ),
    ),
    (
        ADDRESS,
        {"beside_f": "slope", "beside_heat": "gathered", "set": "gnn-explainer.epochs:50", "watch": "A.6:13,C.2:9"},
        State(f_chart="slope", set=(("gnn-explainer", "epochs", 50),), watch=("A.6:13", "C.2:9")),
    ),
    (ADDRESS, {"beside_heat": "gradients", "layer": "readout"}, State(atom_chart="gradients", layer=0)),
]


@pytest.mark.parametrize("address, link, value", EARLIER)
def test_earlier_links_open_as_before_and_are_written_anew(address, link, value):
    assert address.parse(link) == (value, [])
    written = address.params_of(value)
    assert address.parse(written) == (value, [])
    assert all(name in {address.name_of(each) for each in address.parameters} for name in written)


def test_todays_name_holds_beside_an_earlier_one():
    assert FAILURES.parse({"show": "patterns", "failures.view": "search"})[0].view == "search"
    _, problems = FAILURES.parse({"among": "nonsense"})
    assert "among=nonsense" in problems[0]


def test_a_list_has_one_codec():
    letters = several(choice(lambda: "abc"), in_order(lambda: "abc"), most=3)
    assert letters.decode("c,a,c") == ("a", "c") and letters.encode(("a", "c")) == "a,c"
    assert letters.decode("none") == letters.decode("") == () and letters.encode(()) == "none"
    with pytest.raises(ValueError, match="one of a, b, c"):
        letters.decode("a,d")
    with pytest.raises(ValueError, match="at most 3"):
        letters.decode("a,b,c,a")
    assert several(Codec(int)).decode("2,1,2") == (2, 1), "without an order, as given"


EMPTY, STEPS, BOTH = {}, {"steps": "60"}, {"steps": "60", "seed": "7"}


def test_a_change_that_the_browser_has_not_heard_of_is_not_lost():
    session = Unheard()
    assert session.corrected(EMPTY, "page", False) == EMPTY
    session.write(EMPTY, STEPS, "page")
    session.begin(STEPS)
    # The next change comes with the address from before.
    assert session.corrected(EMPTY, "page", False) == STEPS
    session.write(STEPS, BOTH, "page")
    session.begin(BOTH)
    for late in (EMPTY, STEPS):
        assert session.corrected(late, "page", False) == BOTH
        session.begin(BOTH)
    # Once the browser knows, its earlier addresses are new ones.
    assert session.corrected(BOTH, "page", False) == BOTH
    session.begin(BOTH)
    assert session.corrected(EMPTY, "page", False) == EMPTY


def test_going_back_is_no_late_message():
    session = Unheard()
    session.write(EMPTY, STEPS, "page")
    session.begin(STEPS)
    assert session.corrected(EMPTY, "page", True) == EMPTY
    session.begin(EMPTY)
    assert session.corrected(EMPTY, "page", False) == EMPTY


def test_another_page_or_another_address_is_taken_at_its_word():
    for sent, page in ((EMPTY, "other"), ({"molecule": "C"}, "page")):
        session = Unheard()
        session.write(EMPTY, STEPS, "page")
        session.begin(STEPS)
        assert session.corrected(sent, page, False) == sent
        assert session.corrected(sent, page, False) == sent


def test_a_change_and_its_taking_back_before_the_browser_knows():
    session = Unheard()
    session.write(EMPTY, STEPS, "page")
    session.write(STEPS, EMPTY, "page")
    session.begin(EMPTY)
    assert session.corrected(STEPS, "page", False) == EMPTY
