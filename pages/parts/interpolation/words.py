"""Sentences of the Interpolation page, computed from the path."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pages.parts.interpolation import path_engine
from pages.shared.chart_frame import label
from pages.shared.text import compact, number
from pages.shared.whiteboxes import whitebox_title
from wombat_core.paths.rise import rise

if TYPE_CHECKING:
    from pages.shared.engine import Case
    from pages.shared.state import State
    from wombat_core.paths.one_atom import OneAtom
    from wombat_core.paths.path import Path

_SMALL_GAP = 1e-4
_ROUNDING = 1e-9
_LARGE = 1e6


def question(case: Case, state: State, path: Path | None = None) -> str:
    """The headline."""
    atom = state.atom if state.atom is not None and state.atom < case.molecule.num_atoms else None
    if state.part == "convergence":
        return "How many steps does the integral need?"
    if state.part == "one-atom":
        return "What does one atom do?" if atom is None else f"What does {label(case, atom)} do, all else held?"
    if state.part == "activations":
        return "What has the network found so far?"
    if path is not None and nothing_happens(path):
        return "Nothing happens along this path"
    if atom is None:
        return "Where along the path does F rise?"
    return f"Where along the path does {label(case, atom)} get its {'credit' if case.truth[atom] else 'blame'}?"


def nothing_happens(path: Path) -> bool:
    """Whether F stands still under the readout of the path."""
    return not (path.slope.any() or np.ptp(path.outputs[path.model.readout]))


def still_sentence(case: Case, path: Path) -> str:
    """Why there is nothing to draw."""
    readout = path.model.readout
    value = float(path.outputs[readout][0])
    if value == 0 and path.baseline.is_zero:
        if not case.molecule.num_bonds:
            return "F is 0 at every α: without bonds no message flows, so no atom and no gradient changes anything."
        why = (
            ""
            if case.contains_motif
            else " The molecule does not contain the motif; the Layers page tells where the evidence for it ends."
        )
        return f"F is 0 at every α, and so is every gradient: there is nothing to attribute.{why}"
    return (
        f"F stays at {number(value)} between this baseline and the molecule, and every gradient is 0: "
        "there is nothing to attribute."
    )


def gain_sentence(path: Path) -> str:
    """Where F gains its value, such as "F gains 99 % of its value between α = 0.968 and 0.989"."""
    values = path.outputs[path.model.readout]
    ends = rise(path.alphas, values)
    if ends is None:
        height = float(np.abs(values - values[0]).max())
        if height <= 1e-9:
            return f"F stays at {number(float(values[0]))} along the whole path."
        top = float(path.alphas[np.abs(values - values[0]).argmax()])
        start = number(float(values[0]))
        return f"F ends as it began, at {start}, but changes by {compact(height)} up to α = {top:.3f}."
    low, high = np.floor(ends[0] * 1000) / 1000, np.ceil(ends[1] * 1000) / 1000
    if values[-1] < values[0]:
        ends = f"from {number(float(values[0]))} to {number(float(values[-1]))}"
        return f"F falls {ends}, 99 % of it between α = {low:.3f} and {high:.3f}."
    of_what = "its value" if values[0] == 0 else "its rise"
    return f"F gains 99 % of {of_what} between α = {low:.3f} and {high:.3f}."


def gap_sentence(path: Path) -> str:
    """Whether the gathered attributions add up to the gain of F."""
    values = path.outputs[path.model.readout]
    gain, gap = float(values[-1] - values[0]), path.gap
    how = {"exact": "the exact integral", "trapezoid": "the trapezoidal rule on these points"}[path.gathered_how]
    if abs(gap) <= _SMALL_GAP * max(1.0, abs(gain)):
        return f"Gathered by {how}: all atoms and bonds sum to {compact(gain + gap)}, the gain of F."
    more = " F rises too fast for them; more points make it smaller." if abs(gap) > 0.01 else ""
    told = f"the sum is {compact(gain + gap)}, but F gains {compact(gain)}, a gap of {signed(gap, gain)}."
    return f"Gathered by {how}: {told}{more}"


def moved_sentences(case: Case, moved: OneAtom) -> list[str]:
    """What happens while one atom's features go from ``held`` to 1, an activation a sentence."""
    name = label(case, moved.atom)
    start = int(np.abs(moved.scales - moved.alpha).argmin())
    found = []
    for (channel, atom), values in moved.watched.items():
        before, after = float(values[start]), float(values[-1])
        what = f"{channel} of {label(case, atom)}"
        if moved.alpha == 1:
            ends = f"{compact(values.min())} and {compact(values.max())}"
            found.append(f"{what} lies between {ends} as {name} goes 0 → 1.")
        elif abs(after - before) <= 1e-9 * max(1.0, abs(before)):
            found.append(f"{what} stays at {compact(before)}.")
        else:
            found.append(f"{what}: {fixed(before, 4)} → {fixed(after, 4)} as {name} goes {moved.alpha:g} → 1.")
    return found


