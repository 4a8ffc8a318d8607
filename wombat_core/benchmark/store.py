"""A run on disk: an SQLite file with one row a molecule and explainer, appended chunk by chunk.

A chunk's rows and the note that the chunk is done are one transaction, so that a process killed at any moment leaves
whole chunks behind and nothing else. The view ``scores`` joins all of it for people who query the file themselves.
"""

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from filelock import ReadWriteLock, Timeout

from ..errors import InputError
from .plan import Plan
from .rows import Row

if TYPE_CHECKING:
    from filelock import ReadWriteLock

FILE_NAME = "rows.sqlite"
FORMAT = "1"
LOCK = "lock.sqlite"
HOLDER = "process"
"""The file that says which process holds the lock."""

_OF_TASK = ("pattern", "readout", "explainer", "settings")
_FIELDS = tuple(field.name for field in fields(Row) if field.name not in _OF_TASK)
_COLUMNS = tuple("null_answer" if name == "null" else name for name in _FIELDS)  # NULL is a word of SQL
_FLAGS = {field.name for field in fields(Row) if field.type is bool or bool in get_args(field.type)}

# In all queries of this file what is put in by "f" are names of columns and conditions of this package's own.
# ruff: noqa: S608
_SCHEMA = f"""
CREATE TABLE run (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE tasks (id INTEGER PRIMARY KEY, pattern TEXT NOT NULL, readout TEXT NOT NULL, explainer TEXT NOT NULL,
                    settings TEXT NOT NULL);
CREATE TABLE chunks (task INTEGER, number INTEGER, part INTEGER, left_out INTEGER NOT NULL, unreadable INTEGER NOT NULL,
                     PRIMARY KEY (task, number, part)) WITHOUT ROWID;
CREATE TABLE rows (task INTEGER, {", ".join(_COLUMNS)}, PRIMARY KEY (task, place)) WITHOUT ROWID;
CREATE VIEW scores AS
    SELECT pattern, readout, explainer, settings, {", ".join(_COLUMNS)},
           (SELECT value FROM run WHERE key = 'seed') AS seed,
           (SELECT value FROM run WHERE key = 'versions') AS versions,
           (SELECT value FROM run WHERE key = 'wombat') AS wombat
    FROM rows JOIN tasks ON tasks.id = rows.task;
"""

# Runs of before pieces were kept have no such table; it is made when such a run goes on.
_PIECES = """
CREATE TABLE IF NOT EXISTS pieces (task INTEGER, number INTEGER, part INTEGER, start INTEGER, stop INTEGER,
                                   left_out INTEGER NOT NULL, unreadable INTEGER NOT NULL,
                                   PRIMARY KEY (task, number, part, start)) WITHOUT ROWID
"""

# SQLite's own sentence on a damaged file can hold what was found there, which need not be text.
_DAMAGED = (sqlite3.DatabaseError, UnicodeDecodeError)

Chunk = tuple[int, int, int]
"""The task's position in the plan, the number of the chunk in its set, the part of that chunk."""
Piece = tuple[int, int, int]
"""Which of a chunk's sources: from the first number up to the second one, of how many the third."""


