"""One byte a number finds the candidates of a search: int8 dot products, with a bound on what the rounding lost.

A document's direction ẑ = z / ‖z‖ is kept as int8 codes c with a scale s and the loss ε = ‖ẑ - s·c‖. A query a is
coded in the same way as t·d, with the residue f = a - t·d. Then

    ⟨a, ẑ⟩ = s·t·⟨c, d⟩ + ⟨t·d, ẑ - s·c⟩ + ⟨f, ẑ⟩,  so the first term is off by at most ‖t·d‖·ε + ‖f‖.

⟨c, d⟩ is a whole number, the same in any order of summation. A masked cosine is divided by √⟨w, ẑ²⟩, so ẑ² is coded
too: its numbers sum to 1, so only w's differences from its mean are multiplied with it, and their residue costs at most
its largest number. Of 94,466 real documents the bounds leave 1,600 to 2,300 for the best 1,000, and 1,500 to 3,200
under masks that keep half of the length.

The products need SimSIMD, the extra `fast`. Without it the float32 vectors are scanned, with the same results.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np

from satchel.ranking.selection import contenders
from satchel.ranking.vectors import EXACT_FEATURES, LARGEST, CompactVectors
from satchel.types import DoubleArray, FloatArray, IntArray

FEWEST_DOCUMENTS, FEWEST_FEATURES, FEWEST_MASKED_FEATURES = 20_000, 48, 96
"""Below these the float32 products cost no more than the codes and their bounds do."""
MOST_CANDIDATES = 0.25
"""With a larger share of the documents left, scoring them in float64 costs as much as a float32 product of all."""
SLACK = 2.0**-18
"""Room for the float32 arithmetic, (a few)·2^-24, and for rounding the score to float32, relative to ‖a‖."""
_BLOCK_BYTES = 1 << 19

DotProducts = Callable[[CompactVectors, CompactVectors], FloatArray]


class Codes:
    """The int8 codes of float32 vectors (n_documents, n_features), and their bounds.

    inverse_norms (n_documents,): 1 / ‖z‖, or 0 for zero rows and for the `unbounded`, whose bounds are those of any
    direction.
    """

    def __init__(self, vectors: FloatArray, inverse_norms: FloatArray, unbounded: IntArray, dot: DotProducts) -> None:
        self._vectors = vectors
        self._inverse_norms = inverse_norms
        self._unbounded = unbounded
        self._dot = dot
        self._directions = self._coded(squared=False)

    def candidates(self, direction: DoubleArray, weights: DoubleArray | None, k: int) -> IntArray | None:
        """Every document that can be among the best k, ascending; None where the bounds leave too many."""
        with np.errstate(all="ignore"):
            found = contenders(*self.bounds(direction, weights), k)
        return None if found is None or len(found) > MOST_CANDIDATES * len(self._vectors) else found

    def bounds(self, direction: DoubleArray, weights: DoubleArray | None = None) -> tuple[FloatArray, FloatArray]:
        """A lower and an upper bound of each document's float32 score, (n_documents,).

        direction a, weights w: a `Probe`; the norm of a is moderate, and w is at most 1.
        """
        length = float(np.linalg.norm(direction))
        products, lost, residue = self._directions.products(direction, self._dot)
        lost += np.float32(np.linalg.norm(residue) + SLACK * length)
        lower: FloatArray = products - lost
        upper: FloatArray = products + lost
        if weights is None:
            return lower, upper
        short, long = self._masked_lengths(weights)
        lower /= np.where(lower < 0, short, long)
        upper /= np.where(upper > 0, short, long)
        return lower, upper

    def _masked_lengths(self, weights: DoubleArray) -> tuple[FloatArray, FloatArray]:
        """Bounds of √⟨w, ẑ²⟩. Where the true one is 0, so is the score; the lower bound is 0 then: the score's are
        -inf and inf."""
        mean = weights.mean()
        products, lost, residue = self._squares.products(weights - mean, self._dot)
        lost += np.float32(np.abs(residue).max(initial=0) + SLACK)
        products += np.float32(mean)
        least, most = np.float32(weights.min() * (1 - SLACK)), np.float32(weights.max() * (1 + SLACK))
        return np.sqrt(np.maximum(products - lost, least)), np.sqrt(np.minimum(products + lost, most))

    @cached_property
    def _squares(self) -> CodedRows:
        """The codes of ẑ², made for the first mask."""
        return self._coded(squared=True)

    def _coded(self, squared: bool) -> CodedRows:
        n, d = self._vectors.shape
        coded = CodedRows(np.empty((n, d), np.int8), np.empty(n, np.float32), np.empty(n, np.float32))
        step = max(1, _BLOCK_BYTES // (4 * max(1, d)))
        with np.errstate(all="ignore"):
            for start in range(0, n, step):
                part = slice(start, start + step)
                rows = self._vectors[part] * self._inverse_norms[part, None]
                coded.fill(part, np.multiply(rows, rows, out=rows) if squared else rows)
        for array, value in ((coded.codes, 0), (coded.scales, 0), (coded.losses, 1 + SLACK)):
            array[self._unbounded] = value
        return coded


class CodedRows(NamedTuple):
    """Rows x ≈ s·c: codes c (n_rows, n_features), scales s and losses ‖x - s·c‖ (n_rows,)."""

    codes: CompactVectors
    scales: FloatArray
    losses: FloatArray

    def fill(self, part: slice, rows: FloatArray) -> None:
        """Codes some rows of length 1 at most; the rows are overwritten."""
        largest = np.maximum(rows.max(axis=1), -rows.min(axis=1))
        scales = np.divide(largest, LARGEST, dtype=np.float32)
        inverse = np.divide(1, scales, out=np.zeros_like(scales), where=largest > 1e-30)
        rounded = np.rint(rows * inverse[:, None])
        self.codes[part], self.scales[part] = rounded, scales
        rows -= np.multiply(rounded, scales[:, None], out=rounded)
        self.losses[part] = np.sqrt(np.einsum("ij,ij->i", rows, rows)) + np.float32(SLACK / 4) * (largest > 0)

    def products(self, vector: DoubleArray, dot: DotProducts) -> tuple[FloatArray, FloatArray, DoubleArray]:
        """⟨t·d, s·c⟩ and how far it can be from ⟨t·d, x⟩, (n_rows,); and the residue f of vector ≈ t·d."""
        scale = np.abs(vector).max(initial=0.0) / LARGEST
        code = np.rint(vector / (scale or 1.0)).astype(np.int8)
        rounded = scale * code.astype(np.float64)
        products = dot(self.codes, code)
        products *= self.scales
        products *= np.float32(scale)
        return products, self.losses * np.float32(np.linalg.norm(rounded)), vector - rounded


def codes_pay(n_documents: int, n_features: int, masked: bool) -> bool:
    """Whether a scan of codes is cheaper than one of the vectors."""
    fewest = FEWEST_MASKED_FEATURES if masked else FEWEST_FEATURES
    return n_documents >= FEWEST_DOCUMENTS and fewest <= n_features <= EXACT_FEATURES


@cache
def dot_products() -> DotProducts | None:
    """⟨c, d⟩ of each row c of codes and one code d, exact in float32; None without SimSIMD.

    Used only where its kernels give the whole numbers that numpy does, for rows of every length up to a few registers.
    """
    try:
        import simsimd
    except ImportError:
        return None

    def dot(codes: CompactVectors, code: CompactVectors) -> FloatArray:
        return np.asarray(simsimd.cdist(code[None, :], codes, metric="dot", out_dtype="float32"), np.float32).ravel()

    return dot if _is_exact(dot) else None


def _is_exact(dot: DotProducts) -> bool:
    rng = np.random.default_rng(0)
    for d in (*range(FEWEST_FEATURES, 4 * FEWEST_FEATURES), EXACT_FEATURES):
        codes = rng.integers(-LARGEST, LARGEST + 1, (4, d)).astype(np.int8)
        codes[0], codes[1] = LARGEST, -LARGEST
        if not np.array_equal(dot(codes, codes[0]), codes.astype(np.int64) @ codes[0].astype(np.int64)):
            return False
    return True
