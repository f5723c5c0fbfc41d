"""Scores of every document for blocks of queries, as fast as a full evaluation needs them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from satchel.errors import InputError
from satchel.types import FloatArray, IntArray, Vectors


class BlockScores:
    """Scores as those of `ExactIndex.scores`; zero documents, and all documents of a zero query, have -inf.

    Differs: dense cosines without a mask are one float32 product of unit rows, within 1e-6 of the index's float64 (2 ns
    a score against 12). Equal documents still get equal scores: the first of them is computed, the others copy it.
    """

    def __init__(self, vectors: Vectors, queries: Vectors, metric: str, mask: ArrayLike | None) -> None:
        from satchel.ranking import ExactIndex  # the room's retrievers bring scikit-learn along

        self._index = ExactIndex(vectors, metric)  # type: ignore[arg-type]  # it checks the name itself
        _check_queries(queries, self._index.n_features)
        self._queries = queries
        self._mask = None if mask is None else np.asarray(mask)
        self._units: FloatArray | None = None
        if metric == "cosine" and mask is None and isinstance(vectors, np.ndarray):
            self._prepare(vectors)

    def _prepare(self, vectors: FloatArray) -> None:
        self._units, empty = unit_rows(vectors)
        self._empty = np.flatnonzero(empty)
        first: dict[bytes, int] = {}
        twin = np.array([first.setdefault(row.tobytes(), number) for number, row in enumerate(self._units)], np.int64)
        self._twins = np.flatnonzero(twin != np.arange(len(twin)))
        self._twin_of = twin[self._twins]

    def __call__(self, rows: IntArray) -> FloatArray:
        """(n_rows, n_documents) for these queries."""
        queries = self._queries[rows]
        if self._units is None or not isinstance(queries, np.ndarray):
            mask = self._mask if self._mask is None or self._mask.ndim == 1 else self._mask[rows]
            return self._index.scores(queries, mask)
        units, empty = unit_rows(queries)
        scores: FloatArray = units @ self._units.T
        scores[:, self._twins] = scores[:, self._twin_of]
        scores[:, self._empty] = -np.inf
        scores[empty] = -np.inf
        return scores


def _check_queries(queries: Vectors, n_features: int) -> None:
    if queries.ndim != 2 or queries.shape[1] != n_features:
        raise InputError(f"queries have shape {queries.shape}; expected (n_queries, {n_features}), as the database")
    values = queries if isinstance(queries, np.ndarray) else queries.data
    if not np.isfinite(values).all():
        raise InputError("the queries hold a NaN or an infinite number; remove or replace it")


def unit_rows(vectors: FloatArray) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Rows scaled to length 1, rounded once from float64, and which rows are zero (they stay zero)."""
    doubles = vectors.astype(np.float64)
    norms = np.sqrt((doubles * doubles).sum(axis=1))
    empty = norms == 0
    doubles /= np.where(empty, 1.0, norms)[:, None]
    return (doubles + 0.0).astype(np.float32), empty
