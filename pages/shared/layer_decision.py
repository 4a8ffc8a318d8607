"""What decided, in words and in numbers: the verdict line and the readout's panel."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from pages.shared.state import write
from pages.shared.text import compact, plain
from wombat_core.whitebox.equations import EQUATIONS

if TYPE_CHECKING:
    from pages.shared.engine import Case
    from pages.shared.layer_activations import Pass

    from .layer_focus import Focus

_MOST_NAMED = 6


def verdict_sentence(case: Case, passed: Pass) -> str:
    """Which atoms decided and on what they rest, or where the evidence ended. Markdown."""
    from wombat_core.whitebox.kind import kind_of

    decision = passed.decision
    if decision is None:
        return kind_of(passed.model).summary
    if decision.near_miss is not None:
        return decision.near_miss.sentence
    largest = max(float(passed.trace.products[root]) for root in decision.roots)
    roots = named(passed, decision.roots)
    one = len(decision.roots) == 1
    if passed.model.readout == "r1":
        text = f"{roots} {'reaches' if one else 'reach'} the maximum, p = {compact(largest)}."
    else:
        text = f"{roots}, with p {'=' if one else 'up to'} {compact(largest)}, {'saturates' if one else 'saturate'} r2."
    truth, carried = set(np.flatnonzero(case.truth).tolist()), set(decision.atoms)
    text += f" {len(carried)} atom{'s' if len(carried) > 1 else ''} carried a value there: "
    bystanders, silent = sorted(carried - truth), sorted(truth - carried)
    if not truth:
        return text + "none of them is ground truth."
    text += "the whole ground truth" if not silent else f"the ground truth but {named(passed, silent)}"
    kind = "bystander" if len(bystanders) == 1 else "bystanders"
    return text + (f", and the {kind} {named(passed, bystanders)}." if bystanders else ", and no other.")


def named(passed: Pass, atoms) -> str:
    """A list of atoms: "C5, C9 and N3", cut where it is long."""
    labels = [passed.labels[atom] for atom in atoms]
    if len(labels) > _MOST_NAMED:
        labels = [*labels[: _MOST_NAMED - 1], f"{len(labels) - _MOST_NAMED + 1} more"]
    return labels[0] if len(labels) == 1 else f"{', '.join(labels[:-1])} and {labels[-1]}"


def readout_panel(passed: Pass, focus: Focus) -> None:
    """Eq. 3 or 4 with this molecule's numbers, and the ways back from it."""
    from wombat_core.whitebox.calculation import readout_latex

    readout = passed.model.readout
    if passed.decision is None:
        _own_readout(passed)
        return
    equation = 3 if readout == "r1" else 4
    st.markdown(f"**Readout {readout}** :gray[Eq. {equation}]")
    *products, last = readout_latex(passed.trace, readout)
    lines = [line.replace("=", "&=", 1) for line in products]
    st.latex(aligned([*lines, *_wrapped(last)]))
    if not products:
        st.caption("Every atom lacks a channel of the last layer, so every product p is 0.")
    decision = passed.decision
    miss = decision.near_miss
    if decision.roots:
        st.caption("Follow it backwards")
        layer, names = passed.depth, passed.names(passed.depth)
        places = [(root, channel) for root in decision.roots for channel in range(len(names))][:_MOST_NAMED]
        with st.container(horizontal=True, gap="small", key="layer-from"):
            for atom, channel in places:
                letter = passed.letters[layer - 1][channel]
                st.button(
                    f"{names[channel]} at {passed.labels[atom]}",
                    key=f"root-{atom}-{channel}",
                    on_click=write,
                    kwargs={"layer": layer, "channel": letter, "atom": atom},
                )
    elif miss:
        near_miss_links(passed)
    with st.popover("Equations 3 and 4"):
        st.latex(r"\text{r1:}\quad " + EQUATIONS[3])
        st.latex(r"\text{r2:}\quad " + EQUATIONS[4])


def aligned(lines: Iterable[str]) -> str:
    """Equations below each other, aligned where they have ``&``."""
    return r"\begin{aligned}" + r"\\".join(lines) + r"\end{aligned}"


def _own_readout(passed: Pass) -> None:
    from wombat_core.whitebox.kind import kind_of
    from wombat_core.whitebox.model import is_positive

    found = kind_of(passed.model).take_apart(passed.model, passed.data, passed.trace, 0, 0, 0)
    verdict = "positive" if is_positive(found.value) else "not positive"
    st.markdown(f"**Readout = {compact(found.value)}**, {verdict}")
    st.latex(found.equation)
    st.caption(f"{found.meaning} With the numbers:")
    st.latex(aligned(found.latex))


def near_miss_links(passed: Pass) -> None:
    """A button for every step of the near miss, if there are any."""
    if not passed.decision.near_miss.steps:
        return
    st.caption("Missing for the motif, from the deepest layer back")
    with st.container(horizontal=True, gap="small", key="near-miss-steps"):
        for step in passed.decision.near_miss.steps:
            st.button(
                f"no {step.channel} at {step.label}",
                key=f"miss-{step.layer}",
                help=plain(f"{step.channel} is 0 there because {step.because}".replace("`", "")) + ".",
                on_click=write,
                kwargs={"layer": step.layer, "channel": step.channel.split(".")[0], "atom": step.atom},
            )


def _wrapped(equation: str) -> list[str]:
    """An equation, one line from each of its equals signs on; those inside parentheses stay."""
    pieces, depth, start = [], 0, 0
    for place, sign in enumerate(equation):
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(sign, 0)
        if sign == "=" and depth == 0:
            pieces.append(equation[start:place])
            start = place
    pieces.append(equation[start:])
    return [f"{pieces[0]}&{pieces[1]}", *(f"&{piece}" for piece in pieces[2:])]
