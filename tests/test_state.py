"""The address and the state: one is the other."""

from dataclasses import fields

import pytest

from pages.shared.state import EXAMPLE, State, changed, params_of, parse
from pages.shared.state_codecs import explainers_of


def test_the_default_state_has_an_empty_address():
    assert params_of(State()) == {}
    assert parse({}) == (State(), [])


STATES = [
    State(molecule=""),
    State(molecule="N[C@@H](C)C(=O)O.[Na+] |$a;b$|", pattern="12-leaf", readout="r1"),
    State(molecule="carnitine & <b>", explainers=(), atom=0, view="3d", colour_by="saliency"),
    State(explainers=("saliency", "random"), rings=False, numbers=True, values=True, bonds=True),
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
        ("readout", "r3", "one of r1, r2"),
        ("explainers", "saliency,magic", "one of integrated-gradients"),
        ("atom", "-1", "whole number"),
        ("atom", "²", "whole number"),
        ("atom", "9" * 5000, "whole number"),
        ("steps", "0", "from 1 to 2000"),
        ("seed", "1e3", "whole number"),
        ("view", "4d", "heatmaps"),
        ("rings", "yes", "0 or 1"),
        ("molecule", "C" * 200_000, "100,000 characters"),
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
