"""Sparse document vectors (features are words): every document is scored in float64, so nothing has to be bounded.

The vectors are kept word by word, as in an inverted file: a query touches only the documents that share a word with it.
Each score is summed in the order of the words, so equal documents tie exactly wherever they stand.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from satchel.arrays import quotient
from satchel.ranking.selection import best_positions, rounded
from satchel.ranking.vectors import Probes, scaled_masks
from satchel.types import DoubleArray, FloatArray, IntArray, SparseArray, Vectors

BLOCK_BYTES = 1 << 22
"""Bytes of float64 scores held at once; the sparse product takes up to twice as much again."""


class SparseVectors:
    """Documents as rows of a csr array (n_documents, n_features), turned into a float64 array of words × documents."""

    def __init__(self, vectors: SparseArray, euclidean: bool) -> None:
        self.shape = vectors.shape
        self.euclidean = euclidean
        self._by_word = _by_word(vectors)
        self.norms: DoubleArray = np.sqrt(_summed_columns(self._by_word, self._by_word.data**2))

    def probes(self, queries: Vectors, masks: DoubleArray | None) -> Probes:
        """Queries (n_queries, n_features) made ready; they stay sparse."""
        if self.euclidean:
            return Probes(_summed(queries))
        return sparse_probes(_summed(queries), masks)

    def best(self, probes: Probes, k: int) -> Iterator[tuple[int, IntArray, FloatArray]]:
        """Yields, for each telling probe, its row and the positions and scores of the best k documents."""
        scores = self.all_scores(probes)
        for row in np.flatnonzero(probes.telling).tolist():
            ids = best_positions(scores[row], k)
            yield row, ids, scores[row, ids]

    def all_scores(self, probes: Probes) -> FloatArray:
        """Scores of every document, (n_probes, n_documents)."""
        scores = np.empty((probes.n_queries, self.shape[0]), np.float32)
        for rows, part in probes.parts(max(1, BLOCK_BYTES // (8 * max(1, self.shape[0])))):
            scores[rows] = rounded(self._scores(part))
        return scores

    def _scores(self, probes: Probes) -> DoubleArray:
        products = _product(probes.directions, self._by_word)
        if self.euclidean:
            lengths = np.asarray(probes.directions.power(2).sum(axis=1))[:, None]
            squares = self.norms**2 + lengths - 2 * products
            return np.where(self.norms > 0, -np.sqrt(np.maximum(squares, 0)), -np.inf)
        return quotient(products, self._masked_norms(probes))

    def _masked_norms(self, probes: Probes) -> DoubleArray:
        """√⟨w, z²⟩ of every document, (n_documents,) or one row for each mask."""
        if probes.weights is None:
            return self.norms
        masked: DoubleArray = np.sqrt(_product(probes.weights, self._squares_by_word))
        return masked

    @cached_property
    def _squares_by_word(self) -> SparseArray:
        """Z² word by word, computed for the first mask."""
        return self._by_word.power(2)


def sparse_probes(queries: SparseArray, masks: DoubleArray | None) -> Probes:
    """`cosine_probes` of sparse float64 queries: directions only have the queries' own words."""
    from scipy.sparse import csr_array

    r = None if masks is None else scaled_masks(masks)
    masked = queries if r is None else csr_array(queries.multiply(r))
    norms = np.sqrt(np.asarray(masked.power(2).sum(axis=1)))
    unit = masked.copy()
    unit.data /= np.repeat(np.where(norms > 0, norms, 1.0), np.diff(masked.indptr))
    return Probes(unit) if r is None else Probes(csr_array(unit.multiply(r)), r * r)


def _by_word(vectors: SparseArray) -> SparseArray:
    """(n_features, n_documents) in float64, documents ascending, entries given twice added up."""
    from scipy.sparse import csr_array

    return _summed(csr_array(vectors.T))


def _summed(vectors: Vectors) -> SparseArray:
    """A copy in float64, columns ascending, entries given twice added up."""
    from scipy.sparse import csr_array

    summed = csr_array(vectors.astype(np.float64))
    summed.sum_duplicates()
    return summed


def _summed_columns(by_word: SparseArray, data: DoubleArray) -> DoubleArray:
    """The sum of each document's values, word after word, as a product with ones would add them."""
    return np.asarray(np.bincount(by_word.indices, weights=data, minlength=by_word.shape[1]), dtype=np.float64)


def _product(directions: DoubleArray | SparseArray, by_word: SparseArray) -> DoubleArray:
    """(n_probes, n_features) times (n_features, n_documents); words that are not in the query cost nothing."""
    from scipy.sparse import csr_array

    product: DoubleArray = (csr_array(directions) @ by_word).toarray()
    return product
