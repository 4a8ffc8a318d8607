"""What the failures of a search have in common that the successes have not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from wombat_core.failures.enrichment import compare

from .search import looked_at, sorted_findings

if TYPE_CHECKING:
    from pages.addresses.failures import FailuresState

    from .runs import Search

SHOWN = 40
"""Rows of the table."""


def patterns_view(search: Search, page: FailuresState) -> None:
    """The substructures that are over-represented among the failures, with counts."""
    if not looked_at(search):
        return
    found = sorted_findings(search, page)
    failed, passed = len(found.failed), len(found.passed)
    if not failed or not passed:
        which = "failures" if not failed else "successes"
        st.info(
            f"There are no {which} among the {failed + passed:,} molecules that could be scored: nothing to compare."
        )
        return
    comparison = compare((one.traits for one in found.failed), (one.traits for one in found.passed))
    st.caption(
        f"{failed:,} failures against {passed:,} successes; {comparison.tried:,} substructures were tried. "
        "A hint, not a proof: molecules here resemble each other, and among many tries some look unusual by chance."
    )
    if not comparison.excesses:
        st.info("No substructure is more frequent among the failures.")
        return
    rows = comparison.excesses[:SHOWN]
    st.dataframe(
        {
            "substructure": [row.word for row in rows],
            "of the failures": [f"{row.failed:,} of {row.all_failed:,}" for row in rows],
            "share": [100 * row.failed / row.all_failed for row in rows],
            "of the successes": [f"{row.passed:,} of {row.all_passed:,}" for row in rows],
            "share there": [100 * row.passed / row.all_passed for row in rows],
            "p, Fisher": ["< 1e-300" if row.p < 1e-300 else f"{row.p:.2g}" for row in rows],
        },
        hide_index=True,
        height="content" if len(rows) < 15 else 560,
        column_config={
            "substructure": st.column_config.TextColumn(width="large"),
            "share": st.column_config.ProgressColumn(format="%.1f %%", min_value=0, max_value=100),
            "share there": st.column_config.ProgressColumn(format="%.1f %%", min_value=0, max_value=100),
            "p, Fisher": st.column_config.TextColumn(
                help="One-sided p of Fisher's exact test, not corrected for the number of substructures tried.",
            ),
        },
    )
