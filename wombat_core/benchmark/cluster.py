"""A Dask cluster to work on: reached, looked at, and in one sentence where it is none or ends."""

import asyncio
import logging
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from importlib.util import find_spec

from ..errors import InputError

PATIENCE = 5.0
"""Seconds in which a scheduler has to answer."""


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """An executor of a Dask cluster, and how many threads work there.

    Raises:
        InputError: no cluster answers at the address, it has no workers or not this package, or it ends within the
            block.
    """
    try:
        from distributed import Client
        from distributed.comm.core import CommClosedError
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise InputError("--dask needs the package 'distributed': pip install distributed.") from None
    _ask(address)
    with _quiet():
        try:
            client = Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            raise _unanswered(address, error) from None
        try:
            count = sum(client.nthreads().values())  # pyright: ignore[reportAttributeAccessIssue] (it is not asynchronous)
            if not count:
                raise InputError(f"The Dask cluster at {address[:200]} has no workers.")
            check_installed(client)
            yield client.get_executor(pure=False), count
        except KilledWorker:
            raise InputError("A chunk brought several Dask workers down, perhaps for want of memory.") from None
        except (CancelledError, CommClosedError):
            raise InputError(
                f"The Dask scheduler at {address[:200]} has ended or cannot be reached any more; what is done is kept, "
                "go on with --resume."
            ) from None
        finally:
            # One whose scheduler has ended would wait for it.
            with suppress(OSError):
                client.close(timeout=PATIENCE)


def _ask(address: str) -> None:
    """Whether something at the address speaks as a scheduler does.

    A Client waits a minute for one that answers in another language, such as a web server, and one that fails on a
    malformed address hangs at its end and prints a traceback.
    """
    from distributed.comm.addressing import get_address_host_port
    from distributed.comm.core import connect

    async def greet() -> None:
        comm = await asyncio.wait_for(connect(address, timeout=PATIENCE), PATIENCE)
        await comm.close()

    try:
        get_address_host_port(address, strict=True)
        # In a thread of its own: a notebook's has a loop already.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, greet()).result()
    except TimeoutError:
        raise _unanswered(address, f"what is there said nothing that a scheduler says in {PATIENCE:.0f} s") from None
    except (OSError, ValueError) as error:
        raise _unanswered(address, error) from None


def _unanswered(address: str, why: object) -> InputError:
    reason = " ".join(str(why).split())[:200].rstrip(".")
    return InputError(f"No Dask cluster answers at {address[:200]}: {reason}.")


@contextmanager
def _quiet() -> Iterator[None]:
    """Within the block Dask's tracebacks about a lost scheduler are not printed: this module says it in a sentence."""
    loggers = [logging.getLogger(name) for name in ("distributed.client", "distributed.comm", "distributed.batched")]
    before = [each.level for each in loggers]
    for each in loggers:
        each.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for each, level in zip(loggers, before, strict=True):
            each.setLevel(level)


def check_installed(client) -> None:
    """Whether the scheduler and all workers can import this package.

    Raises:
        InputError: one of them cannot.
    """
    package = __name__.split(".")[0]

    def found() -> bool:  # a function inside a function travels whole and needs no import there
        return find_spec(package) is not None

    where = {"scheduler": client.run_on_scheduler(found)} | client.run(found)
    for place, there in where.items():
        if not there:
            raise InputError(
                f"The Dask {'' if place == 'scheduler' else 'worker '}{place} cannot import {package}; start it in the "
                "project's folder, or add that folder to its PYTHONPATH."
            )
