"""An open collection: its documents, the reader, the map and the fields, and what search keeps in memory."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from difflib import get_close_matches
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from satchel.collection.info import Info, read_info
from satchel.collection.map import CollectionMap, current_places, keep, landmark_texts, lay_out, layout_of
from satchel.collection.settings import SettingsOfCollection
from satchel.encoders import Encoder
from satchel.errors import InputError, whole_number
from satchel.importing import FieldValue
from satchel.progress import Progress, no_progress
from satchel.query import Request, is_unicode, takes_fields_of, writable
from satchel.search import (
    Reading,
    Snapshot,
    Snapshots,
    checked_question,
    cosines,
    direction_of,
    missing,
    question_of,
    read_for,
    suggestions,
)
from satchel.store import COLUMNS, FieldValues, Store, StoredDocument
from satchel.types import FloatArray


class OpenCollection:
    """A mapping from id to document, with the numbers of the store."""

    def __init__(self, store: Store, snapshots: Snapshots | None = None) -> None:
        self._store = store
        self._snapshots = snapshots or Snapshots()

    def another(self) -> Self:
        """A second connection to the same collection, for another thread; both share what is held in memory."""
        return type(self)(self._store.another(), self._snapshots)

    @property
    def path(self) -> Path:
        return self._store.path

    @property
    def read_only(self) -> bool:
        return self._store.read_only

    @property
    def version(self) -> int:
        """A number that differs after every change that another connection made."""
        return self._store.version()

    @property
    def model(self) -> Encoder | None:
        """The present encoder; None before documents are added. `model.describe(12)` gives the words of theme 12."""
        with self._store.reading():
            return self._snapshot().model.encoder

    def close(self) -> None:
        """Closes the store; the collection cannot be used afterwards. Closing twice is harmless."""
        self._store.close()

    def reading(self) -> AbstractContextManager[None]:
        """Everything read within the block is of one moment, whatever others change meanwhile."""
        return self._store.reading()

    def info(self) -> Info:
        with self._store.reading():
            return read_info(self._store)

    def __len__(self) -> int:
        with self._store.reading():
            return self._store.count()

    def __contains__(self, id_: object) -> bool:
        if not isinstance(id_, str) or not is_unicode(id_):
            return False
        with self._store.reading():
            return id_ in self._store.known([id_])

    def __getitem__(self, id_: str) -> StoredDocument:
        with self._store.reading():
            known = self._store.known([id_])
            if id_ not in known:
                raise KeyError(id_)
            return self._store.documents([known[id_].number])[0]

    def _stored(self, id_: str) -> StoredDocument:
        """The document with this id; raises AbsentError if there is none."""
        try:
            return self[id_]
        except KeyError:
            raise missing(self._store, id_) from None

    def __iter__(self) -> Iterator[str]:
        """The ids, in order."""
        with self._store.reading():
            return iter(self._store.ids())

    def __repr__(self) -> str:
        if not self._store.is_open:
            return f"<Collection {self.path}, closed>"
        return f"<Collection {self.path}, {len(self):,} documents>"

    def _repr_html_(self) -> str:
        return self.info()._repr_html_() if self._store.is_open else html.escape(repr(self))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _snapshot(self) -> Snapshot:
        return self._snapshots.of(self._store)


class ViewedCollection(OpenCollection):
    """A collection with the reader, the map and the values of fields."""

    def read(
        self, id_: str, query: str = "", *, project: str | None = None, weights: Mapping[int, float] | None = None
    ) -> Reading:
        """A document with the places of the query's words and the passages that matter most."""
        document = self._stored(id_)
        with self._store.reading():
            model = self._snapshot().model
            question = question_of(self._store, Request(query, project=project, weights=weights))
            direction = direction_of(self._store, model, question, with_lessons=False)
        return read_for(model, document, question.query, direction, question.sought)

    @property
    def suggestions(self) -> SuggestionsOfCollection:
        """Texts to go on with while a person types: `collection.suggestions.of("stor")`."""
        return SuggestionsOfCollection(self._store)

    @property
    def settings(self) -> SettingsOfCollection:
        """Synonyms, extra stop words and weights of fields: `collection.settings.read()`."""
        return SettingsOfCollection(self._store)

    @property
    def map(self) -> MapOfCollection:
        """All documents on a plane, similar ones close together: `collection.map.places()`."""
        return MapOfCollection(self._store, self._snapshot)

    def field_values(self, name: str) -> FieldValues:
        """The values of a field to choose from: the frequent ones, the count of all, and the ends of numbers."""
        with self._store.reading():
            found = self._store.field_values(name)
            if found is None:
                raise _missing_field(name, sorted(self._store.field_names()))
            return found

    def check_fields(self, names: Iterable[str]) -> None:
        """Raises InputError for a field that no document has; the error names fields with a similar spelling."""
        with self._store.reading():
            wanted = [name for name in names if name not in COLUMNS]
            there = sorted(self._store.field_names()) if wanted else []
            for name in wanted:
                if name not in there and (there or self._store.count()):
                    raise _missing_field(name, there)


def _missing_field(name: str, there: Sequence[str]) -> InputError:
    """The error for a field that no document has; it lists fields with a similar spelling, else all fields."""
    near = get_close_matches(name, there, n=2)
    meant = f"is it {' or '.join(map(repr, near))}?" if near else f"choose from {', '.join(there)}"
    return InputError(f"no document has a field {name[:200]!r}; {meant if there else 'the documents have none'}")


class SuggestionsOfCollection:
    """Suggestions while a person types: `collection.suggestions`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def of(self, text: str, k: int = 8) -> list[str]:
        """At most k texts that go on with what was typed: earlier queries and projects, words, titles."""
        with self._store.reading():
            return suggestions(self._store, writable(text), whole_number("k", k))


class MapOfCollection:
    """All documents on a plane: `collection.map`."""

    def __init__(self, store: Store, snapshot: Callable[[], Snapshot]) -> None:
        self._store, self._snapshot = store, snapshot

    def places(self, *, on_progress: Progress = no_progress) -> CollectionMap:
        """The place of every document; similar ones are close together. Made at the first call, then kept."""
        with self._store.reading():
            layout, kept = layout_of(self._store), current_places(self._store)
            texts = landmark_texts(self._store, layout) if kept is None else []
            ids = self._store.ids()
        places = lay_out(layout, kept, texts, on_progress)
        if kept is None or len(kept.numbers) != len(places.numbers):
            keep(self._store, layout, places)
        return CollectionMap(ids, places.points[np.searchsorted(places.numbers, layout.numbers)], places.regions)

    def is_made(self) -> bool:
        """Whether a present map is kept in the store."""
        with self._store.reading():
            return current_places(self._store) is not None

    @takes_fields_of(Request)
    def scores(self, request: Request) -> FloatArray:
        """The cosine of each document to the request after its marks, in the order of ids; 0 without a query."""
        with self._store.reading():
            snapshot = self._snapshot()
            question = checked_question(self._store, snapshot, request)
            direction = direction_of(self._store, snapshot.model, question, with_lessons=False)
            numbers = self._store.listed()
            vectors = self._store.vectors(numbers)
        if direction is None or not direction.refined.query.any():
            return np.zeros(len(numbers), np.float32)
        return cosines(vectors, direction).astype(np.float32)

    def values_of(self, name: str) -> list[FieldValue | None]:
        """The value of a field for each document, in the order of ids: the first of several; None if it has none."""
        with self._store.reading():
            return self._store.field_of_each(name)
