"""What an index accepts: vectors, masks and metrics, or one sentence that says what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from satchel.errors import InputError, unknown_name
from satchel.ranking.probes import DoubleArray
from satchel.types import IntArray, Vectors

Metric = Literal["cosine", "euclidean"]
METRICS: tuple[Metric, ...] = get_args(Metric)
CompactVectors: TypeAlias = NDArray[np.int8]
"""Directions without lengths, (n_documents, n_features), as `compress` makes them."""


def check_metric(name: str) -> Metric:
    """The metric of that name, or an error that lists those there are."""
    for metric in METRICS:
        if metric == name:
            return metric
    raise unknown_name("metric", name, METRICS)


def checked_vectors(vectors: Vectors | CompactVectors, name: str, metric: Metric = "cosine") -> Vectors:
    """Two-dimensional float32, dense in C order or csr; nothing is copied that is so already."""
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


def number_from(name: str, value: object, lowest: float, highest: float = np.inf) -> float:
    """The value of a parameter as a finite float from `lowest` to `highest`, both allowed."""
    if not isinstance(value, bool) and isinstance(value, Real) and lowest <= float(value) <= highest:
        number = float(value)
        if np.isfinite(number):
            return number
    span = f"from {lowest:g} to {highest:g}" if np.isfinite(highest) else f"of at least {lowest:g}"
    raise InputError(f"{name} is {' '.join(repr(value).split())[:60]}; expected a number {span}")


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
