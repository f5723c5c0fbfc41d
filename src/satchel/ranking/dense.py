"""Dense document vectors: a fast float32 product finds the candidates, float64 decides.

The float32 product alone is not enough: its last bits depend on the place of a row and on how many queries come at
once, so equal documents would not tie. Its error is bounded, though: n products summed in any order are off by at most
n·u·Σ|a_i z_i| (u = 2^-24), and Σ|a_i z_i| ≤ ‖a‖‖z‖. All documents within that bound of the k-th are scored again, row
by row, in float64. The bound is near 1e-5 of the score's range, so these are hardly more than k. That score, rounded to
float32, is returned and decides the order, so the bounds leave room for this last rounding.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from satchel.arrays import quotient, row_norms, unit_rows
from satchel.ranking.codes import MOST_CANDIDATES, Codes, codes_pay, dot_products
from satchel.ranking.selection import best_positions, candidates, rounded
from satchel.ranking.vectors import Probe, Probes, cosine_probes
from satchel.types import DoubleArray, FloatArray, IntArray, Vectors

SINGLE, DOUBLE = 2.0**-24, 2.0**-53
MODERATE = (1e-8, 1e8)
"""For norms in this range no float32 square under- or overflows; other documents are always scored in float64."""
TINY = 1e-20
"""A masked ‖r∘z‖² below this may have lost digits to underflow: such documents are always scored in float64, and where
‖r∘z‖ itself or the query's direction is below it, row by row."""
BLOCK_BYTES = 1 << 23
PART_BYTES = 1 << 22
"""Bytes of float64 scores computed at once (2^18 ... 2^24: 1.3, 0.6, 0.7, 0.7 s for 2,500 rankings by distance)."""
FEW_BYTES = 1 << 18
"""Bytes of float64 rows that are scored again at once: they stay in the cache, and no memory is asked of the system."""
PATIENCE = 8
"""Single queries answered by a float32 product before codes are made, which takes as long as 6 to 30 of them."""


