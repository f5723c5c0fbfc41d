"""The passages of one moment, and how documents are found by the words of their passages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satchel.ranking import bm25, contenders, least_idf, length_share
from satchel.store.index.coding import Block, Numbers
from satchel.store.index.segments import TEXT, TITLE, Segment
from satchel.store.rows import Scored
from satchel.types import DoubleArray, IntArray

TITLE_WEIGHT = 2.0
"""How much more a word in the title counts than one in the text; on train queries 3 was as good, 1 and 5 worse."""
FIELD_WEIGHT = 0.5
"""How much a word in another field, in the id or in the file's name counts, where one in the text counts 1."""
SATURATION, LENGTH_SHARE = 1.2, 0.75
"""k1 and b of BM25; the same values as in SQLite's full-text index."""


class StemScores(NamedTuple):
    """The passages that hold a stem, ascending, with their BM25 scores, (n_passages,) each."""

    passages: Numbers
    scores: DoubleArray


class PassageTable:
    """All passages of one moment: the document of each, its size, and whether it is in force."""

    def __init__(self, segments: Sequence[Segment], numbers: IntArray) -> None:
        ordered = sorted(segments, key=lambda one: one.first)
        n_passages = ordered[-1].first + len(ordered[-1].documents) if ordered else 0
        self.document = np.full(n_passages, -1, np.int32)
        self.sizes = np.zeros(n_passages, np.int32)
        begins = np.zeros(n_passages, np.bool_)
        for segment in ordered:
            here = slice(segment.first, segment.first + len(segment.documents))
            self.document[here] = segment.documents
            self.sizes[here] = segment.sizes
            begins[segment.first : segment.first + 1] = True
        self._find_living(begins, numbers)
        self.n_documents = len(numbers)
        self.n_passages = int(self.alive.sum())
        self.mean_size = int(self.sizes[self.alive].sum(dtype=np.int64)) / max(1, self.n_passages)
        self.whole = {one.number for one in ordered if bool(self._alive_in(one).all())}
        self.missing = int((self.first[numbers] < 0).sum())
        self.is_plain = self.n_passages == self.n_documents

    def _find_living(self, begins: NDArray[np.bool_], numbers: IntArray) -> None:
        """Sets `first`, the first passage of each document by number, and `alive`: its newest passages count."""
        begins[1:] |= self.document[1:] != self.document[:-1]
        starts = np.flatnonzero(begins & (self.document >= 0))
        largest = max(int(numbers.max(initial=0)), int(self.document.max(initial=0)))
        newest = np.full(largest + 1, -1, np.int64)
        newest[self.document[starts]] = starts  # the last one of a document stays
        is_there = np.zeros(largest + 1, np.bool_)
        is_there[numbers] = True
        newest[~is_there] = -1
        self.first = newest
        listed = np.maximum(self.document, 0)
        since = newest[listed]
        self.alive = (self.document >= 0) & (since >= 0) & (np.arange(len(self.document)) >= since)

    def _alive_in(self, segment: Segment) -> NDArray[np.bool_]:
        return self.alive[segment.first : segment.first + len(segment.documents)]

    def in_force(self, segment: int, block: Block) -> Block:
        """The entries of a block whose passages are in force."""
        return block if segment in self.whole else block.of(self.alive[block.passages])

    def scores_of(self, blocks: Iterable[tuple[int, Block]], weights: Mapping[int, float]) -> StemScores:
        """All passages that hold one stem, with BM25 scores, from its blocks. weights: of fields, by their numbers."""
        own = [self.in_force(segment, block) for segment, block in blocks]
        passages = np.concatenate([np.empty(0, np.int32), *(block.passages for block in own)])
        fields = np.concatenate([np.empty(0, np.uint8), *(block.fields for block in own)])
        counts = np.concatenate([np.empty(0, np.float64), *(block.counts for block in own)])
        if not fields.any():
            weighted = counts
        else:
            weighted = counts * field_weights(weights)[fields]
            is_first = np.ones(len(passages), np.bool_)
            is_first[1:] = passages[1:] != passages[:-1]
            weighted = np.add.reduceat(weighted, np.flatnonzero(is_first))
            passages = passages[is_first]
        if len(weighted) and weighted.min() <= 0:
            passages, weighted = passages[weighted > 0], weighted[weighted > 0]
        idf = least_idf(self.n_passages, len(passages))
        share = length_share(self.sizes[passages].astype(np.float64), self.mean_size or 1.0, LENGTH_SHARE)
        return StemScores(passages, bm25(weighted, share, idf, SATURATION))

    def n_documents_of(self, passages: NDArray[np.integer]) -> int:
        """How many documents these passages belong to; passages: ascending."""
        if self.is_plain or not len(passages):
            return len(passages)
        documents = self.document[passages]
        return 1 + int(np.count_nonzero(documents[1:] != documents[:-1]))

    def documents_of(self, passages: NDArray[np.integer]) -> IntArray:
        """The documents of passages in force, ascending, each once."""
        return np.unique(self.document[passages]).astype(np.int64)


