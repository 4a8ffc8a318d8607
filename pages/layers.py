"""The forward pass, layer by layer, channel by channel, message by message."""

from pathlib import Path

import numpy as np
import streamlit as st

from pages.parts.layers.molecule import large_molecule
from pages.shared import engine
from pages.shared.guard import error_boundary
from pages.shared.layer_activations import Pass, forward_pass, thumbnail
from pages.shared.layer_calculation import calculation_panel
from pages.shared.layer_decision import readout_panel, verdict_sentence
from pages.shared.layer_focus import Focus, focus_of, missing_step
from pages.shared.layer_strip import layer_strip, strip_row
from pages.shared.layer_table import cell_text, layer_table
from pages.shared.pictures import not_drawn
from pages.shared.sidebar import leave_presentation, offer
from pages.shared.state import State, bind, write
from pages.shared.text import compact, plain
from pages.shared.whiteboxes import whitebox_title
from wombat_core.whitebox.catalogue import patterns

STYLE = Path(__file__).resolve().parents[1] / "assets" / "layers.css"
WITH_VARIANTS = "12"
HEIGHT = 420  # of the large molecule, in CSS pixels


def layers(state: State) -> None:
    """The page."""
    st.html(STYLE)
    with st.spinner("Loading the networks"):
        found = engine.find(state.molecule)
        case = engine.case(state.molecule, state.pattern) if found.molecule else None
    if case is None or case.problem:
        why = "cannot read this molecule" if case else "needs a molecule"
        _headline(state, f"{whitebox_title(state.pattern)} {why}")
        offer(found) if case is None else st.error(plain(case.problem))
        return
    passed = forward_pass(state.molecule, state.pattern, state.readout)
    focus, problems = focus_of(passed, state)
    compare = state.compare and _family(case.pattern) == WITH_VARIANTS
    _headline(state, "Four whiteboxes, one motif" if compare else question(passed, focus), case.pattern)
    if problems:
        st.warning(plain(" ".join(problems)))
    _verdict(case, passed)
    picture = None if not_drawn(case) else thumbnail(state.molecule)
    if compare:
        with error_boundary("The comparison"):
            variants(state, picture)
        return
    with error_boundary("The strip of layers"):
        layer_strip(
            [strip_row(passed, case.pattern.id)],
            picture,
            (case.pattern.id, focus.layer),
            key="layer-strip",
            on_change=lambda _, layer: write(layer=layer),
            big=state.present,
        )
    with st.container(key="layer-level"):
        widths = _widths(*_contents(passed, focus))
        height = HEIGHT - 64 if state.present else HEIGHT  # the strip is higher there
        columns = st.columns(widths, gap="small")
        with columns[0], error_boundary("The molecule"):
            large_molecule(case, passed, focus, state, widths[0], height)
        with columns[1], error_boundary("The table"):
            table(passed, focus, state, height + 62)
        with (
            columns[2],
            error_boundary("The calculation"),
            st.container(border=True, height=height + 62, key="calculation"),
        ):
            readout_panel(passed, focus) if focus.layer == 0 else calculation_panel(passed, focus)


def question(passed: Pass, focus: Focus) -> str:
    """The headline: which layer, and what happens there."""
    from wombat_core.whitebox.kind import kind_of

    if focus.layer == 0:
        decided = passed.decision is None or passed.decision.roots
        return f"Readout {passed.model.readout}: {'which atom decides?' if decided else 'no atom has all channels'}"
    if passed.decision is None:
        return kind_of(passed.model).headlines[focus.layer - 1]
    place = f"Layer {focus.layer} of {passed.depth}"
    miss = passed.decision.near_miss
    if miss and not miss.steps:
        return f"{place}: no evidence"
    if miss and focus.layer == miss.last_layer + 1:
        return f"{place}: {miss.steps[0].channel} is missing"
    active = int((passed.tables[focus.layer - 1] > 0).any(axis=0).sum())
    if miss and focus.layer > miss.last_layer:
        return f"{place}: no evidence left"
    total = len(passed.names(focus.layer))
    return f"{place}: {active} of {total} channel{'s' if total > 1 else ''} {'find' if active > 1 else 'finds'} atoms"