class DenseVectors:
    """Documents as rows, float32 (n_documents, n_features); the array is kept, not copied."""

    def __init__(self, vectors: FloatArray, euclidean: bool) -> None:
        self.vectors = vectors
        self.shape = vectors.shape
        self.euclidean = euclidean
        self.norms = np.concatenate([row_norms(rows) for _, rows in self._blocks()] or [np.empty(0)])
        self.zero = np.flatnonzero(self.norms == 0)
        outside = (self.norms < MODERATE[0]) | (self.norms > MODERATE[1])
        self.extreme = np.flatnonzero(outside & (self.norms > 0))
        self.unbounded = np.flatnonzero(outside) if euclidean else self.extreme
        inverse = np.divide(1.0, self.norms, out=np.zeros_like(self.norms), where=~outside)
        self._inverse_norms = inverse.astype(np.float32)
        self._n_single = 0

    def probes(self, queries: Vectors, masks: DoubleArray | None) -> Probes:
        """Queries (n_queries, n_features) made ready, dense."""
        doubles = (queries if isinstance(queries, np.ndarray) else queries.toarray()).astype(np.float64)
        return Probes(doubles) if self.euclidean else cosine_probes(doubles, masks)

    def best(self, probes: Probes, k: int) -> Iterator[tuple[int, IntArray, FloatArray]]:
        """Yields, for each telling probe, its row and the positions and scores of the best k documents."""
        products: FloatArray | None = None
        for row in np.flatnonzero(probes.telling).tolist():
            probe = probes.one(row)
            ids = self._candidates_by_codes(probe, k) if probes.n_queries == 1 else None
            if ids is None:
                if products is None:
                    with np.errstate(all="ignore"):
                        products = self._products(probes)
                ids = self._candidates(probe, products[row], k)
            scores = self.rounded_scores(probe, ids)
            order = best_positions(scores, k)
            yield row, ids[order], scores[order]

    def all_scores(self, probes: Probes) -> FloatArray:
        """Scores of every document, (n_probes, n_documents). Equal documents tie: the first is computed and copied.

        Cosines without a mask are one float32 product of unit rows, within 1e-6 of float64 (2 ns a score against 12).
        """
        if self.euclidean or probes.weights is not None:
            scores = self._scores_in_doubles(probes)
        else:
            scores = probes.directions.astype(np.float32) @ self._units.T
        twins, firsts = self._twins
        scores[:, twins] = scores[:, firsts]
        return scores

    def rounded_scores(self, probe: Probe, ids: IntArray) -> FloatArray:
        """The float32 scores of some documents: each is computed in float64 from its own row alone, then rounded.

        Cosines are computed by matrix-vector products. Their last bits depend on the rows around, by at most `margin`,
        so where that can change the float32 score it is summed again, row by row.
        """
        length = row_norms(probe.direction[None, :])[0]
        if self.euclidean or not length > TINY:
            return rounded(self._row_by_row(probe, ids))
        products, norms = np.empty(len(ids)), self.norms[ids]
        divisors = norms if probe.weights is None else np.empty(len(ids))
        for part, z in self._parts(ids):
            np.matmul(z, probe.direction, out=products[part])
            if probe.weights is not None:
                divisors[part] = np.sqrt((z * z) @ probe.weights)
        scores = quotient(products, divisors)
        margin = 8 * (self.shape[1] + 16) * DOUBLE * length * quotient(norms, divisors)
        found: FloatArray = (scores - margin).astype(np.float32)
        again = np.flatnonzero((found != (scores + margin).astype(np.float32)) | ~(divisors > TINY))
        if again.size:
            found[again] = rounded(self._row_by_row(probe, ids[again]))
        return found

    def _row_by_row(self, probe: Probe, ids: IntArray) -> DoubleArray:
        """Scores of some documents in float64, each summed on its own: equal rows get equal bits."""
        scores = np.empty(len(ids))
        for part, z in self._parts(ids):
            norms = self.norms[ids[part]]
            if self.euclidean:
                scores[part] = _with_zeros_last(-row_norms(z - probe.direction), norms)
                continue
            if probe.weights is not None:
                norms = np.sqrt((z * z * probe.weights).sum(axis=1))
            scores[part] = quotient((z * probe.direction).sum(axis=1), norms)
        return scores

    def _parts(self, ids: IntArray) -> Iterator[tuple[slice, DoubleArray]]:
        """The rows of some documents in float64, FEW_BYTES at a time, and which of them they are."""
        step = max(1, FEW_BYTES // (8 * max(1, self.shape[1])))
        for start in range(0, len(ids), step):
            part = slice(start, start + step)
            yield part, self.vectors.take(ids[part], axis=0).astype(np.float64)

    def _products(self, probes: Probes) -> FloatArray:
        """⟨a, z⟩ in float32, (n_probes, n_documents); one query alone is a matrix-vector product."""
        directions = probes.directions.astype(np.float32)
        if len(directions) == 1:
            product: FloatArray = self.vectors @ directions[0]
            return product[None, :]
        products: FloatArray = directions @ self.vectors.T
        return products

    def _candidates_by_codes(self, probe: Probe, k: int) -> IntArray | None:
        """None where the codes do not pay, or not yet."""
        n, d = self.shape
        if self.euclidean or k >= n * MOST_CANDIDATES or not codes_pay(n, d, masked=probe.weights is not None):
            return None
        self._n_single += 1
        length = row_norms(probe.direction[None, :])[0]
        if self._n_single <= PATIENCE or not MODERATE[0] <= length <= MODERATE[1]:
            return None
        return None if self._codes is None else self._codes.candidates(probe.direction, probe.weights, k)

    @cached_property
    def _codes(self) -> Codes | None:
        dot = dot_products()
        return None if dot is None else Codes(self.vectors, self._inverse_norms, self.extreme, dot)

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
        norm; what is left is more than the score's own rounding to float32. Euclidean scores stand for
        ⟨q, z⟩ - ‖z‖²/2, which orders documents as -‖q - z‖ does.
        """
        error = 2 * (self.vectors.shape[1] + 16) * SINGLE
        nothing = np.empty(0, dtype=np.int64)
        if self.euclidean:
            return *self._bounded_euclidean(probe, product, error), nothing
        if probe.weights is None:
            product *= self._inverse_norms
            return product, error, nothing
        squared = self._squares @ probe.weights.astype(np.float32)
        squared[self.zero] = 1  # their cosine is 0 whatever the divisor, so it needs no error bound
        product /= np.sqrt(squared)
        return product, error, np.flatnonzero(~(squared >= TINY))

    def _bounded_euclidean(self, probe: Probe, product: FloatArray, error: float) -> tuple[FloatArray, FloatArray]:
        """The last term is the rounding of the distance D: an error of u·D in D is one of u·D² in D²/2."""
        norm = row_norms(probe.direction[None, :])[0]
        half_squares = self.norms * self.norms / 2
        bound = error * (self.norms * norm + half_squares) + 4 * SINGLE * (self.norms + norm) ** 2
        product -= half_squares.astype(np.float32)
        return product, bound.astype(np.float32)

    def _scores_in_doubles(self, probes: Probes) -> FloatArray:
        scores = np.empty((probes.n_queries, len(self.vectors)), np.float32)
        for start, rows in self._blocks():
            part = slice(start, start + len(rows))
            squares = self.norms[part] ** 2 if probes.weights is None else rows * rows
            for some, few in probes.parts(max(1, PART_BYTES // (8 * len(rows)))):
                scores[some, part] = rounded(_scores_of(few, rows, squares))
        return scores

    @cached_property
    def _squares(self) -> FloatArray:
        """Z², computed for the first mask; it takes as much memory as the vectors."""
        with np.errstate(all="ignore"):
            return self.vectors * self.vectors

    @cached_property
    def _units(self) -> FloatArray:
        """Rows of length 1, computed at the first call of `all_scores`; they take as much memory as the vectors."""
        return unit_rows(self.vectors)

    @cached_property
    def _twins(self) -> tuple[IntArray, IntArray]:
        """Documents equal to an earlier one (of the same direction, under cosine), and the first one equal to each."""
        first: dict[bytes, int] = {}
        rows = self.vectors + np.float32(0) if self.euclidean else self._units  # adding 0 turns -0.0 into 0.0
        firsts = np.array([first.setdefault(row.tobytes(), place) for place, row in enumerate(rows)], np.int64)
        twins = np.flatnonzero(firsts != np.arange(len(firsts)))
        return twins, firsts[twins]

    def _blocks(self) -> Iterator[tuple[int, DoubleArray]]:
        step = max(1, BLOCK_BYTES // (8 * max(1, self.vectors.shape[1])))
        for start in range(0, len(self.vectors), step):
            yield start, self.vectors[start : start + step].astype(np.float64)


def _with_zeros_last(scores: DoubleArray, norms: DoubleArray) -> DoubleArray:
    return np.where(norms > 0, scores, -np.inf)


def _scores_of(probes: Probes, rows: DoubleArray, squares: DoubleArray) -> DoubleArray:
    """Scores of some documents, (n_probes, n_rows): masked cosines where squares is z², (n_rows, n_features), else
    minus the distances, with ‖z‖², (n_rows,)."""
    products = probes.directions @ rows.T
    if probes.weights is not None:
        return quotient(products, np.sqrt(probes.weights @ squares.T))
    lengths = row_norms(probes.directions)[:, None] ** 2
    return _with_zeros_last(-np.sqrt(np.maximum(lengths + squares - 2 * products, 0)), squares)
