"""A collection as it is looked at: one document, all of them on a map, and how far a screening has come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

import numpy as np

from satchel.collection.map import CollectionMap, current_places, keep, landmark_texts, lay_out, layout_of
from satchel.collection.open_collection import OpenCollection
from satchel.errors import InputError
from satchel.importing import FieldValue
from satchel.progress import Progress, no_progress
from satchel.projects import Screening, screening
from satchel.query import Request
from satchel.query.calling import asked_by
from satchel.search import Reading, checked_question, cosines, direction_of, question_of, read_for
from satchel.store import FieldValues
from satchel.store.amounts import COLUMNS
from satchel.types import FloatArray


class ViewedCollection(OpenCollection):
    """What a page shows beside a list of hits."""

    def read(
        self, id_: str, query: str = "", *, project: str | None = None, weights: Mapping[int, float] | None = None
    ) -> Reading:
        """A document, where the words of the query stand in it, and its passages that matter most."""
        document = self._stored(id_)
        with self._store.reading():
            model = self._snapshot().model
            question = question_of(self._store, Request(query, project=project, weights=weights))
            direction = direction_of(self._store, model, question, with_lessons=False)
        return read_for(model, document, question.query, direction)

    @asked_by(Request)
    def scores(self, request: Request) -> FloatArray:
        """How near each document is in meaning, after the marks that are kept, in the order of ids; 0 for no query."""
        with self._store.reading():
            snapshot = self._snapshot()
            question = checked_question(self._store, snapshot, request)
            direction = direction_of(self._store, snapshot.model, question, with_lessons=False)
            numbers = self._store.listed()
            vectors = self._store.vectors(numbers)
        if direction is None or not direction.refined.query.any():
            return np.zeros(len(numbers), np.float32)
        return cosines(vectors, direction).astype(np.float32)

    def map(self, *, on_progress: Progress = no_progress) -> CollectionMap:
        """All documents on a plane, near ones near each other. Made at the first call, and kept in the store."""
        with self._store.reading():
            layout, kept = layout_of(self._store), current_places(self._store)
            texts = landmark_texts(self._store, layout) if kept is None else []
            ids = self._store.ids()
        places = lay_out(layout, kept, texts, on_progress)
        if kept is None or len(kept.numbers) != len(places.numbers):
            keep(self._store, layout, places)
        return CollectionMap(ids, places.points[np.searchsorted(places.numbers, layout.numbers)], places.regions)

    def has_map(self) -> bool:
        """Whether a map is kept that need not be made anew."""
        with self._store.reading():
            return current_places(self._store) is not None

    def field_values(self, name: str) -> FieldValues:
        """The values of a field to choose from: the frequent ones, how many there are, where numbers begin and end."""
        with self._store.reading():
            found = self._store.field_values(name)
            if found is None:
                raise _missing_field(name, sorted(self._store.field_names()))
            return found

    def field_of_each(self, name: str) -> list[FieldValue | None]:
        """The value of a field of each document, in the order of ids: the first of several, None where it has none."""
        with self._store.reading():
            return self._store.field_of_each(name)

    def check_fields(self, names: Iterable[str]) -> None:
        """Refuses a field that no document has, by which a filter finds nothing; the error names those spelt alike."""
        with self._store.reading():
            wanted = [name for name in names if name not in COLUMNS]
            there = sorted(self._store.field_names()) if wanted else []
            for name in wanted:
                if name not in there and (there or self._store.count()):
                    raise _missing_field(name, there)

    def screening(self, *, query: str | None = None, project: str | None = None) -> Screening:
        """How far the marks of a query or a project have come, and how many relevant documents may be left."""
        if (query is None) == (project is None):
            raise InputError("a screening is that of a query or of a project; give one of them")
        with self._store.reading():
            return screening(self._store, query, project)


def _missing_field(name: str, there: Sequence[str]) -> InputError:
    """The error for a field that no document has: with those that are spelt alike, else with all."""
    near = get_close_matches(name, there, n=2)
    meant = f"is it {' or '.join(map(repr, near))}?" if near else f"choose from {', '.join(there)}"
    return InputError(f"no document has a field {name[:200]!r}; {meant if there else 'the documents have none'}")
