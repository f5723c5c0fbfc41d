"""The collection behind the marks: the directions of its documents, so that unmarked documents help too."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satchel.errors import InputError
from satchel.ranking import checked_vectors, not_finite
from satchel.types import DoubleArray, FloatArray, Vectors

MOST_ROWS = 20_000
"""A larger collection is sampled (every n-th document), so that learning takes milliseconds."""

SAME = 1 - 1e-6  # two documents with at least this cosine count as one


class Sampled(NamedTuple):
    """Every n-th document of a collection (n is `step`), for callers that do not hold all documents."""

    vectors: FloatArray
    step: int


class Background(NamedTuple):
    """units (n_rows, n_features): rows of length 1 or 0, dense or csr; every `step`-th document of the collection."""

    units: Vectors
    step: int

    @property
    def mean(self) -> DoubleArray:
        """The mean direction, (n_features,)."""
        return np.asarray(self.units.mean(axis=0), np.float64).ravel()

    def cosines(self, direction: DoubleArray) -> FloatArray:
        """⟨direction, document⟩ of each row, (n_rows,)."""
        return np.asarray(self.units @ direction.astype(np.float32), np.float32)

    def are_among(self, documents: DoubleArray) -> NDArray[np.bool_]:
        """Which rows are one of these documents, (n_rows,); documents (n_documents, n_features) of length 1."""
        cosines: FloatArray = np.asarray(self.units @ documents.T.astype(np.float32), np.float32)
        found: NDArray[np.bool_] = np.any(cosines > SAME, axis=1)
        return found

    def nearest_mean(self, direction: DoubleArray, n_documents: float, without: DoubleArray) -> DoubleArray:
        """The mean of the nearest n_documents of the collection, (n_features,), leaving out those in `without`."""
        scores = np.where(self.are_among(without), -np.inf, self.cosines(direction))
        n_rows = min(len(scores), max(1, round(n_documents / self.step)))
        best = np.argpartition(-scores, n_rows - 1)[:n_rows]
        rows = self.units[np.sort(best[np.isfinite(scores[best])])]
        mean: DoubleArray = np.asarray(rows.sum(axis=0), np.float64).ravel() / max(1, rows.shape[0])
        return mean


def read_background(given: Vectors | Sampled | None, n_features: int) -> Background | None:
    """The collection's vectors as directions; None where there are none."""
    sampled = as_sample(given, MOST_ROWS)
    if sampled is None or sampled.vectors.shape[0] == 0:
        return None
    rows, step = checked_vectors(sampled.vectors, "the background"), sampled.step
    if rows.shape[1] != n_features:
        raise InputError(f"the background has {rows.shape[1]} features, the query has {n_features}")
    return Background(_units(rows), step)


def as_sample(given: Vectors | Sampled | None, most: int) -> Sampled | None:
    """At most `most` of the documents, taken evenly."""
    if given is None:
        return None
    vectors, step = given if isinstance(given, Sampled) else (given, 1)
    further = max(1, -(-np.shape(vectors)[0] // most))
    return Sampled(vectors[::further] if further > 1 else vectors, step * further)  # type: ignore[arg-type]


def _units(rows: Vectors) -> Vectors:
    if isinstance(rows, np.ndarray):
        norms = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        scale = _inverse(norms)
        units: FloatArray = rows * scale[:, None]
        return units
    norms = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1), np.float32)).ravel()
    scaled = rows.astype(np.float32)
    scaled.data = scaled.data * np.repeat(_inverse(norms), np.diff(scaled.indptr))
    return scaled


def _inverse(norms: FloatArray) -> FloatArray:
    if not np.isfinite(norms).all():
        raise not_finite("background document", np.isfinite(norms))
    return np.divide(1, norms, out=np.zeros_like(norms), where=norms > 0)
