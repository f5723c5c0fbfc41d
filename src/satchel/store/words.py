"""The index of words: for each stem, the documents that contain it and how often, in segments that never change.

Each change adds a segment with the words of its documents. A document belongs to the newest segment that lists it;
entries of older segments, and entries of removed documents, are skipped. So adding and removing are as exact as
building the index from scratch. Small segments are merged as they gather.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from satchel.ranking import bm25, least_idf, length_share
from satchel.store.rows import Scored
from satchel.text import Analysed, stems_of
from satchel.types import DoubleArray, IntArray

TITLE_WEIGHT = 2.0
"""How much more a word in the title counts than one in the text; on train queries 3 was as good, 1 and 5 worse."""
SATURATION, LENGTH_SHARE = 1.2, 0.75
"""k1 and b of BM25; the same values as in SQLite's full-text index."""
MOST_SEGMENTS = 8
TOKENS_OF_SEGMENT = 1 << 22
"""A large change begins a new segment after this many words, to bound the memory that adding takes."""
_PENDING = 1 << 20
_MOST_COUNT = 2**16 - 1
Counts: TypeAlias = NDArray[np.uint16]


class Block(NamedTuple):
    """A stem in one segment: document numbers, ascending, and its counts in text and title, (n,) each."""

    numbers: NDArray[np.int32]
    text: Counts
    title: Counts

    def packed(self) -> bytes:
        return self.numbers.tobytes() + self.text.tobytes() + self.title.tobytes()

    @classmethod
    def unpacked(cls, content: bytes) -> Block:
        n = len(content) // 8
        numbers = np.frombuffer(content, "<i4", n)
        counts = np.frombuffer(content, "<u2", 2 * n, 4 * n)
        return cls(numbers, counts[:n], counts[n:])

    def of(self, kept: NDArray[np.bool_]) -> Block:
        return Block(self.numbers[kept], self.text[kept], self.title[kept])


class Segment(NamedTuple):
    """The documents of a segment: numbers, ascending, and the number of words of each in title and text."""

    number: int
    documents: NDArray[np.int32]
    sizes: NDArray[np.int32]


class NewSegment(NamedTuple):
    """A segment to be written: its documents, its stems in order, and the blocks of all stems one after the other.

    ends (n_stems,): where the block of each stem ends.
    """

    documents: NDArray[np.int32]
    sizes: NDArray[np.int32]
    stems: list[str]
    ends: IntArray
    postings: Block

    def blocks(self) -> Iterator[tuple[str, Block]]:
        numbers, text, title = self.postings
        start = 0
        for stem, end in zip(self.stems, self.ends.tolist(), strict=True):
            yield stem, Block(numbers[start:end], text[start:end], title[start:end])
            start = end

    def packed(self) -> Iterator[tuple[str, bytes]]:
        """Each stem with its block as stored bytes."""
        numbers, text, title = (part.tobytes() for part in self.postings)
        start = 0
        for stem, end in zip(self.stems, self.ends.tolist(), strict=True):
            yield stem, numbers[4 * start : 4 * end] + text[2 * start : 2 * end] + title[2 * start : 2 * end]
            start = end


