"""The default method of `Feedback`: it moves the query only as far as the marks justify.

It follows from three findings on documents of train splits (docs/explanation/feedback.md):

- Marks that agree with the ranking teach nothing: following them makes a third of the queries worse and few better.
- One or two irrelevant marks do not represent all irrelevant documents, so their mean counts less.
- The direction from the irrelevant to the relevant documents, with their neighbours, ranks better than either mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from satchel.errors import InputError, one_of
from satchel.feedback.marks import Background, Marks
from satchel.types import DoubleArray

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
    """Σ g_i z_i / max(1, Σ g_i), (n_features,): the mean of sure marks; a single `maybe` has half the weight."""
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


RELEVANT_WEIGHT = 2.0
LONE_IRRELEVANT_WEIGHT = 0.2  # if no mark is relevant; from 0.35 on, everything near the query sinks too
NEIGHBOURS = 2  # of each relevant mark; 10 gain 0.1 mAP in large classes and lose 0.5 if few documents are relevant
NEIGHBOUR_SHARE = 0.25  # of the relevant centre; 0 loses 0.7 mAP in large classes, 0.4 gains 0.2 and loses elsewhere
MOST_DIRECTION = (
    0.5  # the largest share of the direction, the rest is Rocchio's; 0.7 changes little, 0 loses 1 to 2 mAP
)


def move_by_marks(query: DoubleArray, marks: Marks, background: Background | None) -> DoubleArray:
    """Moves the query by the marks, (n_features,); query: of length 1 or 0.

    With n₊ and n₋ the sums of the grades, a = min(½, n₋ / (n₊ + n₋)): (1 - a) · Rocchio + a · direction, both scaled
    to length 1. The larger the share of irrelevant marks, the more the direction counts.
    """
    if background is None:
        return careful_rocchio(query, marks, np.zeros_like(query))
    if agrees(query, marks, background):
        return query
    moved = careful_rocchio(query, marks, background.mean)
    relevant, irrelevant = marks.relevant, marks.irrelevant
    if not (len(relevant.weights) and len(irrelevant.weights)):
        return moved
    wrong = float(irrelevant.grades.sum() / marks.grades.sum())
    a = min(MOST_DIRECTION, wrong)
    return (1 - a) * unit(moved) + a * unit(direction_between(query, relevant, irrelevant, background))


def agrees(query: DoubleArray, marks: Marks, background: Background) -> bool:
    """Whether no mark is irrelevant and the query ranks the relevant documents before all others."""
    relevant = marks.relevant
    if len(marks.irrelevant.weights) or not len(relevant.weights) or not query.any():
        return False
    cosines = background.cosines(query)
    before = cosines > float((relevant.vectors @ query).min()) + 1e-6
    return not (before & ~background.are_among(relevant.vectors)).any()


def careful_rocchio(query: DoubleArray, marks: Marks, mean: DoubleArray) -> DoubleArray:
    """q + 2 · mean of the relevant - trust(n₋) · mean of the irrelevant; mean (n_features,): of the collection.

    If no mark is relevant: q - 0.2 · (mean of the irrelevant - mean of the collection). With a larger weight,
    everything near the query would sink.
    """
    irrelevant = graded_mean(marks.irrelevant)
    if not len(marks.irrelevant.weights):
        return query + RELEVANT_WEIGHT * graded_mean(marks.relevant)
    if not len(marks.relevant.weights):
        return query - LONE_IRRELEVANT_WEIGHT * (irrelevant - mean)
    moved = query + RELEVANT_WEIGHT * graded_mean(marks.relevant)
    return moved - trust(marks.irrelevant, 1.0) * irrelevant


def direction_between(query: DoubleArray, relevant: Marks, irrelevant: Marks, background: Background) -> DoubleArray:
    """The direction from the centre of the irrelevant to the centre of the relevant documents, (n_features,).

    The relevant centre: the query and the marks and, with a quarter of the weight, the documents nearest to them. The
    irrelevant centre: the marks as far as they can be trusted, and otherwise the whole collection.
    """
    own = float(query @ query)
    marked = (query + relevant.grades @ relevant.vectors) / (own + relevant.grades.sum())
    s = trust(relevant, 0.5) * trust(irrelevant, 1.0)
    away = s * graded_mean(irrelevant)
    n_neighbours = NEIGHBOURS * float(relevant.grades.sum())
    near = background.nearest_mean(marked - away, n_neighbours, irrelevant.vectors)
    centre: DoubleArray = (1 - NEIGHBOUR_SHARE) * marked + NEIGHBOUR_SHARE * near
    return centre - away - (1 - s) * background.mean


def trust(marks: Marks, doubt: float) -> float:
    """n / (n + doubt), n the sum of the grades: how far the mean of n marks can be trusted."""
    n = float(marks.grades.sum())
    return n / (n + doubt)


def unit(direction: DoubleArray) -> DoubleArray:
    """The vector scaled to length 1; zero stays zero."""
    length = float(np.sqrt(direction @ direction))
    return direction / length if length > 0 else direction
