"""Work that a hostile input can make dear, in a process of its own with limits on memory and time."""

import contextlib
import os
import pickle
import select
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import IO, Any, TypeVar

from .errors import InputError

try:
    import resource
except ImportError:  # Windows: there only the time is limited
    resource = None

Found = TypeVar("Found")

SECONDS = 5
"""Seconds of computing that a piece of work may take."""
MEGABYTES = 1200
"""Address space of the process."""
PATIENCE = 15
"""How many times as long it may take by the clock, on a machine that others use as well."""
BEGINNING = 60.0
"""Seconds in which the process has to be ready."""
IDLE = 60.0
"""Seconds after which a process without work ends."""
LARGE = 250
"""Megabytes at which a process is not kept for the next piece of work."""

_HEAD = struct.Struct("<Q")
_READY = b"ready"


class TooDear(InputError):
    """Some work needs more memory or time than it is given."""


class _Ended(Exception):
    """The process ended before it answered."""


def bounded(function: Callable[..., Found], *arguments: Any, sentence: str, seconds: int = SECONDS) -> Found:
    """What a function gives, computed in a process whose memory and time are limited; one piece of work at a time.

    Args:
        function: of a module, so that the process finds it by its name; it and its arguments can be pickled.
        sentence: what is said where it needs too much.
        seconds: of computing.

    Raises:
        TooDear: it needs more memory or time.
        InputError: the function's own.
    """
    found: Any = None
    with _lock:
        for again in (True, False):
            worker = _worker()
            try:
                found = worker.ask((function, arguments, seconds), PATIENCE * seconds + 1)
                break
            except (BrokenPipeError, _Ended):
                # It may just have ended of itself, for want of work.
                if worker.end() != 0 or not again:
                    raise TooDear(sentence) from None
            except BaseException:
                worker.end()
                raise
    if isinstance(found, MemoryError):
        raise TooDear(sentence)
    if isinstance(found, BaseException):
        raise found
    return found


class _Worker:
    """The process, which reads questions from one pipe and writes answers to another."""

    def __init__(self):
        one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        path = os.pathsep.join(filter(None, [_root(), *sys.path]))
        self.process = subprocess.Popen(  # noqa: S603 - this module, in the same Python
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | one | {"PYTHONPATH": path},
        )
        if self.process.stdin is None or self.process.stdout is None:
            raise AssertionError("both are pipes")
        self._questions, self._answers = self.process.stdin, self.process.stdout
        with self._watched(BEGINNING):
            ready = _read(self._answers)
        if ready != _READY:
            self.end()
            raise _Ended

    def ask(self, question: Any, seconds: float) -> Any:
        """The answer to a question.

        Raises:
            _Ended: the process ended, or was ended after so many seconds, before it answered.
            BrokenPipeError: it had ended before it was asked.
        """
        _write(self._questions, pickle.dumps(question))
        with self._watched(seconds):
            answer = _read(self._answers)
        if answer is None:
            raise _Ended
        return pickle.loads(answer)  # noqa: S301 - of a process of ours

    @contextlib.contextmanager
    def _watched(self, seconds: float):
        timer = threading.Timer(seconds, self.process.kill)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def end(self) -> int:
        """End it where it has not ended; 0 where it had, of itself."""
        global _current
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(0.2)
        self.process.kill()
        code = self.process.wait()
        for pipe in (self._questions, self._answers):
            with contextlib.suppress(OSError):
                pipe.close()
        if _current is self:
            _current = None
        return code


_lock = threading.Lock()
_current: _Worker | None = None


def _worker() -> _Worker:
    global _current
    if _current is not None and _current.process.poll() is not None:
        _current.end()
    for again in (True, False):
        try:
            _current = _current or _Worker()
            return _current
        except (_Ended, OSError):
            if not again:
                break
    raise InputError("A large input is read in a process of its own, and that cannot be begun here.") from None


def _root() -> str:
    """Where this package is found."""
    return os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def _write(pipe: IO[bytes], content: bytes) -> None:
    pipe.write(_HEAD.pack(len(content)) + content)
    pipe.flush()


def _read(pipe: IO[bytes]) -> bytes | None:
    """What was written, or None where the other end is gone."""
    head = pipe.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    [size] = _HEAD.unpack(head)
    content = pipe.read(size)
    return content if len(content) == size else None


# What follows runs in the process.


def _serve() -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    questions, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what is printed is no answer
    if hasattr(os, "nice"):
        os.nice(10)
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _lower(resource.RLIMIT_AS, MEGABYTES << 20)
    _write(answers, _READY)
    while _is_asked(questions) and (question := _read(questions)) is not None:
        function, arguments, seconds = pickle.loads(question)  # noqa: S301 - of the parent
        _write(answers, pickle.dumps(_answer(function, arguments, seconds)))
        if _resident() > LARGE:
            return


def _is_asked(questions: IO[bytes]) -> bool:
    return os.name != "posix" or bool(select.select([questions], [], [], IDLE)[0])


def _resident() -> float:
    """Megabytes that this process holds; 0 where that cannot be told."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (OSError, ValueError, IndexError):
        return 0.0


def _answer(function: Callable, arguments: tuple, seconds: int) -> Any:
    if resource is not None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        _lower(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + seconds + 1)
    try:
        return function(*arguments)
    except (InputError, MemoryError) as error:
        return error


def _lower(which: int, limit: int) -> None:
    """Set a soft limit; a hard one that is there already holds."""
    if resource is None:
        raise AssertionError("there are limits to lower")
    _, hard = resource.getrlimit(which)
    resource.setrlimit(which, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


if __name__ == "__main__":
    _serve()
