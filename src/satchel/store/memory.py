"""A store in memory: for tests, for the laboratory, and for searching texts without a file."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from satchel.errors import CollectionError
from satchel.importing import FieldValue
from satchel.progress import Progress
from satchel.query import Between, Condition, Contains, Is, Leaf, Since, Value
from satchel.store.amounts import COLUMNS, FieldRow, field_rows
from satchel.store.index import SegmentBuilder
from satchel.store.indexed import file_name
from satchel.store.loaded import Shared
from satchel.store.local import LocalStore, refuse_reading
from satchel.store.memory_content import Held, Kept, as_kept, row_meets, rows_of_field, text_meets
from satchel.store.memory_words import KeepsWordsInMemory
from satchel.store.protocol import NO_PARTS, Encode
from satchel.store.rows import (
    DiaryRow,
    FieldValues,
    Finding,
    Known,
    Prepared,
    Row,
    Scanned,
    State,
    StoredDocument,
    Summary,
    ValueCount,
)
from satchel.types import FloatArray, IntArray

MOST_VALUES = 50
AnyRow = TypeVar("AnyRow", bound=Row)


class MemoryStore(KeepsWordsInMemory, LocalStore):
    """Works like the store in a file, but its content is lost when it is closed. Threads may share it."""

    read_only = False

    def __init__(self) -> None:
        super().__init__()
        self._held = Held()
        self.is_open = True

    @property
    def path(self) -> Path:
        return Path(":memory:")

    def another(self) -> MemoryStore:
        other = MemoryStore()
        other.shared, other._held = self.shared, self._held
        return other

    def close(self) -> None:
        """Closes the connection; the content is lost with the last one. Closing twice is harmless."""
        self.is_open = False
        self.shared, self._held = Shared(), Held()

    # one moment, one transaction
    @contextmanager
    def reading(self) -> Iterator[None]:
        if not self.is_open:
            raise CollectionError("this collection in memory is closed; make another one")
        with self._held.turn, self._one_moment():
            yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        held = self._held
        with held.turn:
            refuse_reading(self.path, self._conditions is not None and not held.is_changing)
        with self.reading():
            if held.is_changing:
                yield
                return
            before, held.content, held.is_changing = held.content, held.content.copied(), True
            try:
                yield
                self._index_new_words()
                held.content.n_changes += 1
            except BaseException:
                held.content = before
                raise
            finally:
                held.is_changing, held.new_words = False, SegmentBuilder()

    @property
    def _is_changing(self) -> bool:
        return self._held.is_changing

    def state(self) -> State:
        return State(*(int(self._content.notes.get(name, 0)) for name in State._fields))

    def version(self) -> int:
        return self._content.n_changes

    def next_change(self) -> int:
        number = self.state().change + 1
        self.write_note("change", number)
        return number

    def note(self, name: str, default: Any) -> Any:
        return self._content.notes.get(name, default)

    def write_note(self, name: str, value: object) -> None:
        self._content.notes[name] = value

    # documents
    def count(self, condition: Condition | None = None) -> int:
        return len(self._content.documents) if condition is None else len(self._meeting(condition))

    def ids(self) -> list[str]:
        return sorted(self._content.numbers)

    def known(self, ids: Iterable[str]) -> dict[str, Known]:
        found: dict[str, Known] = {}
        for id_ in ids:
            number = self._content.numbers.get(id_)
            if number is not None:
                own = self._content.documents[number].prepared
                found[id_] = Known(number, own.checksum, own.source)
        return found

    def documents(
        self, numbers: Sequence[int], most: int | None = None, parts: Mapping[int, tuple[int, int]] = NO_PARTS
    ) -> list[StoredDocument]:
        kept = self._content.documents
        return [kept[number].stored(parts.get(number, (0, most))) for number in numbers]

    def scan(self, since: int | None = None) -> Iterator[Scanned]:
        for number in sorted(self._content.documents):
            kept = self._content.documents[number]
            if since is None or kept.change > since:
                yield Scanned(*kept.prepared[:-1])

    def put(self, documents: Sequence[Prepared], change: int) -> None:
        content, largest = self._content, max(self._content.documents, default=0)
        for one in documents:
            largest += not one.number
            own = one if one.number else one._replace(number=largest)
            before = content.documents.get(own.number)
            added = time.time() if before is None else before.added
            rows = tuple(field_rows(own.number, json.loads(own.fields)))
            content.documents[own.number] = Kept(own, rows, added, change)
            content.numbers[own.id] = own.number
            content.vectors.pop(own.number, None)
            content.passage_vectors.pop(own.number, None)
            self._add_words(own)

    def move(self, sources: Mapping[int, str]) -> int:
        n_renamed = 0
        for number, source in sources.items():
            kept = self._content.documents[number]
            moved = kept.prepared._replace(source=source)
            self._content.documents[number] = Kept(moved, kept.fields, kept.added, kept.change)
            if file_name(source) != file_name(kept.prepared.source):
                self._add_words(moved)
                n_renamed += 1
        return n_renamed

    def remove(self, ids: Iterable[str]) -> int:
        gone = 0
        for id_ in ids:
            number = self._content.numbers.pop(id_, None)
            if number is not None:
                gone += 1
                self._content.vectors.pop(number, None)
                self._content.passage_vectors.pop(number, None)
                self._content.streams.pop(number, None)
                del self._content.documents[number]
        return gone

    def _field_rows(self, name: str) -> Iterator[FieldRow]:
        for number in sorted(self._content.documents):
            yield from (row for row in self._content.documents[number].fields if row.name == name)

    def field_names(self) -> dict[str, int]:
        counts = Counter(name for kept in self._content.documents.values() for name in {r.name for r in kept.fields})
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    def field_values(self, name: str) -> FieldValues | None:
        rows = list(self._field_rows(name))
        if not rows:
            return None
        counts = Counter(as_kept(row.value) for row in rows)
        order = sorted(counts.items(), key=lambda pair: (-pair[1], isinstance(pair[0], str), pair[0]))
        values = tuple(ValueCount(*pair) for pair in order[:MOST_VALUES])
        amounts = [row.amount for row in rows if row.amount is not None]
        numeric = len(amounts) == len(rows)
        ends = (min(amounts), max(amounts)) if numeric else (None, None)
        return FieldValues(name, values, len(counts), numeric, *ends)

    def field_of_each(self, name: str) -> list[FieldValue | None]:
        rows = reversed(list(self._field_rows(name)))
        values: dict[int, FieldValue] = {row.number: as_kept(row.value) for row in rows}
        return [values.get(self._content.numbers[id_]) for id_ in self.ids()]

    def queries(self) -> list[str]:
        return sorted({row.query for row in self.rows(DiaryRow) if row.query})

    def _rows_of_field(self, name: str) -> Iterator[tuple[int, Value]]:
        return rows_of_field(self._content, name)

    # vectors
    def write_vectors(self, numbers: Sequence[int], vectors: FloatArray) -> None:
        packed = np.array(vectors, np.float32, order="C")
        self._content.vectors.update(zip(numbers, packed, strict=True))

    def write_passage_vectors(self, vectors: Mapping[int, FloatArray]) -> None:
        self._content.passage_vectors.update((number, np.array(own, np.float32)) for number, own in vectors.items())

    def forget_vectors(self) -> None:
        self._content.vectors, self._content.passage_vectors = {}, {}

    # rows and files
    def rows(self, kind: type[AnyRow], **equal: object) -> list[AnyRow]:
        kept = self._content.rows.get(kind, {})
        every = (kept[key] for key in sorted(kept))
        return [one for one in every if all(getattr(one, name) == value for name, value in equal.items())]

    def last_row(self, kind: type[AnyRow], **equal: object) -> AnyRow | None:
        return next(reversed(self.rows(kind, **equal)), None)

    def write_rows(self, rows: Iterable[Row]) -> None:
        for row in rows:
            kept = self._content.rows.setdefault(type(row), {})
            if isinstance(row, DiaryRow):
                own = row if row.number else row._replace(number=self._content.last_mark + 1)
                self._content.last_mark = max(self._content.last_mark, own.number)
                kept[own.number] = own
            else:
                kept[row[0]] = row

    def delete_rows(self, kind: type[Row], **equal: object) -> None:
        kept = self._content.rows.get(kind, {})
        for one in self.rows(kind, **equal):
            del kept[one[0]]

    def files(self, folder: str, name: str | None = None) -> dict[str, bytes]:
        kept = self._content.files.get(folder, {})
        return dict(kept) if name is None else {name: kept[name]} if name in kept else {}

    def write_files(self, folder: str, files: Mapping[str, bytes]) -> None:
        self._content.files[folder] = dict(files)

    # whole
    def summary(self) -> Summary:
        """The store in numbers; n_bytes counts texts and vectors."""
        kept, vectors = list(self._content.documents.values()), list(self._content.vectors.values())
        texts = sum(len(one.prepared.text) + len(one.prepared.title) for one in kept)
        n_features = len(vectors[0]) if vectors else 0
        last = max((one.added for one in kept), default=None)
        return Summary(texts + sum(vector.nbytes for vector in vectors), 0, n_features, last)

    def check(self, encode: Encode | None) -> list[Finding]:
        return []

    def repair(self, parts: Iterable[str], on_progress: Progress) -> list[str]:
        return []

    # the sources of the arrays
    def _numbers(self) -> IntArray:
        return np.array([self._content.numbers[id_] for id_ in self.ids()], np.int64)

    def _numbers_where(self, leaf: Leaf) -> IntArray:
        documents = self._content.documents
        if isinstance(leaf, Since):
            return np.array([number for number, kept in documents.items() if kept.change > leaf.change], np.int64)
        assert isinstance(leaf, Is | Between | Contains)
        if leaf.field in COLUMNS:
            values = ((number, getattr(kept.prepared, leaf.field)) for number, kept in documents.items())
            found = [number for number, value in values if text_meets(leaf, value)]
        else:
            found = [row.number for row in self._field_rows(leaf.field) if row_meets(leaf, row)]
        return np.array(found, np.int64)

    def _vectors_since(self, change: int) -> tuple[IntArray, FloatArray]:
        content = self._content
        numbers = sorted(number for number in content.vectors if content.documents[number].change > change)
        rows = np.array([content.vectors[number] for number in numbers], np.float32)
        return np.array(numbers, np.int64), rows if len(rows) else np.empty((0, 0), np.float32)

    def _passage_vectors_since(self, change: int) -> tuple[dict[int, FloatArray], IntArray]:
        documents, own = self._content.documents, self._content.passage_vectors
        changed = [number for number, kept in sorted(documents.items()) if kept.change > change]
        return {number: own[number] for number in changed if number in own}, np.array(changed, np.int64)
