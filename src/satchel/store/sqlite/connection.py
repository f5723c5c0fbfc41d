"""The file of a collection while it is open: read in snapshots, changed in transactions."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from satchel.errors import CollectionError, InputError, ReadOnlyCollectionError
from satchel.store.sqlite.errors import plainly

Row = tuple[Any, ...]
"""As SQLite gives it."""


class SqliteFile:
    """One connection to the file. Threads may share it: they take turns."""

    def __init__(self, path: Path, connection: sqlite3.Connection, read_only: bool) -> None:
        self.path = path
        self.read_only = read_only
        self._connection: sqlite3.Connection | None = connection
        self._turn = threading.RLock()
        self._is_changing = False

    @contextmanager
    def reading(self) -> Iterator[None]:
        """All that is read within the block is of one moment, whatever others change meanwhile."""
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
        """All that is changed within the block is on the disk when it ends, or nothing is."""
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
        """Whether this connection is in the middle of a change."""
        return self._is_changing

    def offer(self, name: str, n_values: int, function: Callable[..., bytes | str | None]) -> None:
        """Statements may call the function by this name."""
        self._open.create_function(name, n_values, function, deterministic=True)

    def run(self, statement: str, *values: object) -> sqlite3.Cursor:
        """One statement; `?` stands for a value."""
        with _as_text():
            return self._open.execute(statement, values)

    def run_many(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        with _as_text():
            self._open.executemany(statement, rows)

    def rows(self, statement: str, *values: object) -> list[Row]:
        return self.run(statement, *values).fetchall()

    def value(self, statement: str, *values: object) -> Any:
        """The first value of the first row; None where there is none."""
        row = self.run(statement, *values).fetchone()
        return None if row is None else row[0]

    def close(self) -> None:
        """Closing twice does no harm. The last one to close leaves one file, without its journal."""
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
    """A string that holds half of a sign, as names of files in other encodings do, is told of in a sentence."""
    try:
        yield
    except UnicodeEncodeError as error:
        given = ascii(error.object[:100])
        raise InputError(f"{given} holds a sign that cannot be written as UTF-8; leave it out") from error