def presence_sentence(case: Case, moved: OneAtom, readout: str) -> str:
    """What the atom's absence, its presence and what lies between do to F."""
    name, values = label(case, moved.atom), moved.outputs[readout]
    absent, present = float(values[0]), float(values[-1])
    if np.ptp(values) <= 1e-9:
        return f"F ({readout}) is {compact(absent)} whatever the scale of {name}."
    if abs(absent - present) <= 1e-9 * max(1.0, abs(present)):
        return (
            f"F ({readout}) is {compact(present)} without {name} and with it, but {compact(values.min())} to "
            f"{compact(values.max())} in between: neither its absence nor its presence matters, only the path does."
        )
    return f"F ({readout}) is {compact(absent)} without {name} and {compact(present)} with it."


def absence_sentence(case: Case, state: State) -> str:
    """What the prediction loses without the atom, everything else at full value."""
    moved = path_engine.moved(state.molecule, state.pattern, state.readout, state.atom, 1.0, 0.0, 1.0, 2, ())
    without, present = (float(moved.outputs[state.readout][place]) for place in (0, -1))
    name = label(case, state.atom)
    if abs(without - present) <= 1e-9 * max(1.0, abs(present)):
        return f"The prediction needs none of it: F is {compact(present)} without {name} as well."
    return f"Without {name}, F would be {compact(without)} in place of {compact(present)}."


def auroc_sentence(case: Case) -> str:
    """Why there is no AUROC; empty where there is one."""
    if case.no_truth:
        return f"AUROC is undefined. {case.no_truth}"
    if not case.contains_motif:
        return "AUROC is undefined: the molecule has no ground-truth atom."
    if case.truth.all():
        return "AUROC is undefined: every atom is ground truth."
    return ""


def signed(gap: float, gain: float) -> str:
    """A completeness gap with its sign; 0 where it is nothing, or rounding beside what F gains."""
    if abs(gap) < 5e-5 or is_rounding(gap, gain):
        return "0"
    return f"{'+' if gap > 0 else ''}{fixed(gap, 3)}"


def is_rounding(gap: float, gain: float) -> bool:
    """Whether a completeness gap is no more than the rounding of sums as large as what F gains."""
    return abs(gap) <= _ROUNDING * max(1.0, abs(gain))


def fixed(value: float, decimals: int) -> str:
    """A number with so many decimals, very large ones as a power of ten with as many."""
    if abs(value) < _LARGE:
        return f"{value:.{decimals}f}".replace("-", "\N{MINUS SIGN}")
    mantissa, _, exponent = f"{value:.{decimals}e}".partition("e")
    power = compact(10.0 ** int(exponent)).partition("×")[2]
    return f"{mantissa}×{power}".replace("-", "\N{MINUS SIGN}")


def readout_sentence(state: State, path: Path) -> str:
    """Which readout the page shows where it is not the chosen one."""
    own = path.model.readout
    return "" if own == state.readout else f"{whitebox_title(state.pattern)} has a readout of its own, {own}."
