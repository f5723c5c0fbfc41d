"""What all local stores share: conditions, search by words and by meaning, and samples, over arrays in memory."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, reduce
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from satchel.errors import CollectionError, DamagedCollectionError
from satchel.query import Condition, Contains, Leaf, Marked, Near, Phrase, Prefix, Within, Word, evaluate, key_of
from satchel.ranking import ExactIndex
from satchel.store.found_by_field import KnowsFields
from satchel.store.index import Block, StemScores, best_documents, unpacked_streams
from satchel.store.index.coding import Numbers
from satchel.store.loaded import LoadedArrays, LoadsArrays, Shared
from satchel.store.protocol import NO_NUMBERS
from satchel.store.rows import DiaryRow, Sample, Scored, StoredDocument, marks_in_force
from satchel.store.stored_files import numbers_within
from satchel.store.text_leaves import TextLeaf, WordIndex, first_word, holds
from satchel.types import DoubleArray, FloatArray, IntArray

NOTHING_FOUND = Scored(NO_NUMBERS, np.empty(0), NO_NUMBERS, 0)
NO_PASSAGES = StemScores(np.empty(0, np.int32), np.empty(0))
_CONTROLLER = ThreadpoolController()


def one_blas_thread() -> Any:
    """A context in which matrix products use one thread: the same bits every time, and one query is faster."""
    return _CONTROLLER.limit(limits=1, user_api="blas")


class LocalStore(LoadsArrays, KnowsFields):
    """A store whose vectors and document numbers fit into memory; subclasses read and write the rows."""

    def __init__(self) -> None:
        self.shared = Shared()
        self._conditions: dict[tuple[str, ...], IntArray] | None = None
        self._now: LoadedArrays | None = None

    # what a subclass defines
    @abstractmethod
    def write_files(self, folder: str, files: Mapping[str, bytes]) -> None: ...
    @abstractmethod
    def rows(self, kind: type[Any], **equal: object) -> list[Any]: ...
    @abstractmethod
    def known(self, ids: Iterable[str]) -> Mapping[str, Any]: ...
    @abstractmethod
    def documents(self, numbers: Sequence[int], most: int | None = None) -> list[StoredDocument]: ...
    @abstractmethod
    def files(self, folder: str, name: str | None = None) -> dict[str, bytes]: ...
    @abstractmethod
    def _numbers_where(self, leaf: Leaf) -> IntArray:
        """The numbers of the documents that meet a condition on fields or changes."""

    @abstractmethod
    def _blocks(self, stems: Sequence[str]) -> Iterator[tuple[str, int, Block]]:
        """The blocks of these stems in all segments, oldest first."""

    @abstractmethod
    def _streams(self, numbers: Iterable[int]) -> dict[int, bytes]: ...
    @abstractmethod
    def _word_numbers(self, **test: Any) -> dict[int, str]:
        """Number -> stem of the words with this `word` or `prefix`, or with one of these `stems`."""

    @abstractmethod
    def _fields_there(self) -> tuple[str, ...]:
        """The names of the fields that documents have."""

    def fields_there(self) -> tuple[str, ...]:
        if self._is_changing:
            return self._fields_there()
        names = self.arrays().field_names
        if not names:
            names.append(self._fields_there())
        return names[0]

    # conditions
    @contextmanager
    def _one_moment(self) -> Iterator[None]:
        """Nothing changes within the block, so lookups are cached until it ends."""
        if self._conditions is not None:
            yield
            return
        self._conditions = {}
        try:
            yield
        finally:
            self._conditions = self._now = None

    def listed(self, condition: Condition | None = None) -> IntArray:
        arrays = self.arrays()
        return arrays.numbers if condition is None else arrays.numbers[self._allowed(condition)]

    def in_order(self, numbers: IntArray) -> IntArray:
        return self.arrays().places(numbers)

    def _allowed(self, condition: Condition) -> IntArray:
        """The rows of the documents that meet a condition, ascending; looked up once for each moment."""
        kept, key = self._conditions, key_of(condition)
        found = None if kept is None else kept.get(key)
        if found is None:
            found = np.sort(self.arrays().places(self._meeting(condition)))
            if kept is not None:
                kept[key] = found
        return found

    def _meeting(self, condition: Condition) -> IntArray:
        """The numbers of the documents that meet a condition, ascending."""
        every = cache(lambda: np.sort(self._numbers()))
        return evaluate(
            condition,
            self._of_leaf,
            lambda parts: reduce(np.intersect1d, parts) if parts else every(),
            lambda parts: reduce(np.union1d, parts, np.empty(0, np.int64)),
            lambda part: np.setdiff1d(every(), part),
        )

    def _of_leaf(self, leaf: Leaf) -> IntArray:
        if isinstance(leaf, Within):
            return np.intersect1d(numbers_within(self, leaf), self.arrays().numbers)
        if isinstance(leaf, Marked):
            own = {"project": leaf.project} | ({} if leaf.project is not None else {"query": leaf.query})
            marked = (
                row.id for row in marks_in_force(self.rows(DiaryRow, undone=0, **own)) if row.value in leaf.values
            )
            return np.sort(np.array([one.number for one in self.known(marked).values()], np.int64))
        if isinstance(leaf, Word | Phrase | Prefix | Near):
            return self._with_words(leaf)
        return np.unique(self._numbers_where(leaf))

    def _word_index(self) -> WordIndex:
        table = self.arrays().words
        return WordIndex(table, self._field_numbers(), self._blocks, self.streams, self._word_numbers)

    def _with_words(self, leaf: TextLeaf) -> IntArray:
        """The documents that meet a condition on their words; ids are also read as they are."""
        found = self._word_index().meeting(leaf)
        if "id" not in leaf.fields:
            return found
        among = np.setdiff1d(self._numbers_where(Contains("id", first_word(leaf))), found).tolist()
        ids = (one.id for one in self.documents(among, 0))
        own = [number for number, id_ in zip(among, ids, strict=True) if holds(leaf, id_)]
        return np.union1d(found, np.array(own, np.int64))

    # words
    def find_words(
        self,
        weights: Mapping[str, float],
        depth: int,
        condition: Condition | None = None,
        also: IntArray = NO_NUMBERS,
    ) -> Scored:
        arrays = self.arrays()
        allowed: NDArray[np.bool_] | None = None
        if condition is not None:
            allowed = np.zeros(len(arrays.words.first), np.bool_)
            allowed[arrays.numbers[self._allowed(condition)]] = True
        parts = self._scored(arrays, list(weights))
        return best_documents(arrays.words, parts, list(weights.values()), depth, allowed, also)

    def word_counts(self, stems: Iterable[str]) -> dict[str, int]:
        arrays, wanted = self.arrays(), list(stems)
        missing = [one for one in wanted if one not in arrays.counts]
        if missing:
            self._scored(arrays, missing)
        return {one: arrays.counts[one] for one in wanted}

    def _scored(self, arrays: LoadedArrays, stems: list[str]) -> list[StemScores]:
        found = {stem: arrays.by_stem.recall(stem) for stem in stems}
        missing = [stem for stem, scored in found.items() if scored is None]
        blocks: dict[str, list[tuple[int, Block]]] = {stem: [] for stem in missing}
        for stem, segment, block in self._blocks(missing) if missing else ():
            blocks[stem].append((segment, block))
        for stem, own in blocks.items():
            scored = arrays.words.scores_of(own, arrays.field_weights) if own else NO_PASSAGES
            found[stem] = scored
            arrays.counts[stem] = len(scored.passages)
            arrays.by_stem.keep(stem, scored)
        return [found[stem] or NO_PASSAGES for stem in stems]

    def _passages_with(self, stems: list[str]) -> Iterator[Numbers]:
        return (one.passages for one in self._scored(self.arrays(), stems))

    def streams(self, numbers: Sequence[int]) -> tuple[Numbers, IntArray]:
        found = self._streams(numbers)
        if any(number not in found for number in numbers):
            raise DamagedCollectionError(
                f"{self.path} lacks the words of documents; `satchel check --repair` indexes them again"
            )
        return unpacked_streams([found[number] for number in numbers])

    def stems_beginning(self, prefix: str) -> list[str]:
        return sorted(set(self._word_numbers(prefix=prefix).values()))

    def places_of(self, phrase: Sequence[str], numbers: Sequence[int]) -> dict[int, IntArray]:
        return self._word_index().places_of(phrase, numbers)

    # vectors
    def vectors(self, numbers: IntArray) -> FloatArray:
        arrays = self.arrays()
        found: FloatArray = arrays.vectors[arrays.places(numbers)]
        return found

    def sample(self, most: int) -> Sample:
        vectors = self.arrays().vectors
        step = max(1, -(-len(vectors) // most))
        return Sample(vectors[::step] if step > 1 else vectors, step)

    def cosines(self, query: FloatArray, mask: FloatArray | None, numbers: IntArray) -> DoubleArray:
        arrays = self.arrays()
        with one_blas_thread():
            return arrays.index.scores_of(query, arrays.places(numbers), mask).astype(np.float64)

    def find_near(
        self, query: FloatArray, mask: FloatArray | None, depth: int, condition: Condition | None = None
    ) -> Scored:
        arrays = self.arrays()
        if not query.any() or not arrays.vectors.shape[1]:
            return NOTHING_FOUND
        rows = None if condition is None else self._allowed(condition)
        with one_blas_thread():
            places, scores = _nearest(arrays.vectors, arrays.index, rows, query, mask, depth)
            found = Scored(arrays.numbers[places], scores, np.zeros(len(places), np.int64), len(places))
            passages = arrays.passages
            if not len(passages.documents):
                return found
            of_row = arrays.places(passages.documents)
            allowed = None if rows is None else np.flatnonzero(np.isin(of_row, rows))
            near, values = _nearest(passages.vectors, passages.index, allowed, query, mask, depth)
        by_passage = Scored(passages.documents[near], values, passages.places[near], len(near))
        return self._best_of_both(arrays, found, by_passage, depth)

    def _best_of_both(self, arrays: LoadedArrays, whole: Scored, passages: Scored, depth: int) -> Scored:
        """The best score of each document, as a whole or by a passage; best first, ties in the order of ids.

        The passage is the best one that was found, even if the whole document has a higher score.
        """
        numbers = np.concatenate([passages.numbers, whole.numbers])  # best first: the first of a document is its best
        own, firsts, group = np.unique(numbers, return_index=True, return_inverse=True)
        scores = np.full(len(own), -np.inf)
        np.maximum.at(scores, group, np.concatenate([passages.scores, whole.scores]))
        places = np.concatenate([passages.passages, whole.passages])[firsts]
        order = np.lexsort((arrays.places(own), -scores))[:depth]
        return Scored(own[order], scores[order], places[order], len(order))


def _nearest(
    vectors: FloatArray,
    index: ExactIndex,
    rows: IntArray | None,
    query: FloatArray,
    mask: FloatArray | None,
    depth: int,
) -> tuple[IntArray, DoubleArray]:
    """The nearest rows whose cosine is above 0, with their cosines; rows: only these, None for all."""
    index = index if rows is None else ExactIndex(vectors[rows])
    if not len(index):
        return NO_NUMBERS, np.empty(0)
    ids, scores = (found[0] for found in index.search(query[None, :], max(1, min(depth, len(index))), mask))
    places = ids[(ids >= 0) & (scores > 0)]
    return places if rows is None else rows[places], scores[: len(places)].astype(np.float64)


def refuse_reading(path: Path, is_reading: bool) -> None:
    """Raises CollectionError inside a `reading` block: a change made there would be undone when the block ends."""
    if is_reading:
        raise CollectionError(f"{path} cannot be changed while one moment of it is read; change it afterwards")
