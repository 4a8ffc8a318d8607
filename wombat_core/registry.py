"""Things that are chosen by name: one table, one sentence for a name that is not there."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Generic, TypeVar

from .errors import InputError

Entry = TypeVar("Entry")

LONGEST = 40
"""Characters of a wrong name that are repeated."""


def no_such(what: str, name: object, known: Iterable[object], where: str = "", otherwise: str = "") -> InputError:
    """The error for a name that is not there; the sentence lists those there are.

    ``There is no explainer 'salience' (did you mean 'saliency'?); choose from saliency, random, oracle.``

    Args:
        what: the kind of thing, such as "explainer".
        name: what was asked for.
        known: the names there are.
        where: what goes on after the name, such as " for this molecule".
        otherwise: what goes on after the names there are, such as ", or give its edges".
    """
    known = [str(each) for each in known]
    name = str(name)[:LONGEST]
    near = [] if where else get_close_matches(name.lower(), known, n=1, cutoff=0.75)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return InputError(f"There is no {what} {name!r}{where}{hint}; choose {_choice(known)}{otherwise}.")


def check_name(what: str, name: object, known: Collection[object]) -> Any:
    """The name, where it is one of those there are.

    Raises:
        InputError: it is none; see :func:`no_such`.
    """
    if name not in known:
        raise no_such(what, name, known)
    return name


def _choice(known: list[str]) -> str:
    if len(known) > 2:
        return f"from {', '.join(known)}"
    return " or ".join(known) or "another, there are none yet"


class Registry(Mapping[str, Entry], Generic[Entry]):
    """Entries by name, in the order in which they are shown.

    An unknown name is an :class:`InputError` that lists the names there are (so that ``registry[name]`` needs no check
    before it). An entry may be given as a text ``"module:attribute"``, which is imported when it is first asked for.

    Args:
        what: the kind of thing, for the sentence: "explainer", "quadrature rule".
        entries: name to entry, or to ``"module:attribute"`` where ``package`` is given.
        package: of the modules in such texts, usually ``__package__``.

    >>> shapes = Registry("shape", {"house": 5, "circle": 6, "star": 10})
    >>> shapes["house"], list(shapes)
    (5, ['house', 'circle', 'star'])
    >>> shapes["hause"]
    Traceback (most recent call last):
    wombat_core.errors.InputError: There is no shape 'hause' (did you mean 'house'?); choose from house, circle, star.
    """

    def __init__(self, what: str, entries: Mapping[str, Entry | str] | None = None, package: str | None = None):
        self.what = what
        self._package = package
        self._entries: dict[str, Any] = dict(entries or {})

    def check(self, name: str) -> str:
        """The name, where there is an entry of that name.

        Raises:
            InputError: there is none; the sentence lists those there are.
        """
        if name not in self:
            raise self.missing(name)
        return name

    def missing(self, name: object) -> InputError:
        """The error for a name that is not there."""
        return no_such(self.what, name, self)

    def __getitem__(self, name: str) -> Entry:
        """The entry of that name, imported when first asked for.

        Raises:
            InputError: there is none; the sentence lists those there are.
        """
        entry = self._entries[self.check(name)]
        if self._package is not None and isinstance(entry, str):
            module, _, attribute = entry.partition(":")
            entry = self._entries[name] = getattr(import_module(f".{module}", self._package), attribute)
        return entry

    def get(self, name: str, default: Any = None) -> Any:
        """The entry of that name, or the default."""
        if name not in self:
            return default
        return self[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return f"<{len(self)} of {self.what}: {', '.join(self)}>"

    def register(self, name: str, entry: Entry | None = None) -> Any:
        """Add an entry under a name that is free: ``register(name, entry)``, or above a class or function.

        Raises:
            InputError: there is one of that name already.
        """
        if entry is None:
            return self._adding(name)
        if name in self:
            raise InputError(f"There is already a {self.what} {name[:LONGEST]!r}.")
        self._entries[name] = entry
        return entry

    def _adding(self, name: str) -> Callable[[Entry], Entry]:
        return lambda entry: self.register(name, entry)

    def replace(self, name: str, entry: Entry) -> None:
        """Add an entry, or put it in the place of the one that has its name."""
        self._entries[name] = entry