class SegmentBuilder:
    """Collects documents word by word and builds a segment ordered by stem."""

    def __init__(self) -> None:
        self._ids: defaultdict[str, int] = defaultdict()
        self._ids.default_factory = self._ids.__len__  # a new word gets the next id, inside the C look-up
        self._numbers: list[int] = []
        self._taken: set[int] = set()
        self._lengths: list[int] = []
        self._packed: list[NDArray[np.int32]] = []
        self._pending: list[int] = []
        self.n_tokens = 0

    def __bool__(self) -> bool:
        return bool(self._numbers)

    def __contains__(self, number: int) -> bool:
        return number in self._taken

    def add(self, number: int, title: str, text: str) -> None:
        """Adds a document; each document at most once between two calls of `build`."""
        self._taken.add(number)
        id_of, before = self._ids.__getitem__, len(self._pending)
        self._pending.extend(map(id_of, Analysed(text).words))
        middle = len(self._pending)
        self._pending.extend(map(id_of, Analysed(title).words))
        self._numbers.append(number)
        self._lengths += [middle - before, len(self._pending) - middle]
        self.n_tokens += len(self._pending) - before
        if len(self._pending) > _PENDING:
            self._pack()

    def _pack(self) -> None:
        self._packed.append(np.array(self._pending, np.int32))
        self._pending.clear()

    def build(self) -> NewSegment:
        """The segment of the documents added so far; empties the builder."""
        self._pack()
        words, numbers = np.concatenate(self._packed), np.array(self._numbers, np.int64)
        lengths = np.array(self._lengths, np.int64)
        stems = stems_of(self._ids)
        self.__init__()  # type: ignore[misc]  # empty again
        order = np.argsort(numbers, kind="stable")
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        sizes = lengths.reshape(-1, 2).sum(axis=1)[order].astype(np.int32)
        parts = np.repeat(2 * np.repeat(rank, 2) + np.tile([0, 1], len(order)), lengths)  # 2 · place (+ 1: in a title)
        tokens = sorted(set(stems))
        token_of = {token: place for place, token in enumerate(tokens)}
        of_word = np.fromiter(map(token_of.__getitem__, stems), np.int32, len(stems))
        rising = numbers[order].astype("<i4")
        return NewSegment(
            rising, sizes, tokens, *_postings(of_word[words], parts.astype(np.int32), len(tokens), rising)
        )


def _postings(
    tokens: NDArray[np.int32], parts: NDArray[np.int32], n_tokens: int, numbers: NDArray[np.int32]
) -> tuple[IntArray, Block]:
    """Where the block of each token ends, (n_tokens,), and the blocks of all.

    tokens, parts (n_words,): of each word; a part is twice the place of the document, and one more within a title.
    """
    from scipy.sparse import coo_array

    ones = np.ones(len(tokens), np.int32)
    counted = coo_array((ones, (tokens, parts)), shape=(n_tokens, 2 * len(numbers))).tocsr()  # sorts without comparing
    counted.sum_duplicates()
    places, in_title = counted.indices // 2, (counted.indices & 1).astype(np.bool_)
    is_new = np.ones(len(places), np.bool_)  # but for the second part of a document that holds the word in both
    is_new[1:] = places[1:] != places[:-1]
    is_new[counted.indptr[:-1][np.diff(counted.indptr) > 0]] = True
    before = np.concatenate([np.zeros(1, np.int64), np.cumsum(is_new)])
    owner, counts = before[1:] - 1, np.minimum(counted.data, _MOST_COUNT)
    text, title = np.zeros(int(before[-1]), "<u2"), np.zeros(int(before[-1]), "<u2")
    text[owner[~in_title]] = counts[~in_title]
    title[owner[in_title]] = counts[in_title]
    return before[counted.indptr[1:]], Block(numbers[places[is_new]], text, title)


