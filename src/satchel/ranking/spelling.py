"""Compares texts and words by groups of four letters, so that endings, compounds and typing errors matter less.

Stemming makes one word of `statin` and `statins`; only letters show that `simvastatin` is near. Groups go across the
spaces, so that words which follow each other count as well. Nothing is stored: only a few texts are compared, such as
the best of a first ranking. They are read at that moment, and the weight of a group depends on these texts alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satchel.ranking.formulas import bm25, length_share
from satchel.text import Tokenizer
from satchel.types import DoubleArray, IntArray

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
_SIGNS = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "_")}


class GroupCounts(NamedTuple):
    """How often each group occurs in each text: (n_values,) each, sorted by text, then by group; n_texts.

    spread (n_values,): in how many texts the group stands.
    """

    texts: IntArray
    groups: IntArray
    counts: DoubleArray
    spread: IntArray
    n_texts: int

    def telling(self) -> DoubleArray:
        """log((1 + n) / (1 + df)) of the group of each value, (n_values,), n texts of which df hold it."""
        return np.asarray(np.log((1 + self.n_texts) / np.arange(1, self.n_texts + 2))[self.spread], np.float64)

    def of(self, wanted: NDArray[np.bool_]) -> GroupCounts:
        """Only the values of some groups; wanted (BUCKETS,)."""
        kept = np.flatnonzero(wanted[self.groups])
        texts, groups, counts, spread, n_texts = self
        return GroupCounts(texts[kept], groups[kept], counts[kept], spread[kept], n_texts)

    def per_text(self, values: DoubleArray) -> DoubleArray:
        """The sums of (n_values,) over each text, (n_texts,)."""
        return np.asarray(np.bincount(self.texts, values, self.n_texts), np.float64)


def count_groups(texts: Sequence[str | Sequence[str]]) -> GroupCounts:
    """The groups of letters of some texts, in lower case, with one space between words and around them.

    A text may be given as its words.
    """
    words = (_words(text[:MOST_CHARACTERS]) if isinstance(text, str) else text for text in texts)
    spaced = [f" {' '.join(own)} " for own in words]
    letters = np.frombuffer("".join(spaced).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    owner = np.repeat(np.arange(len(texts)), [len(text) for text in spaced])
    n_windows = max(0, len(letters) - GROUP + 1)
    hashed = np.zeros(n_windows, np.uint64)
    for place in range(GROUP):
        hashed = hashed * _MULTIPLIER + letters[place : place + n_windows]
    buckets = ((hashed * _SPREAD) >> np.uint64(64 - _BITS)).astype(np.int64)
    within = (letters[1 : n_windows + 1] != 32) & (letters[2 : n_windows + 2] != 32)  # a space only first or last
    keys = owner[:n_windows][within] * BUCKETS + buckets[within]
    narrow = keys.astype(np.int32) if len(texts) * BUCKETS < 2**31 else keys  # sorted in half the time
    found, counts = np.unique(narrow, return_counts=True)
    groups = found & (BUCKETS - 1)
    spread = np.bincount(groups, minlength=BUCKETS)[groups]
    return GroupCounts(found >> _BITS, groups, counts.astype(np.float64), spread, len(texts))


def _words(text: str) -> list[str]:
    """The words of a text as a tokenizer splits it; one of ASCII signs alone, as most are, in half the time."""
    if not text.isascii():
        return _SPLIT(text)
    return [text.lower()] if text.isalnum() else text.lower().translate(_SIGNS).split()


def query_fit(query: str | Sequence[str], documents: GroupCounts) -> DoubleArray:
    """BM25 of the query's groups in each document, (n_documents,); a group counts once, however often the query has it.

    With n documents, of which df hold a group, it weighs log((1 + n) / (1 + df)) + 1. Differs from BM25: the documents
    are those that are compared, not the collection. A group that all of them hold counts least.
    """
    wanted = np.zeros(BUCKETS, np.bool_)
    wanted[count_groups([query]).groups] = True
    held, lengths = documents.of(wanted), documents.per_text(documents.counts)
    share = length_share(lengths, max(1.0, float(lengths.mean()) if len(lengths) else 1.0), LENGTH_SHARE)
    return held.per_text(bm25(held.counts, share[held.texts], held.telling() + 1, SATURATION))


def likeness(documents: GroupCounts, wanted: DoubleArray) -> DoubleArray:
    """cos(document, Σ wanted · document) of each document, (n_documents,).

    wanted (n_documents,): how much each document counts as an example; below 0 it is a counterexample. Documents are
    log(1 + count) · log((1 + n) / (1 + df)), scaled to length 1.
    """
    values = np.log1p(documents.counts) * documents.telling()
    lengths = np.sqrt(documents.per_text(values**2))
    values /= np.where(lengths > 0, lengths, 1)[documents.texts]
    centre = np.bincount(documents.groups, values * wanted[documents.texts], BUCKETS)
    length = float(np.sqrt(np.square(centre).sum()))
    return documents.per_text(values * centre[documents.groups]) / (length or 1.0)


LEAST_LIKENESS = 0.5
"""Two words are variants if the cosine of their groups of letters is at least this. 0.3 and 0.4 found as many variants
on train queries, and more wrong ones."""
_BLOCK = 4_096


class SimilarWords:
    """The words of a vocabulary, found by their groups of four letters, spaces around them included.

    A word is the set of its groups, each weighing log(1 + n / df), df of the n words have it; words are compared by
    cosine. 50,000 words take 0.1 s to read, when the first word is looked up.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        texts, groups = _groups(words)
        held = np.bincount(groups, minlength=BUCKETS)
        self._weights = np.where(held > 0, np.log1p(len(words) / np.maximum(held, 1)), 0.0)
        self._lengths = np.sqrt(np.bincount(texts, self._weights[groups] ** 2, len(words)))
        order = np.argsort(groups, kind="stable")
        self._holders, self._starts = texts[order], np.concatenate(([0], np.cumsum(held)))

    def like(self, word: str, k: int) -> list[str]:
        """At most k words that are spelled alike, most alike first, ties in the order given; not the word itself."""
        cosines = self._cosines(word)
        places = np.flatnonzero(cosines >= LEAST_LIKENESS)
        ordered = places[np.argsort(-cosines[places], kind="stable")].tolist()
        return [self.words[place] for place in ordered if self.words[place] != word][:k]

    def _cosines(self, word: str) -> DoubleArray:
        groups = count_groups([word]).groups
        length = float(np.sqrt((self._weights[groups] ** 2).sum()))
        holders = [self._holders[self._starts[group] : self._starts[group + 1]] for group in groups.tolist()]
        squares = np.repeat(self._weights[groups] ** 2, [len(some) for some in holders])
        shared = np.bincount(np.concatenate([np.empty(0, np.int64), *holders]), squares, len(self.words))
        sizes = self._lengths * length
        return np.divide(shared, sizes, out=np.zeros(len(self.words)), where=sizes > 0)


def _groups(words: Sequence[str]) -> tuple[IntArray, IntArray]:
    """The number of each word and its groups, once each, (n_values,) both; some words at a time, to sort short keys."""
    parts = [(start, count_groups(words[start : start + _BLOCK])) for start in range(0, len(words), _BLOCK)]
    texts = [start + part.texts for start, part in parts]
    empty = np.empty(0, np.int64)
    return np.concatenate([empty, *texts]), np.concatenate([empty, *(part.groups for _, part in parts)])
