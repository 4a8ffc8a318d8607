"""Processes beside this one, one kind for all: a thread each, and none outlives the process that began it."""

import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import TypeVar

from .errors import InputError

Item = TypeVar("Item")
Found = TypeVar("Found")

AHEAD = 2
"""Items handed out at a time, a process: one in work and one waiting."""
ENDED = "A process ended from outside, perhaps for want of memory; take fewer --jobs."


niceness = 0
"""By how much these processes give way to others; a server's pages set it, since they come first."""


def one_thread() -> None:
    """Have torch compute in one thread: graphs of this size are far slower on two, and processes share the cores."""
    import torch

    torch.set_num_threads(1)


@contextmanager
def pool(jobs: int, ended: str = ENDED) -> Iterator[Executor]:
    """Processes to hand work to; they end with the block, and at once where it fails.

    Args:
        ended: what is said where one of them ended from outside.

    Raises:
        InputError: one of them ended from outside.
    """
    from joblib.externals.loky import BrokenProcessPool, ProcessPoolExecutor

    executor = ProcessPoolExecutor(jobs, initializer=_begin, initargs=(os.getpid(), niceness))
    kill = True
    try:
        yield executor
        kill = False
    except BrokenProcessPool:
        raise InputError(ended) from None
    finally:
        executor.shutdown(kill_workers=kill)


def mapped(function: Callable[[Item], Found], items: Iterable[Item], jobs: int = 1) -> Iterator[Found]:
    """A lazy ``map`` in order, over processes where there is more than one job, never far ahead of what is taken.

    Closing it, or an exception where its results are taken, ends the processes.

    Raises:
        InputError: a process ended from outside.
    """
    if jobs == 1:
        yield from map(function, items)
        return
    with pool(jobs) as executor:
        waiting = deque()
        for item in items:
            waiting.append(executor.submit(function, item))
            if len(waiting) >= AHEAD * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _begin(parent: int, nice: int = 0) -> None:
    """Ctrl-C is the parent's business; a process whose parent was killed ends itself."""
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"))
    if "torch" in sys.modules:
        one_thread()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
