"""What searches of a local store keep in memory: numbers, vectors and passages of one moment, loaded once."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satchel.errors import CollectionError, DamagedCollectionError
from satchel.lru import Lru
from satchel.ranking import ExactIndex
from satchel.store.fields import MOST_FIELDS_KEPT, FieldCodes
from satchel.store.index import PassageTable, Segment, StemScores
from satchel.store.indexed import FieldNumbers
from satchel.store.rows import State
from satchel.store.settings import read_settings
from satchel.types import FloatArray, IntArray

KEPT_ENTRIES = 6_000_000
"""How many entries of decoded stems stay in memory, at 12 bytes each; those that were used last."""


@dataclass(frozen=True)
class PassageVectors:
    """The vectors of the passages of long documents, (n_passages, n_features), and the document of each, ascending."""

    documents: IntArray
    vectors: FloatArray

    @cached_property
    def index(self) -> ExactIndex:
        return ExactIndex(self.vectors)

    @cached_property
    def places(self) -> IntArray:
        """The place of each passage in its document."""
        firsts = np.searchsorted(self.documents, self.documents)
        return np.arange(len(self.documents)) - firsts

    def of(self, kept: NDArray[np.bool_]) -> PassageVectors:
        return PassageVectors(self.documents[kept], self.vectors[kept])


@dataclass(frozen=True)
class LoadedArrays:
    """All documents of one moment, in the order of their ids: numbers (n,), vectors (n, n_features), words."""

    state: State
    numbers: IntArray
    vectors: FloatArray
    words: PassageTable
    passages: PassageVectors
    by_stem: Lru[StemScores] = field(default_factory=lambda: Lru(KEPT_ENTRIES, lambda one: 100 + len(one.passages)))
    field_weights: Mapping[int, float] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    field_names: list[tuple[str, ...]] = field(default_factory=list)
    by_field: Lru[FieldCodes] = field(default_factory=lambda: Lru(MOST_FIELDS_KEPT))

    @cached_property
    def index(self) -> ExactIndex:
        return ExactIndex(self.vectors)

    @cached_property
    def by_number(self) -> IntArray:
        """The row of each document number, (largest number + 1,); -1 if there is no such document."""
        return places_of(self.numbers, 0)

    def places(self, numbers: IntArray) -> IntArray:
        """The rows of the documents with these numbers; all of them must exist."""
        return self.by_number[numbers]


class Shared:
    """The memory that several connections to the same store share."""

    def __init__(self) -> None:
        self.turn = threading.Lock()
        self.arrays: LoadedArrays | None = None


class LoadsArrays(ABC):
    """Loads the arrays of the present moment once for all connections to a store; subclasses read the rows."""

    shared: Shared
    _conditions: dict[tuple[str, ...], IntArray] | None
    _now: LoadedArrays | None

    @property
    @abstractmethod
    def path(self) -> Path: ...
    @abstractmethod
    def state(self) -> State: ...
    @abstractmethod
    def note(self, name: str, default: Any) -> Any: ...
    @property
    @abstractmethod
    def _is_changing(self) -> bool:
        """Whether this connection is within a change; what it has written so far must not be cached."""

    @abstractmethod
    def _numbers(self) -> IntArray:
        """The numbers of all documents, in the order of ids."""

    @abstractmethod
    def _vectors_since(self, change: int) -> tuple[IntArray, FloatArray]:
        """Numbers, ascending, and vectors of the documents added after a change."""

    @abstractmethod
    def _passage_vectors_since(self, change: int) -> tuple[dict[int, FloatArray], IntArray]:
        """Number -> vectors of passages of the documents changed after a change, ascending; and all changed numbers."""

    @abstractmethod
    def _segments(self) -> list[Segment]: ...
    @abstractmethod
    def _field_numbers(self) -> FieldNumbers: ...
    def arrays(self) -> LoadedArrays:
        """The arrays of this moment, loaded once for all connections; only newer documents are read again."""
        if self._is_changing:
            raise CollectionError(f"{self.path} cannot be searched inside a transaction of its own")
        if self._conditions is None:
            return self._arrays_of(self.state())
        if self._now is None:
            self._now = self._arrays_of(self.state())
        return self._now

    def _arrays_of(self, state: State) -> LoadedArrays:
        known = self.shared.arrays
        if known is not None and known.state == state:
            return known
        with self.shared.turn:
            known = self.shared.arrays
            if known is None or known.state != state:
                found = self._load(state, known)
                if known is not None and known.state.change > state.change:
                    return found  # another connection already sees a later moment: its arrays stay
                self.shared.arrays = found
            return self.shared.arrays or self._load(state, None)

    def _load(self, state: State, known: LoadedArrays | None) -> LoadedArrays:
        """Loads the arrays. known may be of a later moment, from another connection, with vectors of other texts."""
        same_rows = known is not None and known.state.change < state.change and known.state[1:] == state[1:]
        before = known if same_rows else None
        numbers = self._numbers()
        vectors = self._vectors_of(numbers, before)
        table = PassageTable(self._segments(), numbers)
        weights = read_settings(self).weights_by_number(self._field_numbers())
        passages = self._passages_of(numbers, before)
        return LoadedArrays(state, numbers, vectors, table, passages, field_weights=weights)

    def _passages_of(self, numbers: IntArray, before: LoadedArrays | None) -> PassageVectors:
        """The vectors of passages; those of documents that have not changed since are taken from `before`."""
        new, changed = self._passage_vectors_since(-1 if before is None else before.state.change)
        documents = np.repeat(np.fromiter(new, np.int64, len(new)), [len(rows) for rows in new.values()])
        found = PassageVectors(documents, np.concatenate(list(new.values())) if new else np.empty((0, 0), np.float32))
        if before is None or not len(before.passages.documents):
            return found
        kept = np.isin(before.passages.documents, numbers) & ~np.isin(before.passages.documents, changed)
        old = before.passages.of(kept)
        if not len(found.documents):
            return old
        documents = np.concatenate([old.documents, found.documents])
        order = np.argsort(documents, kind="stable")
        return PassageVectors(documents[order], np.concatenate([old.vectors, found.vectors])[order])

    def _vectors_of(self, by_id: IntArray, before: LoadedArrays | None) -> FloatArray:
        """One row for each number; rows that have not changed since are taken from `before`."""
        numbers, found = self._vectors_since(-1 if before is None else before.state.change)
        if before is not None and len(found) and before.vectors.shape[1] != found.shape[1]:
            before = None
        if not len(by_id) or not (len(numbers) or before is not None or self.state().model):
            return np.empty((len(by_id), 0), np.float32)
        largest = int(max(by_id.max(), numbers.max(initial=0)))
        places = places_of(numbers, largest)[by_id]
        is_new = places >= 0
        kept = np.full(len(by_id), -1) if before is None else places_of(before.numbers, largest)[by_id]
        if (kept[~is_new] < 0).any():
            raise DamagedCollectionError(
                f"{self.path} lacks vectors of documents; `satchel check --repair` computes them again"
            )
        if before is None:
            return found[places]
        rows: FloatArray = before.vectors[kept]
        if is_new.any():
            rows[is_new] = found[places[is_new]]
        return rows


def places_of(numbers: IntArray, largest: int) -> IntArray:
    """The position of each number, (largest + 1,); -1 for a number that is not in the list."""
    found = np.full(max(largest, int(numbers.max(initial=0))) + 1, -1, np.int64)
    found[numbers] = np.arange(len(numbers))
    return found
