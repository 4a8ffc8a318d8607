"""One activation of one atom, taken apart into its numbers (Eq. 1 and 2), and the readout (Eq. 3 and 4)."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from ..errors import InputError
from ..molecules.features import encoding_named
from ..molecules.graphs import Graph
from ..registry import check_name
from .equations import (
    bond_latex,
    maximum_latex,
    message_latex,
    product_latex,
    saturating_latex,
    term_latex,
    update_latex,
)
from .message_passing import message, update
from .model import Trace, Whitebox
from .notation import AtomTerm, ChannelTerm
from .sentences import ChannelReading, readings
from .wording import atom_labels, bond_word, why_not

_MOST_PRODUCTS = 8


@dataclass(frozen=True)
class Input:
    """A non-zero feature or activation that a factor looks at, and the weight it has there (0: not counted)."""

    name: str
    value: float
    weight: float


@dataclass(frozen=True)
class Factor:
    """``value = relu(sum of weight * value over the inputs)``."""

    value: float
    inputs: tuple[Input, ...]


@dataclass(frozen=True)
class Message:
    """Eq. 1 for one neighbour.

    Attributes:
        neighbour: the atom that sends it, with its label ("C6").
        edge: its entry of ``edge_index``.
        own, other, bond: the three factors.
        value: their product.
        reason: why the message is zero, for people; empty where it is not.
        latex: Eq. 1 with these numbers.
    """

    neighbour: int
    label: str
    edge: int
    own: Factor
    other: Factor
    bond: Factor
    value: float
    reason: str
    latex: str


@dataclass(frozen=True)
class Calculation:
    """Eq. 1 and 2 for one channel at one atom.

    Attributes:
        reading: the channel in words.
        layer: from 1.
        atom: with its label ("C5").
        own: the factor of the atom itself, which all messages share.
        messages: one for every neighbour, in the order of ``edge_index``.
        total: their sum.
        bias, value: ``value = relu(total + bias)``.
        latex: Eq. 1 for every message, then Eq. 2.
        note: a sentence where there is no message to show, else empty.
    """

    reading: ChannelReading
    layer: int
    atom: int
    label: str
    own: Factor
    messages: tuple[Message, ...]
    total: float
    bias: float
    value: float
    latex: tuple[str, ...]
    note: str

    @property
    def name(self) -> str:
        """The channel's name (``D.3``)."""
        return self.reading.name


def calculate(model: Whitebox, data: Graph, trace: Trace, layer: int, channel: int | str, atom: int) -> Calculation:
    """Take one activation apart.

    Args:
        model: the whitebox.
        data: one encoded molecule (features may be scaled).
        trace: ``model.trace`` of it.
        layer: from 1.
        channel: index in the layer, letter or name (``D.3``).
        atom: from 0.

    Raises:
        InputError: there is no such layer, channel or atom.
    """
    index = channel_index(model, layer, channel)
    if not 0 <= atom < data.num_nodes:
        raise InputError(f"There is no atom {atom}; the atoms are numbered 0 to {data.num_nodes - 1}.")
    convolution, notation = model.convolutions[layer - 1], model.pattern.layers[layer - 1][index]
    z, encoding = layer_input(data, trace, layer), encoding_named(model.pattern.encoding)
    names = encoding.atom_names if layer == 1 else trace.layers[layer - 2].channels
    labels = atom_labels(data.x)
    features, bonds = data.x.numpy(), data.edge_attr.numpy()
    own = _factor(convolution.own[index], z[atom], names)
    own_reason = zero_reason(notation.self_term, layer, labels[atom], features[atom], z[atom].numpy(), names)
    messages = []
    for edge in (data.edge_index[1] == atom).nonzero().flatten().tolist():
        sender = int(data.edge_index[0, edge])
        other = _factor(convolution.neighbour[index], z[sender], names)
        bond = _factor(convolution.bond[index], data.edge_attr[edge], encoding.bond_names)
        value = float(message(*(torch.tensor(factor.value) for factor in (own, other, bond))))
        reasons = []
        if not own.value:
            reasons.append(own_reason)
        if not other.value:
            term = notation.neighbour_term
            reasons.append(zero_reason(term, layer, labels[sender], features[sender], z[sender].numpy(), names))
        if not bond.value:
            reasons.append("no bond is read" if notation.bond_term.text == "0" else bond_word(bonds[edge]))
        symbols = (
            term_latex(notation.self_term, layer, atom),
            term_latex(notation.neighbour_term, layer, sender),
            bond_latex(notation.bond_term, sender, atom),
        )
        latex = message_latex(sender, atom, symbols, (own.value, other.value, bond.value), value)
        messages.append(Message(sender, labels[sender], edge, own, other, bond, value, ", ".join(reasons), latex))
    total = float(np.sum([each.value for each in messages], dtype=np.float32))
    value = float(update(torch.tensor(total), torch.tensor(float(notation.bias))))
    lines = [each.latex for each in messages]
    lines.append(update_latex(notation.name, atom, [each.value for each in messages], notation.bias, value))
    note = "" if messages else f"{labels[atom]} has no neighbours, so no message arrives."
    reading = readings(model.pattern)[layer - 1][index]
    return Calculation(
        reading, layer, atom, labels[atom], own, tuple(messages), total, notation.bias, value, tuple(lines), note
    )


