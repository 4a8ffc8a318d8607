"""One record of a file: a molecule, or the error that stands in its place."""

from ..errors import InputError
from .molecule import Molecule
from .parse_problems import as_clause

Record = tuple[int, Molecule | InputError]


class RecordError(InputError):
    """A record that is no usable molecule; its sentence begins with the place.

    Attributes:
        place: the record, for people ("a.csv, line 3"), as ``Molecule.origin`` names it.
    """

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place


def read_at(place: str, read, *arguments) -> Molecule | RecordError:
    """What ``read`` makes of the arguments, an ``InputError`` with its place in front."""
    try:
        return read(*arguments)
    except InputError as error:
        return RecordError(place, as_clause(error))
