"""From a pattern to its network."""

from .catalogue import GinePattern, Pattern, pattern
from .gine import Gine
from .model import Whitebox

Network = Whitebox | Gine


def build(pattern_: Pattern | str | int, readout: str = "r1") -> Network:
    """The network of a pattern.

    Args:
        pattern_: a pattern or its id.
        readout: "r1" or "r2"; a network with a readout of its own (see its ``readout``) takes either.

    Raises:
        InputError: unknown pattern or readout.
    """
    found = pattern_ if isinstance(pattern_, Pattern) else pattern(pattern_)
    return Gine(found, readout) if isinstance(found, GinePattern) else Whitebox(found, readout)
