"""The paper's equations as LaTeX, and their pieces with numbers filled in."""

from collections import Counter
from collections.abc import Iterable, Sequence

from .notation import AtomTerm, BondTerm, ChannelTerm
from .wording import BOND_WORDS, bonds_word, number

EQUATIONS = {
    1: r"m_{j\to i}[c]=\operatorname{relu}(\mathbf{s}_c\cdot\mathbf{z}_i)\cdot"
    r"\operatorname{relu}(\mathbf{n}_c\cdot\mathbf{z}_j)\cdot\operatorname{relu}(\mathbf{b}_c\cdot\mathbf{e}_{ij})",
    2: r"z'_i[c]=\operatorname{relu}\Big(\sum_{j\in\mathcal{N}(i)}m_{j\to i}[c]+\mathrm{bias}_c\Big)",
    3: r"F(G)=\max_i p_i,\qquad p_i=\prod_c\operatorname{relu}(z_i[c])",
    4: r"F(G)=\operatorname{relu}\Big(1-\prod_i\operatorname{relu}(1-p_i)\Big),"
    r"\qquad p_i=\prod_c\operatorname{relu}(z_i[c])",
}
"""Eq. 1 to 4 in general: ``s``, ``n``, ``b`` are the channel's self, neighbour and bond weights."""

_MOST_TERMS = 8
_LONG = 1e7


def latex_number(value: float) -> str:
    """A number in LaTeX, with a power of ten where it is very large or small."""
    text = f"{value:.6g}" if abs(value) >= _LONG else number(value)
    mantissa, _, exponent = text.partition("e")
    return rf"{mantissa}\cdot10^{{{int(exponent)}}}" if exponent else mantissa


def term_latex(term: AtomTerm | ChannelTerm, layer: int, atom: int) -> str:
    """What a self or neighbour term of that layer's channels reads at an atom, such as ``B.1_5-10 A.1_5``."""
    if isinstance(term, AtomTerm):
        text = term.text.replace("*", r"\ast ")
        return rf"\mathrm{{{text}}}_{{{atom}}}"
    pieces = []
    for letter, weight in term.parts:
        sign = "-" if weight < 0 else "+" if pieces else ""
        factor = "" if abs(weight) == 1 else rf"{latex_number(abs(weight))}\,"
        pieces.append(rf"{sign}{factor}\mathrm{{{letter}.{layer - 1}}}_{{{atom}}}")
    return "".join(pieces) or "0"


def bond_latex(term: BondTerm, neighbour: int, atom: int) -> str:
    """What the bond term reads, such as ``single_{6,5}``."""
    if term.text == "0":
        return "0"
    kind = term.text.partition(";")[0]
    word = BOND_WORDS.get(kind, "order" if kind == "order" else bonds_word(term.text).replace(" ", r"\ "))
    return rf"\mathrm{{{word}}}_{{{neighbour},{atom}}}"


def message_latex(neighbour: int, atom: int, terms: Sequence[str], factors: Sequence[float], value: float) -> str:
    """Eq. 1 with numbers."""
    symbols = r"\cdot".join(rf"\operatorname{{relu}}({term})" for term in terms)
    numbers = r"\cdot ".join(latex_number(factor) for factor in factors)
    return rf"m_{{{neighbour}\to {atom}}}={symbols}={numbers}={latex_number(value)}"


def update_latex(name: str, atom: int, messages: Iterable[float], bias: float, value: float) -> str:
    """Eq. 2 with numbers; many equal messages are written as a multiple."""
    terms = [_times(count, message) for message, count in _grouped(messages)] or ["0"]
    sign = "-" if bias < 0 else "+"
    total = rf"{'+'.join(terms)}{sign}{latex_number(abs(bias))}"
    return rf"\mathrm{{{name}}}_{{{atom}}}=\operatorname{{relu}}({total})={latex_number(value)}"


def product_latex(atom: int, names: Sequence[str], activations: Sequence[float], value: float) -> str:
    """``p_i`` with numbers."""
    symbols = r"\cdot".join(rf"\mathrm{{{name}}}_{{{atom}}}" for name in names)
    numbers = rf"={_join(activations)}" if len(activations) > 1 else ""
    return rf"p_{{{atom}}}={symbols}{numbers}={latex_number(value)}"


def maximum_latex(products: Sequence[tuple[int, float]], others: int, value: float) -> str:
    """Eq. 3 with numbers: ``products`` are the atoms with a non-zero ``p_i``, ``others`` counts the rest."""
    terms = [rf"{latex_number(p)}{_at(atoms)}" for p, atoms in _by_value(products)]
    if others or not terms:
        terms.append("0" if others < 2 else rf"0\text{{ ({others} atoms)}}")
    separator = r",\ "
    return rf"F=\max_i p_i=\max({separator.join(terms)})={latex_number(value)}"


def saturating_latex(products: Sequence[tuple[int, float]], others: int, value: float) -> str:
    """Eq. 4 with numbers: arguments as in :func:`maximum_latex`."""
    terms = []
    for p, atoms in _by_value(products):
        exponent = "" if len(atoms) == 1 else rf"^{{{len(atoms)}}}"
        terms.append(rf"\operatorname{{relu}}(1-{latex_number(p)}){exponent}")
    if others or not terms:
        terms.append("1" if others < 2 else rf"1^{{{others}}}")
    product = r"\cdot ".join(terms)
    return (
        rf"F=\operatorname{{relu}}\Big(1-\prod_i\operatorname{{relu}}(1-p_i)\Big)"
        rf"=\operatorname{{relu}}(1-{product})={latex_number(value)}"
    )


def _by_value(products: Sequence[tuple[int, float]]) -> list[tuple[float, list[int]]]:
    """Atoms grouped by their ``p_i``, the largest first."""
    groups: dict[float, list[int]] = {}
    for atom, p in products:
        groups.setdefault(p, []).append(atom)
    return sorted(groups.items(), reverse=True)


def _at(atoms: list[int]) -> str:
    if len(atoms) > _MOST_TERMS:
        return rf"\text{{ ({len(atoms)} atoms)}}"
    return rf"_{{(i={','.join(map(str, atoms))})}}"


def _grouped(values: Iterable[float]) -> list[tuple[float, int]]:
    """The values one by one while there are few, equal ones together otherwise."""
    listed = list(values)
    return [(value, 1) for value in listed] if len(listed) <= _MOST_TERMS else list(Counter(listed).items())


def _times(count: int, value: float) -> str:
    return latex_number(value) if count == 1 else rf"{count}\cdot {latex_number(value)}"


def _join(values: Sequence[float]) -> str:
    return r"\cdot ".join(latex_number(value) for value in values)
