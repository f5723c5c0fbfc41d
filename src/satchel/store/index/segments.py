"""Builds segments of the index of words. A segment holds the words of documents that came together, and never changes.

Each passage has a number, counted up over all segments. A document that is added again gets new passages; entries of
its old passages, and those of removed documents, are skipped. So adding and removing are as exact as building the
index from scratch. Small segments are merged as they gather.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from satchel.store.index.coding import MOST_COUNT, Block, Numbers, packed_blocks, packed_plainly, packed_streams
from satchel.text import Analysed, page_breaks, stems_of, windows
from satchel.types import IntArray

TEXT, TITLE, ID, FILE = 0, 1, 2, 3
"""The fields that every document has, by their numbers in the index; those a person gave follow."""
MOST_FIELDS = 256
"""Numbers below this mark the beginning of a field in a stream; words are numbered from here on."""
MOST_REPEATED = 200
"""The first passage of a document counts all words of its title and fields, later ones at most this many of each."""
MOST_SEGMENTS = 12
TOKENS_OF_SEGMENT = 1 << 23
"""A large change begins a new segment after this many words, to bound the memory that adding takes."""
_PENDING = 1 << 20
Numbering: TypeAlias = Callable[[list[str], list[str]], Numbers]
"""Gives words, with their stems, their numbers in the store; new ones get new numbers."""


class Segment(NamedTuple):
    """The passages of a segment, numbered from `first` on: the document of each, and its number of words."""

    number: int
    first: int
    documents: Numbers
    sizes: Numbers


class Stream(NamedTuple):
    """All words of one document in order, packed, and the windows of its passages if there are several.

    passages (n_passages, 4): the first word and the word after the last, then the same places as characters.
    """

    document: int
    words: bytes
    passages: Numbers | None


class NewSegment(NamedTuple):
    """A segment to be written: its passages, its stems in order with where the block of each ends, and all entries."""

    documents: Numbers
    sizes: Numbers
    stems: list[str]
    ends: IntArray
    entries: Block
    streams: list[Stream]

    def packed(self) -> Iterator[tuple[str, bytes]]:
        """Each stem with its block as bytes."""
        return zip(self.stems, packed_blocks(self.entries, self.ends), strict=True)

    def blocks(self) -> Iterator[tuple[str, Block]]:
        start = 0
        for stem, end in zip(self.stems, self.ends.tolist(), strict=True):
            yield stem, self.entries.of(slice(start, end))
            start = end


class _Run(NamedTuple):
    """Words that follow each other in the pool and count for one field of one passage."""

    start: int
    n_words: int
    passage: int
    field: int


class SegmentBuilder:
    """Collects documents word by word and builds a segment ordered by stem.

    The pool holds the words of all documents: for each field value a mark with the field's number, then its words.
    """

    def __init__(self) -> None:
        self._ids: defaultdict[str, int] = defaultdict()
        self._ids.default_factory = self._next_id  # a new word gets the next number inside the look-up
        self._taken: set[int] = set()
        self._runs: list[int] = []
        self._passages: list[int] = []
        self._sizes: list[int] = []
        self._windows: dict[int, Numbers] = {}
        self._ends: list[int] = []
        self._numbers: list[int] = []
        self._packed: list[Numbers] = []
        self._pending: list[int] = []
        self._n_packed = 0

    def _next_id(self) -> int:
        return len(self._ids) + MOST_FIELDS

    def __bool__(self) -> bool:
        return bool(self._numbers)

    def __contains__(self, number: int) -> bool:
        return number in self._taken

    @property
    def n_tokens(self) -> int:
        return self._n_packed + len(self._pending)

    def add(self, number: int, title: str, text: str, values: Iterable[tuple[int, str]] = ()) -> None:
        """Adds a document; each document at most once between two calls of `build`. values: field number -> text."""
        self._taken.add(number)
        self._numbers.append(number)
        read = Analysed(text)
        start, n_words = self._put(TEXT, read)
        cuts = windows(n_words, page_breaks(read))
        if len(cuts) > 1:
            self._windows[number] = _with_places(read, cuts)
        title_run = self._put(TITLE, Analysed(title))
        others = [(field, *self._put(field, Analysed(value))) for field, value in values]
        for first, stop in cuts:
            most = MOST_REPEATED if first else title_run[1]
            passage = len(self._passages)
            self._passages.append(number)
            self._sizes.append(stop - first + min(most, title_run[1]))
            self._runs += [start + first, stop - first, passage, TEXT]
            self._runs += [title_run[0], min(most, title_run[1]), passage, TITLE]
            for field, begin, length in others:
                self._runs += [begin, min(length, MOST_REPEATED) if first else length, passage, field]
        self._ends.append(self.n_tokens)
        if len(self._pending) > _PENDING:
            self._pack()

    def _put(self, field: int, value: Analysed) -> tuple[int, int]:
        """Writes a field's value to the pool; -> where its words begin, and how many there are."""
        self._pending.append(field)
        before = len(self._pending)
        self._pending.extend(map(self._ids.__getitem__, value.words))
        return self._n_packed + before, len(self._pending) - before

    def _pack(self) -> None:
        self._packed.append(np.array(self._pending, np.int32))
        self._n_packed += len(self._pending)
        self._pending.clear()

    def _streams(self, words: Numbers) -> Iterator[Stream]:
        """The stream of each document; words: of all, by their numbers in the store."""
        ends, start = np.array(self._ends, np.int64), 0
        for number, content, end in zip(self._numbers, packed_streams(words, ends), self._ends, strict=True):
            cuts = self._windows.get(number)
            yield Stream(number, content if cuts is None else packed_plainly(words[start:end]), cuts)
            start = end

    def build(self, numbering: Numbering, first: int) -> NewSegment:
        """The segment of the documents added so far, its passages numbered from `first` on; empties the builder."""
        self._pack()
        pool, words = np.concatenate(self._packed), list(self._ids)
        stems = stems_of(words)
        tokens = sorted(set(stems))
        place_of = {token: place for place, token in enumerate(tokens)}
        of_word = np.fromiter(map(place_of.__getitem__, stems), np.int32, len(stems))
        runs = np.array(self._runs, np.int64).reshape(-1, 4)
        ends, entries = _entries(pool, of_word, runs, len(tokens))
        numbers = np.concatenate([np.arange(MOST_FIELDS, dtype=np.int32), numbering(words, stems)])
        streams = list(self._streams(numbers[pool]))
        documents, sizes = np.array(self._passages, "<i4"), np.array(self._sizes, "<i4")
        self.__init__()  # type: ignore[misc]  # empty again
        return NewSegment(documents, sizes, tokens, ends, entries._replace(passages=entries.passages + first), streams)


