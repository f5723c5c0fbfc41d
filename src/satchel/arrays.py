"""Arithmetic on rows that several rooms need: their lengths, quotients by them, and rows of length 1."""

from __future__ import annotations

import numpy as np

from satchel.errors import InputError
from satchel.types import DoubleArray, FloatArray, SparseArray

_BLOCK_VALUES = 1 << 22  # values made double at once, 32 MB


def row_norms(vectors: DoubleArray) -> DoubleArray:
    """‖z‖ of each row; a row's norm does not depend on the rows around it."""
    norms: DoubleArray = np.sqrt((vectors * vectors).sum(axis=1))
    return norms


def quotient(products: DoubleArray, norms: DoubleArray) -> DoubleArray:
    """products / norms; 0 where the norm is zero, as its product is: an empty document is neither for nor against."""
    scores: DoubleArray = products / np.where(norms > 0, norms, 1.0)
    return scores


def unit_rows(vectors: FloatArray) -> FloatArray:
    """Rows scaled to length 1, float32, rounded once from float64; zero rows stay zero. Refuses what is not finite."""
    units = np.empty(vectors.shape, np.float32)
    step = max(1, _BLOCK_VALUES // max(1, vectors.shape[1]))
    for start in range(0, len(vectors), step):
        rows = vectors[start : start + step].astype(np.float64)
        units[start : start + step] = rows / _divisors((rows * rows).sum(axis=1), start)[:, None] + 0.0  # no -0.0
    return units


def sparse_unit_rows(vectors: SparseArray) -> SparseArray:
    """The same for sparse rows."""
    from scipy.sparse import csr_array

    doubles = vectors.data.astype(np.float64)
    squares: SparseArray = csr_array((doubles**2, vectors.indices, vectors.indptr), shape=vectors.shape)
    divisors = _divisors(np.asarray(squares.sum(axis=1), np.float64), 0)
    data = (doubles / np.repeat(divisors, np.diff(vectors.indptr))).astype(np.float32)
    return csr_array((data, vectors.indices, vectors.indptr), shape=vectors.shape)


def _divisors(squares: DoubleArray, first: int) -> DoubleArray:
    """The lengths of the rows, 1 for zero rows; `first` is the number of the first one, for errors."""
    finite = np.isfinite(squares)
    if not finite.all():
        row = first + int(np.argmin(finite))
        raise InputError(f"vector {row} holds a NaN or an infinite number; remove or replace it")
    return np.where(squares > 0, np.sqrt(squares), 1.0)
