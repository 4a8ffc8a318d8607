"""Activations to follow, written ``A.6:13``: channel A of layer 6 of atom 13."""

import re

from ..errors import InputError
from ..molecules.molecule import Molecule
from ..whitebox.build import Network
from ..whitebox.kind import has_channels

Watched = tuple[str, int]
"""Channel name and atom."""


def parse_watch(text: str, model: Network, molecule: Molecule) -> Watched:
    """Read ``A.6:13`` as ``("A.6", 13)``.

    Raises:
        InputError: another form, no such channel in the whitebox, or no such atom in the molecule.
    """
    match = re.fullmatch(r"\s*([A-Za-z]{1,3})\.?(\d{1,3})\s*:\s*(\d{1,6})\s*", text)
    if not match:
        raise InputError(f"{text[:40]!r} names no activation; write channel, layer and atom, such as A.1:0.")
    watched = f"{match[1].upper()}.{int(match[2])}", int(match[3])
    check_watched(watched, model, molecule.num_atoms)
    return watched


def check_watched(watched: Watched, model: Network, num_atoms: int) -> None:
    """Raise InputError where the whitebox has no such channel or the molecule no such atom."""
    if not has_channels(model):
        raise InputError(f"{model.pattern.title} has no channels to watch.")
    channel, atom = watched
    known = [name for layer in model.convolutions for name in layer.channel_names]
    if channel not in known:
        raise InputError(f"{model.pattern.title} has no channel {channel[:20]}; it has {', '.join(known)}.")
    if not 0 <= atom < num_atoms:
        raise InputError(f"There is no atom {atom} to watch; the molecule has atoms 0 to {num_atoms - 1}.")
