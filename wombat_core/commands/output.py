"""The terminal's streams as they come: of another encoding, closed, full, or with a reader that has seen enough."""

import codecs
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

from ..errors import InputError

ESCAPES = "wombat-escapes"


def tell(text: str) -> None:
    """A line on standard error, if anybody listens there."""
    print(text, file=_Unheard(sys.stderr), flush=True)


@contextmanager
def streams(name: str) -> Iterator[None]:
    """Within the block the program can print and read, whatever it was started with.

    Characters that standard output cannot encode are written as ``\\xe9``, and standard error says so once. A reader
    that has seen enough (``| head -1``) ends the block without a word.

    Args:
        name: of the program, for that sentence.

    Raises:
        InputError: standard output is closed, or what it goes to is full.
    """
    # With none at all "print(..., file=sys.stderr)" would go to standard output.
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115
    if sys.stdout is None:
        raise InputError("Standard output is closed; send it somewhere, such as to /dev/null.")
    inner, errors = sys.stdout, sys.stderr
    watched = _Watched(inner)
    sys.stdout, sys.stderr = watched, _Unheard(errors)
    try:
        with _escaping(inner, name):
            yield
            watched.flush()
    except BrokenPipeError:
        watched.give_up()
    except OSError as error:
        if watched.failure is not error:
            raise
        watched.give_up()
        raise _unwritable(error) from None
    except BaseException as error:
        watched.end()
        failure = watched.failure
        # argparse prints its help, says nothing of a failure and ends the program.
        if isinstance(error, SystemExit) and failure is not None and not isinstance(failure, BrokenPipeError):
            raise _unwritable(failure) from None
        raise
    finally:
        sys.stdout, sys.stderr = inner, errors


def _unwritable(error: OSError) -> InputError:
    return InputError(f"Standard output cannot be written: {error.strerror}.")


class _Watched:
    """Standard output that remembers why it could not be written."""

    def __init__(self, inner: TextIO):
        self._inner = inner
        self.failure: OSError | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def write(self, text: str) -> int:
        return self._tried(self._inner.write, text)

    def flush(self) -> None:
        self._tried(self._inner.flush)

    def _tried(self, work: Callable[..., Any], *arguments: str) -> Any:
        try:
            return work(*arguments)
        except OSError as error:
            self.failure = error
            raise

    def end(self) -> None:
        """Write what is left, if that can be done."""
        try:
            self.flush()
        except OSError:
            self.give_up()

    def give_up(self) -> None:
        # Without this Python complains once more while it closes standard output.
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._inner.fileno())
            self._inner.flush()


class _Unheard(_Watched):
    """Standard error, which nobody may be able to read: then there is no one to tell."""

    def _tried(self, work: Callable[..., Any], *arguments: str) -> Any:
        try:
            return work(*arguments)
        except OSError:
            self.give_up()


def speaks_unicode() -> bool:
    """Whether standard output takes every character."""
    return (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "").startswith("utf")


@contextmanager
def _escaping(stream: TextIO, name: str) -> Iterator[None]:
    if speaks_unicode() or not isinstance(stream, io.TextIOWrapper):
        yield
        return
    told = False

    def escape(error: UnicodeError) -> tuple[str | bytes, int]:
        nonlocal told
        if not told:
            told = True
            tell(f"{name}: standard output is {stream.encoding}, so other characters are written as \\x and a number.")
        return codecs.backslashreplace_errors(error)

    codecs.register_error(ESCAPES, escape)
    before = stream.errors
    stream.reconfigure(errors=ESCAPES)
    try:
        yield
    finally:
        with suppress(OSError):
            stream.reconfigure(errors=before)
