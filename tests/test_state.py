"""The address and the state: one is the other."""

from dataclasses import fields

import pytest

from pages.addresses.benchmark import BENCHMARK, BenchmarkState
from pages.parts.benchmark.places import place_of
from pages.shared.state import EXAMPLE, State, changed, params_of, parse
from pages.shared.state_codecs import explainers_of
from pages.shared.whiteboxes import whiteboxes_of


def test_the_default_state_has_an_empty_address():
    assert params_of(State()) == {}
    assert parse({}) == (State(), [])


STATES = [
    State(molecule=""),
    State(molecule="N[C@@H](C)C(=O)O.[Na+] |$a;b$|", pattern="12-leaf", readout="r1"),
    State(molecule="carnitine & <b>", explainers=(), atom=0, view="3d", colour_by="saliency"),
    State(explainers=("saliency", "random"), rings=False, numbers=True, values=True, bonds=True),
    State(pattern="smarts:[CX3H1](=O)[#6]", channel="AB"),
    State(pattern="smarts:c1ccncc1|style=unit|root=3|encoding=wombat+|depth=4"),
    State(signed=True, common=True, steps=7, samples=1, seed=2**31 - 1, anyway=True, present=True),
]


@pytest.mark.parametrize("state", STATES)
def test_an_address_restores_its_state(state):
    params = params_of(state)
    assert parse(params) == (state, [])
    assert all(isinstance(value, str) for value in params.values())
    differing = {f.name for f in fields(State) if getattr(state, f.name) != getattr(State(), f.name)}
    assert set(params) == differing, "only what differs from the defaults is written"


@pytest.mark.parametrize(
    "name, value, reason",
    [
        ("pattern", "99", "one of 1, 2, 3"),
        ("pattern", "smarts:", "SMARTS"),
        ("pattern", "smarts:[C", "SMARTS"),
        ("pattern", "smarts:C=O|style=odd", "no style"),
        ("pattern", "smarts:C=O|root=9", "root '9' is no atom"),
        ("channel", "a1", "letter of a channel"),
        ("readout", "r3", "one of r1, r2"),
        ("explainers", "saliency,magic", "one of integrated-gradients"),
        ("atom", "-1", "whole number"),
        ("atom", "²", "whole number"),
        ("atom", "9" * 3000, "whole number"),
        ("steps", "0", "from 1 to 2000"),
        ("seed", "1e3", "whole number"),
        ("view", "4d", "heatmaps"),
        ("rings", "yes", "0 or 1"),
        ("molecule", "C" * 4_001, "4,000 characters"),
        ("watch", "A.6:13," * 1_000, "4,000 characters"),
    ],
)
def test_a_bad_part_gives_a_sentence_and_its_default(name, value, reason):
    state, problems = parse({name: value, "numbers": "1"})
    assert state == State(numbers=True), "the good parts are kept"
    assert len(problems) == 1
    assert name in problems[0] and reason in problems[0] and problems[0].endswith(".")
    assert len(problems[0]) < 400


def test_unknown_parts_are_ignored():
    assert parse({"utm_source": "mail", "storey": "2"}) == (State(), [])


def test_explainers_come_in_the_order_of_the_registry_and_once():
    assert explainers_of(["random", "saliency", "random", "magic"]) == ("saliency", "random")
    assert parse({"explainers": "random,saliency"})[0].explainers == ("saliency", "random")
    assert parse({"explainers": "none"})[0].explainers == ()


def test_another_molecule_drops_the_atom_and_the_leave_to_run_long():
    state = State(atom=3, anyway=True, numbers=True)
    assert changed(state, molecule="CCO") == State(molecule="CCO", numbers=True)
    assert changed(state, molecule="CCO", atom=1).atom == 1
    assert changed(state, molecule=EXAMPLE).atom == 3, "the same molecule keeps them"
    assert changed(state, pattern="6").atom == 3


def test_a_plus_sign_that_was_typed_into_the_address_is_one():
    assert parse({"pattern": "smarts:[N+](=O)[O-]".replace("+", " ")})[0].pattern == "smarts:[N+](=O)[O-]"


def test_a_list_of_whiteboxes_holds_smarts_with_commas_and_percent_signs():
    ids = ("smarts:[C,N]=O", "smarts:C%12CC%12", "1", "12-leaf")
    state = BenchmarkState(patterns=ids)
    params = BENCHMARK.params_of(state)
    assert BENCHMARK.parse(params) == (state, [])
    assert whiteboxes_of(["2", "smarts:C=O", "1", "2"]) == ("smarts:C=O", "1", "2")


def test_a_cell_of_the_benchmark_is_named_by_a_smarts_with_colons():
    assert place_of("smarts:c:c:saliency:r1") == ("smarts:c:c", "saliency", "r1")
