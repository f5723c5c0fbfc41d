"""The exact index: the k nearest documents of each query, always the same ones in the same order."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from satchel.errors import InputError, unknown_name
from satchel.ranking.dense import DenseVectors
from satchel.ranking.probes import DoubleArray, Probe, cosine_probe, euclidean_probe
from satchel.ranking.sparse import SparseVectors
from satchel.types import FloatArray, IntArray, Ranking, Vectors

Metric = Literal["cosine", "euclidean"]
METRICS: tuple[Metric, ...] = get_args(Metric)
SCORE_BYTES = 1 << 26
"""Scores held at once when many queries come together."""


class ExactIndex:
    """Finds the nearest documents exactly: the ranking is that of a float64 computation, ties in document order.

    vectors (n_documents, n_features): float32 or csr. A dense float32 array is kept, not copied: do not change it.
    metric: "cosine", or "euclidean" (the score is then minus the distance).

    A zero document is evidence of nothing: it stands last with score -inf. A zero query finds nothing: ids -1.
    """

    def __init__(self, vectors: Vectors, metric: Metric = "cosine") -> None:
        self.metric = check_metric(metric)
        self._store = _store(_checked_vectors(vectors, "vectors"), euclidean=metric == "euclidean")
        finite = np.isfinite(self._store.norms)
        if not finite.all():
            raise _not_finite("document", finite)

    def __len__(self) -> int:
        return int(self._store.shape[0])

    @property
    def n_features(self) -> int:
        return int(self._store.shape[1])

    def search(self, queries: Vectors, k: int, mask: ArrayLike | None = None) -> Ranking:
        """The best k documents of each query, best first.

        queries (n_queries, n_features). mask: weights r of the features, (n_features,) or one row per query; the score
        is then cos(r∘q, r∘z), by two dot products with what is stored. Where there are fewer than k documents, ids are
        -1 and scores -inf.
        """
        k = _checked_k(k)
        queries, masks = self._checked_queries(queries), self._checked_mask(mask, queries)
        ids = np.full((queries.shape[0], k), -1, dtype=np.int64)
        scores = np.full((queries.shape[0], k), -np.inf, dtype=np.float32)
        for rows, probes in self._probe_blocks(queries, masks, self._store.search_bytes):
            for row, (found, values) in zip(rows, self._store.best(probes, k), strict=True):
                ids[row, : len(found)] = found
                scores[row, : len(found)] = values
        return Ranking(ids, scores)

    def scores(self, queries: Vectors, mask: ArrayLike | None = None) -> FloatArray:
        """The score of every document for every query, (n_queries, n_documents), for evaluation.

        Computed in float64, block by block, and rounded: equal documents get equal scores.
        """
        queries, masks = self._checked_queries(queries), self._checked_mask(mask, queries)
        scores = np.full((queries.shape[0], len(self)), -np.inf, dtype=np.float32)
        for rows, probes in self._probe_blocks(queries, masks, self._store.all_scores_bytes):
            scores[rows] = self._store.all_scores(probes)
        return scores

    def _probe_blocks(
        self, queries: Vectors, masks: DoubleArray | None, bytes_per_score: int
    ) -> Iterator[tuple[IntArray, list[Probe]]]:
        """Blocks of queries whose scores fit SCORE_BYTES: the rows of those that are not zero, and their probes."""
        width = max(1, len(self), self.n_features)
        step = max(1, SCORE_BYTES // (bytes_per_score * width))
        for start in range(0, queries.shape[0], step):
            block = _dense_doubles(queries[start : start + step])
            probes = {start + row: self._probe(query, masks, start + row) for row, query in enumerate(block)}
            usable = {row: probe for row, probe in probes.items() if probe is not None}
            if usable:
                yield np.array(list(usable), dtype=np.int64), list(usable.values())

    def _probe(self, query: DoubleArray, masks: DoubleArray | None, row: int) -> Probe | None:
        if self.metric == "euclidean":
            return euclidean_probe(query)
        return cosine_probe(query, masks if masks is None or masks.ndim == 1 else masks[row])

    def _checked_queries(self, queries: Vectors) -> Vectors:
        queries = _checked_vectors(queries, "queries")
        if queries.shape[1] != self.n_features:
            raise InputError(f"queries have {queries.shape[1]} features, the index has {self.n_features}")
        values = queries if isinstance(queries, np.ndarray) else queries.data
        if not np.isfinite(values).all():
            raise _not_finite("query", np.isfinite(_dense_doubles(queries).sum(axis=1)))
        return queries

    def _checked_mask(self, mask: ArrayLike | None, queries: Vectors) -> DoubleArray | None:
        if mask is None:
            return None
        if self.metric != "cosine":
            raise InputError(f"a mask needs the metric 'cosine'; this index has {self.metric!r}")
        weights = np.asarray(mask, dtype=np.float64)
        if weights.shape not in ((self.n_features,), (queries.shape[0], self.n_features)):
            expected = f"({self.n_features},) or ({queries.shape[0]}, {self.n_features})"
            raise InputError(f"the mask has shape {weights.shape}; expected {expected}")
        if not np.isfinite(weights).all():
            raise InputError("the mask holds a NaN or an infinite number; remove or replace it")
        return weights


def check_metric(name: str) -> Metric:
    """The metric of that name, or an error that lists those there are."""
    for metric in METRICS:
        if metric == name:
            return metric
    raise unknown_name("metric", name, METRICS)


def _store(vectors: Vectors, euclidean: bool) -> DenseVectors | SparseVectors:
    if isinstance(vectors, np.ndarray):
        return DenseVectors(vectors, euclidean)
    return SparseVectors(vectors, euclidean)


def _checked_vectors(vectors: Vectors, name: str) -> Vectors:
    """Two-dimensional float32, dense in C order or csr; nothing is copied that is so already."""
    from scipy.sparse import csr_array, issparse

    if issparse(vectors):
        return csr_array(vectors)
    with np.errstate(over="ignore"):
        dense: NDArray[np.float32] = np.asarray(vectors, dtype=np.float32, order="C")
    if dense.ndim != 2:
        raise InputError(f"{name} must be two-dimensional, one row each; got shape {dense.shape}")
    return dense


def _not_finite(name: str, finite: NDArray[np.bool_]) -> InputError:
    return InputError(f"{name} {int(np.argmin(finite))} holds a NaN or an infinite number; remove or replace it")


def _checked_k(k: int) -> int:
    try:
        number = operator.index(k)
    except TypeError:
        raise InputError(f"k must be a whole number, not {k!r}") from None
    if number < 1:
        raise InputError(f"k must be at least 1, not {number}")
    return number


def _dense_doubles(queries: Vectors) -> DoubleArray:
    dense = queries if isinstance(queries, np.ndarray) else queries.toarray()
    return dense.astype(np.float64)
