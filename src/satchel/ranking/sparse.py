"""Sparse document vectors (features are words): every document is scored in float64, so nothing has to be bounded.

The vectors are kept word by word, as in an inverted file: a query touches only the documents that share a word with it.
Each score is summed in the order of the words, so equal documents tie exactly wherever they stand.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from satchel.ranking.probes import DoubleArray, Probes, quotient, row_norms
from satchel.ranking.selection import best_positions, rounded
from satchel.types import FloatArray, IntArray, SparseArray


class SparseVectors:
    """Documents as rows of a csr array (n_documents, n_features), turned into a float64 array of words × documents."""

    search_bytes = all_scores_bytes = 24  # a score dense, and at worst its value and column in the sparse product

    def __init__(self, vectors: SparseArray, euclidean: bool) -> None:
        self.shape = vectors.shape
        self.euclidean = euclidean
        self._by_word = _by_word(vectors)
        self.norms: DoubleArray = np.sqrt(_summed_columns(self._by_word, self._by_word.data**2))

    def best(self, probes: Probes, k: int) -> Iterator[tuple[int, IntArray, FloatArray]]:
        """Of each telling probe the row, and the positions and scores of the best k documents."""
        scores = self.all_scores(probes)
        for row in np.flatnonzero(probes.telling).tolist():
            ids = best_positions(scores[row], k)
            yield row, ids, scores[row, ids]

    def all_scores(self, probes: Probes) -> FloatArray:
        """Scores of every document, (n_probes, n_documents)."""
        products = _product(probes.directions, self._by_word)
        if self.euclidean:
            squares = self.norms**2 + row_norms(probes.directions)[:, None] ** 2 - 2 * products
            return rounded(np.where(self.norms > 0, -np.sqrt(np.maximum(squares, 0)), -np.inf))
        return rounded(quotient(products, self._masked_norms(probes)))

    def _masked_norms(self, probes: Probes) -> DoubleArray:
        """√⟨w, z²⟩ of every document, for each probe where there are masks."""
        if probes.weights is None:
            return self.norms
        masked: DoubleArray = np.sqrt(_product(probes.weights, self._squares_by_word))
        return masked

    @cached_property
    def _squares_by_word(self) -> SparseArray:
        """Z² word by word, made when a mask first comes."""
        return self._by_word.power(2)


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
