"""How much of a chunk is done before it is kept: less where runs were killed before a chunk was done."""

from collections.abc import Iterator, Sequence

MOST = 10
"""Halvings; a chunk has some hundred molecules."""


class Pace:
    """Pieces that begin small where the latest runs kept nothing, and grow with every piece that is kept.

    So a run that is killed again and again comes further as soon as a piece lasts shorter than it lives, at the latest
    with one molecule; and one that is left alone soon does whole chunks again.

    Args:
        in_vain: how often a run began and kept nothing; each halves the first piece.
    """

    def __init__(self, in_vain: int = 0):
        self._halvings = min(in_vain, MOST)

    def keep(self) -> None:
        """Note that something was kept."""
        self._halvings = max(self._halvings - 1, 0)

    def pieces(self, size: int, there: Sequence[tuple[int, int]] = ()) -> Iterator[tuple[int, int]]:
        """What is to be done of a chunk of that many sources, piece by piece: from where, up to where.

        Args:
            there: what is done, in order.
        """
        start = 0
        for begin, end in (*there, (size, size)):
            while start < begin:
                stop = min(start + max(size >> self._halvings, 1), begin)
                yield start, stop
                start = stop
            start = end
