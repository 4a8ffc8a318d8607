"""How far long work is, on standard error."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def bar(what: str = "", quiet: bool = True, **options) -> Iterator[None]:
    """Within the block, what is reported to :mod:`wombat_core.explainers.progress` moves a bar.

    Args:
        what: named in front of it.
        quiet: nothing where standard error is no terminal; else a line in half a minute there.
        options: of ``tqdm``.
    """
    from tqdm import tqdm

    from ..explainers.progress import listening

    shown = {"disable": None} if quiet else {"mininterval": interval()}
    moving = tqdm(total=100, unit="%", desc=what or None, file=sys.stderr, **shown, **options)
    with moving, listening(lambda share: moving.update(round(100 * share) - moving.n)):
        yield


def interval() -> float:
    """Seconds between two looks at a bar that is shown everywhere."""
    return 0.2 if sys.stderr.isatty() else 30
