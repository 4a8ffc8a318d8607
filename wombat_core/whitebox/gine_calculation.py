"""One number of the GINE whitebox taken apart, with the numbers of one molecule, and its readout."""

from collections.abc import Iterable
from dataclasses import dataclass

from torch import Tensor

from ..errors import InputError
from ..molecules.graphs import Graph
from .equations import latex_number
from .gine import ANSWER_COLUMNS, OFFSET, READOUT, Gine
from .model import Trace
from .wording import atom_labels, bond_word

_MOST_LINES = 12
_MOST_NAMED = 4


@dataclass(frozen=True)
class GineTerm:
    """One summand.

    Attributes:
        text: what it is, for people ("C3, double bond"; "carbonyl: O2").
        value: what it adds.
        latex: how it comes about, with numbers.
    """

    text: str
    value: float
    latex: str


@dataclass(frozen=True)
class GineCalculation:
    """One entry of the tables ``h``, ``z`` or ``a``, or the readout.

    Attributes:
        own: what the sum starts from: ``h_i`` for ``z``, ``c`` for ``a``, minus the offset at the readout, 0 for ``h``.
        terms: what is added: a message a neighbour, a product a column of ``z``, a maximum a column of ``a``.
        total: ``own`` plus all terms.
        value: the entry: the total (``h``, ``z``), its tanh (``a``) or its sigmoid (readout).
        latex: equations with these numbers, line by line; ``&`` stands before the sign at which they are aligned.
    """

    own: float
    terms: tuple[GineTerm, ...]
    total: float
    value: float
    latex: tuple[str, ...]


def calculate_gine(model: Gine, data: Graph, trace: Trace, layer: int, column: int, atom: int) -> GineCalculation:
    """Take one entry apart.

    Args:
        model: the network.
        data: one encoded molecule (features may be scaled).
        trace: ``model.trace`` of it.
        layer: 1 for ``h``, 2 for ``z``, 3 for ``a``; 0 for the readout, where column and atom are not looked at.
        column: from 0.
        atom: from 0.

    Raises:
        InputError: there is no such layer, column or atom.
    """
    if not 0 <= layer <= len(trace.layers):
        raise InputError(f"{model.pattern.title} has no layer {layer}; its layers are 1 to {len(trace.layers)}.")
    if layer == 0:
        return _readout(data, trace)
    columns = len(trace.layers[layer - 1].channels)
    if not 0 <= column < columns:
        raise InputError(f"Layer {layer} of {model.pattern.title} has no column {column}; they are 0 to {columns - 1}.")
    if not 0 <= atom < data.num_nodes:
        raise InputError(f"There is no atom {atom}; the atoms are numbered 0 to {data.num_nodes - 1}.")
    return (_embedding, _convolution, _answer)[layer - 1](model, data, trace, column, atom)


def _embedding(model: Gine, data: Graph, trace: Trace, column: int, atom: int) -> GineCalculation:
    value = float(trace.layers[0].activations[atom, column])
    term = GineTerm(atom_labels(data.x)[atom], value, _short(value))
    line = rf"h_{{{atom}}}[{column + 1}]&=X[\text{{{term.text}}}][{column + 1}]={_bold(value)}"
    return GineCalculation(0.0, (term,), value, value, (line,))


def _convolution(model: Gine, data: Graph, trace: Trace, column: int, atom: int) -> GineCalculation:
    h, bonds = trace.layers[0].activations[:, column], model.bonds(data.edge_attr)[:, column]
    labels, own = atom_labels(data.x), float(h[atom])
    terms, lines = [], []
    for edge in (data.edge_index[1] == atom).nonzero().flatten().tolist():
        sender = int(data.edge_index[0, edge])
        sent = float((h[sender] + bonds[edge]).relu())
        numbers = rf"\operatorname{{relu}}({_short(float(h[sender]))}{_signed(float(bonds[edge]))})={_short(sent)}"
        text = f"{labels[sender]}, {bond_word(data.edge_attr[edge].numpy())}"
        terms.append(GineTerm(text, sent, numbers))
        symbols = rf"\operatorname{{relu}}(h_{{{sender}}}+b_{{{sender},{atom}}})"
        lines += [rf"m_{{{sender}\to {atom}}}&={symbols}\quad\small\color{{gray}}\text{{{text}}}", f"&={numbers}"]
    if len(terms) > _MOST_LINES:
        lines = [*lines[: 2 * _MOST_LINES], rf"&\ldots\text{{ and {len(terms) - _MOST_LINES} more}}"]
    value = float(trace.layers[1].activations[atom, column])
    symbols = "".join((rf"h_{{{atom}}}", rf"+\sum_j m_{{j\to {atom}}}" if terms else ""))
    lines.append(rf"z_{{{atom}}}&={symbols}")
    if terms:
        lines.append(f"&={_short(own)}{''.join(_signed(term.value) for term in terms[:_MOST_LINES])}")
        if len(terms) > _MOST_LINES:
            lines[-1] += r"+\ldots"
    lines[-1] += f"={_bold(value)}"
    return GineCalculation(own, tuple(terms), own + sum(term.value for term in terms), value, tuple(lines))


