"""A collection as it is looked at: one document, all of them on a map, and how far a screening has come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from satchel.collection.asking import Asked, request_of
from satchel.collection.field_values import FieldValues, read_field_values
from satchel.collection.filters import check_fields
from satchel.collection.legs import refined_query
from satchel.collection.lexical import query_terms
from satchel.collection.mapping import CollectionMap, current_places, keep, landmark_texts, lay_out
from satchel.collection.open_collection import OpenCollection
from satchel.collection.passages import Reading, read_for
from satchel.collection.screening import Screening, screening
from satchel.collection.semantic import cosines_of
from satchel.collection.vectors import Progress, no_progress
from satchel.errors import InputError
from satchel.types import FloatArray


class ViewedCollection(OpenCollection):
    """What a page shows beside a list of hits."""

    def read(
        self, id_: str, query: str = "", *, interest: str | None = None, weights: Mapping[int, float] | None = None
    ) -> Reading:
        """A document, where the words of the query stand in it, and its passages that matter most."""
        document = self._stored(id_)
        with self._file.reading():
            space, request = self._space(), request_of(self._file, Asked(query, interest=interest, weights=weights))
            refined = refined_query(self._file, space, request)
        return read_for(space, document, query_terms(request.query), refined)

    def scores(
        self,
        query: str = "",
        *,
        like: str | Sequence[str] | None = None,
        interest: str | None = None,
        weights: Mapping[int, float] | None = None,
    ) -> FloatArray:
        """How near each document is in meaning, after the marks that are kept, in the order of ids; 0 for no query."""
        asked = Asked(query, like=like, interest=interest, weights=weights)
        with self._file.reading():
            space = self._space()
            refined = refined_query(self._file, space, request_of(self._file, asked))
        if refined is None or not refined.query.any():
            return np.zeros(len(space.numbers), np.float32)
        return cosines_of(space.vectors, refined).astype(np.float32)

    def map(self, *, on_progress: Progress = no_progress) -> CollectionMap:
        """All documents on a plane, near ones near each other. Made at the first call, and kept in the file."""
        with self._file.reading():
            space = self._space()
            kept = current_places(self._file, space)
            texts = landmark_texts(self._file, space) if kept is None else []
            ids = [id_ for (id_,) in self._file.rows("SELECT id FROM documents ORDER BY id")]
        places = lay_out(space, kept, texts, on_progress)
        if kept is None or len(kept.numbers) != len(places.numbers):
            keep(self._file, space, places)
        return CollectionMap(ids, places.points[np.searchsorted(places.numbers, space.numbers)], places.regions)

    def has_map(self) -> bool:
        """Whether a map is kept that need not be made anew."""
        with self._file.reading():
            return current_places(self._file, self._space()) is not None

    def field_values(self, name: str) -> FieldValues:
        """The values of a field to choose from: the frequent ones, how many there are, where numbers begin and end."""
        with self._file.reading():
            return read_field_values(self._file, name)

    def check_fields(self, names: Iterable[str]) -> None:
        """Refuses a field that no document has, by which a filter finds nothing; the error names those spelt alike."""
        with self._file.reading():
            check_fields(self._file, names)

    def screening(self, *, query: str | None = None, interest: str | None = None) -> Screening:
        """How far the marks of a query or an interest have come, and how many relevant documents may be left."""
        if (query is None) == (interest is None):
            raise InputError("a screening is that of a query or of an interest; give one of them")
        with self._file.reading():
            return screening(self._file, query, interest)
