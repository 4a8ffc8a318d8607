"""The certificate: a job that compares network and RDKit over the library, and what it found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from pages.shared import engine, jobs
from pages.shared.molecule_cards import molecule_cards
from pages.shared.text import plain
from wombat_core.drawing.thumbnail import thumbnail

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


def has_certificate(draft: Draft) -> bool:
    """Whether the certificate is there or being made."""
    job = _job(draft)
    return job.is_active or job.answer is not None


def certify_button() -> None:
    """The button that starts the job."""
    st.button(
        "Certify",
        icon=":material/verified:",
        on_click=ask,
        key="author-certify",
        help="Compare network and RDKit on the 70,140 usable molecules of the library.",
    )


def follow_certificate(draft: Draft) -> None:
    """The job's row while it runs: its progress and Stop."""
    job = _job(draft)
    jobs.problems({"The certificate": job})
    if job.is_active:
        jobs.follow(jobs.Bar("certificate", (job,)))


def certificate_view(draft: Draft, found: Certified | None) -> None:
    """Facts, and the smallest counterexamples as pictures."""
    if found is None:
        st.caption(
            "A certificate says on which of the library's molecules network and RDKit agree, and shows those on which "
            "they do not."
        )
        return
    certificate = found.certificate
    left, right = st.columns([250, 680], gap="small")
    with left:
        st.markdown("\n".join(f"- {line}" for line in _facts(certificate)))
    with right:
        _counterexamples(certificate)


def _facts(certificate: Certificate) -> list[str]:
    left_out = certificate.molecules - certificate.usable
    return [
        f"**{certificate.verdict}**: {_MEANINGS[certificate.verdict]}",
        f"{certificate.usable:,} usable molecules ({left_out:,} left out), {certificate.positives:,} with the motif",
        *_differences(certificate),
        _synthetic(certificate),
        f"RDKit is asked for {_code(certificate.label_smarts)}",
        f"weights SHA-256 `{certificate.weights_hash[:16]}…`",
    ]


def _differences(certificate: Certificate) -> list[str]:
    """False positives and misses of the readouts, once where they are the same."""
    told = {
        readout: (found.false_positives, found.acyclic, found.misses, found.without_bonds)
        for readout, found in certificate.readouts.items()
    }
    groups: dict[tuple[int, ...], list[str]] = {}
    for readout, counts in told.items():
        groups.setdefault(counts, []).append(readout)
    return [f"{' and '.join(readouts)}: {_counts(*counts)}" for counts, readouts in groups.items()]


def _counts(false_positives: int, acyclic: int, misses: int, without_bonds: int) -> str:
    wrong = "no false positive"
    if false_positives:
        wrong = f"{false_positives:,} false positive{'s' * (false_positives > 1)} ({acyclic:,} without rings)"
    return f"{wrong}, " + (f"{misses:,} missed ({without_bonds:,} atoms without bonds)" if misses else "none missed")


def _synthetic(certificate: Certificate) -> str:
    """What came of the molecules made from the SMARTS; a walk that closes a ring is no error there either."""
    made = certificate.synthetic_molecules
    if not made:
        return "no molecule could be made from the SMARTS itself"
    what = f"{made:,} molecule{'s' * (made > 1)} made from the SMARTS itself: "
    worst = max(certificate.synthetic.values(), key=lambda each: each.false_positives + each.misses)
    if not worst.false_positives and not worst.misses:
        return what + "right on all" if made > 1 else what + "right"
    parts = [f"{worst.misses:,} missed"] if worst.misses else []
    if in_rings := worst.false_positives - worst.acyclic:
        parts.append(f"{in_rings:,} taken for the motif where a walk closes a ring")
    if worst.acyclic:
        parts.append(f"{worst.acyclic:,} without rings taken for the motif")
    right = made - worst.false_positives - worst.misses
    return f"{what}right on {right:,}, {', '.join(parts)}"


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
        molecule_cards(
            [_card(kind, each) for kind, each in shown], [], None, key="author-wrong", columns=2, picture_height=100
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

    if found.molecule.num_atoms > LETTERED:
        return card | {"svg": thumbnail(found.molecule, 280, 100)}
    # Grey is what the network did not need.
    image = set(example.image or ())
    dim = [atom not in image for atom in range(found.molecule.num_atoms)] if image else None
    drawn = depict(found.molecule, width=280, height=100, dim=dim, selected=example.meeting)
    return card | {"svg": drawn.svg}
