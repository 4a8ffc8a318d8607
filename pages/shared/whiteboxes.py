"""Whiteboxes on a page: those to choose from, a compiled one that a link brings among them, and their names."""

from collections.abc import Iterable
from functools import cache, lru_cache

from wombat_core.errors import InputError

from .text import plain

COMPILED = "smarts:"
MOST_SHOWN = 32
"""Characters of a SMARTS that stands as a name."""


def is_compiled(id: str) -> bool:
    """Whether an id names a SMARTS that is compiled, not one of the catalogue."""
    return id.startswith(COMPILED)


def whitebox_ids(*shown: str) -> list[str]:
    """All whiteboxes in the catalogue's order; before them the compiled ones among those shown."""
    from wombat_core.whitebox.catalogue import patterns

    return [*dict.fromkeys(filter(is_compiled, shown)), *patterns()]


def whiteboxes_of(ids: Iterable[str]) -> tuple[str, ...]:
    """Ids in the order of the catalogue, each once, the compiled ones before them."""
    wanted = dict.fromkeys(ids)
    return tuple(id for id in whitebox_ids(*wanted) if id in wanted)


def problem_of(id: str) -> str | None:
    """Why an id names no whitebox, or None. What compiles to none is remembered: some take seconds to tell."""
    from wombat_core.whitebox.catalogue import patterns

    if is_compiled(id):
        return _problem(id)
    return None if id in patterns() else f"it must be one of {', '.join(patterns())}, or smarts: and a SMARTS"


@lru_cache(maxsize=512)
def _problem(id: str) -> str | None:
    from wombat_core.compiler import pattern_of

    try:
        pattern_of(id)
    except InputError as error:
        return str(error).removesuffix(".")
    return None


def whitebox_name(id: str) -> str:
    """What a whitebox is called where text is shown as it is; a long SMARTS is cut."""
    from wombat_core.whitebox.catalogue import pattern

    if not is_compiled(id):
        return pattern(id).title
    smarts, *options = id.removeprefix(COMPILED).split("|")
    name = motif_name(smarts)
    kind = [option.removeprefix("style=").replace("=", " ") for option in options]
    return f"{name} ({', '.join(kind)})" if kind else name


def motif_name(smarts: str) -> str:
    """A chemist's name for a SMARTS where the catalogue has one, else the SMARTS, cut where it is long."""
    shown = smarts if len(smarts) <= MOST_SHOWN else f"{smarts[: MOST_SHOWN - 1]}…"
    return _names().get(smarts, shown)


@cache
def _names() -> dict[str, str]:
    from wombat_core.compiler.catalogues import CATALOGUES

    return {motif.smarts: motif.name for motif in CATALOGUES["motifs"].motifs}


def whitebox_title(id: str) -> str:
    """The same as Markdown."""
    return plain(whitebox_name(id)) if is_compiled(id) else whitebox_name(id)
