"""Compares texts by groups of four letters, so that endings, compounds and typing errors matter less.

Stemming makes one word of `statin` and `statins`; only letters show that `simvastatin` is near. A group stays within
a word, with the space before and after it. The groups of a word are found once, however many texts hold it. Only a few
texts are compared, such as the best of a first ranking, and the weight of a group depends on these texts alone.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from satchel.ranking.formulas import bm25, length_share
from satchel.text import Tokenizer
from satchel.types import DoubleArray, IntArray, SparseArray

GROUP = 4
"""The letters in a group. On train queries 3 and 5 were each a little worse on most sets."""
MOST_CHARACTERS = 4_000
"""How many characters of a text are read, from its beginning."""
_BITS = 18
BUCKETS = 1 << _BITS
"""Groups are numbered by a hash; of the 10,000 or so groups of 100 abstracts, 2 in 100 collide."""
SATURATION, LENGTH_SHARE = 0.6, 0.75
"""k1 and b of BM25. Groups repeat more than words do: k1 = 0.6 was better than 1.2 and 2 on train queries."""
_MULTIPLIER, _SPREAD = np.uint64(0x100000001B3), np.uint64(0x9E3779B97F4A7C15)
_SPLIT = Tokenizer().splitter()
_BLOCK = 4_096
Slots: TypeAlias = NDArray[np.int32]


class WordBag(NamedTuple):
    """A text as the slots of its words in `Letters`, in order, and how much each counts."""

    slots: Slots
    counts: NDArray[np.float64]


Text: TypeAlias = str | Sequence[str] | WordBag


class Letters:
    """The groups of letters of words, found once for each word. A word's slot is its place among those seen so far.

    stop_words: words of texts that are left out; they say nothing about how alike two texts are. Threads may share it.
    """

    def __init__(self, stop_words: frozenset[str] = frozenset()) -> None:
        self.stop_words = stop_words
        self.n_groups = 0
        self._turn = threading.Lock()
        self._slots: dict[str, int] = {}
        self._numbers = np.full(BUCKETS, -1, np.int32)  # of each bucket, in the order in which they came
        self._starts = _Growing(np.zeros(1, np.int32))
        self._groups = _Growing(np.empty(0, np.int32))
        self._counts = _Growing(np.empty(0))

    def slots_of(self, words: Sequence[str]) -> Slots:
        """The slot of each word; the groups of new words are found now."""
        known = self._slots
        if any(word not in known for word in words):
            with self._turn:
                self._learn([word for word in dict.fromkeys(words) if word not in known])
        return np.fromiter(map(known.__getitem__, words), np.int32, len(words))

    def _learn(self, words: list[str]) -> None:
        if not words:
            return
        owners, buckets, counts = groups_of_words(words)
        missing = np.unique(buckets[self._numbers[buckets] < 0])
        self._numbers[missing] = np.arange(self.n_groups, self.n_groups + len(missing))
        self.n_groups += len(missing)
        lengths = np.bincount(owners, minlength=len(words))
        self._starts.extend((np.cumsum(lengths) + len(self._groups.values)).astype(np.int32))
        self._groups.extend(self._numbers[buckets])
        self._counts.extend(counts)
        first = len(self._slots)
        self._slots.update((word, first + place) for place, word in enumerate(words))

    @property
    def _rows(self) -> SparseArray:
        """(n_words, n_groups)"""
        from scipy.sparse import csr_array

        starts = self._starts.values
        return csr_array((self._counts.values, self._groups.values, starts), shape=(len(starts) - 1, self.n_groups))

    def bag(self, text: Text) -> WordBag:
        """The text as a bag of words."""
        if isinstance(text, WordBag):
            return text
        words = _SPLIT(text[:MOST_CHARACTERS]) if isinstance(text, str) else text
        slots = self.slots_of([word for word in words if word not in self.stop_words] if self.stop_words else words)
        return WordBag(slots, np.ones(len(slots)))

    def groups_of(self, text: Text) -> IntArray:
        """The numbers of the groups of a text, each once."""
        slots = self.bag(text).slots
        with self._turn:  # another thread may learn more words
            starts, groups = self._starts.values, self._groups.values
        parts = [groups[starts[slot] : starts[slot + 1]] for slot in slots.tolist()]
        return np.unique(np.concatenate([np.empty(0, np.int32), *parts])).astype(np.int64)

    def count(self, bags: Sequence[WordBag]) -> GroupCounts:
        """How often each group occurs in each text."""
        from scipy.sparse import csr_array

        slots = np.concatenate([np.empty(0, np.int32), *(one.slots for one in bags)])
        counts = np.concatenate([np.empty(0), *(one.counts for one in bags)])
        starts = np.cumsum([0, *(len(one.slots) for one in bags)]).astype(np.int32)
        with self._turn:
            rows = self._rows
        found = csr_array((counts, slots, starts), shape=(len(bags), rows.shape[0])) @ rows
        texts = np.repeat(np.arange(len(bags)), np.diff(found.indptr))
        spread = np.bincount(found.indices, minlength=self.n_groups)[found.indices]
        return GroupCounts(texts, found.indices, found.data, spread, len(bags), self)


class _Growing:
    """An array that grows at its end, by doubling its room."""

    def __init__(self, values: NDArray[Any]) -> None:
        self._room = values
        self._n = len(values)

    @property
    def values(self) -> NDArray[Any]:
        return self._room[: self._n]

    def extend(self, more: NDArray[Any]) -> None:
        n = self._n + len(more)
        if n > len(self._room):
            room = np.empty(2 * n, self._room.dtype)
            room[: self._n] = self.values
            self._room = room
        self._room[self._n : n] = more
        self._n = n


class GroupCounts(NamedTuple):
    """How often each group occurs in each text: (n_values,) each, by text; n_texts.

    spread (n_values,): in how many texts the group stands.
    """

    texts: IntArray
    groups: NDArray[np.int32]
    counts: DoubleArray
    spread: IntArray
    n_texts: int
    letters: Letters

    def rarity(self) -> DoubleArray:
        """log((1 + n) / (1 + df)) of the group of each value, (n_values,), n texts of which df hold it."""
        return np.asarray(np.log((1 + self.n_texts) / np.arange(1, self.n_texts + 2))[self.spread], np.float64)

    def of(self, wanted: NDArray[np.bool_]) -> GroupCounts:
        """Only the values of some groups; wanted (n_groups,)."""
        kept = np.flatnonzero(wanted[self.groups])
        parts = (self.texts[kept], self.groups[kept], self.counts[kept], self.spread[kept])
        return GroupCounts(*parts, self.n_texts, self.letters)

    def per_text(self, values: DoubleArray) -> DoubleArray:
        """The sums of (n_values,) over each text, (n_texts,)."""
        return np.asarray(np.bincount(self.texts, values, self.n_texts), np.float64)


def count_groups(texts: Iterable[Text], letters: Letters | None = None) -> GroupCounts:
    """The groups of letters of some texts. letters: what earlier texts taught about words; None starts anew."""
    known = Letters() if letters is None else letters
    return known.count([known.bag(text) for text in texts])


def groups_of_words(words: Sequence[str]) -> tuple[IntArray, IntArray, DoubleArray]:
    """The groups of each word, in lower case: the place of the word, the bucket of the group, and its count."""
    parts = [_groups_of_some(words, start) for start in range(0, len(words), _BLOCK)]
    if not parts:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    owners, buckets, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
    return owners, buckets, counts


def _groups_of_some(words: Sequence[str], start: int) -> tuple[IntArray, IntArray, DoubleArray]:
    """Some words at a time, to sort short keys."""
    spaced = [f" {word} " for word in words[start : start + _BLOCK]]
    letters = np.frombuffer("".join(spaced).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    owner = np.repeat(np.arange(len(spaced)), [len(word) for word in spaced])
    n_windows = max(0, len(letters) - GROUP + 1)
    hashed = np.zeros(n_windows, np.uint64)
    for place in range(GROUP):
        hashed = hashed * _MULTIPLIER + letters[place : place + n_windows]
    buckets = ((hashed * _SPREAD) >> np.uint64(64 - _BITS)).astype(np.int64)
    within = (letters[1 : n_windows + 1] != 32) & (letters[2 : n_windows + 2] != 32)  # a space only first or last
    keys = owner[:n_windows][within] * BUCKETS + buckets[within]
    found, counts = np.unique(keys, return_counts=True)
    return (found >> _BITS) + start, found & (BUCKETS - 1), counts.astype(np.float64)


def query_fit(query: Text, documents: GroupCounts) -> DoubleArray:
    """BM25 of the query's groups in each document, (n_documents,); a group counts once, however often the query has it.

    With n documents, of which df hold a group, it weighs log((1 + n) / (1 + df)) + 1. Differs from BM25: the documents
    are those that are compared, not the collection. A group that all of them hold counts least.
    """
    own = documents.letters.groups_of(query)
    wanted = np.zeros(documents.letters.n_groups, np.bool_)
    wanted[own] = True
    held, lengths = documents.of(wanted), documents.per_text(documents.counts)
    share = length_share(lengths, max(1.0, float(lengths.mean()) if len(lengths) else 1.0), LENGTH_SHARE)
    return held.per_text(bm25(held.counts, share[held.texts], held.rarity() + 1, SATURATION))


def likeness(documents: GroupCounts, wanted: DoubleArray) -> DoubleArray:
    """cos(document, Σ wanted · document) of each document, (n_documents,).

    wanted (n_documents,): how much each document counts as an example; below 0 it is a counterexample. Documents are
    log(1 + count) · log((1 + n) / (1 + df)), scaled to length 1.
    """
    values = np.log1p(documents.counts) * documents.rarity()
    lengths = np.sqrt(documents.per_text(values**2))
    values /= np.where(lengths > 0, lengths, 1)[documents.texts]
    examples = wanted[documents.texts] != 0
    shares = values[examples] * wanted[documents.texts[examples]]
    centre = np.bincount(documents.groups[examples], shares, documents.letters.n_groups)
    # not summed over the groups: their numbers depend on what was searched before, and so would the last bit
    length = float(np.sqrt((shares * centre[documents.groups[examples]]).sum()))
    return documents.per_text(values * centre[documents.groups]) / (length or 1.0)
