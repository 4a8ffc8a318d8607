"""A certificate as a page of its own: facts, and the molecules on which network and RDKit differ, drawn."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError
from ..molecules.arrays import WORDS
from ..molecules.molecule import from_smiles
from .depiction import depict

if TYPE_CHECKING:
    from ..compiler.certificate import Certificate, Differences, Example

_STYLE = """body{font:15px/1.45 system-ui,sans-serif;max-width:72rem;margin:1rem auto;padding:0 1rem;color:#222}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:1.2rem}table{border-collapse:collapse}
td,th{text-align:left;padding:.2rem 1rem .2rem 0;vertical-align:top;overflow-wrap:anywhere}
th{font-weight:600;white-space:nowrap}.cards{display:flex;flex-wrap:wrap;gap:1rem}
.card{width:220px;border:1px solid #ddd;border-radius:6px;padding:.5rem;font-size:13px;overflow-wrap:anywhere}"""

_LEGEND = "Circles: the atoms that the network takes for the motif. Corners: the atom on which two of its atoms fall."


def certificate_page(certificate: Certificate) -> str:
    """One HTML document without scripts or outside files."""
    parts = [
        f"<h1>{escape(certificate.smarts)}</h1><p>{escape(certificate.sentence)}.</p>",
    ]
    for note in certificate.notes:
        parts.append(f"<p>{escape(note)}</p>")
    shown = [(f"Readout {title}", found) for title, found in _grouped(certificate.readouts).items()]
    for title, found in _grouped(certificate.synthetic).items():
        if found.false_positives or found.misses:
            shown.append((f"Molecules made from the SMARTS, readout {title}", found))
    if any(example.image for _, found in shown for example in found.false_examples):
        parts.append(f"<p>{_LEGEND}</p>")
    parts += [_section(title, found) for title, found in shown]
    parts.append(f"<h2>Facts</h2>{_table(_facts(certificate))}")
    body = "\n".join(parts)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(certificate.smarts)}</title>'
        f"<style>{_STYLE}</style></head><body>{body}</body></html>"
    )


def _grouped(readouts: dict[str, Differences]) -> dict[str, Differences]:
    """Readouts with the same differences under one title, such as "r1, r2"."""
    titles: list[tuple[list[str], Differences]] = []
    for readout, found in readouts.items():
        same = next((names for names, other in titles if other == found), None)
        if same is None:
            titles.append(([readout], found))
        else:
            same.append(readout)
    return {", ".join(names): found for names, found in titles}


def _facts(certificate: Certificate) -> list[tuple[str, str]]:
    left_out = ", ".join(f"{count:,} {WORDS[reason]}" for reason, count in certificate.left_out.items())
    rows = [
        ("Verdict", certificate.verdict),
        ("Pattern", certificate.pattern),
        ("RDKit is asked for", certificate.label_smarts),
        ("Style", certificate.style),
        ("Root", None if certificate.root is None else f"atom {certificate.root}"),
        ("Encoding", certificate.encoding),
        ("Layers, channels", f"{certificate.layers}, {certificate.channels}"),
        ("Molecules", f"{certificate.set_name}: {certificate.molecules:,} read; left out: {left_out or 'none'}"),
        ("With, without the motif", f"{certificate.positives:,}, {certificate.negatives:,}"),
        ("Made from the SMARTS", f"{certificate.synthetic_molecules:,} molecules"),
        ("Versions", ", ".join(f"{name} {version}" for name, version in certificate.versions.items())),
        ("SHA-256 of the molecules", certificate.set_hash),
        ("SHA-256 of the weights", certificate.weights_hash),
    ]
    return [(name, value) for name, value in rows if value is not None]


def _table(rows: list[tuple[str, str]]) -> str:
    return "<table>" + "".join(f"<tr><th>{escape(n)}</th><td>{escape(v)}</td></tr>" for n, v in rows) + "</table>"


def _section(title: str, found: Differences) -> str:
    if not found.false_positives and not found.misses:
        return f"<h2>{escape(title)}</h2><p>Network and RDKit agree on every molecule.</p>"
    parts = [f"<h2>{escape(title)}</h2>"]
    for count, what, examples in (
        (found.false_positives, f"false positives, {found.acyclic:,} of them without rings", found.false_examples),
        (found.misses, f"missed, {found.without_bonds:,} of them for an atom without bonds", found.missed_examples),
    ):
        if count:
            parts.append(f"<p>{count:,} {what}; the smallest:</p>")
            parts.append('<div class="cards">' + "".join(map(_card, examples)) + "</div>")
    return "".join(parts)


def _card(example: Example) -> str:
    label = ", ".join(filter(None, (example.name, example.cas))) or example.smiles
    return (
        f'<div class="card">{_picture(example)}<b>{escape(label)}</b><br>{escape(example.smiles)}'
        f"<br>{escape(example.why)}</div>"
    )


def _picture(example: Example) -> str:
    try:
        molecule = from_smiles(example.smiles, example.name or None)
    except InputError:
        return ""
    rings = np.zeros(molecule.num_atoms, dtype=bool)
    rings[list(example.image or ())] = True
    return depict(molecule, width=200, height=120, ground_truth=rings, selected=example.meeting).svg
