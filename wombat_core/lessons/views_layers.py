"""The forward pass: the strip of layers, and one activation taken apart."""

from ..errors import InputError
from ..whitebox.calculation import calculate
from .arguments import Atom, Layer, Letter, channels
from .blocks import Block, Calculation, Strip, Table, Words
from .engine import Engine
from .fact import number
from .lesson import Step
from .view import view


@view("layers")
def layers(
    engine: Engine, step: Step, layer: Layer | None = None, channel: Letter = "", atom: Atom | None = None
) -> list[Block]:
    """The strip; with a layer and an atom the calculation there (layer 0: of the readout)."""
    situation = step.situation
    strip = Strip(situation, layer)
    if layer is None:
        return [strip]
    model, data, trace = channels(engine, situation), engine.data(situation), engine.trace(situation)
    labels = engine.labels(situation)
    if layer == 0:
        return [strip, Calculation(situation, 0, 0, atom or 0, _products(trace, labels))]
    if atom is None:
        return [strip]
    letters = [own.letter for own in model.pattern.layers[layer - 1]]
    if channel and channel not in letters:
        raise InputError(f"layer {layer} of {model.pattern.title} has the channels {', '.join(letters)}.")
    values = trace.layers[layer - 1].activations[atom]
    index = letters.index(channel) if channel else int(values.argmax())
    found = calculate(model, data, trace, layer, index, atom)
    rows = tuple(
        (
            f"{message.label} → {found.label}",
            number(message.own.value, None),
            number(message.other.value, None),
            number(message.bond.value, None),
            number(message.value, None),
            message.reason,
        )
        for message in found.messages
    )
    note = (
        f"Eq. 1: a message is the product of the three factors. Eq. 2: {found.name} of {found.label} = "
        f"relu({number(found.total, None)} + {number(found.bias, None)}) = {number(found.value, None)}."
    ).replace("+ \N{MINUS SIGN}", "\N{MINUS SIGN} ")
    table = Table(("message", f"{found.label} itself", "neighbour", "bond", "message value", "why 0"), rows, note=note)
    words = Words(f"{found.name} of {found.label}: {found.reading.plain}.")
    return [strip, words, Calculation(situation, layer, index, atom, table)]


def _products(trace, labels: list[str]) -> Table:
    """The products of atoms that have one above 0, and both readouts."""
    last = trace.layers[-1]
    rows = tuple(
        (labels[atom], *(number(float(value), None) for value in last.activations[atom]), number(float(product), None))
        for atom, product in enumerate(trace.products)
        if product > 0
    )
    r1, r2 = (number(float(trace.readouts[name]), None) for name in ("r1", "r2"))
    note = f"Eq. 3: r1 = max p = {r1}. Eq. 4: r2 = relu(1 − product of relu(1 − p)) = {r2}."
    if not rows:
        note = f"No atom has all channels of the last layer, so every p is 0. {note}"
    return Table(("atom", *last.channels, "p"), rows, note=note)
