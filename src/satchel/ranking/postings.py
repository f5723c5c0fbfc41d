"""The inverted index of lexical rankers: for each word, the documents that hold it and its weight in each.

These weights hold all that does not depend on the query, so a query is one sparse product: it reads the postings of its
own words and nothing else. A score is summed in the order of the words, whatever the batch, so equal documents tie.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from satchel.ranking.selection import best_found, nothing_found
from satchel.types import FloatArray, IntArray, Ranking, SparseArray

Positions: TypeAlias = NDArray[np.integer]

POSTINGS_AT_ONCE = 1 << 22
"""How many postings one batch of queries may read: the product has at most this many values, of 8 bytes each."""


class Postings:
    """score(q, d) = Σ_w q_w · weight(w, d) + (Σ_w q_w) · offset(d), for documents d that hold a word of the query.

    weights (n_documents, n_words): csr, none of them 0; kept as words × documents in float32, 8 bytes a value.
    offsets (n_documents,): what every word of a query adds to a document, even if the document does not hold it.
    """

    def __init__(self, weights: SparseArray, offsets: FloatArray | None = None) -> None:
        from scipy.sparse import csr_array

        self.by_word = csr_array(weights.astype(np.float32).T)
        self.offsets = offsets
        self.n_words, self.n_documents = self.by_word.shape
        self._lengths = np.diff(self.by_word.indptr).astype(np.int64)

    def search(self, queries: SparseArray, k: int) -> Ranking:
        """The best k of the documents found, best first; queries (n_queries, n_words), weights of their words."""
        ids, scores = nothing_found(queries.shape[0], k)
        for row, (documents, values) in enumerate(self.found(queries)):
            best, best_scores = best_found(documents, values, k)
            ids[row, : len(best)], scores[row, : len(best)] = best, best_scores
        return Ranking(ids, scores)

    def found(self, queries: SparseArray) -> Iterator[tuple[Positions, FloatArray]]:
        """Yields each query's documents, which hold one of its words, in no order, and their scores, (n_found,)."""
        queries = queries.astype(np.float32, copy=False)
        sums = None if self.offsets is None else np.asarray(queries.sum(axis=1), np.float32)
        for rows in self._blocks(queries):
            products = (queries if rows == slice(0, queries.shape[0]) else queries[rows]) @ self.by_word
            for row in range(products.shape[0]):
                part = slice(products.indptr[row], products.indptr[row + 1])
                documents: Positions = products.indices[part]
                scores: FloatArray = products.data[part]
                if self.offsets is not None and sums is not None:
                    scores = scores + sums[rows.start + row] * self.offsets[documents]
                yield documents, scores

    def search_one(self, words: Sequence[int], weights: Sequence[float], k: int) -> tuple[IntArray, FloatArray]:
        """The best k of the documents found for one query, and their scores: the same bits as `search` gives.

        words (n_words,): ascending, each once; weights (n_words,): above 0. Scores are added up in the order of the
        words where each document has its place; most of the time of a sparse product is in its checks.
        """
        sums = np.zeros(self.n_documents, np.float32)
        if words:
            starts, held, data = self.by_word.indptr, self.by_word.indices, self.by_word.data
            parts = [slice(starts[word], starts[word + 1]) for word in words]
            documents = np.concatenate([held[part] for part in parts], dtype=np.intp)
            values = [
                data[part] if weight == 1 else data[part] * np.float32(weight)
                for part, weight in zip(parts, weights, strict=True)
            ]
            np.add.at(sums, documents, np.concatenate(values))
        found = np.flatnonzero(sums)
        scores = sums[found]
        if self.offsets is not None:
            scores += np.float32(sum(weights)) * self.offsets[found]
        return best_found(found, scores, k)

    def holding(self, word: int) -> Positions:
        """The documents that hold a word, ascending."""
        return self.by_word.indices[self.by_word.indptr[word] : self.by_word.indptr[word + 1]]

    def _blocks(self, queries: SparseArray) -> Iterator[slice]:
        """Yields runs of queries that touch at most POSTINGS_AT_ONCE postings; one query alone may touch more."""
        if queries.shape[0] == 1:
            yield slice(0, 1)
            return
        touched = np.zeros(len(queries.indices) + 1, np.int64)
        np.cumsum(self._lengths[queries.indices], out=touched[1:])
        touched = touched[queries.indptr]  # by the queries before each
        start, n_queries = 0, int(queries.shape[0])
        while start < n_queries:
            end = int(np.searchsorted(touched, touched[start] + POSTINGS_AT_ONCE, side="right")) - 1
            yield slice(start, max(end, start + 1))
            start = max(end, start + 1)
