"""How similar molecules are to a motif (Figure S11)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..molecules.positives import positives
from ..molecules.sets import Entry
from ..registry import no_such
from ..whitebox.catalogue import Pattern
from .fingerprints import tanimoto, tversky
from .library_pass import JOBS, Arrays, column, motif_bits, screened
from .membership import membership

MEASURES = ("tversky", "tanimoto")


@dataclass(frozen=True, eq=False)
class Similarity:
    """Similarities to the motifs by Morgan fingerprints (radius 2, 2,048 bits), by position in the set (from 0).

    Kept as counts of bits, from which both measures follow exactly.
    """

    arrays: Arrays

    def to(self, pattern: Pattern | str | int, measure: str = "tversky") -> np.ndarray:
        """Similarity of every molecule to the motif, float [molecules] in [0, 1]; 0 where unreadable.

        Args:
            pattern: its id; a variant has its pattern's motif. How the motif becomes a molecule:
                :func:`wombat_core.screening.fingerprints.motif_molecule`.
            measure: "tversky" (alpha = 1 on the motif, beta = 0 on the molecule: the share of the motif's bits that the
                molecule has) or "tanimoto".

        Raises:
            InputError: there is no such pattern or measure.
        """
        number = column(pattern)
        shared = self.arrays["shared"][:, number]
        num_motif_bits = int(motif_bits()[number].sum())
        if measure == "tversky":
            return tversky(shared, num_motif_bits)
        if measure == "tanimoto":
            return tanimoto(shared, self.arrays["num_bits"], num_motif_bits)
        raise no_such("similarity", measure, MEASURES)


def similarity(molecules: Sequence[Entry] | None = None, jobs: int = JOBS) -> Similarity:
    """Similarities to all motifs, of some molecules or, where None, of the library (kept in the cache folder).

    Raises:
        InputError: the library is not installed.
        Stopped: the listener wants no more.
    """
    return Similarity(screened(molecules, jobs))


def distributions(pattern: Pattern | str | int, measure: str = "tversky") -> dict[str, np.ndarray]:
    """Similarities to the motif by group, as Figure S11 compares them: float [molecules of the group] in [0, 1].

    Groups: the published positives of the pattern, and the library's usable molecules with and without the motif.
    A group may be empty: the library has no positives of patterns 3 and 5.

    Raises:
        InputError: there is no such pattern or measure.
        Stopped: the listener wants no more.
    """
    number = column(pattern)
    library, values = membership(), similarity().to(pattern, measure)
    # The GINE whitebox has no published positives.
    published = [Entry(place, smiles) for place, smiles in enumerate(positives().get(number + 1, []))]
    return {
        "published positives": similarity(published, jobs=1).to(pattern, measure),
        "library, with the motif": values[library.places(pattern)],
        "library, without the motif": values[library.places(pattern, contains=False)],
    }
