"""Which activation the Layers page looks at: what the address names, completed where it leaves a choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pages.shared.layer_activations import Pass
    from pages.shared.state import State
    from wombat_core.whitebox.near_miss import NearMissStep


@dataclass(frozen=True)
class Focus:
    """A layer (0: the readout), a channel's index in the layer (of the last one at the readout) and an atom."""

    layer: int
    channel: int
    atom: int


def focus_of(passed: Pass, state: State) -> tuple[Focus, list[str]]:
    """What to look at, and a sentence for every part of the address that this molecule or network does not have."""
    problems = []
    title, depth, num_atoms = passed.model.pattern.title, passed.depth, len(passed.labels)
    layer = state.layer
    if layer > depth:
        problems.append(f"{title} has no layer {layer}; its layers are 1 to {depth}, so layer 1 is shown.")
        layer = 1
    letters = passed.letters[(layer or depth) - 1]
    channel = letters.index(state.channel) if state.channel in letters else None
    if state.channel and channel is None:
        known = f"its only channel is {letters[0]}" if len(letters) == 1 else f"choose {letters[0]} to {letters[-1]}"
        problems.append(f"Layer {layer or depth} of {title} has no channel {state.channel}; {known}.")
    atom = state.atom
    if atom is not None and atom >= num_atoms:
        problems.append(f"The address selects atom {atom}, but the molecule's atoms are 0 to {num_atoms - 1}.")
        atom = None
    return _completed(passed, layer, channel, atom), problems


def missing_step(passed: Pass, layer: int) -> NearMissStep | None:
    """The near miss's step in that layer."""
    miss = passed.decision.near_miss if passed.decision else None
    return next((step for step in miss.steps if step.layer == layer), None) if miss else None


def _completed(passed: Pass, layer: int, channel: int | None, atom: int | None) -> Focus:
    """The largest value where the atom or the channel is free, what decided first; else what is missing first."""
    depth = layer or passed.depth
    values = passed.tables[depth - 1]
    step = missing_step(passed, depth)
    if step is not None and (atom is None or atom == step.atom):
        missing = passed.names(depth).index(step.channel)
        if channel is None or channel == missing:
            return Focus(layer, missing, step.atom)
    miss = passed.decision.near_miss if passed.decision else None
    if atom is None and miss is not None and not values.any():
        atom = miss.atom  # the closest one
    ranked = values.astype(float)
    for place in passed.decided(depth):
        ranked[place] += 1000
    if channel is None:
        row = ranked.max(axis=0) if atom is None else ranked[atom]
        channel = int(row.argmax())
    if atom is None:
        atom = int(ranked[:, channel].argmax())
    return Focus(layer, channel, atom)
