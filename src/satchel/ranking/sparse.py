"""Sparse document vectors (features are words): every document is scored in float64, so nothing has to be bounded.

The vectors are kept word by word, as in an inverted file: a query touches only the documents that share a word with it.
Each score is summed in the order of the words, so equal documents tie exactly wherever they stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from satchel.ranking.probes import DoubleArray, Probe, row_norms
from satchel.ranking.selection import best_positions
from satchel.types import IntArray, SparseArray


class SparseVectors:
    """Documents as rows of a csr array (n_documents, n_features), turned into a float64 array of words × documents."""

    search_bytes = all_scores_bytes = 24  # a score dense, and at worst its value and column in the sparse product

    def __init__(self, vectors: SparseArray, euclidean: bool) -> None:
        self.shape = vectors.shape
        self.euclidean = euclidean
        self._by_word = _by_word(vectors)
        self._squares_by_word: SparseArray | None = None
        self.norms: DoubleArray = np.sqrt(_summed_columns(self._by_word, self._by_word.data**2))

    def best(self, probes: Sequence[Probe], k: int) -> Iterator[tuple[IntArray, DoubleArray]]:
        """For each probe the positions and float64 scores of the best k documents."""
        for scores in self.all_scores(probes):
            ids = best_positions(scores, k)
            yield ids, scores[ids]

    def all_scores(self, probes: Sequence[Probe]) -> DoubleArray:
        """Scores of every document, (n_probes, n_documents)."""
        directions = np.stack([probe.direction for probe in probes])
        products = _product(directions, self._by_word)
        if self.euclidean:
            squares = self.norms**2 + row_norms(directions)[:, None] ** 2 - 2 * products
            return np.where(self.norms > 0, -np.sqrt(np.maximum(squares, 0)), -np.inf)
        norms = np.broadcast_to(self._masked_norms(probes), products.shape)
        quotient: DoubleArray = np.divide(products, norms, out=np.full(products.shape, -np.inf), where=norms > 0)
        return quotient

    def _masked_norms(self, probes: Sequence[Probe]) -> DoubleArray:
        """√⟨w, z²⟩ of every document, for each probe where there are masks."""
        weights = [probe.weights for probe in probes if probe.weights is not None]
        if not weights:
            return self.norms
        if self._squares_by_word is None:
            self._squares_by_word = _with_data(self._by_word, self._by_word.data**2)
        masked: DoubleArray = np.sqrt(_product(np.stack(weights), self._squares_by_word))
        return masked


def _by_word(vectors: SparseArray) -> SparseArray:
    """(n_features, n_documents) in float64, documents ascending, entries given twice added up."""
    from scipy.sparse import csr_array

    turned = csr_array(vectors.T.astype(np.float64))
    turned.sum_duplicates()
    return turned


def _summed_columns(by_word: SparseArray, data: DoubleArray) -> DoubleArray:
    """The sum of each document's values, word after word, as a product with ones would add them."""
    return np.asarray(np.bincount(by_word.indices, weights=data, minlength=by_word.shape[1]), dtype=np.float64)


def _product(directions: DoubleArray, by_word: SparseArray) -> DoubleArray:
    """(n_probes, n_features) times (n_features, n_documents); words that are not in the query cost nothing."""
    from scipy.sparse import csr_array

    product: DoubleArray = (csr_array(directions) @ by_word).toarray()
    return product


def _with_data(vectors: SparseArray, data: NDArray[np.float64]) -> SparseArray:
    from scipy.sparse import csr_array

    return csr_array((data, vectors.indices, vectors.indptr), shape=vectors.shape)