def _answer(model: Gine, data: Graph, trace: Trace, column: int, atom: int) -> GineCalculation:
    z, names = trace.layers[1].activations[atom].tolist(), trace.layers[1].channels
    own, weights = float(model.mix.bias[column]), model.mix.weight[column].tolist()
    terms = tuple(
        GineTerm(name, weight * entry, rf"{_short(weight)}\cdot {_bracketed(entry)}")
        for name, weight, entry in zip(names, weights, z, strict=True)
        if weight
    )
    total = own + sum(term.value for term in terms)
    value = float(trace.layers[2].activations[atom, column])
    z_latex = ",".join(map(_short, z))
    product = "+".join(term.latex for term in terms)
    lines = (
        rf"z_{{{atom}}}&=({z_latex})",
        rf"W_{{{column + 1}}}&=({','.join(map(_short, weights))})",
        rf"W_{{{column + 1}}}z_{{{atom}}}&={product}",
        rf"W_{{{column + 1}}}z_{{{atom}}}+c_{{{column + 1}}}&={_short(total - own)}{_signed(own)}={_short(total)}",
        rf"a_{{{atom}}}&=\tanh({_short(total)})={_bold(value)}",
    )
    return GineCalculation(own, terms, total, value, lines)


def _readout(data: Graph, trace: Trace) -> GineCalculation:
    answers, labels = trace.layers[-1].activations, atom_labels(data.x)
    terms, lines = [], []
    for number, (name, column) in enumerate(zip(ANSWER_COLUMNS, answers.T, strict=True), start=1):
        where, largest = _largest(column, labels)
        terms.append(GineTerm(f"{name}: {where}", largest, _short(largest)))
        lines.append(
            rf"\max_i a_i[{number}]&={_short(largest)}\quad\small\color{{gray}}\text{{{name}: {where}}}",
        )
    value = float(trace.readouts[READOUT])
    total = sum(term.value for term in terms) - OFFSET
    added = "".join(_signed(term.value) for term in terms).removeprefix("+")
    lines.append(rf"s&={added}-{_short(OFFSET)}={_short(total)}")
    lines.append(rf"F&=\sigma(s)=\frac{{1}}{{1+e^{{{_short(-total)}}}}}={_bold(value)}")
    return GineCalculation(-OFFSET, tuple(terms), total, value, tuple(lines))


def _largest(column: Tensor, labels: list[str]) -> tuple[str, float]:
    """The atoms with the largest value, for people, and the value."""
    largest = column.max()
    atoms = (column == largest).nonzero().flatten().tolist()
    return _named([labels[atom] for atom in atoms]), float(largest)


def _named(labels: Iterable[str]) -> str:
    shown = list(labels)
    if len(shown) > _MOST_NAMED:
        shown = [*shown[: _MOST_NAMED - 1], f"{len(shown) - _MOST_NAMED + 1} more"]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _short(value: float) -> str:
    return latex_number(float(f"{value:.4g}"))


def _signed(value: float) -> str:
    return f"{'-' if value < 0 else '+'}{_short(abs(value))}"


def _bracketed(value: float) -> str:
    return f"({_short(value)})" if value < 0 else _short(value)


def _bold(value: float) -> str:
    return rf"\mathbf{{{_short(value)}}}"
