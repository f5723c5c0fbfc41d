"""Rocchio's formula: the query moves towards what was marked relevant and away from the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from satchel.errors import InputError, one_of
from satchel.feedback.marks import Marks
from satchel.ranking.probes import DoubleArray

RocchioPreset: TypeAlias = Literal["paper", "strong"]
ROCCHIO_WEIGHTS: dict[str, tuple[float, float, float]] = {"paper": (1.0, 0.8, 0.0), "strong": (1.0, 2.0, -1.0)}
"""Weights of the query, of the relevant and of the irrelevant documents: those of [PT18] section 4.5, and others that
also move away from what is irrelevant."""


def rocchio(query: DoubleArray, marks: Marks, weights: tuple[float, float, float]) -> DoubleArray:
    """q′ = a q + b · mean of the relevant + c · mean of the irrelevant documents, [PT18] section 4.5 (c is 0 or below).

    query (n_features,), of length 1 or 0, as the documents are -> (n_features,). A side without marks adds nothing.
    """
    a, b, c = weights
    moved: DoubleArray = a * query + b * graded_mean(marks.relevant) + c * graded_mean(marks.irrelevant)
    return moved


def graded_mean(marks: Marks) -> DoubleArray:
    """Σ g_i z_i / max(1, Σ g_i), (n_features,): the mean where marks are sure; a lone `maybe` has half its force."""
    total: DoubleArray = marks.grades @ marks.vectors
    return total / max(1.0, float(marks.grades.sum()))


def read_rocchio_weights(given: RocchioPreset | Sequence[float]) -> tuple[float, float, float]:
    """Three finite weights, from a name or as they are."""
    if isinstance(given, str):
        one_of("rocchio weights", given, ROCCHIO_WEIGHTS)
        return ROCCHIO_WEIGHTS[given]
    try:
        a, b, c = (float(weight) for weight in given)
    except (TypeError, ValueError):
        names = " or ".join(f'"{name}"' for name in ROCCHIO_WEIGHTS)
        raise InputError(f"rocchio_weights is {given!r}; expected {names}, or three numbers") from None
    if not (np.isfinite([a, b, c]).all() and a >= 0 and b >= 0 and c <= 0):
        raise InputError(f"rocchio_weights is {given!r}; query and relevant weigh 0 or more, irrelevant 0 or less")
    return a, b, c
