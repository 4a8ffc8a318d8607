"""The ways to compile a motif: the same predictions, other insides, hence other explanations."""

from ..registry import Registry

STYLES = Registry(
    "style",
    {
        "small": "The fewest layers, then the fewest channels; what integrated gradients explain best.",
        "deep": "One branch after the other: more layers and no constant channel, so evidence travels farther.",
        "unit": "Every value that is passed on is 0 or 1: easy to read, but flat, which hides atoms from gradients.",
        "leaf": "The readout looks at an end of the motif: the longest way for the evidence. Once you choose the root,"
        " it equals small.",
        "moving": "The answer is moved onto the neighbours of the root: the atoms that decide are not those that know.",
        "smoothing": "The answer is averaged over neighbours that have nothing to do with it: integrated gradients"
        " blur.",
    },
)
"""Every style and what it is good for."""


def check_style(style: str) -> str:
    """The style.

    Raises:
        InputError: there is none of that name.
    """
    return STYLES.check(style)
