"""A SMARTS that cannot be compiled: one sentence, and the place in the SMARTS it is about."""

import time

from ..errors import InputError

SECONDS = 5.0
"""How long a compilation may take."""


class SmartsError(InputError):
    """A SMARTS cannot be compiled.

    Attributes:
        atom: index (from 0) of the SMARTS atom it is about, or None.
        bond: the two atoms (from 0) of the SMARTS bond it is about, or None.
        span: where in the text it is, (start, end) in characters, or None.
    """

    def __init__(
        self,
        sentence: str,
        *,
        atom: int | None = None,
        bond: tuple[int, int] | None = None,
        span: tuple[int, int] | None = None,
    ):
        super().__init__(sentence)
        self.atom, self.bond, self.span = atom, bond, span


class TooLarge(SmartsError):
    """The network would need more channels, or more time, than is allowed."""


def too_many_branches() -> TooLarge:
    """The error of a SMARTS of which too many branches would have to be told apart."""
    return TooLarge("Too many branches of the SMARTS can stand for the same atoms.")


def check_time(until: float) -> None:
    """Look at the clock (``time.thread_time``, so that a busy machine compiles to the same network).

    Raises:
        TooLarge: it is past ``until``.
    """
    if time.thread_time() > until:
        raise TooLarge(f"The network was not found within {SECONDS:g} seconds: the SMARTS is too large.")