def field_weights(given: Mapping[int, float]) -> DoubleArray:
    """The weight of each field by its number, (256,)."""
    weights = np.full(256, FIELD_WEIGHT)
    weights[TEXT], weights[TITLE] = 1.0, TITLE_WEIGHT
    for field, weight in given.items():
        weights[field] = weight
    return weights


def best_documents(
    table: PassageTable,
    stems: Sequence[StemScores],
    weights: Sequence[float],
    depth: int,
    allowed: NDArray[np.bool_] | None,
    also: IntArray,
) -> Scored:
    """The best `depth` documents by the best of their passages, those that tie, and those of `also` that were found.

    A passage's score is the weighted sum over stems. allowed (largest document number + 1,): documents that may be
    found; None for all. The documents are in ascending order of their numbers.
    """
    passages = np.concatenate([np.empty(0, np.int32), *(one.passages for one in stems)])
    scores = [weight * one.scores for one, weight in zip(stems, weights, strict=True)]
    totals: DoubleArray = np.asarray(np.bincount(passages, np.concatenate([np.empty(0), *scores])), np.float64)
    found = np.flatnonzero(totals > 0)
    if allowed is not None:
        found = found[allowed[table.document[found]]]
    total = table.n_documents_of(found)
    best = _best_some(table, found, totals, depth, also) if total > depth else found
    chosen, values, numbers = _best_of_each(best, totals[best], table.document[best].astype(np.int64))
    if total > depth:
        least = np.partition(values, len(values) - depth)[len(values) - depth]
        kept = values >= least
        kept |= np.isin(numbers, also) if len(also) else False
        chosen, values, numbers = chosen[kept], values[kept], numbers[kept]
    order = np.argsort(numbers, kind="stable")
    numbers = numbers[order]
    return Scored(numbers, values[order], chosen[order] - table.first[numbers], total)


def _best_some(table: PassageTable, found: IntArray, totals: DoubleArray, depth: int, also: IntArray) -> IntArray:
    """Those of the passages found that can be the best of the best `depth` documents, and those of `also`."""
    values = totals[found]
    most = depth if table.is_plain else 2 * depth
    kept = np.ones(len(found), np.bool_)
    while most < len(found):
        near = contenders(values, values, most)
        if near is None:
            break
        if table.n_documents_of(found[near]) >= depth:
            kept[:] = False
            kept[near] = True
            break
        most *= 4
    if len(also):
        wanted = np.zeros(len(table.first), np.bool_)
        wanted[also] = True
        kept |= wanted[table.document[found]]
    return found[kept]


def _best_of_each(passages: IntArray, scores: DoubleArray, numbers: IntArray) -> tuple[IntArray, DoubleArray, IntArray]:
    """The best passage of each document, the first of equal ones; passages of a document follow each other."""
    if not len(passages):
        return passages, scores, numbers
    begins = np.ones(len(numbers), np.bool_)
    begins[1:] = numbers[1:] != numbers[:-1]
    starts = np.flatnonzero(begins)
    best = np.maximum.reduceat(scores, starts)
    group = np.cumsum(begins) - 1
    at_best = np.flatnonzero(scores == best[group])
    firsts = np.ones(len(at_best), np.bool_)
    firsts[1:] = group[at_best][1:] != group[at_best][:-1]
    chosen = at_best[firsts]
    return passages[chosen], scores[chosen], numbers[chosen]
