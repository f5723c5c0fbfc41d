"""Dense document vectors: a fast float32 product finds the candidates, float64 decides.

The float32 product alone would not do: its last bits depend on where a row lies and on how many queries come at once,
so equal documents would not tie. Its error is bounded, though: n products summed in any order are off by at most
n·u·Σ|a_i z_i| (u = 2^-24), and Σ|a_i z_i| ≤ ‖a‖‖z‖. All documents within that bound of the k-th are scored again, row
by row, in float64; as the bound is near 1e-5 of the score's range, these are hardly more than k.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from satchel.ranking.probes import DoubleArray, Probe, row_norms
from satchel.ranking.selection import best_positions, candidates
from satchel.types import FloatArray, IntArray

SINGLE, DOUBLE = 2.0**-24, 2.0**-53
MODERATE = (1e-8, 1e8)
"""Norms for which no float32 square under- or overflows; documents outside are always scored in float64."""
TINY = 1e-20
"""A masked ‖r∘z‖² below this may have lost digits to underflow: such documents are always scored in float64."""
BLOCK_BYTES = 1 << 23


class DenseVectors:
    """Documents as rows, float32 (n_documents, n_features); the array is kept, not copied."""

    search_bytes, all_scores_bytes = 4, 8

    def __init__(self, vectors: FloatArray, euclidean: bool) -> None:
        self.vectors = vectors
        self.shape = vectors.shape
        self.euclidean = euclidean
        self.norms = np.concatenate([row_norms(rows) for _, rows in self._blocks()] or [np.empty(0)])
        self.zero = np.flatnonzero(self.norms == 0)
        outside = (self.norms < MODERATE[0]) | (self.norms > MODERATE[1])
        self.extreme = np.flatnonzero(outside & (self.norms > 0))
        self.unbounded = np.flatnonzero(outside)
        inverse = np.divide(1.0, self.norms, out=np.zeros_like(self.norms), where=~outside)
        self._inverse_norms = inverse.astype(np.float32)
        self._squares: FloatArray | None = None

    def best(self, probes: Sequence[Probe], k: int) -> Iterator[tuple[IntArray, DoubleArray]]:
        """For each probe the positions and float64 scores of the best k documents."""
        with np.errstate(all="ignore"):
            products = self._products(probes)
        for probe, product in zip(probes, products, strict=True):
            ids = self._candidates(probe, product, k)
            scores = self.exact(probe, ids)
            order = best_positions(scores, k)
            yield ids[order], scores[order]

    def all_scores(self, probes: Sequence[Probe]) -> DoubleArray:
        """Scores of every document, (n_probes, n_documents), by float64 products."""
        scores = np.empty((len(probes), len(self.vectors)))
        directions = np.stack([probe.direction for probe in probes])
        for start, rows in self._blocks():
            part = slice(start, start + len(rows))
            scores[:, part] = self._scores_of(probes, directions, rows, self.norms[part])
        return scores

    def exact(self, probe: Probe, ids: IntArray) -> DoubleArray:
        """Scores of some documents in float64, each from its own row alone: equal rows get equal bits."""
        step = max(1, BLOCK_BYTES // (8 * max(1, self.vectors.shape[1])))
        parts = [self._exact(probe, ids[start : start + step]) for start in range(0, len(ids), step)]
        return np.concatenate(parts) if parts else np.empty(0)

    def _exact(self, probe: Probe, ids: IntArray) -> DoubleArray:
        z = self.vectors[ids].astype(np.float64)  # (n_ids, n_features)
        norms = self.norms[ids]
        if self.euclidean:
            return _with_zeros_last(-row_norms(z - probe.direction), norms)
        if probe.weights is not None:
            norms = np.sqrt((z * z * probe.weights).sum(axis=1))
        return _quotient((z * probe.direction).sum(axis=1), norms)

    def _products(self, probes: Sequence[Probe]) -> FloatArray:
        """⟨a, z⟩ in float32, (n_probes, n_documents); one query alone is a matrix-vector product."""
        if len(probes) == 1:
            product: FloatArray = self.vectors @ probes[0].direction.astype(np.float32)
            return product[None, :]
        directions = np.stack([probe.direction for probe in probes]).astype(np.float32)
        products: FloatArray = directions @ self.vectors.T
        return products

    def _candidates(self, probe: Probe, product: FloatArray, k: int) -> IntArray:
        everything = np.arange(len(self.vectors))
        if k >= len(everything) or not self._is_moderate(probe):
            return everything
        with np.errstate(all="ignore"):
            approximate, error, doubtful = self._bounded(probe, product)
            approximate[self.unbounded] = -np.inf
            approximate[doubtful] = -np.inf
            found = candidates(approximate, error, k)
        if found is None:
            return everything
        always = np.union1d(self.extreme, doubtful)
        return np.union1d(found, always) if always.size else found

    def _is_moderate(self, probe: Probe) -> bool:
        return not self.euclidean or MODERATE[0] <= row_norms(probe.direction[None, :])[0] <= MODERATE[1]

    def _bounded(self, probe: Probe, product: FloatArray) -> tuple[FloatArray, FloatArray | float, IntArray]:
        """Approximate scores (in the product's own memory), their error bounds, and documents that have no bound.

        The bounds are twice what the analysis gives: (n + a few)·u for a dot product, half as much again for the masked
        norm. Euclidean scores stand for ⟨q, z⟩ - ‖z‖²/2, which orders documents as -‖q - z‖ does.
        """
        error = 2 * (self.vectors.shape[1] + 16) * SINGLE
        nothing = np.empty(0, dtype=np.int64)
        if self.euclidean:
            return *self._bounded_euclidean(probe, product, error), nothing
        if probe.weights is None:
            product *= self._inverse_norms
            return product, error, nothing
        squared = self._squared_vectors() @ probe.weights.astype(np.float32)
        product /= np.sqrt(squared)
        return product, error, np.flatnonzero(~(squared >= TINY))

    def _bounded_euclidean(self, probe: Probe, product: FloatArray, error: float) -> tuple[FloatArray, FloatArray]:
        norm = row_norms(probe.direction[None, :])[0]
        half_squares = self.norms * self.norms / 2
        bound = error * (self.norms * norm + half_squares) + error * (DOUBLE / SINGLE) * (self.norms + norm) ** 2
        product -= half_squares.astype(np.float32)
        return product, bound.astype(np.float32)

    def _scores_of(
        self, probes: Sequence[Probe], directions: DoubleArray, rows: DoubleArray, norms: DoubleArray
    ) -> DoubleArray:
        products = directions @ rows.T  # (n_probes, n_rows)
        if self.euclidean:
            squares = row_norms(directions)[:, None] ** 2 + norms**2 - 2 * products
            return _with_zeros_last(-np.sqrt(np.maximum(squares, 0)), norms)
        if probes[0].weights is None:
            return _quotient(products, norms)
        weights = np.stack([probe.weights for probe in probes if probe.weights is not None])
        return _quotient(products, np.sqrt(weights @ (rows * rows).T))

    def _squared_vectors(self) -> FloatArray:
        """Z², made when a mask first comes: as large as the vectors themselves."""
        if self._squares is None:
            with np.errstate(all="ignore"):
                self._squares = self.vectors * self.vectors
        return self._squares

    def _blocks(self) -> Iterator[tuple[int, DoubleArray]]:
        step = max(1, BLOCK_BYTES // (8 * max(1, self.vectors.shape[1])))
        for start in range(0, len(self.vectors), step):
            yield start, self.vectors[start : start + step].astype(np.float64)


def _quotient(products: DoubleArray, norms: DoubleArray) -> DoubleArray:
    """products / norms; -inf where the norm is zero: an empty document is evidence of nothing and stands last."""
    norms = np.broadcast_to(norms, products.shape)
    scores: DoubleArray = np.divide(products, norms, out=np.full(products.shape, -np.inf), where=norms > 0)
    return scores


def _with_zeros_last(scores: DoubleArray, norms: DoubleArray) -> DoubleArray:
    return np.where(norms > 0, scores, -np.inf)
