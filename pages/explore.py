"""One molecule, one whitebox, several explainers: the ground truth beside the heatmaps."""

import streamlit as st

from pages.parts.explore.atom_table import atom_table
from pages.parts.explore.export import export
from pages.parts.explore.space import space
from pages.shared import engine
from pages.shared.answer_cards import answer_card, atom_lines, graphxai_note, truth_card
from pages.shared.guard import error_boundary
from pages.shared.headline import headline
from pages.shared.molecule_cards import molecule_cards
from pages.shared.offers import run_row
from pages.shared.pictures import HEIGHT, scale_limit
from pages.shared.selection import checked_atom
from pages.shared.sidebar import offer
from pages.shared.state import State, bind, write
from pages.shared.text import number, plain
from pages.shared.whiteboxes import whitebox_title
from wombat_core.drawing.legend import legend_svg

VIEW_TITLES = {"heatmaps": "Heatmaps", "3d": "3D", "export": "Export"}


def explore(state: State) -> None:
    """The page."""
    with st.spinner("Loading the networks"):
        found = engine.find(state.molecule)
        case = engine.case(state.molecule, state.pattern) if found.molecule else None
    headline(question(state, case), state, VIEW_TITLES, bind(state, "view"))
    if case is None:
        offer(found)
        return
    verdict(case, state)
    state = checked_atom(case, state)
    with st.spinner("Explaining"):
        answers = engine.answers(state)
    with error_boundary("The list of runs"):
        run_row(answers)
    limit = scale_limit([answer for answer in answers if not answer.problem], state)
    if state.view == "3d":
        with error_boundary("The 3D view"):
            space(case, answers, state, limit)
    elif state.view == "export":
        with error_boundary("The export"):
            export(case, answers, state, limit)
    else:
        with error_boundary("The heatmaps"):
            heatmaps(case, answers, state, limit)
        if not state.present:
            with error_boundary("The table"):
                atom_table(case, answers, state)


def question(state: State, case: engine.Case | None) -> str:
    """The headline."""
    title = whitebox_title(state.pattern)
    if case is None:
        return f"{title} needs a molecule"
    if not case.predictions:
        return f"{title} cannot read this molecule"
    found = case.is_positive(state.readout)
    if found != case.contains_motif:
        return f"{title} is wrong here; what do the explainers say?"
    if found:
        return f"{title} finds its motif; does the explainer?"
    return f"{title} finds nothing here; do the explainers keep quiet?"


def verdict(case: engine.Case, state: State) -> None:
    """Motif or not, predictions, formula, size, and whether the benchmark takes the molecule."""
    motif = ":green-badge[contains the motif]" if case.contains_motif else ":gray-badge[without the motif]"
    values = [f":blue-badge[{name} = {number(value)}]" for name, value in case.predictions.items()]
    size = case.molecule.num_atoms
    facts = [plain(case.formula), f"{size} heavy atom{'s' if size != 1 else ''}"]
    if case.molecule.name:
        facts.insert(0, plain(case.molecule.name))
    benchmark = "in the benchmark"
    if case.left_out:
        more = f" (and {len(case.left_out) - 2} more)" if len(case.left_out) > 2 else ""
        benchmark = f":orange-badge[left out of the benchmark] {plain(' '.join(case.left_out[:2]) + more)}"
    with st.container(key="verdict", gap=None):
        st.markdown(" ".join([motif, *values, " · ".join([*facts, benchmark])]))
        if case.molecule.notes and not state.present:
            st.caption(plain(" ".join(case.molecule.notes)))
        if case.problem:
            st.error(plain(case.problem))


def heatmaps(case: engine.Case, answers: list[engine.ExplainerAnswer], state: State, limit: float | None) -> None:
    """The cards and the legend."""
    large(case, answers)
    height = HEIGHT - 10 if state.present else HEIGHT
    cards = [truth_card(case, state, height)]
    cards += [answer_card(case, answer, state, limit, height) for answer in answers]
    atoms = atom_lines(case, answers, state.signed)
    molecule_cards(
        cards,
        atoms,
        state.atom,
        key="cards",
        big=state.present,
        picture_height=height,
        on_change=lambda atom: write(atom=atom),
    )
    if not answers:
        st.caption("Choose explainers in the sidebar to see their heatmaps.")
    legend(state, atoms, limit, graphxai_note(answers, state), coloured=any(not answer.problem for answer in answers))


def large(case: engine.Case, answers: list[engine.ExplainerAnswer]) -> None:
    """What is different on a large molecule."""
    size = case.molecule.num_atoms
    if size > engine.LARGE_ATOMS or any(answer.offer and size > engine.COSTLY_ATOMS for answer in answers):
        with st.container(key="large"):
            st.markdown(f":orange-badge[large] {size} heavy atoms crowd the pictures.", width="content")


def legend(state: State, atoms: list[dict], limit: float | None, note: str, coloured: bool) -> None:
    """The scale with its range where a card is coloured, a note on GEA and GEF, and the selected atom in words."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="center", key="legend"):
        top = (1.0 if limit is None else limit) if coloured else None
        st.image(legend_svg(top, state.signed, 400), width=400, alt="Colour scale" if coloured else "Legend")
        if coloured and limit is None:
            st.caption("Each card has its own scale: 1 is its largest value, **max**.", width="content")
        if note:
            st.caption("What GEA and GEF are", width="content", help=note)
    if state.atom is not None:
        atom = atoms[state.atom]
        lines = " · ".join(f"{plain(name)} {plain(value)}" for name, value in atom["lines"])
        st.caption(f"Selected: **{plain(atom['title'])}** · {lines}")


if __name__ == "__main__":
    from pages.shared.as_script import run_app

    run_app()
