"""The exact index: the k nearest documents of each query, always the same ones in the same order."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from satchel.errors import InputError, whole_number
from satchel.ranking.dense import DenseVectors
from satchel.ranking.selection import nothing_found
from satchel.ranking.sparse import SparseVectors
from satchel.ranking.vectors import (
    CompactVectors,
    Metric,
    Probes,
    check_metric,
    checked_mask,
    checked_vectors,
    not_finite,
)
from satchel.types import DoubleArray, FloatArray, IntArray, Ranking, Vectors

SCORE_BYTES = 1 << 26
"""The bytes of scores that are held at once when many queries come together."""


class ExactIndex:
    """Finds the nearest documents exactly: by float64 scores, rounded to float32, ties in document order.

    vectors (n_documents, n_features): float32 or csr. A dense float32 array is kept, not copied: do not change it.
    With "cosine", the int8 codes of `compress` are accepted too. They are converted to a float32 array at once: they
    save disk space, but take four times the bytes in memory while they are searched.
    metric: "cosine", or "euclidean" (the score is then minus the distance).

    A zero document has cosine 0: it ranks below documents with a positive cosine and above those with a negative one.
    Its distance has no meaning, so with "euclidean" it ranks last, with score -inf. A zero query finds nothing: its ids
    are -1.
    """

    def __init__(self, vectors: Vectors | CompactVectors, metric: Metric = "cosine") -> None:
        self.metric = check_metric(metric)
        self._store = _store(checked_vectors(vectors, "vectors", metric), euclidean=metric == "euclidean")
        finite = np.isfinite(self._store.norms)
        if not finite.all():
            raise not_finite("document", finite)

    def __len__(self) -> int:
        return int(self._store.shape[0])

    @property
    def n_features(self) -> int:
        return int(self._store.shape[1])

    def search(self, queries: Vectors | CompactVectors, k: int, mask: ArrayLike | None = None) -> Ranking:
        """The best k documents of each query, best first; the float32 scores that are returned decide the order.

        queries (n_queries, n_features). mask: weights r of the features, (n_features,) or one row per query; the score
        is then cos(r∘q, r∘z), by two dot products with what is stored. Where there are fewer than k documents, ids are
        -1 and scores -inf.
        """
        k, prepared = whole_number("k", k), self._prepared(queries, mask)
        ids, scores = nothing_found(len(prepared), k)
        for rows in self._blocks_of_rows(len(prepared)):
            for row, found, values in self._store.best(prepared.probes(rows), k):
                ids[rows[row], : len(found)] = found
                scores[rows[row], : len(found)] = values
        return Ranking(ids, scores)

    def scores_of(self, query: FloatArray, ids: IntArray, mask: ArrayLike | None = None) -> FloatArray:
        """The scores of some documents for one query, with the same bits as `search` gives; -inf for a zero query.

        query (n_features,); ids (n_ids,). Vectors must be dense.
        """
        probes = self._prepared(query[None, :], mask).probes(np.arange(1))
        if not probes.telling[0] or not isinstance(self._store, DenseVectors):
            return np.full(len(ids), -np.inf, np.float32)
        return self._store.rounded_scores(probes.one(0), ids)

    def scores(self, queries: Vectors | CompactVectors, mask: ArrayLike | None = None) -> FloatArray:
        """The score of every document for every query, (n_queries, n_documents), for evaluation.

        Equal documents get equal scores. Differs from the scores of `search` by at most 1e-6: see `scorer`.
        """
        scorer = self.scorer(queries, mask)
        scores = np.empty((scorer.n_queries, len(self)), dtype=np.float32)
        for rows in self._blocks_of_rows(scorer.n_queries):
            scores[rows] = scorer(rows)
        return scores

    def scorer(self, queries: Vectors | CompactVectors, mask: ArrayLike | None = None) -> Scorer:
        """The same scores, for the queries that are given by row; many threads may call it."""
        return Scorer(self._store, self._prepared(queries, mask))

    def _prepared(self, queries: Vectors | CompactVectors, mask: ArrayLike | None) -> _Queries:
        queries = self._checked_queries(queries)
        weights = None if mask is None else checked_mask(mask, self.metric, queries.shape[0], self.n_features)
        return _Queries(self._store, queries, weights)

    def _blocks_of_rows(self, n_queries: int) -> Iterator[IntArray]:
        """Blocks of queries whose scores fit SCORE_BYTES."""
        step = max(1, SCORE_BYTES // (4 * max(1, len(self), self.n_features)))
        for start in range(0, n_queries, step):
            yield np.arange(start, min(start + step, n_queries))

    def _checked_queries(self, given: Vectors | CompactVectors) -> Vectors:
        queries = checked_vectors(given, "queries", self.metric)
        if queries.shape[1] != self.n_features:
            raise InputError(f"queries have {queries.shape[1]} features, the index has {self.n_features}")
        values = queries if isinstance(queries, np.ndarray) else queries.data
        if not np.isfinite(values).all():
            raise not_finite("query", np.isfinite(queries.sum(axis=1)))
        return queries


class _Queries:
    """Checked queries and their masks, converted to probes in parts."""

    def __init__(self, store: DenseVectors | SparseVectors, queries: Vectors, masks: DoubleArray | None) -> None:
        self._store = store
        self._queries = queries
        self._masks = masks

    def __len__(self) -> int:
        return int(self._queries.shape[0])

    def probes(self, rows: IntArray) -> Probes:
        masks = self._masks
        shared = masks is None or masks.ndim == 1
        return self._store.probes(self._queries[rows], masks if masks is None or shared else masks[rows])


class Scorer:
    """Scores of every document for some queries at a time: `ExactIndex.scorer` makes it."""

    def __init__(self, store: DenseVectors | SparseVectors, queries: _Queries) -> None:
        self._store = store
        self._queries = queries
        self.n_queries = len(queries)
        self(np.arange(0))  # fills the store's caches before threads share it

    def __call__(self, rows: IntArray) -> FloatArray:
        """(len(rows), n_documents); all -inf for a zero query."""
        probes = self._queries.probes(rows)
        scores = self._store.all_scores(probes)
        scores[~probes.telling] = -np.inf
        return scores


def _store(vectors: Vectors, euclidean: bool) -> DenseVectors | SparseVectors:
    if isinstance(vectors, np.ndarray):
        return DenseVectors(vectors, euclidean)
    return SparseVectors(vectors, euclidean)
