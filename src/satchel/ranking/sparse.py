"""Sparse document vectors (features are words): every document is scored in float64, so nothing has to be bounded.

A sparse product sums each row in the order of its columns: equal documents tie exactly wherever they stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from satchel.ranking.probes import DoubleArray, Probe, row_norms
from satchel.ranking.selection import best_positions
from satchel.types import IntArray, SparseArray

if TYPE_CHECKING:
    from numpy.typing import NDArray


class SparseVectors:
    """Documents as rows of a csr array (n_documents, n_features); values are kept in float64, columns shared."""

    def __init__(self, vectors: SparseArray, euclidean: bool) -> None:
        self.vectors = _canonical_doubles(vectors)
        self.euclidean = euclidean
        self.norms: DoubleArray = np.sqrt(_with_data(self.vectors, self.vectors.data**2).sum(axis=1))
        self._squares: SparseArray | None = None

    def best(self, probes: Sequence[Probe], k: int) -> Iterator[tuple[IntArray, DoubleArray]]:
        """For each probe the positions and float64 scores of the best k documents."""
        for probe in probes:
            scores = self._scores(probe)
            ids = best_positions(scores, k)
            yield ids, scores[ids]

    def all_scores(self, probes: Sequence[Probe]) -> DoubleArray:
        """Scores of every document, (n_probes, n_documents)."""
        scores = np.empty((len(probes), self.vectors.shape[0]))
        for row, probe in enumerate(probes):
            scores[row] = self._scores(probe)
        return scores

    def _scores(self, probe: Probe) -> DoubleArray:
        product: DoubleArray = self.vectors @ probe.direction
        if self.euclidean:
            squares = self.norms**2 + row_norms(probe.direction[None, :])[0] ** 2 - 2 * product
            scores = -np.sqrt(np.maximum(squares, 0))
            return np.where(self.norms > 0, scores, -np.inf)
        norms = self.norms if probe.weights is None else np.sqrt(self._squared_vectors() @ probe.weights)
        quotient: DoubleArray = np.divide(product, norms, out=np.full(product.shape, -np.inf), where=norms > 0)
        return quotient

    def _squared_vectors(self) -> SparseArray:
        if self._squares is None:
            self._squares = _with_data(self.vectors, self.vectors.data**2)
        return self._squares


def _canonical_doubles(vectors: SparseArray) -> SparseArray:
    """A float64 array with sorted, distinct columns; shares the columns with the input where they are so already."""
    if vectors.has_canonical_format:
        return _with_data(vectors, vectors.data.astype(np.float64))
    doubles = vectors.astype(np.float64, copy=True)
    doubles.sum_duplicates()
    return doubles


def _with_data(vectors: SparseArray, data: NDArray[np.float64]) -> SparseArray:
    from scipy.sparse import csr_array

    return csr_array((data, vectors.indices, vectors.indptr), shape=vectors.shape)