def table(passed: Pass, focus: Focus, state: State, height: int) -> None:
    """Atoms by channels; at the readout the last layer's, with the products p."""
    layer = focus.layer or passed.depth
    names, sentences = passed.names(layer), [sentence.replace("`", "") for sentence in passed.sentences[layer - 1]]
    heads, values = _contents(passed, focus)
    limit = passed.limit(layer)
    if len(heads) > len(sentences):
        sentences.append("the product of the channels")
        limit = max(limit, float(values.max()) if values.size else 1.0)
    step = missing_step(passed, layer)
    marked = [(step.atom, names.index(step.channel), f"Missing: {step.because}".replace("`", ""))] if step else []
    letters = passed.letters[layer - 1]

    def choose(atom: int, channel: int) -> None:
        write(atom=atom, channel=letters[min(channel, len(letters) - 1)])

    layer_table(
        "Atoms × channels",
        list(zip(heads, sentences, strict=True)),
        passed.labels,
        values,
        limit,
        (focus.atom, focus.channel),
        key="layer-table",
        on_change=choose,
        signed=bool((values < 0).any()),
        marked=marked,
        height=height,
        big=state.present,
    )


def variants(state: State, picture) -> None:
    """Pattern 12 and its variants on the same molecule, one strip each."""
    from wombat_core.whitebox.model import is_positive

    rows, positive = [], set()
    for id, entry in patterns().items():
        if _family(entry) == WITH_VARIANTS:
            passed = forward_pass(state.molecule, id, state.readout)
            told = ", ".join(f"{name} = {compact(float(value))}" for name, value in passed.trace.readouts.items())
            size = f"{entry.num_layers} layer{'s' if entry.num_layers > 1 else ''}, {entry.num_channels} channels"
            positive.add(is_positive(float(passed.trace.readouts[state.readout])))
            rows.append(strip_row(passed, id, entry.title, f"{told} · {size}"))
    layer_strip(
        rows,
        picture,
        None,
        key="variants",
        on_change=lambda id, layer: write(pattern=id, layer=layer, compare=False),
        big=state.present,
        play=False,
    )
    verdict = f"All call it {'positive' if True in positive else 'negative'}. " if len(positive) == 1 else ""
    st.caption(f"{verdict}Choose a layer to open it.")


def _headline(state: State, title: str, pattern=None) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", key="headline"):
        st.subheader(title, anchor=False)
        if pattern is not None and _family(pattern) == WITH_VARIANTS and not state.present:
            st.toggle("Compare the variants", **bind(state, "compare"))
        if state.present:
            leave_presentation()


def _verdict(case: engine.Case, passed: Pass) -> None:
    motif = ":green-badge[contains the motif]" if case.contains_motif else ":gray-badge[without the motif]"
    left_out = " :orange-badge[left out of the benchmark]" if case.left_out else ""
    with st.container(key="verdict", gap=None):
        reasons = plain(" ".join(case.left_out)) or None
        st.markdown(f"{motif}{left_out} {verdict_sentence(case, passed)}", help=reasons)


def _family(pattern) -> str:
    return pattern.variant_of or pattern.id


def _contents(passed: Pass, focus: Focus) -> tuple[list[str], np.ndarray]:
    """The heads of the table, and its values, [num_atoms, heads]."""
    layer = focus.layer or passed.depth
    heads, values = [name.split(": ")[-1] for name in passed.names(layer)], passed.tables[layer - 1]
    if focus.layer == 0 and passed.trace.products is not None:
        return [*heads, "p"], np.column_stack([values, passed.trace.products.numpy()])
    return heads, values


def _widths(heads: list[str], values: np.ndarray) -> list[int]:
    """Widths of molecule, table and calculation in CSS pixels: the table takes what its columns need."""
    longest = [max((len(cell_text(value)) for value in set(column)), default=1) for column in values.T.tolist()]
    needs = [max(32, 8 * len(name) + 6, 7 * length + 14) for name, length in zip(heads, longest, strict=True)]
    narrow = min(88 + sum(needs), 345)
    return [max(265, 590 - narrow), max(narrow, 150), 350]


if __name__ == "__main__":
    from pages.shared.as_script import run_app

    run_app()