class WordTable:
    """The present documents by number: the segment each belongs to (-1: removed), and its number of words."""

    def __init__(self, segments: Sequence[Segment], numbers: IntArray) -> None:
        largest = int(numbers.max(initial=0))
        self.owner = np.full(largest + 1, -1, np.int32)
        self.sizes = np.zeros(largest + 1, np.int32)
        for segment in sorted(segments, key=lambda one: one.number):
            here = segment.documents <= largest
            self.owner[segment.documents[here]] = segment.number
            self.sizes[segment.documents[here]] = segment.sizes[here]
        gone = np.ones(largest + 1, np.bool_)
        gone[numbers] = False
        self.owner[gone] = -1
        self.n_documents = len(numbers)
        self.mean_size = int(self.sizes[numbers].sum(dtype=np.int64)) / max(1, len(numbers))
        self.whole = {one.number for one in segments if self._is_whole(one)}
        self.missing = int((self.owner[numbers] < 0).sum())

    def _is_whole(self, segment: Segment) -> bool:
        return bool(self.owned(segment.number, segment.documents).all())

    def owned(self, segment: int, numbers: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Which of these documents belong to a segment, (n,)."""
        kept = numbers < len(self.owner)
        kept[kept] = self.owner[numbers[kept]] == segment
        return kept

    def in_force(self, segment: int, block: Block) -> Block:
        """The entries of a block for documents that belong to its segment now."""
        return block if segment in self.whole else block.of(self.owned(segment, block.numbers))

    def scored(self, blocks: Iterable[tuple[int, Block]]) -> Scored:
        """All documents that contain one stem, with BM25 scores, from its blocks in all segments; unordered."""
        own = [self.in_force(segment, block) for segment, block in blocks]
        numbers = np.concatenate([np.empty(0, np.int64), *(block.numbers for block in own)])
        empty = np.empty(0)
        text = np.concatenate([empty, *(block.text for block in own)])
        title = np.concatenate([empty, *(block.title for block in own)])
        idf = least_idf(self.n_documents, len(numbers))
        share = length_share(self.sizes[numbers].astype(np.float64), self.mean_size or 1.0, LENGTH_SHARE)
        return Scored(numbers, bm25(text + TITLE_WEIGHT * title, share, idf, SATURATION))


def best_of(parts: Sequence[Scored], weights: Sequence[float], depth: int, allowed: NDArray[np.bool_] | None) -> Scored:
    """The best `depth` documents by the weighted sum of their scores, and those that tie for the last place; unordered.

    parts: the documents of each stem. allowed (largest number + 1,): documents that may be found; None for all.
    """
    numbers = np.concatenate([np.empty(0, np.int64), *(part.numbers for part in parts)])
    scores = [weight * part.scores for part, weight in zip(parts, weights, strict=True)]
    totals: DoubleArray = np.asarray(np.bincount(numbers, np.concatenate([np.empty(0), *scores])), np.float64)
    found = np.flatnonzero(totals > 0)
    kept = found if allowed is None else found[allowed[found]]
    if len(kept) > depth:
        kept = kept[totals[kept] >= -np.partition(-totals[kept], depth - 1)[depth - 1]]
    return Scored(kept, totals[kept])


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


def merged(blocks: Iterable[Block]) -> Block:
    """Merges blocks of one stem into one; no document may be in two of them."""
    parts = [block for block in blocks if len(block.numbers)]
    if len(parts) < 2:
        return parts[0] if parts else Block(np.empty(0, np.int32), np.empty(0, np.uint16), np.empty(0, np.uint16))
    numbers = np.concatenate([block.numbers for block in parts])
    order = np.argsort(numbers, kind="stable")
    text, title = (np.concatenate([block[side] for block in parts])[order] for side in (1, 2))
    return Block(numbers[order].astype("<i4"), text.astype("<u2"), title.astype("<u2"))


def joined(first: bytes, second: bytes) -> bytes:
    """Joins two stored blocks into one; all numbers of the second must be higher."""
    n, m = len(first) // 8, len(second) // 8
    return b"".join(
        (first[: 4 * n], second[: 4 * m], first[4 * n : 6 * n], second[4 * m : 6 * m], first[6 * n :], second[6 * m :])
    )


def fingerprint(stems: Sequence[str], owner: IntArray, postings: Block) -> int:
    """A number computed from postings; within one process, two indexes with the same postings have the same sum.

    owner (n_postings,): the position of the stem of each posting.
    """
    own = np.fromiter(map(hash, stems), np.int64, len(stems)).view(np.uint64) | np.uint64(1)
    mixed = postings.numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= (postings.text.astype(np.uint64) << np.uint64(17)) + postings.title + np.uint64(0x2545F491)
    mixed *= np.uint64(0xD1342543DE82EF95)
    return int(((mixed ^ (mixed >> np.uint64(29))) * own[owner]).sum(dtype=np.uint64))
