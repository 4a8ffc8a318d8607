"""A page of molecule cards with invented content, for the browser tests."""

import math

import streamlit as st

from pages.shared.molecule_cards import molecule_cards

st.set_page_config(layout="wide")
params = st.query_params
state = st.session_state
state.setdefault("atom", int(params["atom"]) if "atom" in params else None)
state.runs = state.get("runs", 0) + 1

with st.sidebar:
    st.button("Rerun")
    ring = st.number_input("Atoms", value=7, min_value=3)
    if st.button("Select atom 2"):
        state.atom = 2
    if st.button("Clear"):
        state.atom = None

angles = [2 * math.pi * i / ring for i in range(ring)]
positions = [(150 + 90 * math.cos(angle), 100 + 70 * math.sin(angle)) for angle in angles]


def picture(seed: int) -> str:
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in positions)
    colours = ["#fff5eb", "#fdd0a2", "#fd8d3c", "#d94801", "#7f2704"]
    atoms = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="14" stroke="#1f4fd8" stroke-width="2" '
        f'fill="{colours[(i * seed) % 5]}"/><text x="{x - 4:.1f}" y="{y + 4:.1f}" font-size="12">{i}</text>'
        for i, (x, y) in enumerate(positions)
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200" viewBox="0 0 300 200">'
        f'<polygon points="{corners}" fill="none" stroke="black"/>{atoms}</svg>'
    )


def scores(auroc: str) -> list[dict]:
    return [
        {"label": "AUROC", "value": auroc, "hint": ""},
        {"label": "AP", "value": "0.995", "hint": "(baseline 0.929)"},
    ]


shared = {"positions": positions, "radius": 14}
cards = [
    {
        "title": "Ground truth",
        "badge": {"text": "the rule of the network", "tone": "info"},
        "svg": picture(0),
        "message": "6 of 7 atoms: every match of the relaxed SMARTS, and the neighbours it must look at",
        **shared,
    },
    {
        "title": "Integrated gradients",
        "badge": {"text": "bystander atom 7 above N0", "tone": "bad"},
        "svg": picture(1),
        "caption": scores("0.923"),
        "foot": "9 ms",
        **shared,
    },
    {
        "title": "<b>Saliency</b>",
        "badge": {"text": "null", "tone": "neutral"},
        "svg": picture(0),
        "message": "null explanation: every atom scored alike",
        "foot": "1 ms",
        **shared,
    },
    {
        "title": "Shapley sampling",
        "badge": {"text": "perfect", "tone": "good"},
        "svg": picture(2),
        "caption": scores("1.000"),
        "foot": "1.2 s",
        **shared,
    },
    {
        "title": "GNNExplainer",
        "badge": {"text": "stopped", "tone": "warn"},
        "message": "GNNExplainer was stopped after 30 s.",
    },
    {"title": "Random", "badge": {"text": "not perfect", "tone": "bad"}, "svg": picture(3), **shared}
    | {"caption": scores("0.769"), "foot": "0 ms"},
]
atoms = [
    {
        "title": f"C{i}",
        "lines": [
            ["element", "C"],
            ["hydrogens", "2"],
            ["ground truth", "no"],
            ["integrated gradients", f"0.0{i} (rank {i + 1} of {ring})"],
            ["<i>saliency</i>", "0"],
        ],
    }
    for i in range(ring)
]

st.markdown("##### Pattern 5 finds its motif; does the explainer?")


def heard(atom: int | None) -> None:
    state.heard = (*state.get("heard", ()), atom)


state.atom = molecule_cards(cards, atoms, state.atom, key="cards", big="big" in params, on_change=heard)
st.text(f"selected {state.atom}, run {state.runs}, heard {state.get('heard')}")
