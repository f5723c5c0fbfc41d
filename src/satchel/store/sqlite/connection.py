"""An open collection file: reads in snapshots, writes in transactions, and turns SQLite errors into sentences."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from satchel.errors import (
    CollectionError,
    DamagedCollectionError,
    DiskFullError,
    InputError,
    LockedCollectionError,
    ReadOnlyCollectionError,
)

_SENTENCES: dict[str, tuple[type[CollectionError], str]] = {
    "SQLITE_BUSY": (LockedCollectionError, "is being changed by another program; try again when that is done"),
    "SQLITE_LOCKED": (LockedCollectionError, "is being changed by another program; try again when that is done"),
    "SQLITE_READONLY": (ReadOnlyCollectionError, "cannot be written to; allow writing to the file and its folder"),
    "SQLITE_PERM": (ReadOnlyCollectionError, "cannot be written to; allow writing to the file and its folder"),
    "SQLITE_FULL": (DiskFullError, "was not changed: the disk is full; free some space and try again"),
    "SQLITE_CORRUPT": (DamagedCollectionError, "is damaged or truncated; take another copy of the file"),
    "SQLITE_NOTADB": (DamagedCollectionError, "is damaged or truncated; take another copy of the file"),
    "SQLITE_CANTOPEN": (CollectionError, "cannot be opened; check that the file and its folder may be read"),
    "SQLITE_NOMEM": (CollectionError, "does not fit in memory"),
    "SQLITE_TOOBIG": (
        CollectionError,
        "cannot hold a value of more than 1,000,000,000 bytes; nothing was changed",
    ),
    "SQLITE_INTERRUPT": (CollectionError, "was interrupted, and nothing was changed"),
}
_WRITING = ("SQLITE_IOERR_WRITE", "SQLITE_IOERR_FSYNC", "SQLITE_IOERR_TRUNCATE", "SQLITE_IOERR_SHMSIZE")


@contextmanager
def plainly(path: Path) -> Iterator[None]:
    """Turns SQLite's errors within the block into errors of this package, with a sentence."""
    try:
        yield
    except sqlite3.Error as error:
        raise in_plain_words(path, error) from error


def in_plain_words(path: Path, error: sqlite3.Error) -> CollectionError:
    """The SQLite error as an error of this package."""
    name = str(getattr(error, "sqlite_errorname", "") or "")
    if name in _WRITING:
        what = "cannot be written to the disk, so nothing was changed; check whether it is full or at a quota"
        return DiskFullError(f"{path} {what}")
    for code, (kind, what) in _SENTENCES.items():
        if name == code or name.startswith(f"{code}_"):
            return kind(f"{path} {what}")
    if isinstance(error, sqlite3.DatabaseError) and "no such" in str(error):
        return DamagedCollectionError(f"{path} lacks a part of a collection ({error}); take another copy of the file")
    return CollectionError(f"{path} cannot be used: {error}; see `satchel check`")


Row = tuple[Any, ...]
"""A row as SQLite returns it."""


class SqliteFile:
    """One connection to the file. Threads may share it; they take turns."""

    def __init__(self, path: Path, connection: sqlite3.Connection, read_only: bool) -> None:
        self.path = path
        self.read_only = read_only
        self._connection: sqlite3.Connection | None = connection
        self._turn = threading.RLock()
        self._is_changing = False

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Everything read within the block is of one moment, whatever others change meanwhile."""
        with self._turn, plainly(self.path):
            if self._open.in_transaction:
                yield
                return
            self._open.execute("BEGIN")
            try:
                yield
            finally:
                self._end("ROLLBACK")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """All changes of the block are on the disk when it ends, or none if it fails."""
        if self.read_only:
            raise ReadOnlyCollectionError(f"{self.path} is open for reading only; open it again to change it")
        with self._turn, plainly(self.path):
            if self._open.in_transaction:
                yield
                return
            self._open.execute("BEGIN IMMEDIATE")
            self._is_changing = True
            try:
                yield
                self._open.execute("COMMIT")
            finally:
                self._is_changing = False
                self._end("ROLLBACK")

    @property
    def is_changing(self) -> bool:
        """Whether this connection has an open transaction."""
        return self._is_changing

    def offer(self, name: str, n_values: int, function: Callable[..., bytes | str | None]) -> None:
        """Makes a function available to SQL statements by this name."""
        self._open.create_function(name, n_values, function, deterministic=True)

    def run(self, statement: str, *values: object) -> sqlite3.Cursor:
        """Executes one statement; `?` stands for a value."""
        with _as_text():
            return self._open.execute(statement, values)

    def run_many(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        with _as_text():
            self._open.executemany(statement, rows)

    def rows(self, statement: str, *values: object) -> list[Row]:
        return self.run(statement, *values).fetchall()

    def value(self, statement: str, *values: object) -> Any:
        """The first value of the first row; None if there are no rows."""
        row = self.run(statement, *values).fetchone()
        return None if row is None else row[0]

    def close(self) -> None:
        """Closes the connection; closing twice is harmless. The last one to close leaves no journal behind."""
        with self._turn, plainly(self.path):
            try:
                if self._connection is not None:
                    self._connection.close()
            finally:
                self._connection = None

    @property
    def is_open(self) -> bool:
        return self._connection is not None

    @property
    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            raise CollectionError(f"{self.path} is closed; open it again with Collection.open")
        return self._connection

    def _end(self, how: str) -> None:
        if self._connection is not None and self._connection.in_transaction:
            self._connection.execute(how)


@contextmanager
def _as_text() -> Iterator[None]:
    """Raises InputError for a string that UTF-8 cannot hold, such as a file name in another encoding."""
    try:
        yield
    except UnicodeEncodeError as error:
        given = ascii(error.object[:100])
        raise InputError(f"{given} has a character that cannot be written as UTF-8; remove it") from error
