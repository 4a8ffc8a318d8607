"""Texts of people on a page: never markup."""

import re

from wombat_core.errors import InputError
from wombat_core.explainers.registry import explainer_class

# Every ASCII punctuation mark can be escaped in Markdown, Streamlit's own :colour[] and $math$ included.
_MARKS = re.compile(r"([!-/:-@\[-`{-~])")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def plain(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return _MARKS.sub(r"\\\1", " ".join(str(text).split()))


def title_of(name: str) -> str:
    """What pages call an explainer: the title in its class; of one that is not there any more, its name."""
    try:
        return explainer_class(name).title
    except InputError:
        return name.replace("-", " ").capitalize()


def number(value: float) -> str:
    """A prediction: whole numbers short, very large ones as a power of ten, others with two decimals."""
    if abs(value) >= 1e6:
        return compact(value)
    if abs(value - 0.5) < 0.01:
        return f"{value:.4f}"  # near the threshold two decimals would hide the verdict
    return f"{value:.0f}" if value == round(value) and value > 1 else f"{value:.2f}"


def compact(value: float) -> str:
    """An activation in at most four significant digits, very large ones as a power of ten."""
    mantissa, _, exponent = f"{value:.4g}".partition("e")
    if abs(value) >= 1e6:
        mantissa, _, exponent = f"{value:.2e}".partition("e")
    mantissa = mantissa.replace("-", "\N{MINUS SIGN}")
    return f"{mantissa}×10{str(int(exponent)).translate(_RAISED)}" if exponent else mantissa


def score(value: float) -> str:
    """A score from 0 to 1 with three decimals; 1.000 is written for 1 alone."""
    return ">0.999" if 0.9995 <= value < 1 - 1e-9 else f"{value:.3f}"


def seconds(value: float) -> str:
    """A duration, for people."""
    return f"{1000 * value:.0f} ms" if value < 1 else f"{value:.1f} s"
