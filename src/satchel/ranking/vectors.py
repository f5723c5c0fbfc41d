"""The vectors that an index takes: checked, or compressed to one byte a number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from satchel.errors import InputError, unknown_name
from satchel.types import DoubleArray, IntArray, Vectors

Metric = Literal["cosine", "euclidean"]
METRICS: tuple[Metric, ...] = get_args(Metric)
CompactVectors: TypeAlias = NDArray[np.int8]
"""Directions without lengths, (n_documents, n_features), as `compress` makes them."""


def check_metric(name: str) -> Metric:
    """The metric of that name; raises InputError with the list of metrics if there is none."""
    for metric in METRICS:
        if metric == name:
            return metric
    raise unknown_name("metric", name, METRICS)


def checked_vectors(vectors: Vectors | CompactVectors, name: str, metric: Metric = "cosine") -> Vectors:
    """Two-dimensional float32, dense in C order or csr; vectors in that form are not copied."""
    from scipy.sparse import csr_array, issparse

    _refuse_complex(vectors, name)
    if metric != "cosine" and isinstance(vectors, np.ndarray) and vectors.dtype == np.int8:
        raise InputError(f"{name} are int8, which has no lengths, and the metric {metric!r} needs them; give float32")
    if issparse(vectors):
        if vectors.ndim != 2:
            raise InputError(f"{name} must be two-dimensional, one row each; got shape {vectors.shape}")
        return csr_array(vectors)
    try:
        with np.errstate(over="ignore"):
            dense: NDArray[np.float32] = np.asarray(vectors, dtype=np.float32, order="C")
    except (TypeError, ValueError):
        raise InputError(f"{name} must be an array of numbers, one row each, all rows of one length") from None
    if dense.ndim != 2:
        raise InputError(f"{name} must be two-dimensional, one row each; got shape {dense.shape}")
    return dense


def checked_mask(mask: ArrayLike, metric: Metric, n_queries: int, n_features: int) -> DoubleArray:
    """Finite weights of the features, (n_features,) or (n_queries, n_features)."""
    if metric != "cosine":
        raise InputError(f"a mask needs the metric 'cosine'; this index has {metric!r}")
    _refuse_complex(mask, "the mask")
    try:
        weights = np.asarray(mask, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"the mask must be an array of {n_features} numbers, not {mask!r}") from None
    if weights.shape not in ((n_features,), (n_queries, n_features)):
        expected = f"({n_features},) or ({n_queries}, {n_features})"
        raise InputError(f"the mask has shape {weights.shape}; expected {expected}")
    if not np.isfinite(weights).all():
        raise InputError("the mask holds a NaN or an infinite number; remove or replace it")
    return weights


def not_finite(name: str, finite: NDArray[np.bool_]) -> InputError:
    """The error that names the first row that is not finite."""
    return InputError(f"{name} {int(np.argmin(finite))} holds a NaN or an infinite number; remove or replace it")


def checked_positions(positions: Sequence[int] | IntArray, name: str, n_documents: int) -> IntArray:
    """Positions of documents, each once, ascending."""
    if isinstance(positions, list | tuple) and not positions:
        return np.empty(0, np.int64)
    try:
        given = np.asarray(positions)
    except ValueError:
        given = np.empty((0, 0))
    if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
        raise InputError(f"{name} must be a list of positions of documents, such as [0, 3]; got {positions!r:.60}")
    if given.size and not (given.min() >= 0 and given.max() < n_documents):
        raise InputError(
            f"{name} names document {given.min() if given.min() < 0 else given.max()}; there are "
            f"{n_documents}, from 0 on"
        )
    return np.unique(given).astype(np.int64)


def _refuse_complex(numbers: object, name: str) -> None:
    if getattr(getattr(numbers, "dtype", None), "kind", "") == "c":
        raise InputError(f"{name} must be an array of real numbers, not of complex ones")


LARGEST = 127
"""The largest code; -128 has no counterpart and is never used."""
EXACT_FEATURES = (2**24 - 1) // LARGEST**2
"""With at most this many features (1,040) a dot product of codes is a whole number below 2^24: float32 is exact."""
_BLOCK_BYTES = 1 << 23


def compress(vectors: Vectors) -> CompactVectors:
    """Vectors (n_documents, n_features) -> int8 codes of the same shape: a quarter of float32's bytes.

    Each row is scaled on its own and the scale is not kept, because the cosine does not see it: rows can be compressed
    one at a time and appended. A zero row stays zero. Codes have directions but no lengths, so an index takes them for
    the metric "cosine" alone.
    """
    dense = checked_vectors(vectors, "vectors")
    if not isinstance(dense, np.ndarray):
        raise InputError("vectors are sparse, so int8 would save no memory; keep them as they are")
    codes = np.empty(dense.shape, np.int8)
    step = max(1, _BLOCK_BYTES // (8 * max(1, dense.shape[1])))
    for start in range(0, len(dense), step):
        part = slice(start, start + step)
        finite = np.isfinite(dense[part]).all(axis=1)
        if not finite.all():
            raise not_finite("vector", np.append(np.ones(start, np.bool_), finite))
        codes[part] = row_codes(dense[part].astype(np.float64))
    return codes


def row_codes(rows: DoubleArray) -> CompactVectors:
    """c = round(127·z / max|z|) of each row z, (n_rows, n_features); zero where z is zero.

    No entry is off by more than 1/2 and the largest not at all, while 127·z / max|z| is at least 127 long: the sine of
    the angle between c and z is at most √(n - 1) / 254 for n features, so cos(c, z) ≥ √(1 - (n - 1) / 254²), 0.9995
    for 64.

    One scale per feature, shared by all rows, was tried too. With either, mAP (11-point) stays within 0.05 points of
    float32's; one scale per row needs no shared state.
    """
    largest = np.abs(rows).max(axis=1, keepdims=True, initial=0.0)
    scaled = rows / np.where(largest > 0, largest, 1.0) * LARGEST
    return np.rint(scaled).astype(np.int8)
