"""Which molecules contain which motif."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from ..molecules.arrays import LEFT_OUT
from ..molecules.features import element_slots
from ..molecules.sets import Entry
from ..registry import check_name
from ..whitebox.catalogue import Pattern, fourteen
from .library_pass import JOBS, Arrays, column, screened

SMARTS = ("relaxed", "original")
"""Relaxed: the SMARTS that give the label and the ground truth; original: the Klekota-Roth ones."""


@dataclass(frozen=True, eq=False)
class Membership:
    """Motifs, size and usability of the molecules of a set, by their position in it (from 0).

    Attributes:
        usable: bool [molecules], whether the benchmark uses it.
        readable: bool [molecules], whether RDKit can read it.
        num_atoms: int [molecules], heavy atoms; 0 where unreadable.
        charged: bool [molecules], whether any atom has a formal charge.
        arrays: what :func:`wombat_core.screening.library_pass.screen` found.
    """

    arrays: Arrays

    def __len__(self) -> int:
        return len(self.arrays["left_out"])

    @property
    def usable(self) -> np.ndarray:
        return self.arrays["left_out"] == 0

    @property
    def readable(self) -> np.ndarray:
        return self.arrays["left_out"] != LEFT_OUT.index("unreadable")

    @property
    def num_atoms(self) -> np.ndarray:
        return self.arrays["num_atoms"]

    @property
    def charged(self) -> np.ndarray:
        return self.arrays["charged"]

    def has_element(self, symbol: str) -> np.ndarray:
        """Whether the molecule has an atom of the element, bool [molecules].

        Raises:
            InputError: there is no such element with a feature of its own (H to Es).
        """
        if symbol not in element_slots():
            raise InputError(f"There is no element {symbol[:10]!r} among the features.")
        slot = element_slots()[symbol]
        return (self.arrays["elements"][:, slot // 8] >> (7 - slot % 8) & 1).astype(bool)

    def contains(self, pattern: Pattern | str | int, smarts: str = "relaxed") -> np.ndarray:
        """Whether the motif is there, bool [molecules]; False where unreadable.

        Args:
            pattern: its id; a variant has its pattern's motif.
            smarts: "relaxed", which gives the label, or "original" (Klekota-Roth).

        Raises:
            InputError: there is no such pattern, or it has no original SMARTS (flucarb).
        """
        number = column(pattern)
        check_name("kind of SMARTS", smarts, SMARTS)
        if smarts == "original" and number >= len(fourteen()):
            raise InputError("The GINE whitebox flucarb has no original (Klekota-Roth) SMARTS.")
        return self.arrays[smarts][:, number]

    def places(
        self, pattern: Pattern | str | int, contains: bool = True, usable: bool = True, smarts: str = "relaxed"
    ) -> np.ndarray:
        """Positions of the molecules with the motif (``contains``) or without it, int, ascending.

        Args:
            usable: only those the benchmark uses; otherwise all that RDKit can read.
            pattern, smarts: as :meth:`contains`.

        Raises:
            InputError: as :meth:`contains`.
        """
        among = self.usable if usable else self.readable
        return np.flatnonzero(among & (self.contains(pattern, smarts) == contains))

    def left_out(self) -> dict[str, int]:
        """Molecules the benchmark leaves out, by reason ("unreadable", "no_bonds", "valence")."""
        return dict(Counter(LEFT_OUT[number] for number in self.arrays["left_out"].tolist() if number))


def membership(molecules: Sequence[Entry] | None = None, jobs: int = JOBS) -> Membership:
    """Motif membership for all patterns, of some molecules or, where None, of the library.

    The library's is computed once and kept in the cache folder (key: the library file, all SMARTS, RDKit's version).
    Progress goes to who listens (:mod:`wombat_core.progress`).

    Raises:
        InputError: the library is not installed.
        Stopped: the listener wants no more.
    """
    return Membership(screened(molecules, jobs))