def channel_index(model: Whitebox, layer: int, channel: int | str) -> int:
    """The index of a channel given by index, letter or name.

    Raises:
        InputError: there is no such layer or channel.
    """
    if not 1 <= layer <= len(model.convolutions):
        raise InputError(f"{model.pattern.title} has no layer {layer}; its layers are 1 to {len(model.convolutions)}.")
    names = model.convolutions[layer - 1].channel_names
    wanted = channel if isinstance(channel, int) else channel.strip().upper()
    for index, name in enumerate(names):
        if wanted in (index, name, name.split(".")[0]):
            return index
    known = ", ".join(names)
    raise InputError(
        f"Layer {layer} of {model.pattern.title} has no channel {str(channel)[:20]!r}; choose one of {known}."
    )


def layer_input(data: Graph, trace: Trace, layer: int) -> Tensor:
    """What a layer reads: the atom features, or the activations of the layer before, [num_atoms, in]."""
    return data.x if layer == 1 else trace.layers[layer - 2].activations


def zero_reason(
    term: AtomTerm | ChannelTerm, layer: int, label: str, features: np.ndarray, z: np.ndarray, names: list[str]
) -> str:
    """Why a self or neighbour factor is zero: "C9 is no D.2", "N4 has 2 hydrogens", "C3 is A.1 as well".

    Args:
        term: of a channel of that layer.
        label: of the atom.
        features: [110] of the atom.
        z: [in] what the layer reads of the atom, ``names`` the names of its entries.
    """
    if isinstance(term, AtomTerm):
        nothing = term.element is None and term.hydrogens is None
        return "no atom is read" if nothing else f"{label} {why_not(term, features)}"
    if not term.parts:
        return "no channel is read"
    activation = dict(zip(names, z.tolist(), strict=True))
    of_part = {f"{letter}.{layer - 1}": weight for letter, weight in term.parts}
    wanted = [name for name, weight in of_part.items() if weight > 0]
    if any(activation[name] > 0 for name in wanted):
        spoilers = [name for name, weight in of_part.items() if weight < 0 and activation[name] > 0]
        return f"{label} is {' and '.join(spoilers)} as well"
    return f"{label} is no {' or '.join(wanted)}"


def readout_latex(trace: Trace, readout: str) -> tuple[str, ...]:
    """The products ``p_i`` that are not zero, then Eq. 3 (r1) or Eq. 4 (r2), with the numbers of one molecule.

    Of many such atoms only the first are written out.

    Raises:
        InputError: no such readout.
    """
    check_name("readout", readout, trace.readouts)
    last, values = trace.layers[-1], trace.products
    if values is None:
        raise AssertionError("the readout of a whitebox goes through products")
    alive = values.nonzero().flatten().tolist()
    lines = [
        product_latex(atom, last.channels, last.activations[atom].tolist(), float(values[atom]))
        for atom in alive[:_MOST_PRODUCTS]
    ]
    if len(alive) > _MOST_PRODUCTS:
        lines.append(rf"\ldots\text{{ and {len(alive) - _MOST_PRODUCTS} more}}")
    products = [(atom, float(values[atom])) for atom in alive]
    equation = maximum_latex if readout == "r1" else saturating_latex
    return (*lines, equation(products, len(values) - len(alive), float(trace.readouts[readout])))


def _factor(weights: Tensor, values: Tensor, names) -> Factor:
    inputs = tuple(
        Input(names[place], float(values[place]), float(weights[place]))
        for place in values.nonzero().flatten().tolist()
    )
    return Factor(float((weights @ values).relu()), inputs)
