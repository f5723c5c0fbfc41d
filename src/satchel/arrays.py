"""Arithmetic on rows that several rooms need: lengths, rows of length 1, spherical k-means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np

from satchel.errors import InputError
from satchel.types import DoubleArray, FloatArray, IntArray, SparseArray, Vectors

_BLOCK_VALUES = 1 << 22  # values held at once: 16 MB of cosines, 32 MB of doubles


class UnitRows(Protocol):
    """Rows of length 1 or 0, which need not all be in memory at once."""

    @property
    def n_rows(self) -> int: ...

    @property
    def nonzero(self) -> IntArray:
        """The rows that are not zero."""

    def rows(self, numbers: IntArray) -> Vectors:
        """Some rows, (len(numbers), n_features)."""

    def blocks(self) -> Iterator[tuple[IntArray, Vectors]]:
        """All rows in order, with their numbers."""


class Clusters(NamedTuple):
    """labels (n_rows,): the cluster of each row; centres (n_clusters, n_features): unit directions."""

    labels: IntArray
    centres: FloatArray


def spherical_kmeans(
    vectors: Vectors, n_clusters: int, random_state: int = 0, *, max_iterations: int = 100
) -> Clusters:
    """`cluster_rows` of vectors in memory, (n_rows, n_features), dense or csr, of any length."""
    return cluster_rows(RowsInMemory(vectors), n_clusters, random_state, max_iterations=max_iterations)


def cluster_rows(
    rows: UnitRows, n_clusters: int, random_state: int = 0, *, max_iterations: int = 100, max_seeds: int | None = None
) -> Clusters:
    """Spherical k-means: joins rows to the nearest centre, moves centres to the mean of their rows, and repeats.

    k-means++ with this seed chooses the first centres. The last round is the one in which no row moves. A cluster that
    loses all its rows starts again at the row that fits its own centre worst. A zero row has no direction: it joins
    cluster 0 and moves no centre.
    max_seeds: choose the first centres among this many random rows, which are held in memory together.
    """
    centres = _first_centres(rows, n_clusters, random_state, max_seeds)
    labels = np.full(rows.n_rows, -1)
    for _ in range(max_iterations):
        joined, fit, sums = _join(rows, centres)
        if np.array_equal(joined, labels):
            break
        labels, centres = joined, _mean_directions(rows, joined, fit, sums)
    return Clusters(labels, centres)


class RowsInMemory:
    """Vectors scaled to length 1; zero rows stay zero."""

    def __init__(self, vectors: Vectors) -> None:
        self._units = unit_rows(vectors) if isinstance(vectors, np.ndarray) else sparse_unit_rows(vectors)
        self.n_rows = int(vectors.shape[0])
        self.nonzero = _rows_with_values(self._units)

    def rows(self, numbers: IntArray) -> Vectors:
        return self._units[numbers]

    def blocks(self) -> Iterator[tuple[IntArray, Vectors]]:
        size = max(1, _BLOCK_VALUES // max(1, int(self._units.shape[1])))
        for start in range(0, self.n_rows, size):
            stop = min(start + size, self.n_rows)
            yield np.arange(start, stop), self._units[start:stop]


def _join(rows: UnitRows, centres: FloatArray) -> tuple[IntArray, FloatArray, FloatArray]:
    """The best centre of every row, its cosine, and the sum of the rows of each cluster."""
    from scipy.sparse import csr_array

    joined, fit = np.empty(rows.n_rows, np.int64), np.empty(rows.n_rows, np.float32)
    sums = np.zeros_like(centres)
    for numbers, block in rows.blocks():
        cosines = np.asarray(block @ centres.T)
        joined[numbers] = cosines.argmax(axis=1)
        fit[numbers] = cosines.max(axis=1)
        places = (joined[numbers], np.arange(len(numbers)))
        members = csr_array((np.ones(len(numbers), np.float32), places), shape=(len(centres), len(numbers)))
        total = members @ block
        sums += total if isinstance(total, np.ndarray) else total.toarray()
    return joined, fit, sums


def _mean_directions(rows: UnitRows, joined: IntArray, fit: FloatArray, sums: FloatArray) -> FloatArray:
    lengths = np.sqrt((sums * sums).sum(axis=1))
    lost = np.flatnonzero(lengths == 0)
    centres: FloatArray = (sums / np.where(lengths > 0, lengths, 1)[:, None]).astype(np.float32)
    if len(lost):
        nonzero = rows.nonzero
        worst = nonzero[np.argsort(fit[nonzero], kind="stable")[: len(lost)]]
        centres[lost] = _dense(rows.rows(worst))
    return centres


def _first_centres(rows: UnitRows, n_clusters: int, random_state: int, max_seeds: int | None) -> FloatArray:
    from sklearn.cluster import kmeans_plusplus

    nonzero = rows.nonzero
    if not 1 <= n_clusters <= len(nonzero):
        raise InputError(
            f"cannot make {n_clusters} clusters of {len(nonzero)} vectors that are not zero; "
            f"choose a number from 1 to {len(nonzero)}"
        )
    if max_seeds is not None and max_seeds < len(nonzero):
        nonzero = np.sort(np.random.default_rng(random_state).choice(nonzero, max_seeds, replace=False))
    candidates = rows.rows(nonzero)
    _, chosen = kmeans_plusplus(candidates, n_clusters, random_state=random_state)
    return _dense(candidates[np.sort(chosen)])


def _rows_with_values(vectors: Vectors) -> IntArray:
    if isinstance(vectors, np.ndarray):
        return np.flatnonzero((vectors != 0).any(axis=1))
    return np.unique(vectors.nonzero()[0]).astype(np.int64)


def _dense(vectors: Vectors) -> FloatArray:
    return np.array(vectors) if isinstance(vectors, np.ndarray) else vectors.toarray()


def unit_rows(vectors: FloatArray) -> FloatArray:
    """Rows scaled to length 1, float32, rounded once from float64; zero rows stay zero. InputError if not finite."""
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


def row_norms(vectors: DoubleArray) -> DoubleArray:
    """‖z‖ of each row; a row's norm does not depend on the rows around it."""
    norms: DoubleArray = np.sqrt((vectors * vectors).sum(axis=1))
    return norms


def quotient(products: DoubleArray, norms: DoubleArray) -> DoubleArray:
    """products / norms; 0 where the norm is zero: an empty document speaks neither for nor against."""
    scores: DoubleArray = products / np.where(norms > 0, norms, 1.0)
    return scores


def _divisors(squares: DoubleArray, first: int) -> DoubleArray:
    """The lengths of the rows, 1 for zero rows; first: the number of the first row, for errors."""
    finite = np.isfinite(squares)
    if not finite.all():
        row = first + int(np.argmin(finite))
        raise InputError(f"vector {row} holds a NaN or an infinite number; remove or replace it")
    return np.where(squares > 0, np.sqrt(squares), 1.0)