class Store:
    """The rows of one run, see :func:`create`, :func:`load` and :func:`exists`.

    Attributes:
        folder: where it is.
        plan: what the run does.
    """

    def __init__(self, folder: str | Path, connection: sqlite3.Connection, plan: Plan):
        self.folder = Path(folder)
        self._connection = connection
        self.plan = plan

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *error) -> None:
        self.close()

    def append(
        self, chunk: Chunk, rows: Sequence[Row], left_out: int = 0, unreadable: int = 0, piece: Piece | None = None
    ) -> None:
        """Keep a chunk's rows and that it is done, both or neither; or the same of a piece of it.

        The last piece of a chunk makes the chunk done, and nothing tells afterwards that it came in pieces.

        Args:
            left_out: molecules of the chunk that the benchmark leaves out, ``unreadable``: records that are none.
            piece: which of its sources these are; None for all.

        Raises:
            InputError: the rows cannot be written (the disk is full, ...).
        """
        marks = ", ".join("?" * (len(_COLUMNS) + 1))
        with _sentences(self.folder / FILE_NAME), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            if piece is None:
                self._connection.execute("INSERT INTO chunks VALUES (?, ?, ?, ?, ?)", (*chunk, left_out, unreadable))
            else:
                self._append_piece(chunk, piece, left_out, unreadable)
            self._connection.executemany(
                f"INSERT INTO rows VALUES ({marks})",
                ((chunk[0], *(getattr(row, name) for name in _FIELDS)) for row in rows),
            )

    def _append_piece(self, chunk: Chunk, piece: Piece, left_out: int, unreadable: int) -> None:
        start, stop, size = piece
        where = "FROM pieces WHERE (task, number, part) = (?, ?, ?)"
        self._connection.execute(
            "INSERT INTO pieces VALUES (?, ?, ?, ?, ?, ?, ?)", (*chunk, start, stop, left_out, unreadable)
        )
        [(there, *counts)] = self._connection.execute(
            f"SELECT sum(stop - start), sum(left_out), sum(unreadable) {where}", chunk
        )
        if there == size:
            self._connection.execute("INSERT INTO chunks VALUES (?, ?, ?, ?, ?)", (*chunk, *counts))
            self._connection.execute(f"DELETE {where}", chunk)

    def begin(self) -> int:
        """Note that a process begins to work on the run.

        Returns:
            how often a process began so far and kept nothing.

        Raises:
            InputError: the file cannot be written.
        """
        with _sentences(self.folder / FILE_NAME), self._connection:
            self._connection.execute(_PIECES)
            [(kept,)] = self._read("SELECT (SELECT count(*) FROM chunks) || '+' || (SELECT count(*) FROM pieces)")
            facts = dict(self._read("SELECT key, value FROM run WHERE key IN ('begun_at', 'in_vain')"))
            in_vain = int(facts.get("in_vain", 0)) + (facts.get("begun_at") == kept)
            self._connection.executemany(
                "INSERT OR REPLACE INTO run VALUES (?, ?)", [("begun_at", kept), ("in_vain", str(in_vain))]
            )
        return in_vain

    def pieces(self) -> dict[Chunk, list[tuple[int, int]]]:
        """The pieces that are there of chunks that are not done: which of their sources, in order."""
        found: dict[Chunk, list[tuple[int, int]]] = {}
        if any(self._read("SELECT 1 FROM sqlite_master WHERE name = 'pieces'")):
            for *chunk, start, stop in self._read("SELECT task, number, part, start, stop FROM pieces ORDER BY start"):
                found.setdefault(tuple(chunk), []).append((start, stop))
        return found

    def done(self) -> set[Chunk]:
        """The chunks that are there."""
        return set(self._read("SELECT task, number, part FROM chunks"))

    def is_complete(self) -> bool:
        """Whether the run came to its end."""
        return any(True for _ in self._read("SELECT 1 FROM run WHERE key = 'complete'"))

    def complete(self) -> None:
        """Note that the run came to its end."""
        with self._connection:
            self._connection.execute("INSERT OR REPLACE INTO run VALUES ('complete', 'yes')")

    def count(self, task: int | None = None) -> int:
        """How many rows there are, of one task or of all."""
        where, values = ("", ()) if task is None else ("WHERE task = ?", (task,))
        [(number,)] = self._read(f"SELECT count(*) FROM rows {where}", values)
        return number

    def left_out(self, task: int) -> tuple[int, int]:
        """Molecules of a task that the benchmark leaves out, and records that are no molecules."""
        query = "SELECT coalesce(sum(left_out), 0), coalesce(sum(unreadable), 0) FROM chunks WHERE task = ?"
        [found] = self._read(query, (task,))
        return found

    def rows(self, task: int, where: str = "1", values: Sequence = ()) -> Iterator[Row]:
        """The rows of a task by place, streamed; ``where`` is an SQL condition on their columns."""
        own = self.plan.tasks[task]
        head: dict[str, Any] = {name: getattr(own, name) for name in _OF_TASK}
        query = f"SELECT {', '.join(_COLUMNS)} FROM rows WHERE task = ? AND ({where}) ORDER BY place"
        for found in self._read(query, (task, *values)):
            own_values: dict[str, Any] = dict(zip(_FIELDS, map(_value, _FIELDS, found), strict=True))
            yield Row(**head, **own_values)

    def task(self, pattern: str, readout: str, explainer: str) -> int | None:
        """The position of a task in the plan, the first of that name; None where there is none."""
        for place, task in enumerate(self.plan.tasks):
            if (task.pattern, task.readout, task.explainer) == (pattern, readout, explainer):
                return place
        return None

    def values(self, task: int, column: str, where: str = "1") -> Iterator[float]:
        """The defined values of a column of a task's rows, by place, streamed."""
        if column not in _COLUMNS:
            raise ValueError(column)
        query = f"SELECT {column} FROM rows WHERE task = ? AND {column} IS NOT NULL AND ({where}) ORDER BY place"
        return (value for (value,) in self._read(query, (task,)))

    def tally(self, task: int, conditions: Sequence[str]) -> list[int]:
        """How many of a task's rows fulfil each SQL condition."""
        sums = ", ".join(f"coalesce(sum({each}), 0)" for each in conditions)
        [found] = self._read(f"SELECT {sums} FROM rows WHERE task = ?", (task,))
        return list(found)

    def _read(self, query: str, values: Sequence = ()) -> Iterator[tuple]:
        """What a query finds, streamed.

        Raises:
            InputError: the file is damaged.
        """
        try:
            yield from self._connection.execute(query, values)
        except _DAMAGED as error:
            raise InputError(f"{self.folder / FILE_NAME} is damaged ({error}).") from None


