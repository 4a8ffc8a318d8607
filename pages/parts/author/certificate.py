"""The certificate: a job that compares network and RDKit over the library, and what it found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.shared import engine, jobs
from pages.shared.molecule_cards import molecule_cards
from pages.shared.text import plain

if TYPE_CHECKING:
    from wombat_core.compiler.certificate import Certificate, Example

    from .draft import Draft

ASKED = "author-asked"
EXAMPLES = 3
FEW_ATOMS, MANY_ATOMS = 7, 24
SHOWN = 8
LETTERED = 60
"""Heavy atoms of the largest molecule that is drawn with its letters."""


@dataclass(frozen=True, eq=False)
class Certified:
    """A certificate, and a few molecules of the library with the motif, SMILES and name."""

    certificate: Certificate
    positives: tuple[tuple[str, str], ...]


def ask() -> None:
    """Say that whoever looks at the page chose what it shows: the certificate may be made."""
    st.session_state[ASKED] = True


def certified(draft: Draft) -> Certified | None:
    """What the draft's job has found, or None; starts the job where somebody asked for it."""
    asked = st.session_state.pop(ASKED, False)
    if draft.pattern is None:
        return None
    job = _job(draft)
    if job.answer is None and asked and not job.is_active:
        jobs.start(job, patience=0.3)
    return job.answer


def known_certificate(draft: Draft) -> Certificate | None:
    """The certificate where it is there."""
    job = jobs.known_job("certificate", draft.id)
    return job.answer.certificate if job is not None and job.answer is not None else None


def _job(draft: Draft) -> jobs.Job:
    pattern = draft.pattern
    return jobs.get_job("certificate", draft.id, "Certificate").of(lambda: _certified(pattern))


def _certified(pattern) -> Certified:
    import numpy as np

    from wombat_core.compiler.certify import certify
    from wombat_core.molecules.library_arrays import library_arrays
    from wombat_core.screening.motif_search import contains

    certificate = certify(pattern)
    arrays = library_arrays()
    places = np.flatnonzero(contains(arrays, pattern.motifs) & arrays.usable)
    sizes = arrays.num_atoms[places]
    usual = places[(sizes >= FEW_ATOMS) & (sizes <= MANY_ATOMS)]
    chosen = usual if len(usual) >= EXAMPLES else places[np.argsort(sizes, kind="stable")]
    texts = [arrays.texts(int(place)) for place in chosen[:EXAMPLES]]
    return Certified(certificate, tuple((smiles, name) for smiles, name, _ in texts))


def follow_certificate(draft: Draft) -> None:
    """The job's row: its progress and Stop, or the button that starts it."""
    job = _job(draft)
    jobs.problems({"The certificate": job})
    if job.is_active:
        jobs.follow(jobs.Bar("certificate", (job,)))
    elif job.answer is None:
        with st.container(horizontal=True, gap="small", vertical_alignment="center", key="author-certify-row"):
            st.button(
                "Certify",
                icon=":material/verified:",
                on_click=ask,
                key="author-certify",
                help="Compare network and RDKit on the 70,140 usable molecules of the library.",
            )
            st.caption("No certificate yet: network and RDKit have not been compared on the library.", width="content")


def certificate_view(draft: Draft, found: Certified | None) -> None:
    """Facts, and the smallest counterexamples as pictures."""
    if found is None:
        st.caption(
            "A certificate says on which of the library's molecules network and RDKit agree, and shows those on which "
            "they do not."
        )
        return
    certificate = found.certificate
    left, right = st.columns([270, 650], gap="medium")
    with left:
        st.markdown("\n".join(f"- {line}" for line in _facts(certificate)))
    with right:
        _counterexamples(certificate)


def _facts(certificate: Certificate) -> list[str]:
    left_out = certificate.molecules - certificate.usable
    return [
        f"**{certificate.verdict}**: {_MEANINGS[certificate.verdict]}",
        f"{certificate.usable:,} usable molecules ({left_out:,} left out), {certificate.positives:,} have the motif",
        *(
            f"{readout}: {found.false_positives:,} false positives ({found.acyclic:,} without rings), "
            f"{found.misses:,} missed ({found.without_bonds:,} atoms without bonds)"
            for readout, found in certificate.readouts.items()
        ),
        f"{certificate.synthetic_molecules:,} molecules made from the SMARTS itself: "
        + (
            "all right"
            if not any(d.false_positives or d.misses for d in certificate.synthetic.values())
            else "not all right"
        ),
        f"RDKit is asked for {_code(certificate.label_smarts)}",
        f"weights SHA-256 `{certificate.weights_hash[:16]}…`",
    ]


_MEANINGS = {
    "exact": "network and RDKit agree on every molecule.",
    "exact but for rings": "no molecule is missed; it is wrong only where a walk along the motif closes a ring.",
    "untested": "they agree everywhere, but no molecule of the library has the motif.",
    "approximate": "the network does not do all that the SMARTS asks for.",
}


def _code(text: str) -> str:
    return plain(text) if "`" in text else f"`{text}`"


def _counterexamples(certificate: Certificate) -> None:
    worst = max(certificate.readouts.values(), key=lambda each: each.false_positives + each.misses)
    shown = [("false positive", each) for each in worst.false_examples[:SHOWN]]
    shown += [("missed", each) for each in worst.missed_examples[: SHOWN - min(SHOWN - 2, len(shown))]]
    if not shown:
        st.success("No counterexample: network and RDKit agree on every molecule of the library.")
        return
    total = worst.false_positives + worst.misses
    st.caption(
        f"The smallest of {total:,} counterexamples. On such a molecule no page shows a ground truth."
        if total > len(shown)
        else "All counterexamples. On such a molecule no page shows a ground truth."
    )
    with st.container(height=430, border=False, key="author-counterexamples"):
        for start in range(0, len(shown), 3):
            row = shown[start : start + 3]
            molecule_cards(
                [_card(kind, each) for kind, each in row], [], None, key=f"author-wrong-{start}", picture_height=110
            )


def _card(kind: str, example: Example) -> dict[str, Any]:
    card = {
        "title": example.name or example.cas or example.smiles[:40],
        "badge": {"text": kind, "tone": "bad" if kind == "missed" else "warn"},
        "message": example.why,
    }
    found = engine.find(example.smiles)
    if found.molecule is None:
        return card
    from wombat_core.drawing.depiction import depict
    from wombat_core.drawing.thumbnail import thumbnail

    if found.molecule.num_atoms > LETTERED:
        return card | {"svg": thumbnail(found.molecule, 280, 110)}
    # Grey is what the network did not need.
    image = set(example.image or ())
    dim = [atom not in image for atom in range(found.molecule.num_atoms)] if image else None
    drawn = depict(found.molecule, width=280, height=110, dim=dim, selected=example.meeting)
    return card | {"svg": drawn.svg}
