"""From a pattern to its network."""

from .catalogue import Pattern, pattern
from .gine import Gine
from .kind import kind_of
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
    return kind_of(found).build(found, readout)