def _with_places(text: Analysed, cuts: Sequence[tuple[int, int]]) -> Numbers:
    """The passages of a long text as words and as characters, (n_passages, 4)."""
    words = np.array(cuts, np.int64)  # (n_passages, 2)
    places = text.places(np.stack([words[:, 0], words[:, 1] - 1], axis=1).ravel().tolist()).reshape(-1, 4)
    return np.concatenate([words, places[:, [0, 3]]], axis=1).astype("<i4")


def _entries(pool: Numbers, of_word: Numbers, runs: IntArray, n_stems: int) -> tuple[IntArray, Block]:
    """Where the block of each stem ends, (n_stems,), and the entries of all, ordered by stem, passage and field.

    runs (n_runs, 4): as `_Run`, by passage.
    """
    from scipy.sparse import coo_array

    runs = runs[np.lexsort((runs[:, 3], runs[:, 2]))]
    starts, lengths = runs[:, 0], runs[:, 1]
    before = np.cumsum(lengths) - lengths
    places = np.arange(int(lengths.sum()), dtype=np.int64) + np.repeat(starts - before, lengths)
    stems = of_word[pool[places] - MOST_FIELDS]
    parts = np.repeat(runs[:, 2] * MOST_FIELDS + runs[:, 3], lengths)
    n_parts = int(runs[-1, 2] + 1) * MOST_FIELDS
    kind = np.int32 if n_parts < 2**31 else np.int64
    ones = np.ones(len(stems), np.int32)
    counted = coo_array((ones, (stems.astype(kind), parts.astype(kind))), shape=(n_stems, n_parts)).tocsr()
    counted.sum_duplicates()  # the entries of a row come in order, so nothing is sorted by comparing
    passages = (counted.indices // MOST_FIELDS).astype(np.int32)
    fields = (counted.indices % MOST_FIELDS).astype(np.uint8)
    counts = np.minimum(counted.data, MOST_COUNT).astype(np.uint8)
    return counted.indptr[1:].astype(np.int64), Block(passages, fields, counts)


def to_merge(sizes: Mapping[int, int]) -> list[int]:
    """Chooses two neighbouring small segments to merge, the older not much larger; empty while there are few segments.

    sizes: segment -> its size. The pair has the least (older + newer) · max(1, older / newer)². With this rule each of
    10,000 documents added one by one is written 14 times. Other rules: merging the smallest pair wrote each 490 times,
    because the second smallest segment grew with every change; merging by the least older / newer wrote each 14 times,
    but after an import of 100,000 documents, 3 of the first 300 additions merged large segments of equal size.
    """
    if len(sizes) <= MOST_SEGMENTS:
        return []
    order = sorted(sizes)
    first = min(range(len(order) - 1), key=lambda place: _cost(sizes[order[place]], sizes[order[place + 1]]))
    return order[first : first + 2]


def _cost(older: int, newer: int) -> float:
    return (older + newer + 1) * max(1.0, (older + 1) / (newer + 1)) ** 2


def merged(blocks: Iterable[Block]) -> Block | None:
    """Merges the blocks of one stem into one, older passages first; None if nothing is left."""
    parts = [block for block in blocks if len(block.passages)]
    if len(parts) < 2:
        return parts[0] if parts else None
    return Block(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def fingerprint(stems: Sequence[str], owner: IntArray, documents: NDArray[np.integer], entries: Block) -> int:
    """A number computed from entries; within one process, two indexes with the same entries have the same sum.

    owner (n_entries,): the position of the stem of each entry; documents: a key of the passage of each.
    """
    own = np.fromiter(map(hash, stems), np.int64, len(stems)).view(np.uint64) | np.uint64(1)
    mixed = documents.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= (entries.fields.astype(np.uint64) << np.uint64(17)) + entries.counts + np.uint64(0x2545F491)
    mixed *= np.uint64(0xD1342543DE82EF95)
    return int(((mixed ^ (mixed >> np.uint64(29))) * own[owner]).sum(dtype=np.uint64))