def exists(folder: str | Path) -> bool:
    """Whether a folder holds a run."""
    path = Path(folder) / FILE_NAME
    if not path.is_file():
        return False
    try:
        with closing(_connect(path)) as connection:
            return _plan(connection) is not None
    except _DAMAGED as error:
        raise InputError(f"{path} is no run of the benchmark ({error}).") from None


def create(folder: str | Path, plan: Plan) -> Store:
    """A new, empty run.

    Raises:
        InputError: there is one already, or the folder cannot be written.
    """
    path = Path(folder) / FILE_NAME
    if exists(folder):
        raise InputError(f"{folder} holds a run already; go on with it by --resume, or name another folder.")
    with _sentences(path):
        connection = _connect(path)
        connection.execute("PRAGMA journal_mode = WAL")
        # A killed process may have left an empty file, but never half of this transaction.
        connection.executescript("BEGIN IMMEDIATE;" + _SCHEMA)
        facts = {"format": FORMAT, "plan": plan.as_json(), "seed": plan.seed}
        facts["versions"] = json.dumps(dict(plan.versions), sort_keys=True)
        facts["wombat"] = dict(plan.versions).get("wombat", "")
        connection.executemany("INSERT INTO run VALUES (?, ?)", [(key, str(value)) for key, value in facts.items()])
        connection.executemany(
            "INSERT INTO tasks VALUES (?, ?, ?, ?, ?)",
            [(place, *(getattr(task, name) for name in _OF_TASK)) for place, task in enumerate(plan.tasks)],
        )
        connection.execute("COMMIT")
    return Store(folder, connection, plan)


def load(folder: str | Path) -> Store:
    """The run in a folder, to read (also while it goes on) or to go on with.

    Raises:
        InputError: there is none, or it cannot be read.
    """
    if not exists(folder):
        raise InputError(f"{folder} holds no run of the benchmark.")
    connection = _connect(Path(folder) / FILE_NAME)
    plan = _plan(connection)
    if plan is None:
        connection.close()
        raise InputError(f"{folder} holds no run of the benchmark.")
    return Store(folder, connection, plan)


def discard(folder: str | Path) -> None:
    """Forget a run and its rows; whoever calls this holds the lock."""
    for path in Path(folder).glob(f"{FILE_NAME}*"):
        path.unlink()


@contextmanager
def locked(folder: str | Path) -> Iterator[None]:
    """Within the block no other run writes in the folder. A killed process holds the lock no longer.

    Raises:
        InputError: another run holds it, or the folder cannot be written.
    """
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"The folder {path} cannot be made: {error.strerror}.") from None
    lock = None
    try:
        lock = _lock(path)
        # Whoever only asks whether a run is at work holds it for a moment.
        lock.acquire_write(timeout=1)
        (path / HOLDER).write_text(str(os.getpid()))
    except (OSError, ValueError, sqlite3.Error) as error:
        if lock is not None:
            lock.close()
        if isinstance(error, Timeout):
            raise InputError(f"Another run is at work in {path}; wait for it, or name another folder.") from None
        raise InputError(f"The folder {path} cannot be used: {error}.") from None
    try:
        yield
    finally:
        lock.close()


def is_locked(folder: str | Path) -> bool:
    """Whether a process works on the run in the folder."""
    path = Path(folder)
    if not (path / LOCK).is_file():
        return False
    try:
        with closing(_lock(path)) as lock, lock.read_lock(timeout=0):
            return False
    except Timeout:
        return True
    except (OSError, ValueError, sqlite3.Error):
        return False


def _lock(folder: Path) -> "ReadWriteLock":
    """Held for writing by whoever works on the run; those who ask hold it for reading, and so not each other up."""
    # An instance each: threads of one process keep each other out as well.
    return ReadWriteLock(folder / LOCK, is_singleton=False)


def holder(folder: str | Path) -> int | None:
    """The process that works on the run in the folder, on this machine; None where there is none."""
    try:
        return int((Path(folder) / HOLDER).read_text()) if is_locked(folder) else None
    except (OSError, ValueError):
        return None


def _connect(path: Path) -> sqlite3.Connection:
    # A reader of many rows may keep the writer waiting for a while.
    return sqlite3.connect(path, timeout=60, isolation_level=None)


def _plan(connection: sqlite3.Connection) -> Plan | None:
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'run'").fetchone():
        return None
    facts = dict(connection.execute("SELECT key, value FROM run"))
    if facts.get("format") != FORMAT:
        raise sqlite3.DatabaseError(f"its format is {facts.get('format')}, not {FORMAT}")
    try:
        plan = Plan.from_json(facts["plan"])
        # Both look at all that a plan says.
        _ = plan.tasks, plan.title
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, InputError):
        raise sqlite3.DatabaseError("its plan cannot be read") from None
    return plan


@contextmanager
def _sentences(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise InputError(f"{path} cannot be written: {error}.") from None


def _value(name: str, value):
    return bool(value) if name in _FLAGS and value is not None else value
