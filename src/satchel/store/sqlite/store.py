"""The default store: one SQLite file, fast on one machine."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Self

import numpy as np

from satchel.importing import FieldValue
from satchel.progress import Progress
from satchel.query import Condition, Leaf, Value, is_unicode
from satchel.store.amounts import field_rows
from satchel.store.local import LocalStore, refuse_reading
from satchel.store.protocol import NO_PARTS, Encode
from satchel.store.rows import (
    FieldValues,
    Finding,
    Known,
    Prepared,
    Scanned,
    State,
    StoredDocument,
    Summary,
    ValueCount,
)
from satchel.store.sqlite.check import find_damage, repair
from satchel.store.sqlite.connection import SqliteFile
from satchel.store.sqlite.fields import queries, rows_of_field
from satchel.store.sqlite.keeps_words import KeepsWords
from satchel.store.sqlite.open import create_file, open_file
from satchel.store.sqlite.schema import VERSION
from satchel.store.sqlite.statements import KeepsRows, question_of
from satchel.types import FloatArray, IntArray

MOST_VALUES = 50
_AT_ONCE = 20_000
_IDS_AT_ONCE = 500


class SqliteStore(KeepsRows, KeepsWords, LocalStore):
    """Documents, words, vectors, model and marks in one file, which stays whole if the process is killed."""

    def __init__(self, file: SqliteFile) -> None:
        super().__init__()
        self._file = file
        self._forget_new_words()

    @classmethod
    def create(cls, path: Path, fill: Callable[[Self], None]) -> None:
        """Creates and fills a new file, then moves it to its place; an existing file is never replaced."""

        def fill_file(file: SqliteFile) -> None:
            store = cls(file)
            with store.writing():
                fill(store)

        create_file(path, fill_file)

    @classmethod
    def open(cls, path: Path, read_only: bool = False) -> Self:
        """Opens the store in a file; a file that is write-protected is opened read-only."""
        return cls(open_file(path, read_only))

    def another(self) -> Self:
        other = type(self).open(self.path, self.read_only)
        other.shared = self.shared
        return other

    @property
    def path(self) -> Path:
        return self._file.path

    @property
    def read_only(self) -> bool:
        return self._file.read_only

    @property
    def is_open(self) -> bool:
        return self._file.is_open

    def close(self) -> None:
        """Closes the connection; the last one to close leaves no journal behind. Closing twice is harmless."""
        self._file.close()

    # one moment, one transaction
    @contextmanager
    def reading(self) -> Iterator[None]:
        with self._file.reading(), self._one_moment():
            yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        with self._file.writing():
            refuse_reading(self.path, not self._file.is_changing)
            is_inner = self._is_writing
            self._is_writing = True
            try:
                yield
                if not is_inner:
                    self._finish_words()
            finally:
                self._is_writing = is_inner
                if not is_inner:
                    self._forget_new_words()

    _is_writing = False

    @property
    def _is_changing(self) -> bool:
        return self._file.is_changing

    def state(self) -> State:
        rows = self._file.rows("SELECT name, value FROM meta WHERE name IN ('change', 'model', 'rebuilt')")
        found = {str(name): int(value) for name, value in rows}
        return State(*(int(found.get(name, 0)) for name in State._fields))

    def version(self) -> int:
        return int(self._file.value("PRAGMA data_version"))

    def next_change(self) -> int:
        number = self.state().change + 1
        self.write_note("change", number)
        return number

    # documents
    def count(self, condition: Condition | None = None) -> int:
        if condition is not None:
            return len(self._meeting(condition))
        return int(self._file.value("SELECT count(*) FROM documents"))

    def ids(self) -> list[str]:
        return [id_ for (id_,) in self._file.rows("SELECT id FROM documents ORDER BY id")]

    def known(self, ids: Iterable[str]) -> dict[str, Known]:
        found: dict[str, Known] = {}
        wanted = [id_ for id_ in ids if is_unicode(id_)]
        for start in range(0, len(wanted), _IDS_AT_ONCE):
            some = wanted[start : start + _IDS_AT_ONCE]
            marks = ", ".join("?" * len(some))  # json_each would end a value at NUL
            question = f"SELECT id, number, checksum, source FROM documents WHERE id IN ({marks})"
            found.update((row[0], Known(*row[1:])) for row in self._file.rows(question, *some))
        return found

    def documents(
        self, numbers: Sequence[int], most: int | None = None, parts: Mapping[int, tuple[int, int]] = NO_PARTS
    ) -> list[StoredDocument]:
        wanted = [(number, *parts.get(number, (0, -1 if most is None else most))) for number in numbers]
        question = (
            "SELECT d.number, d.id, CASE WHEN w.value ->> 2 = 0 THEN '' "
            "WHEN w.value ->> 2 < 0 OR instr(d.text, char(0)) THEN d.text "  # substr would end a text at NUL
            "ELSE substr(d.text, 1 + (w.value ->> 1), (w.value ->> 2) - (w.value ->> 1)) END, "
            "d.title, d.fields, d.source, d.added FROM json_each(?) w JOIN documents d ON d.number = w.value ->> 0"
        )
        found = {row[0]: row for row in self._file.rows(question, json.dumps(wanted))}
        for number, start, stop in set(wanted):
            if stop > 0 and "\0" in found[number][2]:
                found[number] = (*found[number][:2], found[number][2][start:stop], *found[number][3:])
        rows = (found[number] for number in numbers)
        return [StoredDocument(row[1], row[2], row[3], json.loads(row[4]), row[5], row[6]) for row in rows]

    def scan(self, since: int | None = None) -> Iterator[Scanned]:
        # by the index on change; `WHERE change > … ORDER BY number` reads all documents
        among = "" if since is None else f"WHERE number IN (SELECT number FROM documents WHERE change > {int(since)})"
        question = f"SELECT number, id, title, text, fields, source FROM documents {among} ORDER BY number"
        return (Scanned(*row) for row in self._file.run(question))

    def put(self, documents: Sequence[Prepared], change: int) -> None:
        first = int(self._file.value("SELECT coalesce(max(number), 0) FROM documents")) + 1
        new = [one._replace(number=first + place) for place, one in enumerate(d for d in documents if not d.number)]
        old, now = [one for one in documents if one.number], time.time()
        self._file.run_many(
            "INSERT INTO documents (number, id, title, text, fields, source, checksum, added, change) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((*one, now, change) for one in new),
        )
        self._file.run_many(
            "UPDATE documents SET title = ?, text = ?, fields = ?, source = ?, checksum = ?, change = ? "
            "WHERE number = ?",
            ((*one[2:], change, one.number) for one in old),
        )
        numbers = [(one.number,) for one in old]
        self._file.run_many("DELETE FROM fields WHERE number = ?", numbers)
        self._file.run_many("DELETE FROM vectors WHERE number = ?", numbers)
        self._file.run_many("DELETE FROM passage_vectors WHERE number = ?", numbers)
        every = [(one, json.loads(one.fields)) for one in (*new, *old)]
        self._file.run_many(
            "INSERT INTO fields (number, name, value, amount) VALUES (?, ?, ?, ?)",
            (row for one, fields in every if fields for row in field_rows(one.number, fields)),
        )
        self._add_words(every)

    def remove(self, ids: Iterable[str]) -> int:
        gone = 0
        for id_ in ids:
            gone += self._file.run("DELETE FROM documents WHERE id = ?", id_).rowcount
        return gone

    def field_names(self) -> dict[str, int]:
        question = "SELECT name, count(DISTINCT number) FROM fields GROUP BY name ORDER BY 2 DESC, name"
        return dict(self._file.rows(question))

    def field_values(self, name: str) -> FieldValues | None:
        numbers = "count(*), count(amount), count(DISTINCT value), min(amount), max(amount)"
        ((n_rows, n_amounts, n_distinct, least, most),) = self._file.rows(
            f"SELECT {numbers} FROM fields WHERE name = ?", name
        )
        if not n_rows:
            return None
        counted = "SELECT value, count(*) FROM fields WHERE name = ? GROUP BY value ORDER BY 2 DESC, 1 LIMIT ?"
        values = tuple(ValueCount(*row) for row in self._file.rows(counted, name, MOST_VALUES))
        numeric = n_amounts == n_rows
        return FieldValues(name, values, n_distinct, numeric, *((least, most) if numeric else (None, None)))

    def field_of_each(self, name: str) -> list[FieldValue | None]:
        found = self._file.rows("SELECT number, value FROM fields WHERE name = ? ORDER BY rowid", name)
        values: dict[int, FieldValue] = dict(reversed(found))
        return [values.get(number) for (number,) in self._file.rows("SELECT number FROM documents ORDER BY id")]

    def queries(self) -> list[str]:
        return queries(self._file)

    def _rows_of_field(self, name: str) -> Iterator[tuple[int, Value]]:
        return rows_of_field(self._file, name)

    # vectors
    def write_vectors(self, numbers: Sequence[int], vectors: FloatArray) -> None:
        packed = np.ascontiguousarray(vectors, "<f4")
        rows = ((number, vector.tobytes()) for number, vector in zip(numbers, packed, strict=True))
        self._file.run_many("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)

    def write_passage_vectors(self, vectors: Mapping[int, FloatArray]) -> None:
        rows = ((number, np.ascontiguousarray(own, "<f4").tobytes()) for number, own in vectors.items())
        self._file.run_many("INSERT OR REPLACE INTO passage_vectors VALUES (?, ?)", rows)

    def forget_vectors(self) -> None:
        self._file.run("DELETE FROM vectors")
        self._file.run("DELETE FROM passage_vectors")

    # whole
    def summary(self) -> Summary:
        journal = self.path.with_name(self.path.name + "-wal")
        n_bytes = self.path.stat().st_size + (journal.stat().st_size if journal.exists() else 0)
        size = self._file.value("SELECT length(vector) FROM vectors LIMIT 1")
        last = self._file.value("SELECT max(added) FROM documents")
        return Summary(n_bytes, VERSION, (size or 0) // 4, last)

    def check(self, encode: Encode | None) -> list[Finding]:
        return find_damage(self._file, encode)

    def repair(self, parts: Iterable[str], on_progress: Progress) -> list[str]:
        return repair(self._file, parts, on_progress)

    # the sources of the arrays
    def _numbers(self) -> IntArray:
        return self._as_array(self._file.run("SELECT number FROM documents ORDER BY id"))

    def _numbers_where(self, leaf: Leaf) -> IntArray:
        question, values = question_of(leaf)
        return self._as_array(self._file.run(question, *values))

    def _as_array(self, rows: Iterable[tuple[int]]) -> IntArray:
        return np.fromiter(chain.from_iterable(rows), np.int64)

    def _vectors_since(self, change: int) -> tuple[IntArray, FloatArray]:
        among = "" if change < 0 else f"WHERE number IN (SELECT number FROM documents WHERE change > {change:d})"
        n_documents, n_bytes = self._file.rows(f"SELECT count(*), max(length(vector)) FROM vectors {among}")[0]
        n_features = (n_bytes or 0) // 4
        numbers, vectors = np.empty(n_documents, np.int64), np.empty((n_documents, n_features), np.float32)
        cursor, start = self._file.run(f"SELECT number, vector FROM vectors {among} ORDER BY number"), 0
        while rows := cursor.fetchmany(_AT_ONCE):
            stop = start + len(rows)
            numbers[start:stop] = [row[0] for row in rows]
            vectors[start:stop] = np.frombuffer(b"".join(row[1] for row in rows), "<f4").reshape(len(rows), n_features)
            start = stop
        return numbers, vectors

    def _passage_vectors_since(self, change: int) -> tuple[dict[int, FloatArray], IntArray]:
        changed = f"SELECT number FROM documents WHERE change > {change:d}"
        among = "" if change < 0 else f"WHERE number IN ({changed})"
        rows = self._file.run(f"SELECT number, vectors FROM passage_vectors {among} ORDER BY number")
        n_features = int(self._file.value("SELECT length(vector) / 4 FROM vectors LIMIT 1") or 1)
        found = {number: np.frombuffer(content, "<f4").reshape(-1, n_features) for number, content in rows}
        return found, self._as_array(self._file.run(changed) if change >= 0 else ())
