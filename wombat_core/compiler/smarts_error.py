"""A SMARTS that cannot be compiled: one sentence, and the place in the SMARTS it is about."""

from ..errors import InputError


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
