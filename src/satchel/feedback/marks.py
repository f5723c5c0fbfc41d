"""The input of feedback, checked: the query, the marks, and the collection behind them."""

from __future__ import annotations

from collections.abc import Sized
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from satchel.arrays import row_norms
from satchel.errors import InputError
from satchel.ranking import checked_vectors, not_finite
from satchel.types import DoubleArray, FloatArray, Vectors

MOST_ROWS = 20_000
"""A larger collection is sampled (every n-th document), so that learning takes milliseconds."""
SAME = 1 - 1e-6  # two documents with at least this cosine count as one


class Marks(NamedTuple):
    """Marked documents, each once, relevant ones first.

    vectors (n_marks, n_features): of length 1. weights (n_marks,): the grade of a relevant mark, minus the grade of an
    irrelevant one; never 0.
    """

    vectors: DoubleArray
    weights: DoubleArray

    @property
    def relevant(self) -> Marks:
        return Marks(self.vectors[self.weights > 0], self.weights[self.weights > 0])

    @property
    def irrelevant(self) -> Marks:
        return Marks(self.vectors[self.weights < 0], self.weights[self.weights < 0])

    @property
    def grades(self) -> DoubleArray:
        """How sure each mark is, whichever way it points, (n_marks,)."""
        return np.abs(self.weights)


def read_query(query: Vectors | ArrayLike) -> DoubleArray:
    """The query scaled to length 1, (n_features,); the zero query stays zero."""
    rows = _dense(query if getattr(query, "ndim", 1) == 2 else [query], "the query")
    if len(rows) != 1 or rows.shape[1] == 0:
        raise InputError(f"the query must be one vector of at least one number; got shape {rows.shape}")
    direction: DoubleArray = unit_directions(rows, "the query")[0]
    return direction


def read_marks(
    relevant: Vectors | ArrayLike,
    irrelevant: Vectors | ArrayLike,
    relevant_grades: ArrayLike | None,
    irrelevant_grades: ArrayLike | None,
    n_features: int,
) -> Marks:
    """Reads all marks that count.

    A document given twice counts once, with the higher grade; one that is marked both ways counts by the difference of
    its grades, so that equal ones cancel. Documents with the same direction count as the same. Zero vectors have no
    direction and grades of 0 no weight: both are left out.
    """
    sides = [
        _one_side("relevant", relevant, relevant_grades, n_features),
        _one_side("irrelevant", irrelevant, irrelevant_grades, n_features),
    ]
    weights: dict[bytes, float] = {}
    vectors: dict[bytes, DoubleArray] = {}
    for sign, (units, grades) in zip((1.0, -1.0), sides, strict=True):
        for key, grade in _once(units, grades, vectors).items():
            weights[key] = weights.get(key, 0.0) + sign * grade
    telling = sorted((key for key in weights if weights[key]), key=lambda key: weights[key] < 0)
    rows = np.array([vectors[key] for key in telling]).reshape(len(telling), n_features)
    return Marks(rows, np.array([weights[key] for key in telling]))


def unit_directions(vectors: FloatArray, name: str) -> DoubleArray:
    """Rows scaled to length 1 in float64; zero rows stay zero. Raises InputError unless all numbers are finite."""
    rows = vectors.astype(np.float64)
    norms = row_norms(rows)
    if not np.isfinite(norms).all():
        raise (
            not_finite(name, np.isfinite(norms))
            if len(rows) != 1
            else InputError(f"{name} holds a NaN or an infinite number; remove or replace it")
        )
    return np.divide(rows, norms[:, None], out=np.zeros_like(rows), where=norms[:, None] > 0)


def _one_side(
    name: str, given: Vectors | ArrayLike, grades: ArrayLike | None, n_features: int
) -> tuple[DoubleArray, DoubleArray]:
    rows = _dense(given, f"the {name} documents", n_features)
    if rows.shape[1] != n_features:
        raise InputError(f"the {name} documents have {rows.shape[1]} features, the query has {n_features}")
    return unit_directions(rows, f"{name} document"), read_grades(name, grades, len(rows))


def read_grades(name: str, grades: ArrayLike | None, n_marks: int) -> DoubleArray:
    """One grade for each mark, (n_marks,); 1 where none are given."""
    if grades is None:
        return np.ones(n_marks)
    try:
        values = np.asarray(grades, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name}_grades must be numbers from 0 to 1, one for each {name} document") from None
    if values.shape != (n_marks,):
        raise InputError(f"{name}_grades have shape {values.shape}; there are {n_marks} {name} documents")
    if not ((values >= 0) & (values <= 1)).all():
        raise InputError(f"{name}_grades must lie from 0 to 1 (1: sure, 0.5: maybe); got {values.tolist()}")
    return values


def _once(units: DoubleArray, grades: DoubleArray, vectors: dict[bytes, DoubleArray]) -> dict[bytes, float]:
    """The highest grade of each direction; new directions are added to `vectors`."""
    best: dict[bytes, float] = {}
    for unit, grade in zip(units, grades.tolist(), strict=True):
        if unit.any():
            key = (unit.astype(np.float32) + np.float32(0)).tobytes()  # adding 0 turns -0.0 into 0.0
            vectors.setdefault(key, unit)
            best[key] = max(grade, best.get(key, 0.0))
    return best


def _dense(given: object, name: str, n_features: int = 0) -> FloatArray:
    """Rows as float32; an empty list gives no rows of `n_features` features."""
    if isinstance(given, Sized) and getattr(given, "ndim", 1) == 1 and len(given) == 0:
        return np.empty((0, n_features), np.float32)
    vectors = checked_vectors(given, name)  # type: ignore[arg-type]  # it refuses all but arrays of numbers
    return vectors if isinstance(vectors, np.ndarray) else vectors.toarray()


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
    """The collection's vectors as directions; None if there are none."""
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
