"""The failures that a search found, as cards, worst first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from pages.addresses.failures import FAILURES, FailuresState
from pages.shared.memory import remembered
from pages.shared.state import State, changed
from pages.shared.state_codecs import explainers_of
from pages.shared.text import plain, score, title_of
from wombat_core.errors import InputError
from wombat_core.failures.kinds import kind
from wombat_core.molecules.molecule import from_smiles

from .cards import HEIGHT, MAX_DRAWN, PAGES, card, failure_cards, picture, scale
from .controls import active, clear
from .runs import Search
from .search import looked_at, sorted_findings

if TYPE_CHECKING:
    from wombat_core.failures.kinds import Kind, Sorted
    from wombat_core.failures.search import Finding, Spec

SHEET = 60
"""Cards on a sheet."""


def gallery(search: Search, state: State, page: FailuresState) -> None:
    """The failures of one sheet, or what to change where there are none."""
    found = sorted_findings(search, page)
    if not found.failed:
        _none(search, found, page)
        return
    sheets = -(-len(found.failed) // SHEET)
    sheet = min(page.sheet, sheets)
    first = SHEET * (sheet - 1)
    shown = found.failed[first : first + SHEET]
    scale(f"Heat of {title_of(page.explainer)}; each picture has its own scale, 1 is its largest value.")
    failure_cards([_card(finding, search.spec, state, page) for finding in shown], key="failures")
    if sheets > 1:
        with st.container(horizontal=True, gap="small", vertical_alignment="center", key="sheets"):
            for label, to in (("Previous", sheet - 1), ("Next", sheet + 1)):
                there = 1 <= to <= sheets
                st.button(
                    label, on_click=FAILURES.write, kwargs={"sheet": to}, disabled=not there, key=f"sheet-{label}"
                )
            st.caption(f"{first + 1:,} to {first + len(shown):,} of {len(found.failed):,}", width="content")


def _none(search: Search, found: Sorted, page: FailuresState) -> None:
    if search.state in ("new", "failed", "waiting", "running") or not looked_at(search):
        return
    if kind(page.failure).compares and search.spec.against is None:
        st.info("A gap needs two explainers: choose another one under “Compared with”.")
        return
    judged, filters = len(found.passed), active(page)
    if not judged and not found.open and filters and search.findings:
        st.info(plain(f"No molecule passes the filters ({'; '.join(filters)})."))
        st.button("Clear the filters", on_click=clear, key="none-clear")
        return
    if not judged:
        so_far = "" if search.state == "done" else " looked at so far"
        st.info(
            f"No molecule{so_far or ' here'} can be scored for this kind of failure. Choose other molecules or another "
            "kind."
        )
        return
    title = plain(search.spec.explainer.title)
    st.info(
        f"No failure of this kind: {title} passes on all {judged:,} molecules that can be scored. Choose another kind "
        f"of failure, the other readout, or {'fewer filters' if filters else 'more molecules'}."
    )


def _card(finding: Finding, spec: Spec, state: State, page: FailuresState) -> dict[str, Any]:
    row = finding.row
    names = [page.explainer, *([page.against] if spec.against is not None else [])]
    blamed, line = _words(finding, kind(page.failure))
    opens = replace(
        changed(state, molecule=_typed(row.smiles, row.name), explainers=explainers_of(names)),
        atom=blamed,
        anyway=False,
    )
    shown: dict[str, Any] = {"svg": None, "instead": f"More than {MAX_DRAWN:,} heavy atoms are not drawn here."}
    if row.num_atoms <= MAX_DRAWN:
        try:
            shown = {"svg": picture((*spec.key, row.place), row.smiles, HEIGHT, finding.atoms, finding.truth)}
        except InputError as error:
            shown["instead"] = str(error)
    return card(
        row.name or row.smiles,
        hint=row.smiles,
        badge=_badge(finding, page.failure),
        scores=_scores(finding, spec, page.failure),
        lines=[f"{line} · {row.num_atoms:,} atoms" if line else f"{row.num_atoms:,} atoms"],
        states=dict.fromkeys(PAGES, opens),
        **shown,
    )


def _typed(smiles: str, name: str | None) -> str:
    """SMILES and name as one types them; without a name that would be taken for something else."""
    return smiles if not name or name.startswith("|") else f"{smiles} {' '.join(name.split())}"


def _badge(finding: Finding, failure: str) -> tuple[str, str]:
    if failure == "gap":
        return f"gap {abs(finding.gap):.3f}", "bad"
    if failure == "iqr":
        return "IQR fail", "bad"
    return ("null", "neutral") if finding.row.null else (f"AUROC {score(finding.row.auroc)}", "bad")


def _scores(finding: Finding, spec: Spec, failure: str) -> list[tuple[str, str, str]]:
    row, other, scores = finding.row, finding.other, []
    if row.auroc is None:
        return [] if row.prediction is None else [("F", f"{row.prediction:.3g}", "")]
    if failure == "gap" or row.null:
        scores.append(("AUROC", score(row.auroc), ""))
    scores.append(("AP", score(row.average_precision), f"(baseline {row.ap_baseline:.3f})"))
    if other is not None and other.auroc is not None:
        scores.append((title_of(spec.against.name), score(other.auroc), "" if failure == "gap" else "AUROC"))
    return scores


def _words(finding: Finding, kind: Kind) -> tuple[int | None, str]:
    """The atom to look at, if any, and what it does."""
    if finding.atoms is None or finding.row.null:
        return None, "Every atom scores alike" if finding.row.null else ""
    symbol = _symbols(finding.row.smiles)
    if not kind.contains:
        atom = int(np.abs(finding.atoms - np.median(finding.atoms)).argmax())
        return atom, f"{symbol[atom]}{atom} stands out"
    outside, inside = np.flatnonzero(~finding.truth), np.flatnonzero(finding.truth)
    if not len(outside):
        return None, ""
    strong = int(outside[finding.atoms[outside].argmax()])
    weak = int(inside[finding.atoms[inside].argmin()])
    if finding.atoms[strong] < finding.atoms[weak]:
        return None, ""
    relation = "ties with" if finding.atoms[strong] == finding.atoms[weak] else "above"
    return strong, f"{symbol[strong]}{strong} {relation} {symbol[weak]}{weak}"


@remembered(2000)
def _symbols(smiles: str) -> list[str]:
    return [atom.GetSymbol() for atom in from_smiles(smiles).mol.GetAtoms()]
