"""Marks prepared for learning: one direction and one signed weight for each marked document."""

from __future__ import annotations

from collections.abc import Sized
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from satchel.arrays import row_norms
from satchel.errors import InputError
from satchel.ranking import checked_vectors, not_finite
from satchel.types import DoubleArray, FloatArray, Vectors


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
    its grades, so that equal ones cancel. Documents are the same where their directions are. Zero vectors have no
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
